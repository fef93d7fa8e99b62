"""A game as people describe it, checked: what comes from outside becomes a state only here (docs/rules.md, 6 to 8)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from camelodds.errors import GameError
from camelodds.game.player import Player
from camelodds.game.state import NOBODY, PARTNERS_FROM, POSITION_PLACES, Card, State, dice_revealed
from camelodds.position.board import Board
from camelodds.position.notation import OWNER

SECTIONS: Final = ("winner", "loser", "partners", "photographer", "used", "taken", "to_move")
"""Words that begin a part of a game's text and therefore name no player."""

_TICKET: Final = re.compile(r"([a-z])([1-9][0-9]*)")


class Description(NamedTuple):
    """A game by the fields of `Game`, which explains them."""

    board: Board
    players: Mapping[str, Player] = {}
    winner_cards: Sequence[Card] = ()
    loser_cards: Sequence[Card] = ()
    to_move: str | None = None
    photographer: tuple[str, int] | None = None
    partners: Sequence[tuple[str, str]] = ()
    used_support: Iterable[str] = ()
    taken: Sequence[str] = ()

    def state(self) -> State:
        """The state that is described. Raises GameError for what cannot be."""
        game = self._tidy()
        for check in _CHECKS:
            check(game)
        names, players = tuple(game.players), game.players.values()
        partner = [NOBODY] * len(names)
        for pair in game.partners:
            one, other = map(names.index, pair)
            partner[one], partner[other] = other, one
        return State(
            board=game.board,
            names=names,
            money=tuple(player.money for player in players),
            holdings=tuple(player.holding for player in players),
            partner=tuple(partner),
            camera=(game.photographer[1], names.index(game.photographer[0])) if game.photographer else None,
            winner=tuple(game.winner_cards),
            loser=tuple(game.loser_cards),
            used_support=frozenset(game.used_support),
            taken=tuple(game.taken),
            mover=NOBODY if game.to_move is None else names.index(game.to_move),
        )

    def _tidy(self) -> Description:
        """The same with each field in the one form that the checks know."""
        if not isinstance(self.board, Board):
            raise GameError(f"the board is a Board, not {type(self.board).__name__}: see Board.parse")
        if not isinstance(self.players, Mapping) or not all(isinstance(p, Player) for p in self.players.values()):
            raise GameError("players come by name, such as {'ana': Player(money=3)}")
        return self._replace(
            players=dict(self.players),
            winner_cards=_pairs("winner_cards", self.winner_cards),
            loser_cards=_pairs("loser_cards", self.loser_cards),
            photographer=_photographer(self.photographer),
            partners=_pairs("partners", self.partners),
            used_support=frozenset(_texts("used_support", self.used_support)),
            taken=_texts("taken", self.taken),
        )


def described(state: State) -> Description:
    """A state by the fields of `Game`."""
    names = state.names
    players = {
        name: Player(money, holding.tickets, holding.pyramid, dict(holding.positions))
        for name, money, holding in zip(names, state.money, state.holdings, strict=True)
    }
    return Description(
        board=state.board,
        players=players,
        winner_cards=state.winner,
        loser_cards=state.loser,
        to_move=None if state.mover == NOBODY else names[state.mover],
        photographer=(names[state.camera[1]], state.camera[0]) if state.camera else None,
        partners=tuple((names[one], names[other]) for one, other in enumerate(state.partner) if one < other),
        used_support=state.used_support,
        taken=state.taken,
    )


def _texts(name: str, given: Any) -> tuple[str, ...]:
    texts = () if isinstance(given, str) else tuple(given)
    if isinstance(given, str) or not all(isinstance(text, str) for text in texts):
        raise GameError(f"{name}: expected a list of texts, not {given!r}")
    return texts


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


def _known(game: Description, name: Any, what: str) -> None:
    if not isinstance(name, str) or name not in game.players:
        known = f"the players are {', '.join(game.players)}" if game.players else "no player is named"
        raise GameError(f"{what} {name!r} is no player: {known}")


def _module(game: Description, module: str, used: bool, what: str) -> None:
    if used and module not in game.board.rules.modules:
        raise GameError(f"edition {game.board.rules.name} has no {what}")


def _players(game: Description) -> None:
    rules = game.board.rules
    if len(game.players) > rules.players[1]:
        raise GameError(f"{len(game.players)} players: edition {rules.name} is for at most {rules.players[1]}")
    for name in game.players:
        if not isinstance(name, str) or not OWNER.fullmatch(name):
            raise GameError(f"a player's name is one word in letters of any script, with _ for blanks, not {name!r}")
        if name in (*SECTIONS, "used_support"):
            raise GameError(f"no player is called {name!r}: the word begins a part of the game's text")
    if game.to_move is not None:
        _known(game, game.to_move, "to_move:")


def _tiles(game: Description) -> None:
    owners = [tile.owner for tile in game.board.tiles if tile.owner is not None]
    for owner in owners:
        _known(game, owner, "tile owner")
        if owners.count(owner) > 1:
            raise GameError(f"{owner} has two tiles on the board; each player has one")


def _tickets(game: Description) -> None:
    rules = game.board.rules
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


