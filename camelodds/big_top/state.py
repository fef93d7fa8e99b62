"""A state of the game around the tent: what is known at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from camelodds.big_top.checks import StateError, check_players, check_seen, check_stack
from camelodds.big_top.tent_questions import Meeples, TentQuestions
from camelodds.big_top.text import Reader, from_json, to_json, write

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Table


@dataclass(frozen=True, slots=True)
class Player:
    """What a player has beside the tent, and how many points.

    Parameters
    ----------
    name : str
        One word.
    tent : int
        Own meeples on the tent's tile and the eight around, ringmaster and farmers included, acrobats not.
    acrobats : int
        Own acrobats there; whether they count is a ruling of the `State`.
    score : int
        Points so far.
    """

    name: str
    tent: int = 0
    acrobats: int = 0
    score: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class State(TentQuestions):
    """What is known at the table; what is not known may be left out until a question needs it.

    The answers take it that the tokens not seen are equally likely to come and that every order of the stack is, too.
    They do not model where tiles fit, which features get completed, or what others will do.

    Parameters
    ----------
    seen : sequence of int
        Tokens that were revealed, in any order. Who missed one leaves it out.
    stack, circus, acrobat : int, optional
        Tiles left in the stack, and how many of them are circus and acrobat tiles. A tile just drawn is not in it.
    players : sequence of Player
        In seating order.
    to_move : str, optional
        Who draws the next tile of the stack.
    acrobats_count : bool
        The ruling on acrobats beside the tent: whether they score like meeples. The printed rules name ringmasters
        only; by default they do.

    Raises
    ------
    GameError
        If a state can not be: more tokens of a value than printed, more tiles than left, a player twice.

    Examples
    --------
    >>> state = State.parse("tokens 7 6 4 seen | stack 40 circus 6 | ana tent=3 score=41 | ben tent=1 score=45")
    >>> print(state)
    tokens 7 6 4 seen | stack 40 circus 6 | ana tent=3 score=41 | ben tent=1 score=45
    >>> state.token().at_least(5), state.token().mean
    (Fraction(4, 13), Fraction(50, 13))
    """

    seen: Sequence[int] = ()
    stack: int | None = field(default=None, kw_only=True)
    circus: int | None = field(default=None, kw_only=True)
    acrobat: int | None = field(default=None, kw_only=True)
    players: Sequence[Player] = field(default=(), kw_only=True)
    to_move: str | None = field(default=None, kw_only=True)
    acrobats_count: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("seen", "players"):
            given = getattr(self, name)
            if not isinstance(given, list | tuple):
                raise StateError(f"{name} come as a list, not {given!r}", (name,))
            object.__setattr__(self, name, tuple(given))
        for index, player in enumerate(self.players):
            if not isinstance(player, Player):
                raise StateError(f"a player is such as Player('ana', tent=3), not {player!r}", ("players", index))
        if not isinstance(self.acrobats_count, bool):
            raise StateError(f"acrobats_count is True or False, not {self.acrobats_count!r}", ("acrobats_count",))
        check_stack(self)
        object.__setattr__(self, "seen", check_seen(self.seen, self.circus))
        check_players(self)
        for name in ("stack", "circus", "acrobat"):  # numpy's whole numbers are read, too
            if getattr(self, name) is not None:
                object.__setattr__(self, name, int(getattr(self, name)))
        players = (Player(each.name, int(each.tent), int(each.acrobats), int(each.score)) for each in self.players)
        object.__setattr__(self, "players", tuple(players))

    @classmethod
    def parse(cls, text: str) -> State:
        """The state that a text describes: parts between bars, in any order.

        Parameters
        ----------
        text : str
            `tokens 7 6 4 seen`, `stack 40 circus 6 acrobat 3`, a part such as `ana tent=3 acrobats=1 score=41` for
            each player in seating order, `to_move ana`, `rulings acrobats=no`. All may be left out.

        Returns
        -------
        State

        Raises
        ------
        NotationError
            With a caret under the place, and what was expected there.
        """
        reader = Reader(text)
        reader.read()
        try:
            return cls(**reader.fields, players=[Player(**player) for player in reader.players])
        except StateError as error:
            raise reader.wrong(error) from None

    def __str__(self) -> str:
        return write(self)

    def __repr__(self) -> str:
        return f"State.parse({str(self)!r})"

    def to_json(self) -> str:
        """The state as JSON, with the names of the fields. `from_json` reads it."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> State:
        """The state of a JSON text as `to_json` writes it. Raises GameError for anything else."""
        fields, players = from_json(text)
        return cls(**fields, players=[Player(**player) for player in players])

    @property
    def frame(self) -> pd.DataFrame:
        """Everyone after the next scoring, players by name: meeples, points, sd, and with others lead, ahead, level."""
        from camelodds.big_top.tables import frame_of, of_players

        return frame_of(of_players(self))

    def tables(self, exact: bool = False, then: Sequence[Meeples] = ()) -> list[Table]:
        """Every answer that the state alone allows, as tables.

        Parameters
        ----------
        exact : bool
            Fractions instead of rounded numbers, and variances instead of standard deviations.
        then : sequence of mapping of str to int
            Meeples at scorings after the next one, for points and leads, as for `points`.

        Returns
        -------
        list of Table
        """
        from camelodds.big_top.tables import of_state

        return of_state(self, exact, then)

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return "".join(table_html(table) for table in self.tables())
