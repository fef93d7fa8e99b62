"""Everybody plays on to the leg's end, exactly.

An act is to reveal a die or to take the top ticket of a colour. What is held already changes no choice, so a state is
a board, the dice left, the tickets gone, and whose turn it is. It is solved in three steps:

1. `next_boards`, down from the position: the boards that the reveals can lead to, equal ones once.
2. `group_boards`, up from the last reveal: boards with the same ranking, the same chances of each camel to end first
   and second, and reveals that lead to the same groups with the same weights are worth the same whatever is played.
   They become one *group*. Most boards differ in what no longer matters, so groups are few.
3. `play_layer`, over the tickets gone, most first: the value of every group in one *layer*, the states with the same
   number of tickets gone. A reveal stays in the layer and leads to a group one reveal further; a ticket leads to
   the layer filled before. Who is to move follows from the number of acts so far.

Everything is an integer: a group with r reveals left counts in units of 1 / (6 x dice left) for each of them, its
*scale*, which is the number of ways in which its leg can go on. So equal acts are exactly equal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, helper, kernel, scatter
from camelodds.core.merging import longer
from camelodds.core.move import crossed, move
from camelodds.core.ranking import order
from camelodds.core.simulate import FACES, what_moves

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Bytes = NDArray[np.uint8]

DICE = 11
MOST_FACES = DICE * FACES
DICE_BIT = 45
"""Where the dice are mixed into a word, to find both again."""
ROOM = 64
"""Boards that a list has room for at first."""
WEIGHT_BITS = 8
"""Bits of a weight, at most MOST_FACES, beside the number of the group."""
REVEAL = 255
"""The act of revealing a die; the others are a colour's lane."""


# Axes: B boards, C racing camels, E faces after which the leg goes on, N boards that they lead to.
@kernel
def next_boards(
    words: Ints,
    dice: Ints,
    cheering: int,
    booing: int,
    undrawn: int,
    track: int,
    die_table: Ints,
    by_order: Bytes,
    lane_of: Ints,
    most: int,
    ends: Bytes,
    faces: Ints,
) -> tuple[Ints, Ints, Numbers]:
    """One reveal on each board: (words, dice, boards led to), int64 (N,), int64 (N,), int32 (E,).

    words, dice : int64 (B,), as in `leg_rankings`, with the same number of dice left, more than `undrawn`
    die_table : int64 (11, 5), see core.move     by_order, lane_of : see `names`
    most : boards at which to give up; what is returned is then of that length and not complete
    ends : uint8 (B, 2, C), added to: after how many faces the leg is over, by the camel then first, and then second
    faces : int64 (B + 1,), filled: those of board b lead to boards from index faces[b] to before faces[b + 1]
    """
    racing = lane_of.shape[1]
    new_words = np.empty(ROOM, np.int64)
    new_dice = np.empty(ROOM, np.int64)
    slots = np.full(4 * ROOM, -1, np.int32)
    child = np.empty(ROOM, np.int32)
    found = 0
    made = 0
    for b in range(len(words)):
        faces[b] = made
        ends_leg = count_ones(dice[b]) == undrawn + 1
        child = longer(child, made, made + MOST_FACES)
        new_words = longer(new_words, found, found + MOST_FACES)
        new_dice = longer(new_dice, found, found + MOST_FACES)
        if 2 * (found + MOST_FACES) > len(slots):
            slots = np.full(4 * len(slots), -1, np.int32)
            for index in range(found):
                slots[slot_of(new_words[index], new_dice[index], new_words, new_dice, slots)] = index
        for die in range(DICE):
            if not dice[b] >> die & 1:
                continue
            rest = dice[b] ^ 1 << die
            for face in range(FACES):
                lane, number = what_moves(words[b], die, face, die_table)
                after, space, _ = move(words[b], lane, number, track, cheering, booing)
                if ends_leg or crossed(space, track):
                    ranking = by_order[order(after)]
                    for place in range(min(2, racing)):
                        ends[b, place, lane_of[ranking, racing - 1 - place]] += 1
                    continue
                slot = slot_of(after, rest, new_words, new_dice, slots)
                if slots[slot] < 0:
                    if found == most:
                        return new_words[:found], new_dice[:found], child[:made]
                    slots[slot] = found
                    new_words[found] = after
                    new_dice[found] = rest
                    found += 1
                child[made] = slots[slot]
                made += 1
    faces[len(words)] = made
    return new_words[:found], new_dice[:found], child[:made]


