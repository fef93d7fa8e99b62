"""Endings: what the last reveals of a leg do to the ranking where nothing lies in the way.

With no tile and no line in reach, and no crazy camel that can do anything, the last reveals only change who is ahead of
whom. Name the camels by rank, 0 the last: all that matters then is which ranks have a die left, and how far apart
neighbours in rank stand. A gap too wide to be bridged from behind counts as one space too wide, however wide it is:

    far, the furthest space to which the camels behind can come = max(far, space of the next) + what its dice can show

So few arrangements are different, and for each the changes of the ranking with their ways fit a short list. A leg with
three reveals to go and nothing before it is then one look-up. The table begins with no reveal to go, and each step is
made by moving the camels as everywhere (core.move) and looking up what follows.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, permutations
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, helper, kernel
from camelodds.core.merging import longer
from camelodds.core.move import CRAZY, DICE, GREY, SUPPORT, move
from camelodds.core.ranking import order, ranking_tables, rankings_of

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]

NUMBERS = 4
RACING_DICE = (1 << GREY) - 1
LAST_SPACE = 31
ROOM = 1 << 18
CHANGE_BITS = 8


# Axes: C racing camels, R = C! rankings, K endings, E entries.
class Endings(NamedTuple):
    """Tables of the endings of a game's legs, and what is needed to look one up.

    deepest : the most reveals to go that they hold for
    racing_most, support_most : the highest numbers of a racing and of a support die
    by_order : uint8 (1024,), order(word) -> ranking     lane_of : int64 (R, C), ranking, rank -> lane
    by_rank : int64 (R, 1 << C), ranking, set of lanes -> set of ranks
    compose : uint8 (R, R), ranking, change of it -> ranking
    first : int64 (1 << 11,), set of dice by rank -> its first ending, or -1 for a set with no endings
    begin : int32 (K + 1,), ending -> its first entry     entries : int32 (E,), ways << 8 | change
    """

    deepest: int
    racing_most: int
    support_most: int
    by_order: Bytes
    lane_of: Ints
    by_rank: Ints
    compose: Bytes
    first: Ints
    begin: Numbers
    entries: Numbers


@helper
def add_ending(word: int, dice: int, weight: int, endings: Endings, rankings: Ints) -> None:
    """Add what follows from a board of racing camels alone: weight times ways, by the ranking at the leg's end."""
    ranking = endings.by_order[order(word)]
    racing = endings.by_rank[ranking, dice & RACING_DICE]
    support = endings.by_rank[ranking, dice >> SUPPORT]
    space = word >> 8 * endings.lane_of[ranking, 0] + 3 & LAST_SPACE
    far = here = wide = gaps = 0
    for rank in range(1, endings.lane_of.shape[1]):
        step = reach_of(rank - 1, racing, support, endings)
        far = max(far, here) + step
        wide += step
        behind = space
        space = word >> 8 * endings.lane_of[ranking, rank] + 3 & LAST_SPACE
        if wide:
            gap = min(space - behind, far + 1 - here)
            gaps = gaps * (wide + 2) + gap
            here += gap
    ending = endings.first[racing | dice & 1 << GREY | support << SUPPORT] + gaps
    for entry in endings.entries[endings.begin[ending] : endings.begin[ending + 1]]:
        change = entry & (1 << CHANGE_BITS) - 1
        rankings[endings.compose[ranking, change]] += weight * (np.int64(entry) >> CHANGE_BITS)


@helper
def reach_of(rank: int, racing: int, support: int, endings: Endings) -> int:
    """What the dice left of the camel with this rank can show in sum."""
    return (racing >> rank & 1) * endings.racing_most + (support >> rank & 1) * endings.support_most


@helper
def board_of(gaps: int, racing: int, support: int, endings: Endings) -> int:
    """The board, its camels in the lanes of their ranks, that has this number among those with the same dice.

    -1 if a gap is wider than one that counts as too wide.
    """
    camels = endings.lane_of.shape[1]
    wide = 0
    for rank in range(camels - 1):
        wide += reach_of(rank, racing, support, endings)
    gap = np.zeros(camels, np.int64)
    for rank in range(camels - 1, 0, -1):
        if wide:
            gap[rank] = gaps % (wide + 2)
            gaps //= wide + 2
        wide -= reach_of(rank - 1, racing, support, endings)
    word = 1 << 3
    space, far, level = 1, 1, 0
    for rank in range(1, camels):
        far = max(far, space) + reach_of(rank - 1, racing, support, endings)
        if space + gap[rank] > far + 1:
            return -1
        space += gap[rank]
        level = level + 1 if gap[rank] == 0 else 0
        word |= (space << 3 | level) << 8 * rank
    return word


