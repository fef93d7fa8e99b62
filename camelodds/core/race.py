"""The race from every leg's start, solved; and from any board, by the rows of a solved table.

What is solved for is a *prospect*, something that the end of the race settles: which rank wins, which comes last, or
how many legs it takes. Its expectation with a set of dice in the pyramid is the mean, over the next reveal, of the
expectation with one die fewer; with no reveal left it is that of the next leg's start. Where the race is over stands
one more squad, the last, whose expectations are the outcome by rank.

Without crazy camels every move goes to a squad with a higher number: one pass from the last squad down is all. With
them there are cycles, and sweeps over a whole leg are repeated until they change next to nothing. A sweep goes by
layers: all sets of dice with the same number of racing dice, without the grey die or with it. A layer is made from the
one with a racing die fewer and takes its place, since a squad only looks at higher ones.

A racing move only renames the places of crazy camels that ride, so its sums run along rows of all pairs of places:
those of two on the ground as they are, those of one on the ground in blocks by the other's rank, the few of two riders
one by one. What the grey die does is grouped by the squad to which it leads, so that the rows of a group stay near.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, helper, kernel
from camelodds.core.starts import CHANGE_BITS, FACES, NOWHERE, start_of, unpack_pairs, unpack_target

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float64]

CHANGE = (1 << CHANGE_BITS) - 1
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
    held: Floats,
) -> None:
    """Solve a race without crazy camels, from the last squad down.

    squad_after, change : see `racing_moves`     rank, dice : see `changes`
    value : int64 (C!, V), value before -> after a change     added : to the start of each leg
    held : float64 (S + 1, sets, V), the last squad filled with the outcome; a set is that of the racing dice by rank
        plus (rank + 1) << C for a support die. Filled; the full pyramid's are the leg starts.
    """
    racing = change.shape[1]
    full = (1 << racing) - 1 | (1 << racing if support else 0)
    found = np.empty(held.shape[2])
    for squad in range(len(change) - 1, -1, -1):
        for number in range(held.shape[1]):
            among = number & (1 << racing) - 1
            supported = (number >> racing) - 1
            left = count_ones(among) + (supported >= 0)
            if left <= undrawn:
                continue
            found[:] = 0.0
            for camel in range(racing):
                if among >> camel & 1:
                    for face in range(FACES):
                        how = change[squad, camel, face]
                        rest = dice[how, among ^ 1 << camel]
                        if supported >= 0:
                            rest |= rank[how, supported] + 1 << racing
                        here = held[squad_after[squad, camel, face], rest]
                        for v in range(len(found)):
                            found[v] += here[value[how, v]] / FACES
            if supported >= 0:
                for face in range(SUPPORT_FACES):
                    how = change[squad, supported, face]
                    here = held[squad_after[squad, supported, face], dice[how, among]]
                    for v in range(len(found)):
                        found[v] += here[value[how, v]] / SUPPORT_FACES
            held[squad, number] = found / left
        held[squad, full] += added
        for number in range(held.shape[1]):
            if count_ones(number & (1 << racing) - 1) + (number >> racing > 0) <= undrawn:
                held[squad, number] = held[squad, full]


# Axes: S squads, C racing camels, F faces, D sets of dice, V values, P pairs.
@kernel
def reveal_racing(
    source: Floats,
    source_set: Ints,
    layer: Ints,
    squad_after: Numbers,
    change: Bytes,
    rank: Ints,
    dice: Ints,
    riders: Ints,
    value: Ints,
    track: int,
    ground: bool,
    riding: bool,
    share: float,
    store: Floats,
) -> None:
    """Write, for each set of dice of a layer, what the racing dice bring as the next die to be revealed.

    source : float64 (S + 1, D, V, P), expectations with a die fewer; may be `store`
    source_set : int64 (1 << C,), set of racing dice -> its number in the source
    layer : int64 (D,), sets of racing dice     share : the weight of each face
    squad_after, change : see `racing_moves`     rank, dice, riders : see `changes`
    value : int64 (C!, V), value before -> after a change
    ground, riding : whether to do the pairs with both on the ground, and all the others; neither looks at the other
    store : float64 (S + 1, D, V, P), filled up to squad S
    """
    unchanged = len(rank) - 1
    both = track * (track + 1) // 2
    begin, end = 0 if ground else both, store.shape[3] if riding else both
    for squad in range(len(change)):
        for d in range(len(layer)):
            store[squad, d, :, begin:end] = 0.0
            for camel in range(change.shape[1]):
                if not layer[d] >> camel & 1:
                    continue
                rest = layer[d] ^ 1 << camel
                after = squad_after[squad, camel]
                how_1, how_2, how_3 = change[squad, camel, 0], change[squad, camel, 1], change[squad, camel, 2]
                here_1 = source[after[0], source_set[dice[how_1, rest]]]
                here_2 = source[after[1], source_set[dice[how_2, rest]]]
                here_3 = source[after[2], source_set[dice[how_3, rest]]]
                if ground and riding and min(how_1, how_2, how_3) == unchanged:
                    add_rows(
                        here_1.reshape(-1), here_2.reshape(-1), here_3.reshape(-1), share, store[squad, d].reshape(-1)
                    )
                    continue
                for v in range(store.shape[2]):
                    out = store[squad, d, v]
                    one, two, three = here_1[value[how_1, v]], here_2[value[how_2, v]], here_3[value[how_3, v]]
                    if ground:
                        add_rows(one[:both], two[:both], three[:both], share, out[:both])
                    if riding:
                        names = rank[how_1], rank[how_2], rank[how_3]
                        add_riding(one[both:], two[both:], three[both:], names, track, share, out[both:])
                        pairs = riders[how_1], riders[how_2], riders[how_3]
                        rest_of_row = both + change.shape[1] * track
                        add_riders(
                            one[rest_of_row:], two[rest_of_row:], three[rest_of_row:], pairs, share, out[rest_of_row:]
                        )


@helper
def add_rows(one: Floats, two: Floats, three: Floats, share: float, out: Floats) -> None:
    """Add the share of three rows to one."""
    for pair in range(len(out)):
        out[pair] += share * (one[pair] + two[pair] + three[pair])


@helper
def add_riding(
    one: Floats, two: Floats, three: Floats, names: tuple[Ints, Ints, Ints], track: int, share: float, out: Floats
) -> None:
    """The same for pairs with one on the ground, in blocks of spaces by the name of the other."""
    for rider in range(len(names[0])):
        to, at_1, at_2, at_3 = rider * track, names[0][rider] * track, names[1][rider] * track, names[2][rider] * track
        add_rows(
            one[at_1 : at_1 + track], two[at_2 : at_2 + track], three[at_3 : at_3 + track], share, out[to : to + track]
        )


@helper
def add_riders(
    one: Floats, two: Floats, three: Floats, names: tuple[Ints, Ints, Ints], share: float, out: Floats
) -> None:
    """The same for pairs that both ride, each with its name."""
    for pair in range(len(out)):
        out[pair] += share * (one[names[0][pair]] + two[names[1][pair]] + three[names[2][pair]])


# Axes: S squads, D sets of dice, V values, P pairs.
@kernel
def reveal_grey(
    source: Floats,
    set_after: Ints,
    moves: Ints,
    count: Ints,
    value: Ints,
    share: float,
    first: int,
    last: int,
    store: Floats,
) -> None:
    """Add, for each set of dice of a layer, what the grey die brings; for the squads from `first` to before `last`.

    source : float64 (S + 1, D, V, P), expectations without the grey die
    set_after : int64 (C!, D), the number in the source of each set of the layer after a change
    moves, count : see `grey_moves`     value : int64 (C!, V), value before -> after a change
    share : the weight of each of six faces     store : float64 (S + 1, D, V, P), added to
    """
    # Unsigned, so that an index needs no look at its sign.
    pair_from = np.empty(moves.shape[1], np.uint16)
    pair_to = np.empty(moves.shape[1], np.uint16)
    weight = np.empty(moves.shape[1])
    for squad in range(first, last):
        entry = 0
        while entry < count[squad]:
            target = unpack_target(moves[squad, entry])
            size = 0
            while entry < count[squad] and unpack_target(moves[squad, entry]) == target:
                pair_to[size], pair_from[size], twice = unpack_pairs(moves[squad, entry])
                weight[size] = share * (1 + twice)
                size += 1
                entry += 1
            how = target & CHANGE
            for d in range(set_after.shape[1]):
                here = source[target >> CHANGE_BITS, set_after[how, d]]
                for v in range(store.shape[2]):
                    row, out = here[value[how, v]], store[squad, d, v]
                    for index in range(size):
                        out[pair_from[index]] += weight[index] * row[pair_to[index]]


@kernel
def settle(store: Floats, added: float, first: int, last: int, solved: Floats) -> float:
    """Take over what a sweep found for the starts of legs of some squads; returns the largest change.

    store, solved : float64 (S + 1, D, V, P), (S + 1, 1, V, P)     added : to every value
    """
    largest = 0.0
    for squad in range(first, last):
        for v in range(store.shape[2]):
            for pair in range(store.shape[3]):
                found = store[squad, 0, v, pair] + added
                largest = max(largest, abs(found - solved[squad, 0, v, pair]))
                solved[squad, 0, v, pair] = found
    return largest


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
