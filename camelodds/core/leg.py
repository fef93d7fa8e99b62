"""Every way a leg can end, exactly.

The boards reached are kept by the set of dice already out: for each set a list of distinct boards with their weights.
A set's list is made from those with one die fewer, one die after the other, so that a single small merge table is in
use at a time. Each step is a loop over one list that does one thing, which the compiler can turn into vector code:
move the die's camel on every board, note landings where there are tiles, merge.

The last reveal is two thirds of all moves and needs no boards any more: where a unit goes in the ranking is a matter
of counting whom it leaves behind.

A weight counts ways: each draw of a die, and each of six equal faces of every die. What ends early counts for all that
could have followed, so the weights of a leg sum to draws x 6**reveals; they fit int64 up to eleven dice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, helper, kernel
from camelodds.core.merging import Table, gather, longer, merge, with_room
from camelodds.core.move import (
    CRAZY,
    GREY,
    RACING_MARKS,
    SUPPORT,
    destination,
    grey_choice,
    not_beyond,
    put,
    race_over,
    spaces_of,
    unit_of,
)
from camelodds.core.ranking import CUTS, OVER, order

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Layer = tuple[Ints, Ints, Ints, Ints]
"""Boards by set of dice out: words and weights, list after list, and by set the list's start and size."""
DICE = 11
FACES = 3
MARK = 56
"""First bit of the lane that carries a mark: landings on the watched tile, or camels in the watched photo."""
PHOTO = 60
"""First bit of the photo where both a tile and a camera are watched."""
FATES = 40
"""Targets in a table of fates: from -FACES to beyond the longest track."""
ROOM = 64
"""Boards that a list has room for at first."""


