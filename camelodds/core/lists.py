"""What is done with lists of boards: one loop, one thing, so that the compiler can turn it into vector code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import JIT, count_ones, helper
from camelodds.core.merging import Slots, slot_of
from camelodds.core.move import (
    CRAZY,
    DICE,
    crossed,
    destination,
    grey_choice,
    not_beyond,
    put,
    spaces_of,
    unit_of,
    without_crazy,
)
from camelodds.core.ranking import CUTS, OVER, order
from camelodds.core.reach import grey_is_idle

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

MARK = 56
"""First bit of the lane that carries a mark: how often units have landed on the watched tile."""
PHOTO = 60
"""First bit of the mark's upper half: how many camels are in the photo of the watched camera's space."""


MARKS_WIDTH = 24
"""More than what a tile and a camera can bring: 11 landings, 7 camels."""
NUMBERS = 4
PAD = 16 if JIT else 1
LINE = 16


@helper
def padded(count: int) -> int:
    """So many boards and a few more, that vector code need not do the last ones one by one."""
    return count + PAD - 1 & -PAD


@helper
def seen_on(word: int) -> int:
    """What the watched tile and camera have brought: landings and camels in the photo."""
    return (word >> MARK & 15) + (word >> PHOTO)


@helper
def move_all(
    words: Ints, first: int, count: int, lane: int, number: int, track: int, cheering: int, booing: int,
    one: Ints, two: Ints, three: Ints,
) -> None:  # fmt: skip
    """Write every board after the camel in `lane` has moved by `number`, by one more, and by two more."""
    here = words[first : first + padded(count)]
    way = 1 if lane < CRAZY else -1
    for index in range(len(here)):
        word = here[index]
        byte = word >> 8 * lane & 0xFF
        spaces = spaces_of(word)
        unit = unit_of(word, spaces, byte)
        target = (byte >> 3) + way * number
        space, _, under = destination(target, way, track, cheering, booing)
        one[index] = put(word, spaces, unit, byte, space, under)
        space, _, under = destination(target + way, way, track, cheering, booing)
        two[index] = put(word, spaces, unit, byte, space, under)
        space, _, under = destination(target + 2 * way, way, track, cheering, booing)
        three[index] = put(word, spaces, unit, byte, space, under)


@helper
def cut_all(
    words: Ints, first: int, count: int, lane: int, number: int, track: int, cheering: int, booing: int,
    racing_marks: int, one: Ints, two: Ints, three: Ints,
) -> None:  # fmt: skip
    """Write what the same moves do to the ranking: see `cut`."""
    here = words[first : first + padded(count)]
    way = 1 if lane < CRAZY else -1
    for index in range(len(here)):
        word = here[index]
        byte = word >> 8 * lane & 0xFF
        spaces = spaces_of(word)
        unit = unit_of(word, spaces, byte) & racing_marks
        j = count_ones(not_beyond(spaces, byte >> 3) & racing_marks)
        out = (j - count_ones(unit)) * 36 + j * 6
        target = (byte >> 3) + way * number
        space, _, under = destination(target, way, track, cheering, booing)
        one[index] = out + put_in(spaces, space, under, track, racing_marks)
        space, _, under = destination(target + way, way, track, cheering, booing)
        two[index] = out + put_in(spaces, space, under, track, racing_marks)
        space, _, under = destination(target + 2 * way, way, track, cheering, booing)
        three[index] = out + put_in(spaces, space, under, track, racing_marks)


@helper
def put_in(spaces: int, space: int, under: int, track: int, racing_marks: int) -> int:
    """How many racing camels a unit on `space` leaves behind, plus 1 << LINE if it is over the line."""
    behind = count_ones(not_beyond(spaces, max(space - under, 0)) & racing_marks)
    return (behind if space > 0 else 0) + (crossed(space, track) << LINE)


@helper
def rank_all(words: Ints, first: int, count: int, by_order: Bytes, ranks: Ints) -> None:
    """Write the boards' rankings, times CUTS."""
    here = words[first : first + padded(count)]
    for index in range(len(here)):
        ranks[index] = order(here[index])
    for index in range(count):
        ranks[index] = np.int64(by_order[ranks[index]]) * CUTS


@helper
def count_cuts(
    ranks: Ints, cuts: Ints, weights: Ints, first: int, count: int, times: int, after_cut: Bytes, rankings: Ints
) -> None:
    """Add weights times `times` to the rankings after these cuts, plus OVER where the race is over."""
    for index in range(count):
        at = ranks[index] + cuts[index]
        rankings[after_cut[at & (1 << LINE) - 1] + OVER * (at >> LINE)] += weights[first + index] * times


