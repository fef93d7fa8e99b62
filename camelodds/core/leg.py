"""Every way a leg can end, exactly.

Distinct boards are kept with their weights in lists, by the set of racing and support dice that are out and by what
the grey die can still do. It *matters* while crazy camels carry racing camels or may come to; their places are then
part of the board. It is *idle* once it can do nothing to a racing camel, a tile or the line any more: its reveals are
only a weight. It is *out* once it has been revealed (or never was in the game): crazy camels then only lift levels. In
the last two kinds boards are bare, racing camels alone, and many more of them are equal.

A list is made from those with one die fewer. Each step is a loop that does one thing (core.lists). A bare board before
which nothing lies is not followed any further: its ending is looked up (core.endings). What is left to the last reveal
needs no boards: where a unit goes in the ranking is a matter of counting whom it leaves behind.

A weight counts ways: each draw of a die, and each of six equal faces of every die. What ends early counts for all that
could have followed, so the weights of a leg sum to draws x 6**reveals; they fit int64 up to eleven dice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.endings import Endings, add_ending
from camelodds.core.kernel import count_ones, helper, kernel
from camelodds.core.lists import (
    NUMBERS,
    PAD,
    append_moved,
    count_all,
    count_cuts,
    count_seen,
    cut_all,
    grey_codes,
    list_dice,
    mark_all,
    merge_all,
    move_all,
    note_landings,
    rank_all,
    seen_on,
)
from camelodds.core.merging import longer
from camelodds.core.move import CRAZY, DICE, GREY, RACING_MARKS, race_over, without_crazy
from camelodds.core.ranking import OVER, order
from camelodds.core.reach import any_before, grey_stays_idle, marks_of

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

GREY_MATTERS, GREY_IDLE, GREY_OUT = 0, 1, 2
"""The kinds of lists."""
POOL = 4096
ROOM = 512


# Axes: B boards.
@kernel
def leg_rankings(
    word: Ints,
    dice: Ints,
    cheering: Ints,
    booing: Ints,
    tile: Ints,
    camera: Ints,
    undrawn: int,
    track: int,
    camel_marks: int,
    die_table: Ints,
    after_cut: Bytes,
    endings: Endings,
    rankings: Ints,
    landings: Ints,
    seen: Ints,
    moves: Ints,
) -> None:
    """Add the weight of every way the leg can end to rankings: 1 where it is over already.

    word, dice, cheering, booing : int64 (B,): board, bit d for die d in the pyramid, bit s for a tile on space s
    tile, camera : int64 (B,): the space of a tile, of a camera, of which it is counted what they bring; 0 for none
    undrawn : dice that stay in the pyramid     camel_marks : bit 7 of the lane of each camel that takes part
    die_table : int64 (11, 5), see core.move     after_cut : see ranking_tables
    rankings : int64 (B, 2 * OVER), filled: by ranking, plus OVER where the race is over
    landings : int64 (B, 32), filled: weight x landings by the tile's space
    seen : int64 (B, MARKS_WIDTH), filled: weight by landings on the watched tile plus camels in the watched photo
    moves : int64 (B,), filled: moves of boards, and endings looked up
    """
    words, weights = np.empty(POOL, np.int64), np.empty(POOL, np.int64)
    slots = np.empty(2 * ROOM, np.int32)
    one, two, three = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    ranks, scratch = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    over_words, over_weights = np.empty(ROOM, np.int64), np.empty(ROOM, np.int64)
    by_space = np.empty(32, np.int64)
    racing_marks = camel_marks & RACING_MARKS
    sets = 1
    for b in range(len(dice)):
        sets = max(sets, 1 << count_ones(dice[b] & ~(1 << GREY)))
    start, size = np.empty((3, sets), np.int64), np.empty((3, sets), np.int64)
    near = np.zeros(DICE + 1, np.int64)
    later = np.ones(DICE + 1, np.int64)
    die_of = np.empty(DICE, np.int64)
    by_order = endings.by_order
    deepest = endings.deepest
    most = 0
    for number in range(1, NUMBERS + 1):
        for die in range(DICE):
            if die_table[die, number]:
                most = number
    for m in range(1, DICE):
        later[m] = later[m - 1] * 6 * (m + undrawn)
    for b in range(len(word)):
        over = race_over(word[b], track, camel_marks)
        if over or count_ones(dice[b]) <= undrawn:
            rankings[b, by_order[order(word[b])] + OVER * over] += 1
            seen[b, 0] += 1
            continue
        row, landed, saw = rankings[b], landings[b], seen[b]
        grey = dice[b] >> GREY & 1
        n = list_dice(dice[b] & ~(1 << GREY), die_of)
        reveals = n + grey - undrawn
        plus, minus, watched, lens = cheering[b], booing[b], tile[b], camera[b]
        tiles = plus | minus
        watch = watched | lens != 0
        bare = lens == 0
        special = tiles | -1 << track + 1 | (1 << lens if lens else 0)
        for m in range(1, reveals + 1):
            near[m] = near[m - 1]
            for number in range(1, most + 1):
                near[m] |= special >> most * (m - 1) + number
        step = most + (plus != 0)
        before = 0
        for number in range(1, most + 1):
            before |= (tiles | 1) << number
        words[0] = word[b] if grey or not bare else without_crazy(word[b])
        weights[0] = 1
        used = waiting = 1
        for out in range(1 << n):
            left = dice[b]
            for d in range(n):
                left ^= (out >> d & 1) << die_of[d]
            for kind in range(GREY_MATTERS if grey else GREY_OUT, GREY_OUT + 1):
                size[kind, out] = 0
                m = count_ones(left) - undrawn
                still = first_moved = second_moved = 0
                if kind == GREY_OUT and grey:
                    m -= 1
                    left ^= 1 << GREY
                    idle, idle_end = start[GREY_IDLE, out], start[GREY_IDLE, out] + size[GREY_IDLE, out]
                    begin, end = start[GREY_MATTERS, out], start[GREY_MATTERS, out] + size[GREY_MATTERS, out]
                    if m >= 0 and (idle < idle_end or begin < end):
                        room = used + idle_end - idle + 3 * (end - begin) + PAD
                        if room > len(words):
                            words, weights = longer(words, used, room), longer(weights, used, room)
                        if end - begin + PAD > len(scratch):
                            scratch = longer(scratch, 0, end - begin + PAD)
                        grey_codes(words, begin, end - begin, before, bare, scratch)
                        still = append_idle(words, weights, idle, idle_end, begin, end, scratch, used)
                        used += still
                        first_moved = append_moved(words, weights, begin, end - begin, 1, scratch, used)
                        used += first_moved
                        second_moved = append_moved(words, weights, begin, end - begin, 2, scratch, used)
                        used += second_moved
                elif waiting:
                    still = waiting
                waiting = 0
                bound = still + (first_moved + second_moved) * most
                for d in range(n):
                    if out >> d & 1:
                        bound += size[kind, out ^ 1 << d] * most
                if m < 0 or bound == 0:
                    continue
                room = used + bound + 2 * PAD
                if room > len(words):
                    words, weights = longer(words, used, room), longer(weights, used, room)
                if bound + PAD > len(one):
                    one, two = longer(one, 0, bound + PAD), longer(two, 0, bound + PAD)
                    three, ranks = longer(three, 0, bound + PAD), longer(ranks, 0, bound + PAD)
                    over_words, over_weights = longer(over_words, 0, bound + PAD), longer(over_weights, 0, bound + PAD)
                bits = 4
                if m:
                    while 1 << bits < 2 * bound:
                        bits += 1
                    if 1 << bits > len(slots):
                        slots = longer(slots, 0, 1 << bits)
                    slots[: 1 << bits] = -1
                    weights[used] = 0
                found = 0
                for source in range(n + 3):
                    lane, divide = 0, 1
                    if source < n:
                        if not out >> source & 1:
                            continue
                        die = die_of[source]
                        lane = die_table[die, 0]
                        first, count = start[kind, out ^ 1 << source], size[kind, out ^ 1 << source]
                    elif source == n:
                        first, count = used - still - first_moved - second_moved, still
                    else:
                        die, divide, lane = GREY, 2, CRAZY + source - n - 1
                        first, count = used - second_moved, second_moved
                        if source == n + 1:
                            first, count = first - first_moved, first_moved
                    if count == 0:
                        continue
                    if source == n and m == 0:
                        for index in range(first, first + count):
                            row[by_order[order(words[index])]] += weights[index]
                            if watch:
                                saw[seen_on(words[index])] += weights[index]
                        continue
                    if m == 0:
                        rank_all(words, first, count, by_order, ranks)
                    for number in range(1, most + 1):
                        times = 1
                        if source == n:
                            if number > 1:
                                break
                            one[:count] = words[first : first + count]
                        else:
                            times = die_table[die, number] // divide
                            if number % 3 == 1 and (m or watch):
                                move_all(words, first, count, lane, number, track, plus, minus, one, two, three)
                            if number % 3 == 1 and m == 0 and not watch:
                                cut_all(
                                    words, first, count, lane, number, track, plus, minus, racing_marks, one, two, three
                                )
                            if times == 0:
                                continue
                            moves[b] += count
                        moved = one if number % 3 == 1 else two if number % 3 == 2 else three
                        if m == 0 and not watch:
                            count_cuts(ranks, moved, weights, first, count, times, after_cut, row)
                            continue
                        if watch and source != n:
                            mark_all(words, first, count, lane, number, watched, lens, moved)
                        if m == 0:
                            count_all(moved, weights, first, count, times, lane, track, by_order, row)
                            count_seen(moved, weights, first, count, times, saw)
                            continue
                        found, apart = merge_all(
                            moved, weights, first, count, times, lane, track, bare and divide == 2, words, weights,
                            slots, bits, used, found, over_words, over_weights,
                        )  # fmt: skip
                        for index in range(apart):
                            weight = over_weights[index] * later[m]
                            row[OVER + by_order[order(over_words[index])]] += weight
                            if watch:
                                saw[seen_on(over_words[index])] += weight
                    if tiles and source != n:
                        note_landings(
                            words,
                            weights,
                            first,
                            count,
                            lane,
                            tiles,
                            die_table,
                            die,
                            later[m],
                            divide,
                            by_space,
                            landed,
                        )
                if m == 0:
                    continue
                kept = found
                movable = marks_of(left)
                if kind == GREY_MATTERS and bare:
                    kept = part(words, weights, used, found, movable, step * (m - 1), before, over_words, over_weights)
                    waiting = found - kept
                elif kind != GREY_MATTERS and 2 <= m <= deepest:
                    kept = answer(
                        words, weights, used, found, movable, near[m], left, bare, endings, row, watch, later[m], saw
                    )
                    moves[b] += found - kept
                start[kind, out] = used
                size[kind, out] = kept
                used += kept + waiting


@helper
def append_idle(
    words: Ints, weights: Ints, idle: int, idle_end: int, begin: int, end: int, codes: Ints, used: int
) -> int:
    """Append the boards that the grey die leaves as they are, without their crazy camels: how many there are."""
    at = used
    for index in range(idle, idle_end):
        words[at] = words[index]
        weights[at] = 6 * weights[index]
        at += 1
    for index in range(begin, end):
        if codes[index - begin] == 0:
            words[at] = without_crazy(words[index])
            weights[at] = 6 * weights[index]
            at += 1
    return at - used


@helper
def part(
    words: Ints, weights: Ints, first: int, found: int, movable: int, reach: int, before: int, idle_words: Ints,
    idle_weights: Ints,
) -> int:  # fmt: skip
    """Put the boards on which the grey die stays idle last, without their crazy camels: how many are before them."""
    kept = idle = 0
    for index in range(first, first + found):
        if grey_stays_idle(words[index], movable, reach, before):
            idle_words[idle] = without_crazy(words[index])
            idle_weights[idle] = weights[index]
            idle += 1
        else:
            words[first + kept] = words[index]
            weights[first + kept] = weights[index]
            kept += 1
    for index in range(idle):
        words[first + kept + index] = idle_words[index]
        weights[first + kept + index] = idle_weights[index]
    return kept


@helper
def answer(
    words: Ints, weights: Ints, first: int, found: int, movable: int, near: int, left: int, bare: bool,
    endings: Endings, row: Ints, watch: bool, later: int, saw: Ints,
) -> int:  # fmt: skip
    """Count the endings of the boards before which nothing lies, and keep the others: how many they are."""
    kept = 0
    for index in range(first, first + found):
        word, weight = words[index], weights[index]
        if any_before(word, movable, near):
            words[first + kept] = word
            weights[first + kept] = weight
            kept += 1
            continue
        add_ending(word if bare else without_crazy(word), left, weight, endings, row)
        if watch:
            saw[seen_on(word)] += weight * later
    return kept
