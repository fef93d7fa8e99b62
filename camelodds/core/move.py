"""The rules of movement (docs/rules.md, sections 4 and 5), on words.

A word holds a byte per camel, `space << 3 | level`: racing camels in lanes 0 to 4, crazy camels in lanes 5 and 6.
Lane 7 is free for a mark that travels along. Space 0 is behind the track (carried over the line backwards), space
N + 1 beyond it. Words are int64, never negative. *Marks* are words with bit 7 of a lane set for each camel meant.

Which numbers a die shows is told by a *die table*, int64 (11, 5), a row per die: the lane that it moves (the grey die:
that of the first crazy camel), then in how many ways out of six it shows 1, 2, 3 and 4. The grey die's ways count both
colours, half of them each.

The questions about all camels at once are asked in all lanes at once: spaces have 5 bits, so 0x80 - (space xor
other) keeps bit 7 exactly where both are the same, and 0x80 + other - space where it is not beyond the other.
"""

from __future__ import annotations

from camelodds.core.kernel import count_ones, helper, kernel

LANES = 0x01_01_01_01_01_01_01
"""A one in each of the seven lanes that hold a camel."""
MARKS = LANES << 7
SPACES = LANES * 0x1F
LEVELS = LANES * 0x07
CRAZY = 5
"""The lane of the first crazy camel; the other one follows."""
RACING_MARKS = MARKS & (1 << 8 * CRAZY) - 1
GREY = 5
"""The number of the grey die; racing dice have their camel's lane, support dice that lane + SUPPORT."""
SUPPORT = 6


@helper
def spaces_of(word: int) -> int:
    """The space of every camel, a number per lane."""
    return word >> 3 & SPACES


@helper
def standing_on(spaces: int, space: int) -> int:
    """Marks of the camels on `space`."""
    return (MARKS - (spaces ^ space * LANES)) & MARKS


@helper
def not_beyond(spaces: int, space: int) -> int:
    """Marks of the lanes that are on `space` or before it (an empty lane is)."""
    return (MARKS + space * LANES - spaces) & MARKS


@helper
def at_or_above(word: int, level: int) -> int:
    """Marks of the camels on `level` or higher, of whatever stack."""
    return ((word & LEVELS) + (0x80 - level) * LANES) & MARKS


@helper
def unit_of(word: int, spaces: int, byte: int) -> int:
    """Marks of the unit that the camel with this byte leads: itself and all that sits on it."""
    return standing_on(spaces, byte >> 3) & at_or_above(word, byte & 7)


@helper
def crossed(space: int, track: int) -> bool:
    """Whether a unit that stands on `space` is over the line, either way."""
    return space == 0 or space > track


@helper
def race_over(word: int, track: int, camel_marks: int) -> bool:
    """Whether a camel is behind the track or over the line."""
    spaces = spaces_of(word)
    behind = standing_on(spaces, 0) & camel_marks
    beyond = camel_marks & ~not_beyond(spaces, track)
    return behind | beyond != 0


@helper
def grey_choice(word: int) -> int:
    """Which crazy camels a grey die moves (section 4): 1 the first, 2 the second, 3 either, by the colour."""
    spaces = spaces_of(word)
    first = word >> 8 * CRAZY & 0xFF
    second = word >> 8 * (CRAZY + 1) & 0xFF
    first_carries = unit_of(word, spaces, first) & RACING_MARKS != 0
    second_carries = unit_of(word, spaces, second) & RACING_MARKS != 0
    if first_carries != second_carries:
        return 1 if first_carries else 2
    if first == second + 1 and first >> 3 == second >> 3:
        return 1
    if second == first + 1 and first >> 3 == second >> 3:
        return 2
    return 3


@helper
def destination(target: int, way: int, track: int, cheering: int, booing: int) -> tuple[int, int, int]:
    """Where a unit that aims at `target` comes to stand: (space, tile landed on or 0, 1 if underneath else 0).

    way : +1 racing-led, -1 crazy-led     cheering, booing : bit s set for a tile on space s
    The space is 0 or track + 1 where the unit crosses the line.
    """
    if target < 1:
        return 0, 0, 0
    if target > track:
        return track + 1, 0, 0
    if booing >> target & 1:
        return target - way, target, 1
    if cheering >> target & 1:
        return target + way, target, 0
    return target, 0, 0


@helper
def put(word: int, spaces: int, unit: int, byte: int, space: int, underneath: int) -> int:
    """The word after the unit, led by the camel with this byte, went on top of or underneath the stack on `space`."""
    there = standing_on(spaces, space)
    stack = there & ~unit
    level = 0 if underneath or space == 0 else count_ones(there)  # behind the track an empty lane is no camel
    lifted = count_ones(unit) if underneath else 0
    return word + (unit >> 7) * ((space << 3) + level - byte) + (stack >> 7) * lifted


@helper
def move(word: int, lane: int, number: int, track: int, cheering: int, booing: int) -> tuple[int, int, int]:
    """Move the unit that the camel in `lane` leads by a die's number: (word, space, tile landed on or 0)."""
    byte = word >> 8 * lane & 0xFF
    spaces = spaces_of(word)
    unit = unit_of(word, spaces, byte)
    way = 1 if lane < CRAZY else -1
    space, tile, underneath = destination((byte >> 3) + way * number, way, track, cheering, booing)
    return put(word, spaces, unit, byte, space, underneath), space, tile


@kernel
def roll(
    word: int, die: int, second: bool, number: int, track: int, cheering: int, booing: int
) -> tuple[int, int, int, int]:
    """One die's number on one board: (word, lane of the unit's lowest camel, space where it stands, tile or 0).

    second : whether the grey die shows the colour of the second crazy camel
    """
    lane = die if die < GREY else die - SUPPORT
    if die == GREY:
        choice = grey_choice(word)
        lane = CRAZY + 1 if choice == 2 or (choice == 3 and second) else CRAZY
    word, space, tile = move(word, lane, number, track, cheering, booing)
    return word, lane, space, tile
