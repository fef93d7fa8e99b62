"""What bets pay (docs/rules.md, sections 7 and 8): leg bets as vectors over rankings, finish cards by their rank.

Nothing here knows how likely a ranking or a colour is.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from camelodds.game.state import Holding
from camelodds.position.rankings import places
from camelodds.rules import WRONG_PAYS, Rules, ticket_by_place

POSITION_PAYS: Final = 3


# Axes: C racing camels, R = C! rankings in lexicographic order of camels from first to last, K rewards.
@lru_cache(maxsize=1024)
def ticket_pays(racing: str, ticket: str) -> NDArray[np.int64]:
    """int64 (R,): pounds that a leg ticket such as "r5" pays in each ranking."""
    place = places(len(racing))[racing.index(ticket[0])]
    pays: NDArray[np.int64] = np.array(ticket_by_place(int(ticket[1:]), len(racing)))[place - 1]
    return pays


@lru_cache(maxsize=1024)
def position_pays(racing: str, place: int, colour: str) -> NDArray[np.int64]:
    """int64 (R,): pounds that a position tile on a ticket of a colour pays in each ranking, in place of the ticket."""
    return np.where(places(len(racing))[racing.index(colour)] == place, POSITION_PAYS, WRONG_PAYS)


@lru_cache(maxsize=4096)
def rewards(racing: str, holding: Holding) -> NDArray[np.int64]:
    """int64 (K, R): what each ticket, with its position tile, and each pyramid ticket pays in each ranking."""
    bare = list(holding.tickets)
    rows = []
    for place, ticket in holding.positions:
        bare.remove(ticket)
        rows.append(position_pays(racing, place, ticket[0]))
    rows += [ticket_pays(racing, ticket) for ticket in bare]
    rows += [np.ones(factorial(len(racing)), np.int64)] * holding.pyramid
    return np.array(rows, np.int64).reshape(-1, factorial(len(racing)))


@lru_cache(maxsize=4096)
def copied(racing: str, partner: Holding) -> NDArray[np.int64]:
    """int64 (R,): what a player gets for the best of a partner's rewards in each ranking, never less than 0."""
    best: NDArray[np.int64] = rewards(racing, partner).max(axis=0, initial=0)
    return best


@lru_cache(maxsize=4096)
def scoring(racing: str, holding: Holding, partner: Holding | None) -> NDArray[np.int64]:
    """int64 (R,): what the leg's scoring brings a player in each ranking, all bets netted."""
    own: NDArray[np.int64] = rewards(racing, holding).sum(axis=0)
    return own if partner is None else own + copied(racing, partner)


def card_pays(rules: Rules, rank: int) -> int:
    """Pounds for a right finish card that comes after `rank` other right ones."""
    return rules.finish[rank] if rank < len(rules.finish) else rules.finish_later