@helper
def mark_all(words: Ints, first: int, count: int, lane: int, number: int, tile: int, camera: int, moved: Ints) -> None:
    """Add to the moved boards' marks a landing on the watched tile, and the first unit that stands before the camera.

    tile, camera : spaces, 0 for none
    """
    steps = number if lane < CRAZY else -number
    for index in range(count):
        word = words[first + index]
        byte = word >> 8 * lane & 0xFF
        if tile and (byte >> 3) + steps == tile:
            moved[index] += 1 << MARK
        if camera and moved[index] >> 8 * lane + 3 & 31 == camera and moved[index] >> PHOTO == 0:
            moved[index] += count_ones(unit_of(word, spaces_of(word), byte)) << PHOTO


@helper
def note_landings(
    words: Ints, weights: Ints, first: int, count: int, lane: int, tiles: int, die_table: Ints, die: int, later: int,
    divide: int, by_space: Ints, landings: Ints,
) -> None:  # fmt: skip
    """Add to the landings on each tile what the camel in `lane` brings when its die is revealed."""
    by_space[:] = 0
    for index in range(first, first + count):
        by_space[words[index] >> 8 * lane + 3 & 31] += weights[index]
    way = 1 if lane < CRAZY else -1
    for tile in range(32):
        if tiles >> tile & 1:
            for number in range(1, die_table.shape[1]):
                space = tile - way * number
                if 0 < space < 32:
                    landings[tile] += by_space[space] * (die_table[die, number] // divide) * later


@helper
def merge_all(
    moved: Ints,
    given: Ints,
    first: int,
    count: int,
    times: int,
    lane: int,
    track: int,
    bare: bool,
    words: Ints,
    weights: Ints,
    slots: Slots,
    bits: int,
    used: int,
    found: int,
    over_words: Ints,
    over_weights: Ints,
) -> tuple[int, int]:
    """Add boards, weights times `times`, to the `found` distinct ones from `used` on, without a branch for a new one.

    lane : of the camel that moved; boards on which it is over the line are set apart in over_words and over_weights
    bare : whether crazy camels are left out from now on     weights : 0 after those of the boards found
    Returns how many distinct ones there are now, and how many are set apart.
    """
    apart = 0
    for index in range(count):
        weight = given[first + index] * times
        word = moved[index]
        if crossed(word >> 8 * lane + 3 & 31, track):
            over_words[apart] = word
            over_weights[apart] = weight
            apart += 1
            continue
        if bare:
            word = without_crazy(word)
        slot = slot_of(word, words, used, slots, bits)
        at = found if slots[slot] < 0 else int(slots[slot])
        slots[slot] = at
        words[used + at] = word
        weights[used + at] += weight
        found += at == found
        weights[used + found] = 0
    return found, apart


@helper
def count_all(
    moved: Ints,
    weights: Ints,
    first: int,
    count: int,
    times: int,
    lane: int,
    track: int,
    by_order: Bytes,
    rankings: Ints,
) -> None:
    """Add weights times `times` to the boards' rankings, plus OVER where the camel in `lane` is over the line."""
    for index in range(count):
        over = crossed(moved[index] >> 8 * lane + 3 & 31, track)
        rankings[by_order[order(moved[index])] + OVER * over] += weights[first + index] * times


@helper
def count_seen(moved: Ints, weights: Ints, first: int, count: int, times: int, seen: Ints) -> None:
    """Add weights times `times` by what was seen."""
    for index in range(count):
        seen[seen_on(moved[index])] += weights[first + index] * times


@helper
def grey_codes(words: Ints, first: int, count: int, before: int, bare: bool, codes: Ints) -> None:
    """Write which crazy camels the grey die moves, as in grey_choice; 0 where it is idle and `bare`."""
    here = words[first : first + padded(count)]
    for index in range(len(here)):
        codes[index] = 0 if bare and grey_is_idle(here[index], before) else grey_choice(here[index])


@helper
def append_moved(words: Ints, weights: Ints, first: int, count: int, colour: int, codes: Ints, used: int) -> int:
    """Copy the boards on which the grey die moves the crazy camel of a colour, 1 or 2, to `used`: how many there are.

    Weights become those of one colour's faces: twice as high where the other colour moves it too.
    """
    at = used
    for index in range(count):
        if codes[index] & colour:
            words[at] = words[first + index]
            weights[at] = weights[first + index] * (1 if codes[index] == 3 else 2)
            at += 1
    return at - used


@helper
def list_dice(dice: int, die_of: Ints) -> int:
    """Write the numbers of the dice in a set: how many there are."""
    n = 0
    for die in range(DICE):
        if dice >> die & 1:
            die_of[n] = die
            n += 1
    return n
