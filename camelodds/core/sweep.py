"""One look ahead over a whole leg, from every leg start at once, where crazy camels can carry others back.

Everything is counted in integers: a value at the end of the leg times the number of ways to get there. For one set of
dice these *sums* follow from those with one die fewer, so a sweep goes by *layers*: all sets with the same number of
racing dice, without the grey die or with it. A layer is made from the one with a racing die fewer and takes its place:
a racing move leads to a higher squad, and squads are gone through from the lowest up.

A racing move only renames the perches of crazy camels that ride, so its sums run along rows of all pairs of perches:
those of two on the ground as they are, those of one on the ground in blocks by the other's rank, the few of two riders
one by one. A face of the grey die that carries no racing camel stays in its squad. Those that do are grouped by the
squad to which they lead; in the table of the others they stand for the column of zeros that ends each row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import helper, kernel
from camelodds.core.starts import CHANGE_BITS, PAIR_BITS

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Shorts = NDArray[np.uint16]
Floats = NDArray[np.float64]

CHANGE = (1 << CHANGE_BITS) - 1
PAIR = (1 << PAIR_BITS) - 1
GREY_FACES = 6


# Axes: S squads, C racing camels, F faces, D sets of dice, V values, P pairs.
@kernel
def reveal_racing(
    source: Numbers,
    source_set: Ints,
    layer: Ints,
    squad_after: Numbers,
    change: Bytes,
    rank: Ints,
    dice: Ints,
    riders: Ints,
    value: Ints,
    ground: int,
    track: int,
    times: int,
    store: Numbers,
) -> None:
    """Write, for each set of dice of a layer, the sums if the next die to be revealed is a racing one.

    source : int32 (S + 1, D, V, P + 1), sums with a die fewer; may be `store`
    source_set : int64 (1 << C,), set of racing dice -> its number in the source
    layer : int64 (D,), sets of racing dice     times : how often each face counts
    squad_after, change : see `racing_moves`     rank, dice, riders : see `changes`
    value : int64 (C!, V), value before -> after a change
    ground : how many pairs have both camels on the ground; then come those with one there, `track` for each rank
    store : int32 (S + 1, D, V, P + 1), filled up to squad S
    """
    sets, values, width = store.shape[1:]
    unchanged = len(rank) - 1
    both_ride = ground + rank.shape[1] * track
    # Flat, as a slice costs more than the sums of a short row; unsigned, as no index counts from the end.
    sums, out = source.reshape(-1), store.reshape(-1)
    for squad in range(len(change)):
        for d in range(len(layer)):
            store[squad, d] = 0
            for camel in range(change.shape[1]):
                if not layer[d] >> camel & 1:
                    continue
                rest = layer[d] ^ 1 << camel
                after = squad_after[squad, camel]
                how_1, how_2, how_3 = change[squad, camel, 0], change[squad, camel, 1], change[squad, camel, 2]
                start_1 = (after[0] * sets + source_set[dice[how_1, rest]]) * values
                start_2 = (after[1] * sets + source_set[dice[how_2, rest]]) * values
                start_3 = (after[2] * sets + source_set[dice[how_3, rest]]) * values
                renamed = min(how_1, how_2, how_3) < unchanged
                for v in range(values):
                    to = ((squad * sets + d) * values + v) * width
                    one = (start_1 + value[how_1, v]) * width
                    two = (start_2 + value[how_2, v]) * width
                    three = (start_3 + value[how_3, v]) * width
                    add_faces(sums, one, two, three, ground if renamed else width, times, out, to)
                    if not renamed:
                        continue
                    for rider in range(rank.shape[1]):
                        add_faces(
                            sums,
                            one + ground + rank[how_1, rider] * track,
                            two + ground + rank[how_2, rider] * track,
                            three + ground + rank[how_3, rider] * track,
                            track, times, out, to + ground + rider * track,
                        )  # fmt: skip
                    for pair in range(riders.shape[1]):
                        out[np.uint64(to + both_ride + pair)] += times * (
                            sums[np.uint64(one + both_ride + riders[how_1, pair])]
                            + sums[np.uint64(two + both_ride + riders[how_2, pair])]
                            + sums[np.uint64(three + both_ride + riders[how_3, pair])]
                        )


@helper
def add_faces(sums: Numbers, one: int, two: int, three: int, count: int, times: int, out: Numbers, to: int) -> None:
    """Add the sums of three faces, `count` columns from where each begins."""
    for column in range(count):
        out[np.uint64(to + column)] += times * (
            sums[np.uint64(one + column)] + sums[np.uint64(two + column)] + sums[np.uint64(three + column)]
        )


# Axes: S squads, D sets of dice, V values, P pairs, M moves, R runs.
@kernel
def reveal_grey(
    source: Numbers,
    set_after: Ints,
    stays: Shorts,
    carries: Numbers,
    runs: Numbers,
    value: Ints,
    first: int,
    last: int,
    store: Numbers,
) -> None:
    """Add, for each set of dice of a layer, the sums if the grey die is next; for squads from `first` to before `last`.

    source : int32 (S + 1, D, V, P + 1), sums without the grey die
    set_after : int64 (C!, D), the number in the source of each set of the layer after a change
    stays, carries, runs : see `grey_moves`     value : int64 (C!, V), value before -> after a change
    store : int32 (S + 1, D, V, P + 1), added to
    """
    sets, values, width = store.shape[1:]
    sums, out, pair_after, move = source.reshape(-1), store.reshape(-1), stays.reshape(-1), carries.reshape(-1)
    for squad in range(first, last):
        for d in range(set_after.shape[1]):
            for v in range(values):
                to = ((squad * sets + d) * values + v) * width
                row = ((squad * sets + set_after[-1, d]) * values + v) * width
                for pair in range(width - 1):
                    face = (squad * (width - 1) + pair) * GREY_FACES
                    out[np.uint64(to + pair)] += (
                        sums[np.uint64(row + pair_after[np.uint64(face)])]
                        + sums[np.uint64(row + pair_after[np.uint64(face + 1)])]
                        + sums[np.uint64(row + pair_after[np.uint64(face + 2)])]
                        + sums[np.uint64(row + pair_after[np.uint64(face + 3)])]
                        + sums[np.uint64(row + pair_after[np.uint64(face + 4)])]
                        + sums[np.uint64(row + pair_after[np.uint64(face + 5)])]
                    )
        begin = 0
        for run in range(runs.shape[1]):
            target, end = runs[squad, run, 0], runs[squad, run, 1]
            for d in range(set_after.shape[1] if end > begin else 0):
                how = target & CHANGE
                start = ((target >> CHANGE_BITS) * sets + set_after[how, d]) * values
                for v in range(values):
                    to = ((squad * sets + d) * values + v) * width
                    row = (start + value[how, v]) * width
                    for index in range(begin, end):
                        pairs = move[np.uint64(squad * carries.shape[1] + index)]
                        out[np.uint64(to + (pairs >> 1 & PAIR))] += sums[np.uint64(row + (pairs >> PAIR_BITS + 1))] << (
                            pairs & 1
                        )
            begin = end


# Axes: S squads, V values, P pairs, D sets of dice.
@kernel
def take_units(missing: Floats, unit: float, solved: Floats, sums: Numbers) -> None:
    """Move from what is still missing to what is solved as many whole units as it holds.

    missing, solved : float64 (S + 1, V, P)
    sums : int32 (S + 1, D, V, P + 1), set 0 filled with the numbers of units
    """
    for squad in range(len(missing)):
        for v in range(missing.shape[1]):
            for pair in range(missing.shape[2]):
                units = np.rint(missing[squad, v, pair] / unit)
                sums[squad, 0, v, pair] = np.int32(units)
                solved[squad, v, pair] += units * unit
                missing[squad, v, pair] -= units * unit


@kernel
def add_leg(sums: Numbers, share: float, missing: Floats) -> float:
    """Add to what is missing what a leg makes of the units taken from it; returns the largest value that is missing.

    sums : int32 (S + 1, D, V, P + 1), set 0     share : what one of them counts     missing : float64 (S + 1, V, P)
    """
    largest = 0.0
    for squad in range(len(missing) - 1):
        for v in range(missing.shape[1]):
            for pair in range(missing.shape[2]):
                missing[squad, v, pair] += sums[squad, 0, v, pair] * share
                largest = max(largest, abs(missing[squad, v, pair]))
    return largest
