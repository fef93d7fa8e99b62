"""Races rolled at random, for rules that no table holds for.

Random numbers come from xoshiro128++ (Blackman and Vigna), four words of 32 bits, which needs no product and so fits
int64. Games are played in blocks, each from a seed of its own, and each game of a block from its own state: whoever
plays which block, the result is the same, and the same game on two boards sees the same dice, draw by draw. So what
differs between boards that are much alike is not drowned by what differs between games.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, helper, kernel
from camelodds.core.move import CRAZY, GREY, SUPPORT, crossed, grey_choice, move
from camelodds.core.ranking import order

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

WORD = 0xFFFFFFFF
FACES = 6


# Axes: C racing camels.
@kernel
def play(
    word: int,
    dice: int,
    cheering: int,
    booing: int,
    racing: int,
    crazy: bool,
    undrawn: int,
    support: bool,
    track: int,
    die_table: Ints,
    by_order: Bytes,
    lane_of: Ints,
    seed: Ints,
    games: int,
    counts: Ints,
    endings: Bytes,
) -> None:
    """Play races to their end from a position, and count how they end.

    word, dice, cheering, booing : as in `leg_rankings`, of one board, its race not over; tiles only last for this leg
    support : whether the last camel's support die goes in at the start of each later leg
    die_table : int64 (11, 5), see core.move     by_order, lane_of : see `names`
    seed : int64 (4,), of 32 bits each
    counts : int64 (2 * C + 2 + L,), added to: races won and races lost by lane, sum of legs and of their squares, and
        the races of 0, 1, 2, ... legs, the last for as many or more
    endings : uint8 (games,), filled: the ranking in which each race ended
    """
    full = (1 << racing) - 1 | (1 << GREY if crazy else 0)
    state = np.empty(4, np.int64)
    for game in range(games):
        for part in range(4):
            state[part] = mixed(seed[part] ^ mixed(4 * game + part + 1))
        now, left, plus, minus = word, dice, cheering, booing
        legs = 1 if count_ones(left) > undrawn else 0
        over = False
        while not over:
            if count_ones(left) <= undrawn:
                left = full
                if support:
                    left |= 1 << SUPPORT + lane_of[by_order[order(now)], 0]
                plus = minus = 0
                legs += 1
            chosen = below(FACES * count_ones(left), state)
            die = nth_die(left, chosen // FACES)
            face = chosen % FACES
            left ^= 1 << die
            lane, number = what_moves(now, die, face, die_table)
            now, space, _ = move(now, lane, number, track, plus, minus)
            over = crossed(space, track)
        ranking = by_order[order(now)]
        endings[game] = ranking
        counts[lane_of[ranking, racing - 1]] += 1
        counts[racing + lane_of[ranking, 0]] += 1
        counts[2 * racing] += legs
        counts[2 * racing + 1] += legs * legs
        counts[min(2 * racing + 2 + legs, len(counts) - 1)] += 1


@helper
def what_moves(word: int, die: int, face: int, die_table: Ints) -> tuple[int, int]:
    """The lane of the camel that a die moves and the number it shows; its six faces are 0 to 5."""
    lane, colours = die_table[die, 0], 1
    if die == GREY:  # the first half of its faces is in the first camel's colour
        choice = grey_choice(word)
        lane = CRAZY + (face // (FACES // 2) if choice == 3 else choice - 1)
        face, colours = face % (FACES // 2), 2
    number = 1
    while face >= die_table[die, number] // colours:
        face -= die_table[die, number] // colours
        number += 1
    return lane, number


@helper
def nth_die(dice: int, index: int) -> int:
    """The die with this index among those of a set."""
    for _ in range(index):
        dice &= dice - 1
    return count_ones((dice & -dice) - 1)


@helper
def below(limit: int, state: Ints) -> int:
    """A number from 0 to limit - 1, each as likely to within 1 in 2**32 / limit."""
    total = state[0] + state[3] & WORD
    number = turned(total, 7) + state[0] & WORD
    shifted = state[1] << 9 & WORD
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = turned(state[3], 11)
    return number * limit >> 32


@helper
def mixed(word: int) -> int:
    """A word of 32 bits in which each bit depends on all of another's (after Wellons' hash-prospector)."""
    word ^= word >> 16
    word = word * 0x7FEB352D & WORD
    word ^= word >> 15
    word = word * 0x46CA68B1 & WORD
    return word ^ word >> 16


@helper
def turned(word: int, bits: int) -> int:
    """A word of 32 bits, turned to the left."""
    return (word << bits | word >> 32 - bits) & WORD
