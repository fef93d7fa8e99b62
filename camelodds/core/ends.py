"""The distinct boards in which a leg can end, with crazy camels where they stand.

As in core.leg, but every board is followed to the end. There are two kinds of lists by the set of racing and support
dice out: boards with the grey die still in the pyramid, and boards without it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, kernel
from camelodds.core.lists import NUMBERS, PAD, append_moved, grey_codes, list_dice, mark_all, merge_all, move_all
from camelodds.core.merging import gather, longer, with_room
from camelodds.core.move import CRAZY, DICE, GREY, race_over

Ints = NDArray[np.int64]

ROOM = 1024
GREY_IN, GREY_OUT = 0, 1


@kernel
def leg_ends(
    word: int,
    dice: int,
    cheering: int,
    booing: int,
    tile: int,
    camera: int,
    undrawn: int,
    track: int,
    camel_marks: int,
    die_table: Ints,
) -> tuple[Ints, Ints]:
    """The distinct boards in which the leg ends, and their weights: int64 (E,), int64 (E,), in no order.

    Arguments as in `leg_rankings`, of one board; what was seen of tile and camera is in the upper byte, see `seen_on`.
    Where the race is over a camel's space is 0 or track + 1.
    """
    if race_over(word, track, camel_marks) or count_ones(dice) <= undrawn:
        return np.full(1, word), np.full(1, 1)
    die_of = np.empty(DICE, np.int64)
    n = list_dice(dice & ~(1 << GREY), die_of)
    grey = dice >> GREY & 1
    words, weights = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    slots = np.empty(2 * ROOM, np.int32)
    one, two, three, codes = (np.empty(ROOM, np.int64), np.empty(ROOM, np.int64), np.empty(ROOM, np.int64),
                              np.empty(ROOM, np.int64))  # fmt: skip
    over_words, over_weights = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    start, size = np.zeros((2, 1 << n), np.int64), np.zeros((2, 1 << n), np.int64)
    ends = (np.empty(ROOM, np.int64), np.empty(ROOM, np.int64), np.full(2 * ROOM, -1, np.int32))
    end = 0
    words[0], weights[0] = word, 1
    begin = GREY_IN if grey else GREY_OUT
    start[begin, 0], size[begin, 0] = 0, 1
    used = 1
    for out in range(1 << n):
        for kind in range(begin, GREY_OUT + 1):
            reveals = n + grey - undrawn - count_ones(out) - (grey if kind == GREY_OUT else 0)
            if reveals < 0 or (out == 0 and kind == begin):
                continue
            moved_first = moved_second = 0
            if kind == GREY_OUT and grey:
                first, count = start[GREY_IN, out], size[GREY_IN, out]
                words, weights = (
                    longer(words, used, used + 2 * count + PAD),
                    longer(weights, used, used + 2 * count + PAD),
                )
                codes = longer(codes, 0, count + PAD)
                grey_codes(words, first, count, 0, False, codes)
                moved_first = append_moved(words, weights, first, count, 1, codes, used)
                moved_second = append_moved(words, weights, first, count, 2, codes, used + moved_first)
                used += moved_first + moved_second
            bound = NUMBERS * (moved_first + moved_second)
            for d in range(n):
                if out >> d & 1:
                    bound += NUMBERS * size[kind, out ^ 1 << d]
            words, weights = longer(words, used, used + bound + 2 * PAD), longer(weights, used, used + bound + 2 * PAD)
            one, two, three = longer(one, 0, bound + PAD), longer(two, 0, bound + PAD), longer(three, 0, bound + PAD)
            over_words, over_weights = longer(over_words, 0, bound), longer(over_weights, 0, bound)
            bits = 4
            while 1 << bits < 2 * bound:
                bits += 1
            slots = longer(slots, 0, 1 << bits)
            slots[: 1 << bits] = -1
            weights[used] = 0
            found = 0
            for source in range(n + 2):
                if source < n:
                    if not out >> source & 1:
                        continue
                    die, colours = die_of[source], 1
                    lane = die_table[die, 0]
                    first, count = start[kind, out ^ 1 << source], size[kind, out ^ 1 << source]
                else:
                    die, colours, lane = GREY, 2, CRAZY + source - n
                    first, count = used - moved_second, moved_second
                    if source == n:
                        first, count = first - moved_first, moved_first
                if count == 0:
                    continue
                for number in range(1, NUMBERS + 1):
                    times = die_table[die, number] // colours
                    if number % 3 == 1:
                        move_all(words, first, count, lane, number, track, cheering, booing, one, two, three)
                    if times == 0:
                        continue
                    moved = one if number % 3 == 1 else two if number % 3 == 2 else three
                    if tile | camera:
                        mark_all(words, first, count, lane, number, tile, camera, moved)
                    found, apart = merge_all(
                        moved, weights, first, count, times, lane, track, False, words, weights, slots, bits, used,
                        found, over_words, over_weights,
                    )  # fmt: skip
                    if apart:
                        later = 1
                        for left in range(reveals):
                            later *= 6 * (undrawn + left + 1)
                        ends = with_room(ends, end, apart)
                        end = gather(over_words[:apart], over_weights, later, ends, end)
            start[kind, out], size[kind, out] = used, found
            used += found
            if reveals == 0:
                ends = with_room(ends, end, found)
                end = gather(words[used - found : used], weights[used - found : used], 1, ends, end)
                used -= found
                size[kind, out] = 0
    return ends[0][:end], ends[1][:end]
