"""The race from every leg's start without crazy camels, solved; and from any board, by the rows of a solved table.

What is solved for is a *prospect*, something that the end of the race settles: which rank wins, which comes last, the
whole ranking, or how many legs it takes. Its expectation with a set of dice in the pyramid is the mean, over the next
reveal, of the expectation with one die fewer; with no reveal left it is that of the next leg's start. Where the race is
over stands one more squad, the last, whose expectations are the outcome by rank.

Every move goes to a squad with a higher number, so one pass from the last squad down is all. With crazy camels there
are cycles: see `core.sweep`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, kernel
from camelodds.core.starts import FACES, NOWHERE, start_of

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float64]

SUPPORT_FACES = 2


# Axes: S squads, C racing camels, F faces, V values.
@kernel
def pass_down(
    squad_after: Numbers,
    change: Bytes,
    rank: Ints,
    dice: Ints,
    value: Ints,
    undrawn: int,
    support: bool,
    added: float,
    legs: bool,
    held: Floats,
) -> None:
    """Solve a race without crazy camels, from the last squad down.

    squad_after, change : see `racing_moves`     rank, dice : see `changes`
    value : int64 (C!, V), value before -> after a change     added : to the start of each leg
    legs : whether value v is the chance of v legs to come, so that each start of a leg moves them up by one
    held : float64 (S + 1, sets, V), the last squad filled with the outcome; a set is that of the racing dice by rank
        plus (rank + 1) << C for a support die. Filled; the full pyramid's are the leg starts.
    """
    racing = change.shape[1]
    full = (1 << racing) - 1 | (1 << racing if support else 0)
    expected = np.empty(held.shape[2])
    for squad in range(len(change) - 1, -1, -1):
        for pyramid in range(held.shape[1]):
            racing_dice = pyramid & (1 << racing) - 1
            supported = (pyramid >> racing) - 1
            dice_left = count_ones(racing_dice) + (supported >= 0)
            if dice_left <= undrawn:
                continue
            expected[:] = 0.0
            for camel in range(racing):
                if racing_dice >> camel & 1:
                    for face in range(FACES):
                        how = change[squad, camel, face]
                        rest = dice[how, racing_dice ^ 1 << camel]
                        if supported >= 0:
                            rest |= rank[how, supported] + 1 << racing
                        after = held[squad_after[squad, camel, face], rest]
                        for v in range(len(expected)):
                            expected[v] += after[value[how, v]] / FACES
            if supported >= 0:
                for face in range(SUPPORT_FACES):
                    how = change[squad, supported, face]
                    after = held[squad_after[squad, supported, face], dice[how, racing_dice]]
                    for v in range(len(expected)):
                        expected[v] += after[value[how, v]] / SUPPORT_FACES
            held[squad, pyramid] = expected / dice_left
        # A leg that ends here is followed by one that starts here. So with too few dice for another reveal, a lower
        # squad is to find what a full pyramid promises, which is known only now.
        held[squad, full] += added
        if legs:
            for v in range(len(expected) - 1, 0, -1):
                held[squad, full, v] = held[squad, full, v - 1]
            held[squad, full, 0] = 0.0
        for pyramid in range(held.shape[1]):
            if count_ones(pyramid & (1 << racing) - 1) + (pyramid >> racing > 0) <= undrawn:
                held[squad, pyramid] = held[squad, full]


# Axes: B boards, S squads, P pairs, C racing camels.
@kernel
def weigh(
    words: Ints,
    weights: Ints,
    crazy: bool,
    track: int,
    choose: Ints,
    by_order: Bytes,
    lane_of: Ints,
    table: Floats,
    checked: Bytes,
    unchecked: Ints,
    result: Floats,
) -> int:
    """Sum, over boards at the end of a leg, of weight times prospects.

    words, weights : int64 (B,)     table : float64 (S, P, 2 * C + 1), by rank from the last: to win, to come last; legs
    checked : uint8 (S,), whether a squad's rows are known to be sound
    unchecked : int64 (B,), filled with the squads that are not, some more than once
    result : float64 (2 * C + 1,), by lane, filled at 0. Returns how many of unchecked are filled; if any, the result is
    of no use.
    """
    racing = len(choose)
    found = 0
    for b in range(len(words)):
        squad, pair, ranking = start_of(words[b], racing, crazy, track, choose, by_order, lane_of)
        if squad == NOWHERE:
            result[lane_of[ranking, racing - 1]] += weights[b]
            result[racing + lane_of[ranking, 0]] += weights[b]
            continue
        if not checked[squad]:
            unchecked[found] = squad
            found += 1
        row = table[squad, pair]
        for rank in range(racing):
            result[lane_of[ranking, rank]] += weights[b] * row[rank]
            result[racing + lane_of[ranking, rank]] += weights[b] * row[racing + rank]
        result[2 * racing] += weights[b] * row[2 * racing]
    return found
