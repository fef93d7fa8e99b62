"""Exact odds of one leg (docs/rules.md, sections 3 to 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError, whole_number
from camelodds.odds.counting import Ends, count_legs, ends_of, marks_of, place_odds_many, total_ways
from camelodds.odds.spaces import Whereabouts
from camelodds.odds.tree import Branching
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.position.rankings import camel_and_place, in_place, place_frame, ranking_names
from camelodds.rules import Rules, ticket_by_place
from camelodds.show.table import Table, Value, ordinal, plain

if TYPE_CHECKING:
    import pandas as pd


# Axes: C racing camels, R = C! rankings in lexicographic order of camels from first to last.
@dataclass(frozen=True)
class LegOdds(Whereabouts, Branching):
    """Exact odds of one leg: every way it can go is counted, draws of dice times six faces each.

    Parameters
    ----------
    board : Board
        Where the leg stands.
    joint : int64 array (2, R)
        Ways by whether the race ends and by ranking; they sum to `total`.
    total : int
        All ways; 1 if the leg is over.
    landing_weights : int64 array (32,)
        Ways x landings by the tile's space.
    moves : int
        Merged moves made to find out.

    Examples
    --------
    >>> import camelodds as co
    >>> leg = co.leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#")
    >>> leg.p("g", 1), leg.landing(7), leg.landing_distribution(7)[1]
    (Fraction(16, 27), Fraction(2, 9), Fraction(2, 9))
    """

    board: Board
    joint: NDArray[np.int64]
    total: int
    landing_weights: NDArray[np.int64]
    moves: int

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    def table(self, exact: bool = False) -> Table:
        """Places by camel, the likeliest first on top.

        Parameters
        ----------
        exact : bool
            Whether chances are shown as fractions.

        Returns
        -------
        Table
        """
        board = self.board
        racing = board.rules.racing
        places = range(1, len(racing) + 1)
        chances = {camel: [self.p(camel, place) for place in places] for camel in racing}
        order = sorted(racing, key=lambda camel: chances[camel], reverse=True)
        shown: Callable[[Fraction], Value] = str if exact else float
        landings = {tile: self.landing(tile.space) for tile in board.tiles}
        return Table(
            title=f"{board}   ({board.rules.title})",
            label="camel",
            columns=[(ordinal(place), "share") for place in places],
            rows=[(camel, [shown(p) for p in chances[camel]]) for camel in order],
            notes=[self._ending(exact)]
            + [
                f"Tile {tile}: {landing if exact else f'{float(landing):.4f}'} landings expected"
                for tile, landing in landings.items()
            ],
        )

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """int64 (C, C) [camel, place]: ways in which a camel (rules' order) ends in a place, 0 first."""
        camels = len(self.board.rules.racing)
        return np.tensordot(self.joint.sum(axis=0), in_place(camels), 1)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """float64 (C, C) [camel, place]: `counts / total`."""
        return self.counts / self.total

    def p(self, camel: str, place: int) -> Fraction:
        """Probability that a camel ends the leg in a place. Raises RulesError for another camel or place.

        Parameters
        ----------
        camel : str
        place : int
            1 is the first.

        Returns
        -------
        Fraction
        """
        return Fraction(int(self.counts[camel_and_place(self.board.rules.racing, camel, place)]), self.total)

    def mean(self, pays: NDArray[np.int64]) -> Fraction:
        """Expected value of what is paid by ranking.

        Parameters
        ----------
        pays : int64 array (R,)
            Such as `bets.ticket_pays(racing, "r5")`.

        Returns
        -------
        Fraction
        """
        return Fraction(int(self.joint.sum(axis=0) @ pays), self.total)

    def ticket(self, ticket: str) -> Fraction:
        """What a leg ticket pays on average (docs/rules.md, section 7).

        Parameters
        ----------
        ticket : str
            Colour and value, such as ``"r5"``; a colour alone is the best ticket of its stack.

        Returns
        -------
        Fraction
            In pounds. A reveal brings 1. Raises RulesError for a ticket that the edition does not have.

        Examples
        --------
        >>> leg = leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#")
        >>> leg.ticket("g5"), leg.ticket("g") == leg.ticket("g5")
        (Fraction(23, 9), True)
        """
        rules = self.board.rules
        named = isinstance(ticket, str) and ticket != ""
        value = (ticket[1:] or str(rules.tickets[0])) if named else ""
        if not named or ticket[0] not in rules.racing or value not in map(str, rules.tickets):
            expected = f"a colour of {' '.join(rules.racing)} with a value of {', '.join(map(str, rules.tickets))}"
            raise RulesError(f"{ticket!r} is no ticket of edition {rules.name}: expected {expected}")
        pays = ticket_by_place(int(value), len(rules.racing))
        return sum((pounds * self.p(ticket[0], place) for place, pounds in enumerate(pays, 1)), Fraction(0))

    @property
    def tickets(self) -> pd.Series[float]:
        """What the best ticket of each colour's full stack pays on average, in pounds, by letter."""
        return self._by_letter([float(self.ticket(camel)) for camel in self.board.rules.racing])

    @property
    def race_ends(self) -> Fraction:
        """Probability that the race ends in this leg."""
        return Fraction(int(self.joint[1].sum()), self.total)

    @property
    def first(self) -> pd.Series[float]:
        """Probability of each camel to be first, by letter."""
        return self._by_letter(self.probabilities[:, 0])

    @property
    def second(self) -> pd.Series[float]:
        """Probability of each camel to be second, by letter."""
        return self._by_letter(self.probabilities[:, 1])

    @property
    def last(self) -> pd.Series[float]:
        """Probability of each camel to be last, by letter."""
        return self._by_letter(self.probabilities[:, -1])

    @property
    def frame(self) -> pd.DataFrame:
        """Probabilities as a DataFrame: camels by letter x places from 1."""
        return place_frame(self.board.rules.racing, self.probabilities)

    @property
    def rankings(self) -> pd.DataFrame:
        """The joint distribution as a DataFrame: ranking (first to last), race_over, count, most ways first."""
        import pandas as pd

        over, index = np.nonzero(self.joint)
        names = ranking_names(self.board.rules.racing)
        ranking, count = [names[i] for i in index], self.joint[over, index]
        frame = pd.DataFrame({"ranking": ranking, "race_over": over.astype(bool), "count": count})
        return frame.sort_values("count", ascending=False, kind="stable", ignore_index=True)

    @property
    def landings(self) -> pd.Series[float]:
        """Expected landings on each tile in the leg, by its space: what it brings its owner, in pounds."""
        import pandas as pd

        spaces = [tile.space for tile in self.board.tiles]
        values = [float(self.landing(space)) for space in spaces]
        return pd.Series(values, index=pd.Index(spaces, name="space", dtype=int), name="landings", dtype=float)

    def landing(self, space: int) -> Fraction:
        """Expected landings on the tile on a space. Raises RulesError if there is none.

        Parameters
        ----------
        space : int

        Returns
        -------
        Fraction
        """
        return Fraction(int(self.landing_weights[self._tile_on(space)]), self.total)

    def landing_distribution(self, space: int) -> dict[int, Fraction]:
        """Probability of each number of landings on the tile on a space. Raises RulesError if there is none.

        Parameters
        ----------
        space : int

        Returns
        -------
        dict of int to Fraction
        """
        return self._watched(self._tile_on(space))

    def photo(self, space: int) -> dict[int, Fraction]:
        """The photo that a camera on a space takes (docs/rules.md, section 8, module 2).

        Parameters
        ----------
        space : int
            Raises RulesError for one off the track or with a tile.

        Returns
        -------
        dict of int to Fraction
            Probability by number of camels in the first unit that ends its move there, crazy ones too; 0: no photo.
        """
        track, space = self.board.rules.track, whole_number(space, "a space")
        if space not in range(1, track + 1):
            raise RulesError(f"a camera stands on a space from 1 to {track}, not {space!r}")
        if any(tile.space == space for tile in self.board.tiles):
            raise RulesError(f"no camera on space {space}: a tile lies there")
        return self._watched(-space)

    @cached_property
    def ends(self) -> Ends:
        """The distinct boards in which the leg ends, with their weights. White and black are told apart.

        Their pyramids are empty, printed as ``/ -``, or as ``/ ?`` where a die stays inside: which one is not told.
        """
        return ends_of(self.board)

    @classmethod
    def of_many(cls, boards: Sequence[Board]) -> list[LegOdds]:
        """The odds from each of these boards, counted in one batch.

        Parameters
        ----------
        boards : sequence of Board
            At least one, all of the same rules.

        Returns
        -------
        list of LegOdds
        """
        rankings = factorial(len(boards[0].rules.racing))
        counted = count_legs(Boards.one(boards[0]) if len(boards) == 1 else Boards.of(boards))
        joints = counted.rankings.reshape(len(boards), 2, -1)[:, :, :rankings]
        moves = counted.moves.sum(axis=1).tolist()
        parts = zip(boards, joints, map(total_ways, boards), counted.landings, moves, strict=True)
        return [LegOdds(*each) for each in parts]

    @property
    def weighed_words(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """`ends` as words: uint64 (E,), int64 (E,)."""
        return self.ends.boards.word, self.ends.weights

    def _ending(self, exact: bool) -> str:
        """A sentence on how likely this leg is the last."""
        if self.board.race_over:
            return "The race is over."
        if self.board.leg_over:
            return "The leg is over."
        return f"The race ends in this leg: {self.race_ends if exact else f'{float(self.race_ends):.2%}'}"

    def _by_letter(self, values: Any) -> pd.Series[float]:
        import pandas as pd

        return pd.Series(values, index=pd.Index(list(self.board.rules.racing), name="camel"))

    def _tile_on(self, space: int) -> int:
        space = whole_number(space, "a space")
        if all(tile.space != space for tile in self.board.tiles):
            raise RulesError(f"no tile on space {space!r} ({self.board})")
        return space

    def _watched(self, watch: int) -> dict[int, Fraction]:
        return {number: Fraction(ways, self.total) for number, ways in enumerate(marks_of(self.board, watch))}


def leg_odds(board: Board | str, edition: str | Rules = "second") -> LegOdds:
    """Exact odds of the rest of the leg from a position, with its tiles and dice left.

    Parameters
    ----------
    board : Board or str
        The position, or its text in the notation of `edition`.
    edition : str or Rules
        For a text: "first", "second", "supercup", "supercup-second", or own rules.

    Returns
    -------
    LegOdds
        Every way in which the leg can go, counted.

    Raises
    ------
    NotationError, RulesError
        For a text that is no position, with the place, or an unknown edition.

    Examples
    --------
    >>> import camelodds as co
    >>> leg = co.leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#")
    >>> leg.p("g", 1), leg.total
    (Fraction(16, 27), 216)
    """
    if not isinstance(board, Board):
        board = Board.parse(board, edition)
    return LegOdds.of_many([board])[0]


def leg_odds_many(
    boards: Boards | Iterable[Board | str] | pd.Series[Any],
    edition: str | Rules = "second",
    *,
    executor: Executor | None = None,
) -> NDArray[np.float64]:
    """Exact odds of many legs.

    Parameters
    ----------
    boards : Boards, iterable of Board or str, or pandas Series
        Boards, texts in the notation of `edition`, a pandas column of either, or encoded `Boards`.
    edition : str or Rules
        For texts: "first", "second", "supercup", "supercup-second", or own rules.
    executor : concurrent.futures.Executor, optional
        Where the work is done; one thread per processor by default. Results are the same to the bit.

    Returns
    -------
    float64 array (N, C, C)
        By board, camel in the order of the rules, and place from the first.

    Raises
    ------
    NotationError, RulesError
        With the number of the first board at fault, or its label in a pandas column.

    Examples
    --------
    >>> import camelodds as co
    >>> odds = co.leg_odds_many(["2:rb 4:g 5:yp 13:KW +7 / rg#", "1:rb 2:g 3:yp 14:K 15:W"])
    >>> odds.shape, round(float(odds[0, 2, 0]), 4)
    ((2, 5, 5), 0.5926)
    """
    if isinstance(boards, Boards):
        boards.checked()
    return place_odds_many(Boards.of(boards, edition), executor)