# Axes: S sets of dice by rank, those with fewer reveals to go first; endings as in Endings.
@kernel
def fill_endings(sets: Ints, sizes: Ints, undrawn: int, die_table: Ints, endings: Endings, entries: Numbers) -> Numbers:
    """Fill `begin` of the endings, and return their entries.

    sets, sizes : int64 (S,), sets of dice and how many endings each has     entries : int32, room to begin with
    """
    unchanged = len(endings.compose) - 1
    found = np.zeros(len(endings.compose), np.int64)
    ending = used = 0
    for s in range(len(sets)):
        dice = sets[s]
        for gaps in range(sizes[s]):
            entries = longer(entries, used, used + len(found))
            found[:] = 0
            word = board_of(gaps, dice & RACING_DICE, dice >> SUPPORT, endings)
            if count_ones(dice) <= undrawn:
                found[unchanged] = 1
            elif word >= 0:
                filled = Endings(
                    endings.deepest, endings.racing_most, endings.support_most, endings.by_order, endings.lane_of,
                    endings.by_rank, endings.compose, endings.first, endings.begin, entries,
                )  # fmt: skip
                for die in range(DICE):
                    if not dice >> die & 1:
                        continue
                    for number in range(1, NUMBERS + 1):
                        ways = die_table[die, number]
                        if ways:
                            after = word
                            if die_table[die, 0] < CRAZY:
                                after, _, _ = move(word, die_table[die, 0], number, LAST_SPACE - 1, 0, 0)
                            add_ending(after, dice ^ 1 << die, ways, filled, found)
            for change in range(len(found)):
                if found[change]:
                    entries[used] = found[change] << CHANGE_BITS | change
                    used += 1
            ending += 1
            endings.begin[ending] = used
    return entries[:used].copy()


# Axes: as in Endings.
@lru_cache(maxsize=16)
def endings_of(racing: int, undrawn: int, faces: tuple[tuple[int, ...], ...], deepest: int) -> Endings:
    """The endings of a game with so many racing camels.

    faces : the rows of its die table, 0 to 10; those of racing dice are alike, and those of support dice
    """
    die_table = np.array(faces, np.int64)
    most = [max((n for n in range(1, NUMBERS + 1) if die_table[die, n]), default=0) for die in (0, SUPPORT)]
    exist = [die for die in range(DICE) if die_table[die, 1:].any()]
    deepest = min(deepest, (LAST_SPACE - 6 - undrawn * most[0]) // (2 * most[0]))
    lane_of = np.array([ranking[::-1] for ranking in permutations(range(racing))], np.int64)
    places = np.argsort(lane_of, axis=1)
    by_rank = np.zeros((len(lane_of), 1 << racing), np.int64)
    for lane in range(racing):
        by_rank |= (np.arange(1 << racing) >> lane & 1) << places[:, lane, None]
    composed = lane_of[:, lane_of]
    words = ((np.arange(racing) + 1 << 3) << 8 * composed).sum(axis=2).reshape(-1)
    compose = rankings_of(words, racing).reshape(len(lane_of), -1).astype(np.uint8)
    sets, sizes = [], []
    for count in range(deepest + undrawn + 1):
        for dice in range(1 << DICE):
            if dice.bit_count() == count and all(die in exist for die in range(DICE) if dice >> die & 1):
                sets.append(dice)
                wide = accumulate(
                    (dice >> r & 1) * most[0] + (dice >> SUPPORT + r & 1) * most[1] for r in range(racing - 1)
                )
                sizes.append(prod(each + 2 if each else 1 for each in wide))
    first = np.full(1 << DICE, -1)
    first[sets] = np.cumsum(sizes) - sizes
    begin = np.zeros(sum(sizes) + 1, np.int32)
    by_order, _ = ranking_tables(racing)
    empty = Endings(deepest, most[0], most[1], by_order, lane_of, by_rank, compose, first, begin, np.zeros(0, np.int32))
    room = np.empty(ROOM, np.int32)
    entries = fill_endings(np.array(sets), np.array(sizes), undrawn, die_table, empty, room)
    return empty._replace(entries=entries)
