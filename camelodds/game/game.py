"""A game in progress: the board, what the players hold, the finish decks (docs/rules.md, sections 6 to 8)."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from camelodds.errors import GameError
from camelodds.game.payoffs import POSITION_PLACES, Card
from camelodds.position.board import Board
from camelodds.position.notation import full_pyramid
from camelodds.rules import MOST_POUNDS, Rules

if TYPE_CHECKING:
    from fractions import Fraction

SECTIONS: Final = ("winner", "loser", "partners", "photographer", "used", "taken", "to_move")
"""Words that begin a part of a game's text and therefore name no player."""
PARTNERS_FROM: Final = 6
"""Fewest players for partnerships."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_TICKET: Final = re.compile(r"([a-z])([1-9][0-9]*)")


@dataclass(frozen=True)
class Player:
    """What one player has, as far as it is known.

    money : pounds     tickets : leg tickets such as "r5"     pyramid : pyramid tickets of this leg
    positions : Supercup, place tile (2 to 5) and the ticket that it covers, such as {3: "r5"}
    """

    money: int = 3
    tickets: Sequence[str] = ()
    pyramid: int = 0
    positions: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.tickets, str):
            raise GameError(f'tickets come as a list such as ["r5", "g3"], not as the text {self.tickets!r}')
        for name in ("money", "pyramid"):
            object.__setattr__(self, name, _amount(name, getattr(self, name)))
        positions = self.positions.items() if isinstance(self.positions, Mapping) else [(None, None)]
        if not all(isinstance(place, int) and isinstance(ticket, str) for place, ticket in positions):
            raise GameError(f'positions come as place and ticket, such as {{3: "r5"}}, not {self.positions!r}')
        object.__setattr__(self, "tickets", tuple(self.tickets))
        object.__setattr__(self, "positions", dict(sorted(self.positions.items())))

    def __hash__(self) -> int:
        return hash((self.money, self.tickets, self.pyramid, tuple(self.positions.items())))


@dataclass(frozen=True, eq=False)
class Game:
    """A game in progress. A game is a value, checked when it is made: GameError names what can not be.

    board : with the tiles and their owners     players : by name, in seating order
    winner_cards, loser_cards : who placed each finish card and its colour, in order; None: face down, not known
    to_move : whose turn it is     photographer : Supercup, holder and space of the camera, such as ("ana", 8)
    partners : pairs of names     used_support : spicy Supercup, colours whose support die was used in this leg
    taken : tickets known to be gone without saying who has them
    """

    board: Board
    players: Mapping[str, Player] = field(default_factory=dict)
    winner_cards: Sequence[Card] = ()
    loser_cards: Sequence[Card] = ()
    to_move: str | None = None
    photographer: tuple[str, int] | None = None
    partners: Sequence[tuple[str, str]] = ()
    used_support: Iterable[str] = ()
    taken: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise GameError(f"the board is a Board, not {type(self.board).__name__}: see Board.parse")
        if not isinstance(self.players, Mapping) or not all(isinstance(p, Player) for p in self.players.values()):
            raise GameError("players come by name, such as {'ana': Player(money=3)}")
        for name in ("taken", "used_support"):
            given = getattr(self, name)
            texts = (None,) if isinstance(given, str) else tuple(given)
            if not all(isinstance(each, str) for each in texts):
                raise GameError(f"{name}: expected a list of texts, not {given!r}")
            object.__setattr__(self, name, texts if name == "taken" else frozenset(texts))
        for name in ("winner_cards", "loser_cards", "partners"):
            object.__setattr__(self, name, _pairs(name, getattr(self, name)))
        object.__setattr__(self, "players", dict(self.players))
        object.__setattr__(self, "photographer", _photographer(self.photographer))
        for check in (_players, _tiles, _tickets, _positions, _pyramid, _cards, _camera, _partners, _support):
            check(self)

    def __eq__(self, other: object) -> bool:
        return self._compared == other._compared if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[Any, ...]:
        # The order of the players is that of their seats; two mappings would compare without it.
        given = (getattr(self, each.name) for each in fields(self) if each.name != "players")
        return (*given, tuple(self.players.items()))

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.board.rules

    @property
    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The values of the leg tickets that nobody holds, by colour, best first."""
        return ticket_stacks(self.rules, [player.tickets for player in self.players.values()], self.taken)

    def hand(self, player: str) -> str | None:
        """The finish cards that a player still holds, in the order of the rules; None where that is not known."""
        placed = [colour for name, colour in (*self.winner_cards, *self.loser_cards) if name == player]
        if None in placed:
            return None
        return "".join(letter for letter in self.rules.racing if letter not in placed)

    @classmethod
    def parse(cls, text: str, edition: str | Rules = "second") -> Game:
        """The game that a text describes, such as "1:rb 2:g 3:yp 14:K 15:W | ana money=3 r5 pyramid=1 | winner ana=g".

        The parts, between bars: the board; a player and what he has (`money=3 pyramid=1 r5 g3`, and `position3=r5` for
        a place tile); `winner` and `loser` with the cards in order (`ana=r ben=?`); `photographer ana=8`;
        `partners ana=ben`; `used b g` (support dice); `taken r5`; `to_move ana`.
        Raises NotationError for the board, GameError for the rest.
        """
        from camelodds.game.text import read

        return read(text, edition)

    def __str__(self) -> str:
        from camelodds.game.text import write

        return write(self)

    def to_json(self) -> str:
        """This game as JSON, after the schema game.schema.json of this package."""
        from camelodds.game.text import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any]) -> Game:
        """The game of a JSON text, or of what it decodes to. Raises GameError, NotationError or RulesError."""
        from camelodds.game.text import from_json

        return from_json(text)

    def legal_actions(self, roll: tuple[str, int] | None = None) -> list[str]:
        """The names of all that the player to move may do, as `actions` names them; none when the race is over.

        roll : in the spicy Supercup, what a reveal has just shown: the names then are "reveal" and what may follow it,
            such as "reveal + support b"
        Raises GameError when the leg is over (see `next_leg`) or nobody is to move.
        """
        from camelodds.game.step import legal_actions

        return legal_actions(self, roll)

    def apply(self, action: str, roll: tuple[str, int] | None = None) -> Game:
        """The game after the player to move has done this, the next one to move.

        roll : for "reveal", what the die showed, as `Board.roll` takes it: ("r", 2), ("r+", 1) or ("white", 3)
        Tiles and the photo are paid at once. When the leg ends it is scored and the next one begins; when the race
        ends all stays in place for `returns`. "winner ?" and "loser ?" place a card that nobody else knows.
        Raises GameError for what is not allowed, RulesError for a die that can not show this (docs/rules.md, 6 to 8).
        """
        from camelodds.game.step import apply

        return apply(self, action, roll)

    def next_leg(self) -> Game:
        """The game at the next leg's start: this one scored, tickets, tiles and camera home, partnerships ended.

        `apply` does it by itself. Raises RulesError if the leg goes on or the race is over.
        """
        from camelodds.game.step import next_leg

        return next_leg(self)

    def chance_outcomes(self) -> list[tuple[tuple[str, int], Fraction]]:
        """What the next reveal can show, as `apply` takes it, and how likely that is; none when the leg is over."""
        from camelodds.game.step import chance_outcomes

        return chance_outcomes(self)

    def returns(self) -> dict[str, int]:
        """Everyone's money when the race is over: its last leg scored, then winner and loser deck card by card, with
        the floor at zero (docs/rules.md, section 7). Raises GameError before, or for a card face down."""
        from camelodds.game.step import returns

        return returns(self)