@helper
def slot_of(word: int, dice: int, words: Ints, all_dice: Ints, slots: Numbers) -> int:
    """The slot in which the number of this board with these dice is, or where it may be put."""
    slot = first_slot(scatter(word ^ dice << DICE_BIT), slots)
    while slots[slot] >= 0 and (words[slots[slot]] != word or all_dice[slots[slot]] != dice):
        slot = (slot + 1) & len(slots) - 1
    return slot


@helper
def first_slot(mixed: int, slots: Numbers) -> int:
    """The slot at which to look first for what `scatter` has mixed to this; there are 2**n slots."""
    return mixed >> 31 - count_ones(len(slots) - 1)


# Axes: B boards, C racing camels, E faces, G groups found, H groups one reveal further, M moves of groups.
@kernel
def group_boards(
    words: Ints,
    ends: Bytes,
    faces: Ints,
    child: Numbers,
    group_of_next: Numbers,
    places_next: Ints,
    scale_next: int,
    first_next: int,
    by_order: Bytes,
    group_of: Numbers,
) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Put boards with the same number of reveals left into groups that are worth the same.

    words, ends, faces, child : of these boards, see `next_boards`
    group_of_next, places_next : int32 (N,), int64 (H, 2, C): the group of each board one reveal further, and of each
        group the ways in which each camel is first, and second, in the end
    scale_next, first_next : the scale of those groups; the number of the first of them among all groups
    group_of : int32 (B,), filled: the group of each board, from 0
    Returns (rankings, places, moves, groups led to, weights): int64 (G,), (G, 2, C), (G + 1,), (M,), (M,); the groups
    led to are numbered among all.
    """
    racing = ends.shape[2]
    head = 1 + 2 * racing
    # A group is a row: ranking, places, then group led to << WEIGHT_BITS | weight, in rising order.
    row = np.empty(head + MOST_FACES, np.int64)
    rows = np.empty(ROOM * len(row), np.int64)
    start = np.zeros(ROOM + 1, np.int64)
    slots = np.full(4 * ROOM, -1, np.int32)
    hashes = np.empty(ROOM, np.int64)
    found = 0
    for b in range(len(words)):
        row[0] = by_order[order(words[b])]
        for place in range(2):
            for lane in range(racing):
                ways = np.int64(ends[b, place, lane]) * scale_next
                for index in range(faces[b], faces[b + 1]):
                    ways += places_next[group_of_next[child[index]], place, lane]
                row[1 + place * racing + lane] = ways
        length = head
        for index in range(faces[b], faces[b + 1]):
            length = insert(row, head, length, first_next + group_of_next[child[index]])
        mixed = 0
        for index in range(length):
            mixed = scatter(row[index] ^ mixed << 32)
        if 2 * (found + 1) > len(slots):
            slots = np.full(4 * len(slots), -1, np.int32)
            for index in range(found):
                slot = first_slot(hashes[index], slots)
                while slots[slot] >= 0:
                    slot = (slot + 1) & len(slots) - 1
                slots[slot] = index
        slot = first_slot(mixed, slots)
        while slots[slot] >= 0 and not same_row(rows, start, slots[slot], row, length):
            slot = (slot + 1) & len(slots) - 1
        if slots[slot] < 0:
            slots[slot] = found
            rows = longer(rows, start[found], start[found] + length)
            start = longer(start, found + 1, found + 2)
            hashes = longer(hashes, found, found + 1)
            rows[start[found] : start[found] + length] = row[:length]
            start[found + 1] = start[found] + length
            hashes[found] = mixed
            found += 1
        group_of[b] = slots[slot]
    rankings = np.empty(found, np.int64)
    places = np.empty((found, 2, racing), np.int64)
    group_moves = np.zeros(found + 1, np.int64)
    leads = np.empty(start[found] - found * head, np.int64)
    for group in range(found):
        here = rows[start[group] : start[group + 1]]
        rankings[group] = here[0]
        for place in range(2):
            places[group, place] = here[1 + place * racing : 1 + (place + 1) * racing]
        group_moves[group + 1] = group_moves[group] + len(here) - head
        leads[group_moves[group] : group_moves[group + 1]] = here[head:]
    return rankings, places, group_moves, leads >> WEIGHT_BITS, leads & (1 << WEIGHT_BITS) - 1


@helper
def insert(row: Ints, head: int, length: int, group: int) -> int:
    """Add a face that leads to a group to a row's moves, in rising order of the groups: the row's new length."""
    at = length
    while at > head and row[at - 1] >> WEIGHT_BITS > group:
        at -= 1
    if at > head and row[at - 1] >> WEIGHT_BITS == group:
        row[at - 1] += 1
        return length
    for index in range(length, at, -1):
        row[index] = row[index - 1]
    row[at] = group << WEIGHT_BITS | 1
    return length + 1


@helper
def same_row(rows: Ints, start: Ints, group: int, row: Ints, length: int) -> bool:
    """Whether a group has this row."""
    if start[group + 1] - start[group] != length:
        return False
    same = True
    for index in range(length):
        same &= rows[start[group] + index] == row[index]
    return same


# Axes: G groups, C racing camels, Q tickets of a colour at most, S states of this layer, T of the layer before,
# P players, counted from the one who is to move at first.
@kernel
def play_layer(
    first: int,
    last: int,
    taken: int,
    asker: int,
    reveals_made: Ints,
    scale: Ints,
    by_rank: Ints,
    worth: Ints,
    moves: Ints,
    child: Ints,
    weight: Ints,
    gone: Ints,
    one_more: Ints,
    before: Ints,
    now: Ints,
    acts: Bytes,
) -> None:
    """Fill what each player still gains in the states of one layer, for the groups from `first` to before `last`.

    taken : tickets taken since the start in all states of the layer
    asker : the player who plays best against others who take the best ticket worth more than 1, or else reveal;
        -1: all play best
    reveals_made, scale : int64 (G,), since the start; of each group     moves, child, weight : see `group_boards`
    by_rank : int64 (G, C), the lanes, first camel first
    worth : int64 (G, C, Q), what the next ticket of a colour is worth when so many of it have been taken, x scale
    gone : int64 (S, C), tickets of each colour taken
    one_more : int64 (S, C), the state of the layer before with one more of the colour taken, -1: none left
    before : int64 (G, T, P), values of the layer before
    now : int64 (G, S, P), filled, those further on in the leg before; values are expected pounds x scale
    acts : uint8 (G, S), filled: what the player to move does, a lane or REVEAL
    """
    states = len(gone)
    racing = gone.shape[1]
    players = now.shape[2]
    for group in range(first, last):
        mover = (reveals_made[group] + taken) % players
        plays_best = asker in (mover, -1)
        values = now[group].ravel()
        values[:] = 0
        for index in range(moves[group], moves[group + 1]):
            ways = weight[index]
            after = now[child[index]].ravel()
            for flat in range(states * players):
                values[flat] += ways * after[flat]
        for state in range(states):
            now[group, state, mover] += scale[group]
            best = now[group, state, mover] if plays_best else scale[group]
            act = REVEAL
            for rank in range(racing):
                lane = by_rank[group, rank]
                more = one_more[state, lane]
                if more < 0:
                    continue
                gain = worth[group, lane, gone[state, lane]]
                if plays_best:
                    gain += before[group, more, mover]
                if gain > best:
                    best = gain
                    act = lane
            acts[group, state] = act
            if act != REVEAL:
                more = one_more[state, act]
                for player in range(players):
                    now[group, state, player] = before[group, more, player]
                now[group, state, mover] += worth[group, act, gone[state, act]]
