"""Leg starts by rank: every arrangement of the camels, colours forgotten, as a number.

The race from a leg's start depends only on where the camels stand, and naming them by rank (0 the last) leaves two
things: the *squad*, the spaces of the racing camels from last to first, and for crazy camels their *perches*. A crazy
camel with a racing camel below it rides: its perch is the rank of the nearest one below. One with none below stands
on the ground: its perch is its space. Only its perch matters, and a racing move never changes it: what moves takes
along all that rides on it, what lands lands on top. So a racing move takes a squad to a squad with a new order of the
ranks, whatever the crazy camels do, and their perches are only renamed. Squads are numbered so that racing moves only
go to higher numbers (the combinatorial number system, largest space first).

Perches are numbered spaces first, then riders. The two crazy camels are interchangeable; pairs of perches are numbered
both on the ground, then one on the ground by the other's rank, then both riding.

The change of order that a move makes is named by the ranking that it leads to, see `ranking_tables`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import helper, kernel
from camelodds.core.move import CRAZY, grey_choice, move
from camelodds.core.ranking import order, ranking_tables

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Shorts = NDArray[np.uint16]

FACES = 3
CHANGE_BITS = 7
PAIR_BITS = 10
NOWHERE = -1


class Names(NamedTuple):
    """Tables for a number of racing camels and spaces.

    choose : int64 (C, 32), what a camel of this rank on this space adds to its squad's number
    by_order : uint8 (1024,), order(word) -> ranking
    lane_of, rank_of : int64 (C!, C), by ranking: rank -> lane and lane -> rank
    """

    choose: Ints
    by_order: Bytes
    lane_of: Ints
    rank_of: Ints


@lru_cache
def names(racing: int, track: int) -> Names:
    """The tables by which leg starts are numbered."""
    choose = np.zeros((racing, 32), np.int64)
    for rank in range(racing):
        for space in range(1, track + 1):
            choose[rank, space] = comb(space - 1 + rank, rank + 1)
    by_order, _ = ranking_tables(racing)
    lane_of = np.array([ranking[::-1] for ranking in permutations(range(racing))], np.int64)
    return Names(choose, by_order, lane_of, np.argsort(lane_of, axis=1).astype(np.int64))


@helper
def pair_of(first: int, second: int, racing: int, track: int) -> int:
    """The number of a pair of perches, in either order."""
    low, high = (first, second) if first <= second else (second, first)
    if high < track:
        return high * (high + 1) // 2 + low
    high -= track
    ground = track * (track + 1) // 2
    if low < track:
        return ground + high * track + low
    return ground + racing * track + high * (high + 1) // 2 + low - track


@helper
def perch_of(word: int, byte: int, racing: int, track: int) -> int:
    """The perch of the crazy camel with this byte."""
    behind = 0
    below = -1
    for lane in range(racing):
        other = word >> 8 * lane & 0xFF
        if other < byte:
            behind += 1
            below = max(below, other)
    if behind and below >> 3 == byte >> 3:
        return track + behind - 1
    return (byte >> 3) - 1


@helper
def start_of(
    word: int, racing: int, crazy: bool, track: int, choose: Ints, by_order: Bytes, lane_of: Ints
) -> tuple[int, int, int]:
    """The (squad, pair, ranking) of a board; squad NOWHERE where the race is over."""
    ranking = int(by_order[order(word)])
    squad = 0
    for rank in range(racing):
        space = word >> 8 * lane_of[ranking, rank] + 3 & 31
        if space == 0 or space > track:
            return NOWHERE, 0, ranking
        squad += choose[rank, space]
    if not crazy:
        return squad, 0, ranking
    first = word >> 8 * CRAZY & 0xFF
    second = word >> 8 * (CRAZY + 1) & 0xFF
    if first < 8 or second < 8:
        return NOWHERE, 0, ranking
    pair = pair_of(perch_of(word, first, racing, track), perch_of(word, second, racing, track), racing, track)
    return squad, pair, ranking


@helper
def spaces_in(squad: int, choose: Ints, track: int, spaces: Ints) -> None:
    """Write a squad's spaces, by rank."""
    for rank in range(len(spaces) - 1, -1, -1):
        space = track
        while choose[rank, space] > squad:
            space -= 1
        spaces[rank] = space
        squad -= choose[rank, space]


@helper
def word_of(spaces: Ints, first: int, second: int, track: int) -> int:
    """A board of these perches, racing camels in the lanes of their ranks; NOWHERE twice: no crazy camels."""
    word = 0
    level = 0
    for rank in range(len(spaces)):
        space = spaces[rank]
        if rank == 0 or spaces[rank - 1] != space:
            level = int(first == space - 1) + int(second == space - 1)
        word |= (space << 3 | level) << 8 * rank
        level += 1
        if first == track + rank:
            word |= (space << 3 | level) << 8 * CRAZY
            level += 1
        if second == track + rank:
            word |= (space << 3 | level) << 8 * (CRAZY + 1)
            level += 1
    if 0 <= first < track:
        word |= (first + 1 << 3) << 8 * CRAZY
    if 0 <= second < track:
        word |= (second + 1 << 3 | (first == second)) << 8 * (CRAZY + 1)
    return word


