"""What can still happen to a board in this leg."""

from __future__ import annotations

from camelodds.core.kernel import helper
from camelodds.core.move import (
    CRAZY,
    GREY,
    RACING_MARKS,
    SUPPORT,
    between,
    spaces_of,
    standing_on,
    unit_of,
)


@helper
def marks_of(dice: int) -> int:
    """Marks of the racing camels that a set of dice can move."""
    own = dice & (1 << GREY) - 1 | dice >> SUPPORT
    marks = 0
    for lane in range(CRAZY):
        marks |= (own >> lane & 1) << 8 * lane + 7
    return marks


@helper
def any_before(word: int, movable: int, near: int) -> bool:
    """Whether one of the movable camels (marks) is on one of the `near` spaces (bits)."""
    found = 0
    for lane in range(CRAZY):
        found |= near >> (word >> 8 * lane + 3 & 31) & movable >> 8 * lane + 7
    return found & 1 != 0


@helper
def grey_is_idle(word: int, before: int) -> bool:
    """Whether the grey die, rolled now, does nothing to a racing camel or before the line or what is watched.

    before : bits of the spaces from which a crazy camel can come there
    """
    spaces = spaces_of(word)
    first, second = word >> 8 * CRAZY & 0xFF, word >> 8 * (CRAZY + 1) & 0xFF
    carried = (unit_of(word, spaces, first) | unit_of(word, spaces, second)) & RACING_MARKS
    return carried | (before >> (first >> 3) | before >> (second >> 3)) & 1 == 0


@helper
def grey_stays_idle(word: int, movable: int, reach: int, before: int) -> bool:
    """Whether the grey die does nothing either after racing camels (marks of the movable ones) have gone as far as
    `reach` spaces in sum; `before` as in grey_is_idle, tiles among what is meant."""
    spaces = spaces_of(word)
    first, second = word >> 8 * CRAZY + 3 & 31, word >> 8 * (CRAZY + 1) + 3 & 31
    met = (standing_on(spaces, first) | standing_on(spaces, second)) & RACING_MARKS
    met |= (between(spaces, first - reach, first) | between(spaces, second - reach, second)) & movable
    return met | (before >> first | before >> second) & 1 == 0