def whose_turn(game: Game) -> str | None:
    """Who is to move, as far as that is known: the only player always is."""
    return game.to_move or (next(iter(game.players)) if len(game.players) == 1 else None)


def ticket_stacks(rules: Rules, held: Iterable[Iterable[str]], taken: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The values left on each colour's stack, best first, when these tickets are gone."""
    left = {letter: list(rules.tickets) for letter in rules.racing}
    for tickets in (*held, taken):
        for ticket in tickets:
            left[ticket[0]].remove(int(ticket[1:]))
    return {letter: tuple(values) for letter, values in left.items()}


def revealed(board: Board) -> int:
    """Pyramid tickets that can be with the players: dice of a leg's start less those still in the pyramid."""
    return max(0, full_pyramid(board.word, board.rules).bit_count() - board.pyramid.bit_count())


def no_tile_because(
    board: Board, stands: Container[int], space: int, owner: str | None, camera: int | None
) -> str | None:
    """The rule that keeps a player from placing his tile on a space (docs/rules.md, section 6), or None.

    stands : the spaces with camels     camera : the space of the camera
    """
    if space == 1:
        return "no tile on space 1"
    if space in stands:
        return f"camels stand on space {space}"
    if space == camera:
        return f"the camera stands on space {space}"
    for tile in board.tiles:
        whose = f"{tile.owner}'s tile" if tile.owner else "a tile"
        if owner is not None and tile.owner == owner:
            if tile.space == space:
                return "a tile moves to a different space"
        elif tile.space == space:
            return f"{whose} lies on space {space}"
        elif abs(tile.space - space) == 1:
            return f"{whose} lies next to it, on space {tile.space}"
    return None


def no_camera_because(board: Board, stands: Container[int], space: int) -> str | None:
    """What keeps a camera off a space (docs/rules.md, section 8, module 2), or None.

    stands : the spaces with camels
    """
    if space in stands:
        return f"camels stand on space {space}"
    if any(tile.space == space for tile in board.tiles):
        return f"a tile lies on space {space}"
    return None


def _amount(name: str, value: Any) -> int:
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number <= MOST_POUNDS:
        raise GameError(f"{name} is a whole number from 0 to {MOST_POUNDS}, not {value!r}")
    return number


def _pairs(name: str, given: Any) -> tuple[tuple[str, Any], ...]:
    pairs = [] if isinstance(given, str) else list(given)
    if isinstance(given, str) or not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
        raise GameError(f"{name} come as pairs, not {given!r}")
    return tuple((pair[0], pair[1]) for pair in pairs)


def _photographer(given: Any) -> tuple[str, int] | None:
    if given is None:
        return None
    if isinstance(given, (tuple, list)) and len(given) > 1 and all(isinstance(g, (tuple, list)) for g in given):
        raise GameError(f"two photographers: {' and '.join(str(holder) for holder, *_ in given)}; there is one camera")
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise GameError(f'the photographer comes with the space of the camera, such as ("ana", 8), not {given!r}')
    return given[0], given[1]


def _known(game: Game, name: Any, what: str) -> None:
    if not isinstance(name, str) or name not in game.players:
        known = f"the players are {', '.join(game.players)}" if game.players else "no player is named"
        raise GameError(f"{what} {name!r} is no player: {known}")


def _module(game: Game, module: str, used: bool, what: str) -> None:
    if used and module not in game.rules.modules:
        raise GameError(f"edition {game.rules.name} has no {what}")


def _players(game: Game) -> None:
    most = game.rules.players[1]
    if len(game.players) > most:
        raise GameError(f"{len(game.players)} players: edition {game.rules.name} is for at most {most}")
    for name in game.players:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise GameError(f"a player's name has letters, digits, _ and -, not {name!r}")
        if name in SECTIONS:
            raise GameError(f"no player is called {name!r}: the word begins a part of the game's text")
    if game.to_move is not None:
        _known(game, game.to_move, "to_move:")


def _tiles(game: Game) -> None:
    owners = [tile.owner for tile in game.board.tiles if tile.owner is not None]
    for owner in owners:
        _known(game, owner, "tile owner")
        if owners.count(owner) > 1:
            raise GameError(f"{owner} has two tiles on the board; each player has one")


def _tickets(game: Game) -> None:
    rules = game.rules
    printed = Counter(rules.tickets)
    out: Counter[str] = Counter()
    for ticket in (*(ticket for player in game.players.values() for ticket in player.tickets), *game.taken):
        match = _TICKET.fullmatch(ticket) if isinstance(ticket, str) else None
        if not match or match[1] not in rules.racing or int(match[2]) not in printed:
            values = ", ".join(f"{rules.racing[0]}{value}" for value in printed)
            raise GameError(
                f"{ticket!r} is no ticket of edition {rules.name}: expected a colour of {' '.join(rules.racing)} "
                f"and its value, such as {values}"
            )
        out[ticket] += 1
        copies = printed[int(match[2])]
        if out[ticket] > copies:
            raise GameError(
                f"ticket {ticket} is out {out[ticket]} times; {copies} {'is' if copies == 1 else 'are'} printed"
            )


def _positions(game: Game) -> None:
    used: dict[int, str] = {}
    for name, player in game.players.items():
        _module(game, "positions", bool(player.positions), "position tiles")
        covered = Counter(player.positions.values())
        for place, ticket in player.positions.items():
            if place not in POSITION_PLACES or place > len(game.rules.racing):
                raise GameError(f"position tiles are for the places 2 to 5, not {place!r}")
            if place in used:
                raise GameError(f"position tile {place} is used twice, by {used[place]} and {name}")
            used[place] = name
            if covered[ticket] > player.tickets.count(ticket):
                raise GameError(f"position tile {place} covers {ticket}, of which {name} has no bare one")


def _pyramid(game: Game) -> None:
    held = sum(player.pyramid for player in game.players.values())
    out = revealed(game.board)
    if held > out:
        raise GameError(f"{held} pyramid tickets are held, but {out} dice of this leg are revealed")


def _cards(game: Game) -> None:
    placed: dict[str, list[str | None]] = {}
    for deck, cards in (("winner", game.winner_cards), ("loser", game.loser_cards)):
        for name, colour in cards:
            _known(game, name, f"{deck} card of")
            if colour is not None and (
                not isinstance(colour, str) or len(colour) != 1 or colour not in game.rules.racing
            ):
                raise GameError(f"{deck} card {colour!r}: expected {' '.join(game.rules.racing)} or None for not known")
            mine = placed.setdefault(name, [])
            if colour is not None and colour in mine:
                raise GameError(f"{name} has placed two finish cards of {colour}; each player has one of a colour")
            mine.append(colour)
            if len(mine) > len(game.rules.racing):
                raise GameError(f"{name} has placed {len(mine)} finish cards; each player has {len(game.rules.racing)}")


def _camera(game: Game) -> None:
    if game.photographer is None:
        return
    _module(game, "photographer", True, "photographer")
    holder, space = game.photographer
    _known(game, holder, "photographer")
    if isinstance(space, bool) or not isinstance(space, int) or not 1 <= space <= game.rules.track:
        raise GameError(f"the camera stands on a space from 1 to {game.rules.track}, not {space!r}")
    because = no_camera_because(game.board, game.board.stacks, space)
    if because:
        raise GameError(f"no camera on space {space}: {because}")


def _partners(game: Game) -> None:
    _module(game, "partners", bool(game.partners), "partnerships")
    seen: set[str] = set()
    for pair in game.partners:
        for name in pair:
            _known(game, name, "partner")
        if pair[0] == pair[1]:
            raise GameError(f"{pair[0]} is his own partner")
        for name in pair:
            if name in seen:
                raise GameError(f"{name} has two partners")
            seen.add(name)
    if game.partners and len(game.players) < PARTNERS_FROM:
        raise GameError(f"partnerships need {PARTNERS_FROM} players or more; there are {len(game.players)}")


def _support(game: Game) -> None:
    rules = game.rules
    if game.used_support and not rules.spicy:
        raise GameError(f"used support dice are kept apart in the spicy Supercup only, not in edition {rules.name}")
    for colour in sorted(game.used_support, key=str):
        if not isinstance(colour, str) or len(colour) != 1 or colour not in rules.racing:
            raise GameError(f"used support die {colour!r}: expected colours of {' '.join(rules.racing)}")
        if game.board.pyramid & rules.dice[f"{colour}+"]:
            raise GameError(f"the support die {colour}+ is in the pyramid and can not be used already")
