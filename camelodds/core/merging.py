"""Lists of distinct boards with their weights, found again by a hash of the word."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import count_ones, helper, scatter
from camelodds.core.move import crossed

N = TypeVar("N", np.int64, np.int32)
Ints = NDArray[np.int64]
Slots = NDArray[np.int32]
Table = tuple[Ints, Ints, Slots]
"""Distinct boards: words, weights, and their numbers by hash (-1: free); twice as many slots as boards or more."""


@helper
def slot_of(word: int, words: Ints, slots: Slots, bits: int) -> int:
    """The slot in which this board's number is, or where it may be put."""
    slot = scatter(word) >> (31 - bits)
    while slots[slot] >= 0 and words[slots[slot]] != word:
        slot = (slot + 1) & (1 << bits) - 1
    return slot


@helper
def merge(
    moved: Ints,
    shares: Ints,
    lane: int,
    track: int,
    words: Ints,
    weights: Ints,
    slots: Slots,
    bits: int,
    found: int,
    over_words: Ints,
    over_weights: Ints,
) -> tuple[int, int]:
    """Add boards to the `found` distinct ones; set those apart on which the camel in `lane` has crossed the line.

    Returns how many distinct ones there are now, and how many are set apart in over_words and over_weights.
    """
    apart = 0
    for index in range(len(moved)):
        if shares[index] == 0:
            continue
        word = moved[index]
        if crossed(word >> 8 * lane + 3 & 31, track):
            over_words[apart] = word
            over_weights[apart] = shares[index]
            apart += 1
            continue
        slot = slot_of(word, words, slots, bits)
        if slots[slot] < 0:
            slots[slot] = found
            words[found] = word
            weights[found] = shares[index]
            found += 1
        else:
            weights[slots[slot]] += shares[index]
    return found, apart


@helper
def gather(moved: Ints, shares: Ints, later: int, table: Table, found: int) -> int:
    """Add boards, their shares times `later`, to a table that has room: the number of distinct ones now."""
    words, weights, slots = table
    bits = count_ones(len(slots) - 1)
    for index in range(len(moved)):
        if shares[index] == 0:
            continue
        slot = slot_of(moved[index], words, slots, bits)
        if slots[slot] < 0:
            slots[slot] = found
            words[found] = moved[index]
            weights[found] = 0
            found += 1
        weights[slots[slot]] += shares[index] * later
    return found


@helper
def with_room(table: Table, found: int, more: int) -> Table:
    """The table, or a larger copy, with room for so many more boards."""
    words, weights, slots = table
    if found + more <= len(words):
        return table
    room = len(words)
    while room < found + more:
        room *= 2
    words = longer(words, found, room)
    weights = longer(weights, found, room)
    slots = np.full(2 * room, -1, np.int32)
    bits = count_ones(len(slots) - 1)
    for index in range(found):
        slots[slot_of(words[index], words, slots, bits)] = index
    return words, weights, slots


@helper
def longer(values: NDArray[N], used: int, length: int) -> NDArray[N]:
    """The array, or a copy of at least this length that begins with the `used` values."""
    if length <= len(values):
        return values
    copy = np.empty(max(length, 2 * len(values)), values.dtype)
    copy[:used] = values[:used]
    return copy
