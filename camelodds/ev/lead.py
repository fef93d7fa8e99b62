"""Who has most money after the leg's scoring (docs/rules.md, section 7), exactly, from the joint ranking.

Money and all that the scoring pays count. What tiles and the photo bring until then is left out, as in `holdings`:
it is not known together with the ranking.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from camelodds.ev.counts import LegCounts
from camelodds.game.payoffs import scoring
from camelodds.game.state import State


class Lead:
    """One player's chance to have most money after the leg's scoring, a tie shared among those who have it.

    player : their number     floor : whether nobody drops below 0
    """

    def __init__(self, legs: LegCounts, player: int, floor: bool = False) -> None:
        self._legs, self._player, self._floor = legs, player, floor
        self._shares: dict[tuple[object, ...], list[tuple[int, NDArray[np.bool_]]]] = {}

    def of(self, state: State) -> Fraction:
        """The chance if the leg is rolled to its end and nobody acts any more."""
        leg = self._legs.leg(state.board)
        shares = (Fraction(int(leg.rankings[where].sum()), tied) for tied, where in self._tied(state))
        return sum(shares, Fraction(0)) / leg.total

    # Axes: P players, R rankings.
    def _tied(self, state: State) -> list[tuple[int, NDArray[np.bool_]]]:
        """With how many each has most money, the player among them, and in which rankings: bool (R,)."""
        key = state.money, state.holdings, state.partner
        if key not in self._shares:
            players = range(len(state.names))
            pays = [scoring(state.rules.racing, state.holdings[each], state.partner_of(each)) for each in players]
            money = np.array(pays) + np.array(state.money).reshape(-1, 1)
            if self._floor:
                money = np.maximum(0, money)
            most = money == money.max(axis=0)
            tied = np.where(most[self._player], most.sum(axis=0), 0)
            self._shares[key] = [(count, tied == count) for count in np.unique(tied).tolist() if count]
        return self._shares[key]