def _runs(game: Description) -> None:
    """What is out of a stack is a run from its top, and with position tiles one from its bottom, each covered."""
    rules, players = game.board.rules, game.players.values()
    out = [*(ticket for player in players for ticket in player.tickets), *game.taken]
    covered = Counter(ticket for player in players for ticket in player.positions.values())
    if "positions" in rules.modules:
        covered += Counter(game.taken)
    for colour in rules.racing:
        printed = [f"{colour}{value}" for value in rules.tickets]
        gone = Counter(ticket for ticket in out if ticket[0] == colour)
        if not any(_run(printed, gone, bottom, covered) for bottom in range(gone.total() + 1)):
            lowest = max(printed.index(ticket) for ticket in gone)
            above = [ticket for ticket in printed[:lowest] if not gone[ticket]] or [printed[lowest]]
            lie, they, them = ("lies", "it is", "it") if len(above) == 1 else ("lie", "they are", "them")
            raise GameError(
                f"{printed[lowest]} cannot be out while {' and '.join(above)} {lie} on it: tickets are taken from the "
                f"top; if {they} gone without anybody known to hold {them}, add taken {' '.join(above)}"
            )


def _run(printed: list[str], gone: Counter[str], bottom: int, covered: Counter[str]) -> bool:
    """Whether what is gone of a stack are so many covered tickets from its bottom and else a run from its top."""
    from_bottom = Counter(printed[len(printed) - bottom :])
    return from_bottom <= covered and Counter(printed[: gone.total() - bottom]) + from_bottom == gone


def _positions(game: Description) -> None:
    used: dict[int, str] = {}
    for name, player in game.players.items():
        _module(game, "positions", bool(player.positions), "position tiles")
        covered = Counter(player.positions.values())
        for place, ticket in player.positions.items():
            if place not in POSITION_PLACES or place > len(game.board.rules.racing):
                raise GameError(f"position tiles are for the places 2 to 5, not {place!r}")
            if place in used:
                raise GameError(f"position tile {place} is used twice, by {used[place]} and {name}")
            used[place] = name
            if covered[ticket] > player.tickets.count(ticket):
                raise GameError(f"position tile {place} covers {ticket}, of which {name} has no bare one")


def _pyramid_tickets(game: Description) -> None:
    held = sum(player.pyramid for player in game.players.values())
    out = dice_revealed(game.board)
    if held > out:
        dice = "1 die of this leg is" if out == 1 else f"{out} dice of this leg are"
        raise GameError(f"{held} pyramid ticket{'s are' if held > 1 else ' is'} held, but {dice} revealed")


def _cards(game: Description) -> None:
    racing = game.board.rules.racing
    placed: dict[str, list[str | None]] = {}
    for deck, cards in (("winner", game.winner_cards), ("loser", game.loser_cards)):
        for name, colour in cards:
            _known(game, name, f"{deck} card of")
            if colour is not None and (not isinstance(colour, str) or len(colour) != 1 or colour not in racing):
                raise GameError(f"{deck} card {colour!r}: expected {' '.join(racing)} or None for not known")
            placed_before = placed.setdefault(name, [])
            if colour is not None and colour in placed_before:
                raise GameError(f"{name} has placed two finish cards of {colour}; each player has one of a colour")
            placed_before.append(colour)
            if len(placed_before) > len(racing):
                raise GameError(f"{name} has placed {len(placed_before)} finish cards; each player has {len(racing)}")


def _camera(game: Description) -> None:
    if game.photographer is None:
        return
    _module(game, "photographer", True, "photographer")
    holder, space = game.photographer
    _known(game, holder, "photographer")
    track = game.board.rules.track
    if isinstance(space, bool) or not isinstance(space, int) or not 1 <= space <= track:
        raise GameError(f"the camera stands on a space from 1 to {track}, not {space!r}")
    because = no_camera_because(game.board, space)
    if because:
        raise GameError(f"no camera on space {space}: {because}")


def no_camera_because(board: Board, space: int) -> str | None:
    """What keeps a camera off a space (docs/rules.md, section 8, module 2), or None."""
    if space in board.stacks:
        return f"camels stand on space {space}"
    if any(tile.space == space for tile in board.tiles):
        return f"a tile lies on space {space}"
    return None


def _partners(game: Description) -> None:
    _module(game, "partners", bool(game.partners), "partnerships")
    seen: set[str] = set()
    for pair in game.partners:
        for name in pair:
            _known(game, name, "partner")
        if pair[0] == pair[1]:
            raise GameError(f"{pair[0]} cannot be their own partner")
        for name in pair:
            if name in seen:
                raise GameError(f"{name} has two partners")
            seen.add(name)
    if game.partners and len(game.players) < PARTNERS_FROM:
        raise GameError(f"partnerships need {PARTNERS_FROM} players or more; there are {len(game.players)}")


def _support(game: Description) -> None:
    rules = game.board.rules
    if game.used_support and not rules.spicy:
        raise GameError(f"used support dice are kept apart in the spicy Supercup only, not in edition {rules.name}")
    for colour in sorted(game.used_support, key=str):
        if not isinstance(colour, str) or len(colour) != 1 or colour not in rules.racing:
            raise GameError(f"used support die {colour!r}: expected colours of {' '.join(rules.racing)}")
        if game.board.pyramid & rules.dice[f"{colour}+"]:
            raise GameError(f"the support die {colour}+ is in the pyramid and cannot be used already")


_CHECKS: Final = (_players, _tiles, _tickets, _positions, _runs, _pyramid_tickets, _cards, _camera, _partners, _support)
