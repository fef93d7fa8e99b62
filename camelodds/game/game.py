"""A game in progress as people handle it: checked when it comes from outside, then carried on by its state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from camelodds.errors import GameError
from camelodds.game import step, turn
from camelodds.game import text as texts
from camelodds.game.description import Description, described
from camelodds.game.player import Player
from camelodds.game.state import Card, State
from camelodds.position.board import Board
from camelodds.rules import Rules

if TYPE_CHECKING:
    from camelodds.show.table import Table


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Game:
    """A game in progress. A game is a value, checked when it is made.

    Parameters
    ----------
    board : Board
        With the tiles and their owners.
    players : mapping of str to Player
        By name, in seating order.
    winner_cards, loser_cards : sequence of (str, str or None)
        Who placed each finish card and its colour, in order; None: face down, not known.
    to_move : str or None
        Whose turn it is.
    photographer : (str, int) or None
        Supercup: holder and space of the camera, such as ``("ana", 8)``.
    partners : sequence of (str, str)
        Pairs of names.
    used_support : iterable of str
        Spicy Supercup: colours whose support die was used in this leg.
    taken : sequence of str
        Tickets known to be gone without saying who has them.

    Raises
    ------
    GameError
        For what cannot be, naming it (docs/rules.md, sections 6 to 8).

    Examples
    --------
    >>> import camelodds as co
    >>> board = co.Board.parse("5:rg 7:y 8:pb 12:KW +10@ben / ryp#")
    >>> game = co.Game(board, {"ana": co.Player(tickets=["b5"]), "ben": co.Player(money=4)}, to_move="ana")
    >>> game.apply("ticket b3").stacks["b"]
    (2, 2)
    """

    # All that a game is stands in its state; these are read off it when they are asked for.
    board: Board
    players: Mapping[str, Player]
    winner_cards: Sequence[Card]
    loser_cards: Sequence[Card]
    to_move: str | None
    photographer: tuple[str, int] | None
    partners: Sequence[tuple[str, str]]
    used_support: frozenset[str]
    taken: Sequence[str]

    def __init__(
        self,
        board: Board,
        players: Mapping[str, Player] | None = None,
        winner_cards: Sequence[Card] = (),
        loser_cards: Sequence[Card] = (),
        to_move: str | None = None,
        photographer: tuple[str, int] | None = None,
        partners: Sequence[tuple[str, str]] = (),
        used_support: Iterable[str] = (),
        taken: Sequence[str] = (),
    ) -> None:
        given = Description(
            board, {} if players is None else players, winner_cards, loser_cards, to_move, photographer, partners,
            used_support, taken,
        )  # fmt: skip
        object.__setattr__(self, "_state", given.state())

    @classmethod
    def of(cls, state: State) -> Game:
        """The game of a state that follows from a checked one.

        Parameters
        ----------
        state : State
            Taken as it is.

        Returns
        -------
        Game
        """
        game = object.__new__(cls)
        object.__setattr__(game, "_state", state)
        return game

    @property
    def state(self) -> State:
        """All that the game is, as `game.legal` and `game.step` take it."""
        state: State = self.__dict__["_state"]
        return state

    def __getattr__(self, name: str) -> Any:
        if name not in Description._fields:
            raise AttributeError(f"a Game has no attribute {name!r}")
        self.__dict__.update(described(self.state)._asdict())
        return self.__dict__[name]

    def __eq__(self, other: object) -> bool:
        return self.state == other.state if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.state)

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.of, (self.state,)

    def __repr__(self) -> str:
        return f"Game.parse({str(self)!r}, edition={self.rules.name!r})"

    def table(self) -> Table:
        """What every player has, in seating order."""
        from camelodds.show.table import Table

        rows = []
        for name, player in self.players.items():
            covered = [f"{place} on {ticket}" for place, ticket in player.positions.items()]
            cards = [
                f"{deck} {colour or '?'}"
                for deck, placed in (("winner", self.winner_cards), ("loser", self.loser_cards))
                for owner, colour in placed
                if owner == name
            ]
            held = [" ".join(player.tickets), ", ".join(covered), ", ".join(cards)]
            rows.append((name, [str(player.money), held[0], str(player.pyramid or ""), *held[1:]]))
        heads = ("money", "tickets", "pyramid tickets", "position tiles", "finish cards")
        notes = [f"{self.to_move} is to move"] if self.to_move else []
        return Table(str(self.board), "player", [(head, "text") for head in heads], rows, notes, camels=False)

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return self.board.svg() + table_html(self.table())

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.state.rules

    @property
    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The values of the leg tickets that nobody holds, by colour, best first."""
        return self.state.stacks

    def hand(self, player: str) -> str | None:
        """The finish cards that a player still holds, in the order of the rules.

        Parameters
        ----------
        player : str
            Their name.

        Returns
        -------
        str or None
            Letters; None where a card that they placed is face down.
        """
        placed = [colour for name, colour in (*self.state.winner, *self.state.loser) if name == player]
        if None in placed:
            return None
        return "".join(letter for letter in self.rules.racing if letter not in placed)

    @classmethod
    def parse(cls, text: str, edition: str | Rules = "second") -> Game:
        """The game that a text describes.

        Parameters
        ----------
        text : str
            Parts between bars: the board; a player and what they have (``money=3 pyramid=1 r5 g5``, and
            ``position3=r5`` for a place tile); ``winner`` and ``loser`` with the cards in order (``ana=r ben=?``);
            ``photographer ana=8``; ``partners ana=ben``; ``used b g`` (support dice); ``taken r5``; ``to_move ana``.
        edition : str or Rules
            The rules in force.

        Returns
        -------
        Game

        Raises
        ------
        NotationError
            For the board, with the place.
        GameError
            For the rest.

        Examples
        --------
        >>> import camelodds as co
        >>> co.Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana money=5 | ben r5 | winner ana=g | to_move ben").to_move
        'ben'
        """
        return cls(*texts.read(text, edition))

    def __str__(self) -> str:
        return texts.write(described(self.state))

    def to_json(self) -> str:
        """This game as JSON, after the schema game.schema.json of this package."""
        return texts.to_json(described(self.state))

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any]) -> Game:
        """The game of a JSON text.

        Parameters
        ----------
        text : str or mapping
            The text, or what it decodes to, after the schema game.schema.json of this package.

        Returns
        -------
        Game

        Raises
        ------
        GameError, NotationError, RulesError
            For what is no game.
        """
        return cls(*texts.from_json(text))

    def legal_actions(self, roll: step.Shown | None = None) -> list[str]:
        """The names of all that the player to move may do, as `actions` names them; none when the race is over.

        Parameters
        ----------
        roll : (str, int), optional
            In the spicy Supercup, what a reveal has just shown: the names then are "reveal" and what may follow it,
            such as "reveal + support b".

        Returns
        -------
        list of str

        Raises
        ------
        GameError
            When the leg is over (see `next_leg`) or nobody is to move.

        Examples
        --------
        >>> import camelodds as co
        >>> co.Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | cem | to_move ana").legal_actions()[:3]
        ['reveal', 'ticket r5', 'ticket b5']
        """
        return turn.legal_names(self.state, roll)

    def apply(self, action: str, roll: step.Shown | None = None, *, score: bool = True) -> Game:
        """The game after the player to move has done this, the next one to move.

        Tiles and the photo are paid at once. When the leg ends it is scored and the next one begins; when the race
        ends all stays in place for `returns`.

        Parameters
        ----------
        action : str
            A name such as "ticket r3"; "winner ?" and "loser ?" place a card that nobody else knows, and
            "turn up winner 2 g" turns one up (see `turn_up`), which is nobody's turn.
        roll : (str, int), optional
            For "reveal", what the die showed, as `Board.roll` takes it: ("r", 2), ("r+", 1) or ("white", 3).
        score : bool
            False to leave a leg that ends as it is, for `next_leg`.

        Returns
        -------
        Game

        Raises
        ------
        GameError
            For what is not allowed.
        RulesError
            For a die that cannot show this (docs/rules.md, sections 6 to 8).

        Examples
        --------
        >>> import camelodds as co
        >>> game = co.Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | cem | to_move ana")
        >>> print(game.apply("reveal", ("r", 2)).board)
        2:g 3:yprb 14:K 15:W / bgyp#
        """
        return Game.of(turn.turn_taken(self.state, action, roll, score))

    def next_leg(self) -> Game:
        """The game at the next leg's start: this one scored, tickets, tiles and camera home, partnerships ended.

        `apply` does it by itself. Raises RulesError if the leg goes on or the race is over.
        """
        return Game.of(step.next_leg(self.state))

    def chance_outcomes(self) -> list[tuple[step.Shown, Fraction]]:
        """What the next reveal can show, as `apply` takes it, and how likely that is; none when the leg is over."""
        board = self.state.board
        total = 6 * board.pyramid.bit_count()
        return [((roll.shows, roll.number), Fraction(roll.weight, total)) for roll in board.rolls()]

    @property
    def face_down(self) -> list[tuple[str, int, str]]:
        """The finish cards that nobody has shown: deck ("winner" or "loser"), number in it from 1, and owner."""
        return self.state.face_down()

    def turn_up(self, deck: str, number: int, colour: str) -> Game:
        """The game with a finish card turned up in its place.

        Parameters
        ----------
        deck : str
            "winner" or "loser".
        number : int
            Which card of the deck, 1 the first that was placed.
        colour : str
            What it turns out to be.

        Returns
        -------
        Game

        Raises
        ------
        GameError
            Where there is no such card, it lies face up, or its owner has shown that colour elsewhere.

        Examples
        --------
        >>> import camelodds as co
        >>> game = co.Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | cem | winner ben=? ana=g")
        >>> game.face_down, game.turn_up("winner", 1, "p").winner_cards
        ([('winner', 1, 'ben')], (('ben', 'p'), ('ana', 'g')))
        """
        return Game.of(step.turned_up(self.state, deck, number, colour))

    def returns(self, *, face_down: bool = False) -> dict[str, int]:
        """Everyone's money when the race is over: its last leg scored, then winner and loser deck card by card.

        With the floor at zero (docs/rules.md, section 7).

        Parameters
        ----------
        face_down : bool
            Whether to leave cards out that lie face down (see `face_down` and `turn_up`), as if they had not been
            placed. Right cards after them may then still pay less.

        Returns
        -------
        dict of str to int
            Pounds by player.

        Raises
        ------
        GameError
            While the race goes on, or for cards face down, naming them.
        """
        return step.returns(self.state, face_down)


def state_of(game: Game) -> State:
    """The state of a game. Raises GameError for what is no Game."""
    if not isinstance(game, Game):
        raise GameError(f"expected a Game, not {type(game).__name__}: see Game.parse")
    return game.state
