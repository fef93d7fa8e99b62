"""A distribution over whole numbers, exact: what every chance here is answered with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Table


@dataclass(frozen=True, slots=True, repr=False)
class Distribution:
    """How likely each whole number is, in integer counts of equally likely ways.

    Two distributions are equal if they give every number the same chance.

    Parameters
    ----------
    ways : tuple of (int, int)
        Each number with its count, numbers rising, counts in lowest terms. Make one with `Distribution.of`.
    what : str
        What the number is, for titles of tables.

    Examples
    --------
    >>> coins = Distribution.of({0: 1, 1: 2, 2: 1}, "heads of two coins")
    >>> coins.p(2), coins.at_least(1), coins.mean
    (Fraction(1, 4), Fraction(3, 4), Fraction(1, 1))
    """

    ways: tuple[tuple[int, int], ...]
    what: str = field(default="", compare=False)

    @classmethod
    def of(cls, counts: Mapping[int, int], what: str = "") -> Distribution:
        """The distribution of these counts; they need not be in lowest terms.

        Parameters
        ----------
        counts : mapping of int to int
            Ways by number; at least one of them is more than 0.
        what : str
            What the number is.

        Returns
        -------
        Distribution

        Raises
        ------
        ValueError
            If there is no way at all, or fewer than none.
        """
        if not any(counts.values()) or min(counts.values()) < 0:
            raise ValueError(f"counts of ways are whole numbers from 0, not all of them 0, not {dict(counts)!r}")
        common = gcd(*counts.values())
        return cls(tuple((number, count // common) for number, count in sorted(counts.items()) if count), what)

    @property
    def counts(self) -> dict[int, int]:
        """Ways by number, numbers rising."""
        return dict(self.ways)

    @property
    def total(self) -> int:
        """All ways."""
        return sum(count for _, count in self.ways)

    def p(self, number: int) -> Fraction:
        """Probability of exactly this number."""
        return Fraction(self.counts.get(number, 0), self.total)

    def at_least(self, number: int) -> Fraction:
        """Probability of this number or more."""
        return Fraction(sum(count for value, count in self.ways if value >= number), self.total)

    def more_than(self, number: int) -> Fraction:
        """Probability of more than this number."""
        return Fraction(sum(count for value, count in self.ways if value > number), self.total)

    @property
    def mean(self) -> Fraction:
        """The expected number."""
        return Fraction(sum(value * count for value, count in self.ways), self.total)

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean."""
        square = Fraction(sum(value * value * count for value, count in self.ways), self.total)
        return square - self.mean**2

    @property
    def sd(self) -> float:
        """Standard deviation: the square root of the variance."""
        return sqrt(self.variance)

    def times(self, factor: int, plus: int = 0, what: str = "") -> Distribution:
        """The distribution of `factor` times the number, and `plus` added."""
        counts: dict[int, int] = {}
        for value, count in self.ways:
            counts[factor * value + plus] = counts.get(factor * value + plus, 0) + count
        return Distribution.of(counts, what or self.what)

    def plus(self, other: Distribution, what: str = "") -> Distribution:
        """The distribution of the sum with a number that is independent of this one.

        Tokens and the order of the tiles are independent of each other; two questions about tokens are not.

        Parameters
        ----------
        other : Distribution
            Of the other number.
        what : str
            What the sum is; by default as here.

        Returns
        -------
        Distribution

        Examples
        --------
        >>> coin = Distribution.of({0: 1, 1: 1})
        >>> coin.plus(coin).counts
        {0: 1, 1: 2, 2: 1}
        """
        counts: dict[int, int] = {}
        for value, count in self.ways:
            for more, ways in other.ways:
                counts[value + more] = counts.get(value + more, 0) + count * ways
        return Distribution.of(counts, what or self.what)

    @property
    def series(self) -> pd.Series[float]:
        """Probabilities as a Series of floats by number."""
        import pandas as pd

        numbers = pd.Index([value for value, _ in self.ways], name="number")
        return pd.Series([float(self.p(value)) for value, _ in self.ways], index=numbers, name=self.what or None)

    def table(self, exact: bool = False) -> Table:
        """The distribution as a table: each number, its chance, and the chance of at least that much."""
        from camelodds.big_top.tables import of_distribution

        return of_distribution(self, exact)

    def __repr__(self) -> str:
        from camelodds.show.table import plain

        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())
