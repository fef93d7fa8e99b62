"""Exact odds of a leg from a position that is known in part: the mixture over the boards that fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import factorial, lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError
from camelodds.odds.counting import CHUNK, Ends, count_legs, total_ways
from camelodds.odds.leg import LegOdds, leg_odds
from camelodds.odds.spaces import Spread
from camelodds.odds.tree import LegTree
from camelodds.position.boards import Boards
from camelodds.position.partly import PartlyKnown
from camelodds.rules import Rules
from camelodds.show.table import Table

MOST_WAYS: Final = 2**63 - 1


@dataclass(frozen=True, repr=False)
class PartlyKnownLegOdds(LegOdds):
    """Exact odds of a leg whose start is known in part: all that `LegOdds` answers, averaged over the boards that fit.

    known : the boards that fit and their weights; `board` is the first of them
    """

    known: PartlyKnown

    def table(self, exact: bool = False) -> Table:
        """Places by camel, and in the notes what is not known and how it was weighed."""
        shown = super().table(exact)
        ending = f"The race ends in this leg: {self.race_ends if exact else f'{float(self.race_ends):.2%}'}"
        return replace(shown, title=self._where, notes=[*self.known.notes, ending, *shown.notes[1:]])

    @cached_property
    def legs(self) -> tuple[LegOdds, ...]:
        """The odds from each board that fits, in the order of `known.boards`."""
        return tuple(map(leg_odds, self.known.boards))

    @cached_property
    def ends(self) -> Ends:
        """The distinct boards in which the leg ends, with their weights, which sum to `total`."""
        ways: Counter[int] = Counter()
        for leg, weight in self._weighed:
            for word, each in zip(leg.ends.boards.word.tolist(), leg.ends.weights.tolist(), strict=True):
                ways[word] += weight * each
        words = np.array(list(ways), np.uint64)
        none = np.zeros(len(words), np.int64)
        return Ends(Boards(self.known.rules, words, none, none, none), np.array(list(ways.values()), np.int64))

    def moved(self, camel: str) -> Spread:
        """How many spaces a camel goes, from wherever it starts; as `LegOdds.moved`."""
        ways: Counter[int] = Counter()
        for leg, weight in self._weighed:
            spread = leg.moved(camel)
            for number, each in spread.weights.items():
                ways[number] += weight * each
        title = f"{spread.title.partition(':')[0]}: {self._where}"
        return Spread(title, spread.unit, dict(sorted(ways.items())))

    def tree(self, depth: int = 1) -> LegTree[Any]:
        """Not of a position known in part: what its dice can do is known of each of `legs` alone. Raises RulesError."""
        raise RulesError("no tree of a position that is known in part: ask each of its legs")

    def mixed(self, chances: Callable[[LegOdds], Mapping[int, Fraction]]) -> dict[int, Fraction]:
        """Averages chances that each board's odds give: `mixed(lambda leg: leg.photo(8))`."""
        found: dict[int, Fraction] = {}
        for leg, share in zip(self.legs, self.known.shares.values(), strict=True):
            for number, chance in chances(leg).items():
                found[number] = found.get(number, Fraction(0)) + share * chance
        return dict(sorted(found.items()))

    @property
    def _weighed(self) -> list[tuple[LegOdds, int]]:
        """The odds of each board, and how many of all ways each of its own stands for."""
        weight = self.total // sum(self.known.weights)
        return [(leg, each * weight // leg.total) for leg, each in zip(self.legs, self.known.weights, strict=True)]

    @property
    def _where(self) -> str:
        return f"{self.known.text or self.known.notes[0]}   ({self.known.rules.title})"

    def _watched(self, watch: int) -> dict[int, Fraction]:
        return self.mixed(lambda leg: leg._watched(watch))


def leg_odds_of(known: PartlyKnown | str, edition: str | Rules = "second") -> PartlyKnownLegOdds:
    """Exact odds of the rest of a leg from a position that is known in part.

    Parameters
    ----------
    known : PartlyKnown or str
        What is known, or its text: ``1:{r,b}`` a stack in any order, camels that stand nowhere are not yet placed,
        ``/ rg?2`` two more dice of which nobody knows which they are. See `PartlyKnown.parse`.
    edition : str or Rules
        For a text: "first", "second", "supercup", "supercup-second", or own rules.

    Returns
    -------
    PartlyKnownLegOdds
        The average over all that fits, in fractions; equally likely unless `PartlyKnown.parse` got weights.

    Raises
    ------
    NotationError
        For a text that no position fits.
    RulesError
        For an unknown edition, or where too many positions fit.

    Examples
    --------
    >>> import camelodds as co
    >>> leg = co.leg_odds_of("2:{r,b} 4:g 5:yp 13:KW +7 / rg#")
    >>> both = [co.leg_odds(f"2:{stack} 4:g 5:yp 13:KW +7 / rg#") for stack in ("rb", "br")]
    >>> leg.p("b", 5), sum(each.p("b", 5) for each in both) / 2
    (Fraction(1, 2), Fraction(1, 2))
    """
    from camelodds.core.ranking import OVER

    if not isinstance(known, PartlyKnown):
        known = PartlyKnown.parse(known, edition)
    totals = [total_ways(board) for board in known.boards]
    common = lcm(*totals)
    total = sum(known.weights) * common
    if total > MOST_WAYS:
        raise RulesError("weights of positions too large to count with: expected smaller whole numbers")
    times = np.array([weight * (common // each) for weight, each in zip(known.weights, totals, strict=True)], np.int64)
    rankings = factorial(len(known.rules.racing))
    joint: NDArray[np.int64] = np.zeros((2, rankings), np.int64)
    landings: NDArray[np.int64] = np.zeros(32, np.int64)
    moves = 0
    many = Boards.of(known.boards)
    for start in range(0, len(many), CHUNK):
        piece = slice(start, start + CHUNK)
        counted = count_legs(many[piece])
        joint += np.tensordot(times[piece], counted.rankings.reshape(-1, 2, OVER)[:, :, :rankings], 1)
        landings += times[piece] @ counted.landings
        moves += int(counted.moves.sum())
    return PartlyKnownLegOdds(known.boards[0], joint, total, landings, moves, known)
