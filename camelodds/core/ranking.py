"""Rankings as numbers: 0 to C! - 1, in the lexicographic order of the lanes from first to last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from camelodds.core.kernel import helper

LOW = 0x7F_7F_7F_7F_7F
HIGH = 0x80_80_80_80_80
OVER = 120
"""Added to a ranking when the race is over."""
CUTS = 216
LANES = 5
"""Of racing camels in a board's word."""


@helper
def ahead(a: int, b: int) -> int:
    """Marks of the five lanes in which byte a is at least byte b."""
    return ((a & ~b) | (~(a ^ b) & ((a | HIGH) - (b & LOW)))) & HIGH


@helper
def order(word: int) -> int:
    """Ten bits that tell who is ahead of whom: each racing lane against the next and the next but one, round five."""
    next_one = word >> 8 & 0xFF_FF_FF_FF | (word & 0xFF) << 32
    next_two = word >> 16 & 0xFF_FF_FF | (word & 0xFF_FF) << 24
    pairs = ahead(word, next_one) >> 7 | ahead(word, next_two) >> 6
    pairs = (pairs | pairs >> 6) & 0x00_03_00_0F_00_0F
    return (pairs | pairs >> 12 | pairs >> 24) & 0x3FF


# Axes: B boards.
def rankings_of(words: NDArray[np.int64], racing: int) -> NDArray[np.int64]:
    """The ranking of each board, int64 (B,), in numpy."""
    lanes = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 8)[:, :racing].astype(np.int64)
    digits = racing ** np.arange(racing)[::-1]
    numbered = np.array(list(permutations(range(racing)))) @ digits
    return np.searchsorted(numbered, (-lanes).argsort(axis=1) @ digits)


@lru_cache
def ranking_tables(racing: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Tables for `racing` camels: (by_order, after_cut).

    by_order  : uint8 (1024,), order(word) -> ranking
    after_cut : uint8 (C! * CUTS,), ranking * CUTS + i * 36 + j * 6 + k -> the ranking in which those from place i to
        before j, counted from the last camel, are cut out and put back behind k of all; k is not between i and j
    """
    rankings = list(permutations(range(racing)))
    number = {ranking: index for index, ranking in enumerate(rankings)}
    by_order = np.zeros(1024, np.uint8)
    after_cut = np.zeros((factorial(racing), CUTS), np.uint8)
    for index, ranking in enumerate(rankings):
        from_last = ranking[::-1]
        by_order[order_of(from_last)] = index
        for i in range(racing + 1):
            for j in range(i, racing + 1):
                for k in (*range(i + 1), *range(j, racing + 1)):
                    rest = from_last[:i] + from_last[j:]
                    at = k if k <= i else k - (j - i)
                    moved = rest[:at] + from_last[i:j] + rest[at:]
                    after_cut[index, i * 36 + j * 6 + k] = number[moved[::-1]]
    return by_order, after_cut.ravel()


def order_of(from_last: Sequence[int]) -> int:
    """What `order` tells of lanes in a ranking, the last first; other lanes count as behind all.

    In plain Python, since a helper that Python itself calls is compiled anew by every process.
    """
    places = [from_last.index(lane) if lane in from_last else -1 for lane in range(LANES)]
    bits = 0
    for lane, place in enumerate(places):
        for step in (1, 2):
            bits |= (place >= places[(lane + step) % LANES]) << 2 * lane + step - 1
    return bits
