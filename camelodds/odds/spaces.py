"""Where a camel ends a leg, and how far it moves: distributions over whole numbers, exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError
from camelodds.position.board import Board
from camelodds.show.table import Table, named, plain

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Spread(Mapping[int, Fraction]):
    """Probability of each whole number that can come out, such as the space on which a camel ends the leg.

    It is read like a dictionary, and equals one with the same numbers and fractions.

    title : what it is about     unit : what the numbers are
    weights : ways by number, low to high; none is 0
    """

    title: str
    unit: str
    weights: dict[int, int]

    def __getitem__(self, number: int) -> Fraction:
        return Fraction(self.weights[number], self.total)

    def __iter__(self) -> Iterator[int]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    @property
    def total(self) -> int:
        """All ways."""
        return sum(self.weights.values())

    @property
    def mean(self) -> Fraction:
        """The expected number."""
        return Fraction(sum(number * ways for number, ways in self.weights.items()), self.total)

    @property
    def variance(self) -> Fraction:
        """The expected square of what the number is off its mean."""
        squares = Fraction(sum(number**2 * ways for number, ways in self.weights.items()), self.total)
        return squares - self.mean**2

    @property
    def series(self) -> pd.Series[float]:
        """Probabilities as a Series, by number."""
        import pandas as pd

        index = pd.Index(list(self), name=self.unit, dtype=int)
        return pd.Series([float(share) for share in self.values()], index=index)

    def at_least(self, number: int) -> Fraction:
        """Probability of this number or a higher one."""
        return Fraction(sum(ways for each, ways in self.weights.items() if each >= number), self.total)

    def table(self, exact: bool = False) -> Table:
        """A row a number; fractions where they are to be exact."""
        return Table(
            title=self.title,
            label=self.unit,
            columns=[("chance", "share"), ("or more", "share")],
            rows=[
                (str(number), [str(each) if exact else float(each) for each in (share, self.at_least(number))])
                for number, share in self.items()
            ],
            notes=[
                f"Mean {self.mean}"
                if exact
                else f"Mean {float(self.mean):.4f}, standard deviation {sqrt(self.variance):.4f}"
            ],
            camels=False,
        )


class Whereabouts:
    """What the boards in which a leg ends tell of its camels; for an answer that has those boards."""

    board: Board

    @property
    def weighed_words(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """The boards in which the leg ends, and their ways: uint64 (E,), int64 (E,)."""
        raise NotImplementedError

    def spaces(self, camel: str) -> Spread:
        """Where a camel ends the leg.

        Parameters
        ----------
        camel : str
            Its letter, racing or crazy.

        Returns
        -------
        Spread
            Probability of each space, read like a dictionary. 0 is behind the track and track + 1 over the line,
            however far a unit went beyond.

        Raises
        ------
        RulesError
            For a camel that the edition does not have.

        Examples
        --------
        >>> import camelodds as co
        >>> leg = co.leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#")
        >>> leg.spaces("g")[8], leg.spaces("g").mean
        (Fraction(2, 9), Fraction(50, 9))
        """
        ways = self._ways(camel)
        return Spread(f"{named(camel)} ends the leg on: {self._where}", "space", ways)

    def moved(self, camel: str) -> Spread:
        """How many spaces a camel goes in the leg, carried or not.

        Parameters
        ----------
        camel : str
            Its letter, racing or crazy.

        Returns
        -------
        Spread
            Probability of each number of spaces, less than 0 for backwards. Over the line is one space behind the last.

        Raises
        ------
        RulesError
            For a camel that the edition does not have.

        Examples
        --------
        >>> import camelodds as co
        >>> co.leg_odds("2:goyw 1:b / goyw", "first").moved("w").mean
        Fraction(451, 108)
        """
        ways, start = self._ways(camel), self.board.space(camel)
        moved = {space - start: each for space, each in ways.items()}
        return Spread(f"{named(camel)} moves in the leg: {self._where}", "spaces", moved)

    @property
    def spaces_frame(self) -> pd.DataFrame:
        """Where all camels end the leg as a DataFrame: camels by letter x spaces, probabilities."""
        import pandas as pd

        frame = pd.DataFrame({camel: self.spaces(camel).series for camel in self.board.rules.camels}).T
        return frame.fillna(0.0).sort_index(axis=1).rename_axis("camel").rename_axis("space", axis=1)

    @property
    def _where(self) -> str:
        return f"{self.board}   ({self.board.rules.title})"

    def _ways(self, camel: str) -> dict[int, int]:
        """Ways by space. Raises RulesError for a camel that the rules lack."""
        rules, (words, weights) = self.board.rules, self.weighed_words
        if not isinstance(camel, str) or camel not in rules.lanes:
            raise RulesError(f"{camel!r} is no camel of edition {rules.name}: expected {' '.join(rules.camels)}")
        spaces = words.view(np.uint8).reshape(-1, 8)[:, rules.lanes[camel]] >> 3
        return {int(space): int(weights[spaces == space].sum()) for space in np.unique(spaces)}