# Axes: S squads, P pairs.
@kernel
def words_of_starts(crazy: bool, track: int, choose: Ints, words: Ints) -> None:
    """Write a board for each leg start, racing camels in the lanes of their ranks.

    words : int64 (S, P), filled
    """
    racing = len(choose)
    spaces = np.empty(racing, np.int64)
    perches = track + racing if crazy else 0
    for squad in range(len(words)):
        spaces_in(squad, choose, track, spaces)
        if not crazy:
            words[squad, 0] = word_of(spaces, NOWHERE, NOWHERE, track)
        for second in range(perches):
            for first in range(second + 1):
                words[squad, pair_of(first, second, racing, track)] = word_of(spaces, first, second, track)


# Axes: B boards.
@kernel
def starts_of_words(
    words: Ints, crazy: bool, track: int, choose: Ints, by_order: Bytes, lane_of: Ints, starts: Ints
) -> None:
    """Write the squad, the pair and the ranking of each board; squad NOWHERE where the race is over.

    words : int64 (B,)     starts : int64 (B, 3), filled
    """
    for b in range(len(words)):
        squad, pair, ranking = start_of(words[b], len(choose), crazy, track, choose, by_order, lane_of)
        starts[b, 0] = squad
        starts[b, 1] = pair
        starts[b, 2] = ranking


# Axes: S squads, C racing camels, F faces, P pairs.
@kernel
def racing_moves(track: int, choose: Ints, by_order: Bytes, lane_of: Ints, squad_after: Numbers, change: Bytes) -> None:
    """Write where each camel's racing die takes each squad: to the squad S where it ends the race.

    squad_after, change : int32, uint8 (S, C, F), filled: [squad, rank of the camel, number - 1]
    """
    racing = len(choose)
    spaces = np.empty(racing, np.int64)
    for squad in range(len(change)):
        spaces_in(squad, choose, track, spaces)
        word = word_of(spaces, NOWHERE, NOWHERE, track)
        for rank in range(racing):
            for face in range(FACES):
                moved, _, _ = move(word, rank, face + 1, track, 0, 0)
                after, _, ranking = start_of(moved, racing, False, track, choose, by_order, lane_of)
                squad_after[squad, rank, face] = after if after != NOWHERE else len(change)
                change[squad, rank, face] = ranking


# Axes: S squads, P pairs, M moves, R runs.
@kernel
def grey_moves(
    first: int,
    last: int,
    track: int,
    choose: Ints,
    by_order: Bytes,
    lane_of: Ints,
    stays: Shorts,
    carries: Numbers,
    runs: Numbers,
) -> None:
    """Write where the grey die takes the leg starts of the squads from `first` to before `last`.

    stays : uint16 (S, P, 6), filled: the pair after each face, P where the face carries racing camels or ends the race
    carries : int32 (S, M), filled with those faces: pair after << 11 | pair before << 1 | whether it is two faces, as
        the colour does not matter; M = 6 * P
    runs : int32 (S, R, 2), filled: squad after << 7 | change, and the end of those of `carries` that lead there; squad
        S where the race is over; with ends that do not rise after the last
    """
    racing = len(choose)
    spaces = np.empty(racing, np.int64)
    found = np.empty(carries.shape[1], np.int64)
    for squad in range(first, last):
        spaces_in(squad, choose, track, spaces)
        stays[squad] = stays.shape[1]
        here = squad << CHANGE_BITS | len(lane_of) - 1
        count = 0
        for second in range(track + racing):
            for first_one in range(second + 1):
                word = word_of(spaces, first_one, second, track)
                pair = pair_of(first_one, second, racing, track)
                choice = grey_choice(word)
                for face in range(2 * FACES):
                    crazy = face // FACES if choice == 3 else choice - 1
                    moved, _, _ = move(word, CRAZY + crazy, face % FACES + 1, track, 0, 0)
                    after, to, ranking = start_of(moved, racing, True, track, choose, by_order, lane_of)
                    target = (len(stays) if after == NOWHERE else after) << CHANGE_BITS | ranking
                    if target == here:
                        stays[squad, pair, face] = to
                    elif choice == 3 or face < FACES:
                        found[count] = ((target << PAIR_BITS | to) << PAIR_BITS | pair) << 1 | int(choice != 3)
                        count += 1
        found[:count].sort()
        run = -1
        for index in range(count):
            target = found[index] >> 2 * PAIR_BITS + 1
            if run < 0 or runs[squad, run, 0] != target:
                run += 1
                runs[squad, run, 0] = target
            runs[squad, run, 1] = index + 1
            carries[squad, index] = found[index] & (1 << 2 * PAIR_BITS + 1) - 1
        runs[squad, run + 1 :, 1] = count


class Changes(NamedTuple):
    """What a change of order does to the names of things, by change.

    rank : int64 (C!, C), rank before -> rank after
    dice : int64 (C!, 1 << C), set of racing dice by rank before -> after
    riders : int64 (C!, C(C+1)/2), pair of riding crazy camels before -> after
    """

    rank: Ints
    dice: Ints
    riders: Ints


@lru_cache
def changes(racing: int) -> Changes:
    """The tables of all changes of order of so many racing camels."""
    rank = names(racing, 3).rank_of
    dice = np.zeros((factorial(racing), 1 << racing), np.int64)
    for camel in range(racing):
        has = np.arange(1 << racing) >> camel & 1
        dice |= has << rank[:, camel, None]
    high, low = np.tril_indices(racing)
    one, two = rank[:, high], rank[:, low]
    upper = np.maximum(one, two)
    return Changes(rank, dice, upper * (upper + 1) // 2 + np.minimum(one, two))
