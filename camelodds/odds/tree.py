"""The next reveals of a leg as a tree: every way they can go, how likely it is, and the odds from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from camelodds.errors import RulesError, whole_number
from camelodds.position.board import Board, Roll
from camelodds.show.table import Table, plain

if TYPE_CHECKING:
    import pandas as pd

MOST_BRANCHES: Final = 20_000
"""Of a tree: three reveals of the 2nd edition are 8,241 of them."""

Leg = TypeVar("Leg", bound="Branching")


@dataclass(frozen=True)
class Branch(Generic[Leg]):
    """One way in which the next reveals can go.

    rolls : what was revealed, in order     chance : of just that
    board : the position then               leg : its odds
    """

    rolls: tuple[Roll, ...]
    chance: Fraction
    board: Board
    leg: Leg

    @property
    def name(self) -> str:
        """Its rolls, such as "r 2, white 1"."""
        return ", ".join(f"{roll.shows} {roll.number}" for roll in self.rolls)


@dataclass(frozen=True)
class LegTree(Generic[Leg]):
    """The next reveals of a leg: a branch for each way they can go, each after the one that it grows from.

    board : where the leg stands     depth : reveals that are looked at     branches : of one reveal, of two, ...
    """

    board: Board
    depth: int
    branches: tuple[Branch[Leg], ...]

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    def layer(self, depth: int) -> tuple[Branch[Leg], ...]:
        """The branches after this many reveals; where the leg was over before, it has no more of them."""
        return tuple(branch for branch in self.branches if len(branch.rolls) == depth)

    def frame_of(self, ask: Callable[[Leg], Any]) -> pd.DataFrame:
        """A row a branch, with its chance and what a question to its odds gives.

        Parameters
        ----------
        ask : callable
            From `LegOdds` to a mapping or Series, such as ``lambda leg: leg.tickets``.

        Returns
        -------
        DataFrame
            Index: the rolls; columns: reveals, chance, and those of the answers.
        """
        import pandas as pd

        rows = [
            {"reveals": len(each.rolls), "chance": float(each.chance), **dict(ask(each.leg))} for each in self.branches
        ]
        return pd.DataFrame(rows, index=pd.Index([each.name for each in self.branches], name="rolls"))

    @property
    def frame(self) -> pd.DataFrame:
        """A row a branch: reveals, its chance, and each camel's chance to end the leg first."""
        return self.frame_of(lambda leg: leg.firsts())

    def table(self, exact: bool = False) -> Table:
        """A row a branch, those that grow from it indented below: its chance, and who then ends the leg first."""
        number: Any = str if exact else float
        racing = self.board.rules.racing
        rows = []
        for branch in self.branches:
            *before, last = branch.rolls
            firsts = branch.leg.firsts()
            label = f"{'   ' * len(before)}{last.shows} {last.number}"
            rows.append((label, [number(branch.chance), *(number(firsts[camel]) for camel in racing)]))
        return Table(
            title=f"{self.board}   ({self.board.rules.title})",
            label="reveal",
            columns=[("chance", "share"), *((f"{camel} 1st", "share") for camel in racing)],
            rows=rows,
            notes=["The leg is over: no die is revealed any more."] if not rows else [],
            camels=False,
        )


class Branching:
    """Odds that know how to find those of other boards, for a tree of what can come next."""

    board: Board

    @classmethod
    def of_many(cls, boards: Sequence[Board]) -> Sequence[Any]:
        """The odds from each of these boards."""
        raise NotImplementedError

    def p(self, camel: str, place: int) -> Fraction:
        """Probability that a camel ends the leg in a place."""
        raise NotImplementedError

    def firsts(self) -> dict[str, Fraction]:
        """Probability of each racing camel to end the leg first."""
        return {camel: self.p(camel, 1) for camel in self.board.rules.racing}

    def tree(self, depth: int = 1) -> LegTree[Any]:
        """The next reveals as a tree: every way they can go, how likely it is, and the odds from there.

        Parameters
        ----------
        depth : int
            How many reveals. The tree ends where the leg does.

        Returns
        -------
        LegTree

        Raises
        ------
        RulesError
            For less than one reveal, or more than 20,000 branches.

        Examples
        --------
        >>> import camelodds as co
        >>> tree = co.leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#").tree()
        >>> tree.branches[0].name, tree.branches[0].chance, tree.branches[0].leg.p("g", 1)
        ('r 1', Fraction(1, 9), Fraction(1, 2))
        """
        depth = whole_number(depth, "the depth of a tree")
        if depth < 1:
            raise RulesError(f"a tree has at least one reveal, not {depth}")
        grown: list[tuple[tuple[Roll, ...], Fraction, Board]] = []
        _grow(grown, (), Fraction(1), self.board, depth)
        boards = list(dict.fromkeys(board for _, _, board in grown))
        legs = dict(zip(boards, self.of_many(boards), strict=True)) if boards else {}
        return LegTree(self.board, depth, tuple(Branch(*each, legs[each[2]]) for each in grown))


def _grow(
    grown: list[tuple[tuple[Roll, ...], Fraction, Board]],
    before: tuple[Roll, ...],
    chance: Fraction,
    board: Board,
    depth: int,
) -> None:
    """Add what can come after some reveals, each followed by what comes after it."""
    ways = 6 * len(board.dice)
    for roll in board.rolls():
        if len(grown) == MOST_BRANCHES:
            raise RulesError(f"more than {MOST_BRANCHES:,} branches: expected fewer reveals")
        after = board.roll(roll.shows if roll.die == "#" else roll.die, roll.number)
        rolls, share = (*before, roll), chance * Fraction(roll.weight, ways)
        grown.append((rolls, share, after))
        if depth > 1:
            _grow(grown, rolls, share, after, depth - 1)