# Axes: B boards.
@kernel
def leg_rankings(
    word: Ints,
    dice: Ints,
    cheering: Ints,
    booing: Ints,
    watch: Ints,
    undrawn: int,
    track: int,
    camel_marks: int,
    by_order: Bytes,
    after_cut: Bytes,
    rankings: Ints,
    landings: Ints,
    marks: Ints,
    moves: Ints,
) -> None:
    """Add the weight of every way the leg can end to rankings: 1 where it is over already.

    word, dice, cheering, booing : int64 (B,): board, bit d for die d in the pyramid, bit s for a tile on space s
    watch : int64 (B,): the space of a tile whose landings are counted, or minus the space of a camera, or 0
    undrawn : dice that stay in the pyramid     camel_marks : bit 7 of the lane of each camel that takes part
    by_order, after_cut : see ranking_tables
    rankings : int64 (B, 2 * OVER), filled: by ranking, plus OVER where the race is over
    landings : int64 (B, 32), filled: weight x landings by the tile's space
    marks : int64 (B, 16), filled where watch is not 0: weight by landings, or by camels in the first photo
    moves : int64 (B, 2), filled: merged moves before the last reveal, and in it; the grey die's counted as six
    """
    fates = np.empty((2, FATES), np.int64)
    racing_marks = camel_marks & RACING_MARKS
    for b in range(len(word)):
        crossed = race_over(word[b], track, camel_marks)
        if crossed or count_ones(dice[b]) <= undrawn:
            rankings[b, by_order[order(word[b])] + (OVER if crossed else 0)] += 1
            marks[b, 0] += 1
            continue
        fill_fates(fates, track, cheering[b], booing[b])
        tiles = cheering[b] | booing[b] != 0
        die_of = dice_in(dice[b])
        n = len(die_of)
        reveals = n - undrawn
        layer, ends, over = layers(word[b], die_of, reveals, fates, track, tiles, watch[b], landings[b], moves[b])
        end_words, end_weights, _ = ends
        for index in range(over):
            rankings[b, OVER + by_order[order(end_words[index])]] += end_weights[index]
            marks[b, end_words[index] >> MARK] += end_weights[index]

        words, weights, start, size = layer
        most = np.max(size)
        shares = np.empty(most, np.int64)
        ranking = np.empty(most, np.uint8)
        after = np.empty((FACES, most), np.uint8)
        for out in range(1 << n):
            if count_ones(out) != reveals - 1 or size[out] == 0:
                continue
            here = slice(start[out], start[out] + size[out])
            for index in range(size[out]):
                ranking[index] = by_order[order(words[start[out] + index])]
            for d in range(n):
                if out >> d & 1:
                    continue
                first, last, faces = movers(die_of[d])
                for lane in range(first, last + 1):
                    moves[b, 1] += size[out] * faces
                    fate = fates[lane // CRAZY]
                    share_out(words[here], weights[here], lane, faces, shares)
                    rank_moved(words[here], ranking, lane, track, racing_marks, fate, after_cut, after)
                    for number in range(faces):
                        for index in range(size[out]):
                            rankings[b, after[number, index]] += shares[index]
                    if tiles:
                        note_landings(words[here], shares, lane, faces, fate, 1, landings[b])
                    if watch[b] != 0:
                        for index in range(size[out]):
                            for number in range(1, faces + 1):
                                word_now = words[start[out] + index]
                                marks[b, marked(word_now, lane, number, fate, watch[b]) >> MARK] += shares[index]


@kernel
def leg_ends(
    word: int, dice: int, cheering: int, booing: int, watch: int, undrawn: int, track: int, camel_marks: int
) -> tuple[Ints, Ints]:
    """The distinct boards in which the leg ends, and their weights: int64 (E,), int64 (E,), in no order.

    Arguments as in `leg_rankings`, of one board; what was watched is in the upper byte. Here watch may also be a tile's
    space plus 32 times a camera's: landings are then in the byte's lower half, camels in the photo in the upper.
    Where the race is over a camel's space is 0 or track + 1.
    """
    if race_over(word, track, camel_marks) or count_ones(dice) <= undrawn:
        return np.full(1, word), np.full(1, 1)
    fates = np.empty((2, FATES), np.int64)
    fill_fates(fates, track, cheering, booing)
    die_of = dice_in(dice)
    n = len(die_of)
    reveals = n - undrawn
    unused = np.zeros(32, np.int64)
    layer, ends, found = layers(word, die_of, reveals, fates, track, False, watch, unused, unused)
    words, weights, start, size = layer
    most = np.max(size)
    shares = np.empty(most, np.int64)
    moved = np.empty((FACES, most), np.int64)
    for out in range(1 << n):
        if count_ones(out) != reveals - 1:
            continue
        here = slice(start[out], start[out] + size[out])
        for d in range(n):
            if out >> d & 1:
                continue
            first, last, faces = movers(die_of[d])
            for lane in range(first, last + 1):
                fate = fates[lane // CRAZY]
                share_out(words[here], weights[here], lane, faces, shares)
                move_all(words[here], lane, fate, moved)
                if watch != 0:
                    mark_all(words[here], lane, faces, fate, watch, moved)
                for number in range(faces):
                    ends = with_room(ends, found, size[out])
                    found = gather(moved[number, : size[out]], shares, 1, ends, found)
    return ends[0][:found], ends[1][:found]


@helper
def layers(
    word: int,
    die_of: Ints,
    reveals: int,
    fates: Ints,
    track: int,
    tiles: bool,
    watch: int,
    landings: Ints,
    moves: Ints,
) -> tuple[Layer, Table, int]:
    """All boards with one reveal to go: (layer, table of the boards with the race over before, their number).

    reveals : at least 1     tiles : whether to add to landings     moves : filled at 0
    """
    n = len(die_of)
    start = np.zeros(1 << n, np.int64)
    size = np.zeros(1 << n, np.int64)
    words = np.full(ROOM, word)
    weights = np.full(ROOM, 1)
    new_words = np.empty(ROOM, np.int64)
    new_weights = np.empty(ROOM, np.int64)
    slots = np.empty(2 * ROOM, np.int32)
    shares = np.empty(ROOM, np.int64)
    moved = np.empty((FACES, ROOM), np.int64)
    over_words = np.empty(ROOM, np.int64)
    over_weights = np.empty(ROOM, np.int64)
    ends = (np.empty(ROOM, np.int64), np.empty(ROOM, np.int64), np.full(2 * ROOM, -1, np.int32))
    over = 0
    size[0] = 1
    later = 1
    for depth in range(1, reveals):
        later *= 6 * (n - depth)
    for depth in range(1, reveals):
        used = 0
        most = 0
        for out in range(1 << n):
            if count_ones(out) != depth:
                continue
            bound = 0
            for d in range(n):
                if out >> d & 1:
                    first, last, faces = movers(die_of[d])
                    bound += size[out ^ 1 << d] * faces * (last - first + 1)
            moves[0] += bound
            new_words = longer(new_words, used, used + bound)
            new_weights = longer(new_weights, used, used + bound)
            bits = 4
            while 1 << bits < 2 * bound:
                bits += 1
            slots = longer(slots, 0, 1 << bits)
            slots[: 1 << bits] = -1
            found = 0
            for d in range(n):
                before = out ^ 1 << d
                if not out >> d & 1 or size[before] == 0:
                    continue
                here = slice(start[before], start[before] + size[before])
                first, last, faces = movers(die_of[d])
                for lane in range(first, last + 1):
                    fate = fates[lane // CRAZY]
                    share_out(words[here], weights[here], lane, faces, shares)
                    move_all(words[here], lane, fate, moved)
                    if tiles:
                        note_landings(words[here], shares, lane, faces, fate, later, landings)
                    if watch != 0:
                        mark_all(words[here], lane, faces, fate, watch, moved)
                    for number in range(faces):
                        found, crossed = merge(
                            moved[number, : size[before]], shares, lane, track, new_words[used:], new_weights[used:],
                            slots, bits, found, over_words, over_weights,
                        )  # fmt: skip
                        if crossed:
                            ends = with_room(ends, over, crossed)
                            over = gather(over_words[:crossed], over_weights, later, ends, over)
            start[out] = used
            size[out] = found
            used += found
            most = max(most, found)
        shares = longer(shares, 0, most)
        over_words = longer(over_words, 0, most)
        over_weights = longer(over_weights, 0, most)
        if moved.shape[1] < most:
            moved = np.empty((FACES, 2 * most), np.int64)
        words, new_words = new_words, words
        weights, new_weights = new_weights, weights
        later //= 6 * (n - depth)
    return (words, weights, start, size), ends, over


@helper
def dice_in(dice: int) -> Ints:
    """The numbers of the dice in a set."""
    found = np.empty(count_ones(dice), np.int64)
    n = 0
    for die in range(DICE):
        if dice >> die & 1:
            found[n] = die
            n += 1
    return found


@helper
def movers(die: int) -> tuple[int, int, int]:
    """The lanes of the camels that a die may move, first and last, and its different numbers."""
    if die < GREY:
        return die, die, 3
    if die == GREY:
        return CRAZY, CRAZY + 1, 3
    return die - SUPPORT, die - SUPPORT, 2


@helper
def fill_fates(fates: Ints, track: int, cheering: int, booing: int) -> None:
    """Pack what awaits a unit that aims at a target, space | underneath << 5 | tile << 6, into fates.

    fates : int64 (2, FATES), filled: racing-led or crazy-led, target + FACES
    """
    for kind in range(2):
        for index in range(FATES):
            space, tile, underneath = destination(index - FACES, 1 - 2 * kind, track, cheering, booing)
            fates[kind, index] = space | underneath << 5 | tile << 6


@helper
def fate_of(word: int, lane: int, number: int, fates: Ints) -> int:
    """What awaits the camel in `lane` when its die shows `number`."""
    return fates[(word >> 8 * lane + 3 & 31) + (number if lane < CRAZY else -number) + FACES]


@helper
def share_out(words: Ints, weights: Ints, lane: int, faces: int, shares: Ints) -> None:
    """Write each board's weight, times how many of six faces show any one number and move the camel in `lane`."""
    if lane < CRAZY:
        for index in range(len(words)):
            shares[index] = weights[index] * (6 // faces)
    else:
        for index in range(len(words)):
            choice = grey_choice(words[index])
            mine = choice >> (lane - CRAZY) & 1
            shares[index] = weights[index] * (mine if choice == 3 else 2 * mine)


@helper
def move_all(words: Ints, lane: int, fates: Ints, moved: Ints) -> None:
    """Write to moved[number - 1] every board after the camel in `lane` has moved by `number`."""
    for index in range(len(words)):
        word = words[index]
        byte = word >> 8 * lane & 0xFF
        spaces = spaces_of(word)
        unit = unit_of(word, spaces, byte)
        for number in range(1, FACES + 1):
            fate = fate_of(word, lane, number, fates)
            moved[number - 1, index] = put(word, spaces, unit, byte, fate & 31, fate >> 5 & 1)


@helper
def note_landings(words: Ints, shares: Ints, lane: int, faces: int, fates: Ints, later: int, landings: Ints) -> None:
    """Add these moves' landings on tiles."""
    for index in range(len(words)):
        for number in range(1, faces + 1):
            tile = fate_of(words[index], lane, number, fates) >> 6
            if tile:
                landings[tile] += shares[index] * later


@helper
def marked(word: int, lane: int, number: int, fates: Ints, watch: int) -> int:
    """The board before a move, with the mark as the move leaves it."""
    fate = fate_of(word, lane, number, fates)
    first_bit = MARK
    if watch > 0:
        if fate >> 6 == watch & 31:
            word += 1 << MARK
        watch = -(watch >> 5)
        first_bit = PHOTO
    if watch == 0 or fate & 31 != -watch or word >> first_bit:
        return word
    return word + (count_ones(unit_of(word, spaces_of(word), word >> 8 * lane & 0xFF)) << first_bit)


@helper
def mark_all(words: Ints, lane: int, faces: int, fates: Ints, watch: int, moved: Ints) -> None:
    """Give the moved boards their marks."""
    for index in range(len(words)):
        for number in range(1, faces + 1):
            moved[number - 1, index] += marked(words[index], lane, number, fates, watch) - words[index]


@helper
def rank_moved(
    words: Ints, ranking: Bytes, lane: int, track: int, racing_marks: int, fates: Ints, after_cut: Bytes, after: Bytes
) -> None:
    """Write to after[number - 1] each board's ranking after a move by `number`, plus OVER where the race is over.

    The unit's racing camels, places i to j from the last, go behind k of all: their places stay together.
    """
    for index in range(len(words)):
        word = words[index]
        byte = word >> 8 * lane & 0xFF
        spaces = spaces_of(word)
        unit = unit_of(word, spaces, byte)
        j = count_ones(not_beyond(spaces, byte >> 3) & racing_marks)
        i = j - count_ones(unit & racing_marks)
        cut = np.int64(ranking[index]) * CUTS + i * 36 + j * 6
        for number in range(1, FACES + 1):
            fate = fate_of(word, lane, number, fates)
            space = fate & 31
            k = count_ones(not_beyond(spaces, space - (fate >> 5 & 1)) & racing_marks) if space else 0
            after[number - 1, index] = after_cut[cut + k] + (OVER if space == 0 or space > track else 0)
