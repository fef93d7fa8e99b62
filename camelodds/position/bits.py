"""What a board's bits answer, of one board as ints or of many as int64 arrays: the same line serves both.

A word has a byte per camel, `space << 3 | level` (level 0 is the bottom), in the lanes `Rules.lanes`; its top byte is
empty. Spaces, and dice, are sets: bit s for space s, bit d for die d.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from camelodds.errors import RulesError
from camelodds.rules import SUPPORT, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bits = TypeVar("Bits", int, NDArray[np.int64])

_ONES: Final = 0x01_01_01_01_01_01_01
_SPACES: Final = 0x1F * _ONES
_MARKS: Final = 0x80 * _ONES


def race_over(word: Bits, rules: Rules) -> Bits:
    """Not 0 where a camel is behind the track or over the line (docs/rules.md, section 5).

    Spaces have five bits, so in every byte 0x80 + a - b keeps its highest bit exactly where a is at least b.
    """
    spaces = word >> 3 & _SPACES
    behind = _MARKS - spaces
    on_track = _MARKS + rules.track * _ONES - spaces
    return (behind | ~on_track) & rules.marks


def stands(word: Bits, rules: Rules) -> Bits:
    """The spaces with camels; space 0 is behind the track, track + 1 over the line."""
    spaces = word & 0
    for lane in rules.lanes.values():
        spaces |= 1 << (word >> 8 * lane + 3 & 0x1F)
    return spaces


def no_tile_on(stands: Bits, tiles: Bits, track: int) -> Bits:
    """The spaces on which a tile is wrong, whether it lies there or would be placed (docs/rules.md, section 6).

    Off the track, on space 1, under a camel, and next to a tile.

    Parameters
    ----------
    stands, tiles : int or int64 array
        The spaces with camels, and with tiles.
    track : int
        Number of spaces.
    """
    return ~_where_tiles_lie(track) | stands | tiles << 1 | tiles >> 1


def tile_spaces(stands: Bits, tiles: Bits, track: int) -> Bits:
    """The spaces on which one more tile may lie. Parameters as for `no_tile_on`.

    Examples
    --------
    >>> free = tile_spaces(stands=0b10, tiles=0b10000, track=8)
    >>> [space for space in range(10) if free >> space & 1]
    [2, 6, 7, 8]
    """
    return ~(no_tile_on(stands, tiles, track) | tiles)


def full_pyramid(word: Bits, rules: Rules) -> Bits:
    """The dice in the pyramid at the start of a leg (docs/rules.md, section 3)."""
    dice = word & 0 | rules.plain_dice
    if rules.support:
        last = word & 0xFF
        lane = word & 0
        for other in range(1, len(rules.racing)):
            byte = word >> 8 * other & 0xFF
            behind = byte < last
            last = last + behind * (byte - last)
            lane = lane + behind * (other - lane)
        dice |= 1 << SUPPORT + lane
    return dice


def stacks(word: int, rules: Rules) -> dict[int, str]:
    """Camels by space, bottom to top; 0 is behind the track, track + 1 over the line."""
    camels: dict[int, str] = {}
    for byte, letter in sorted((word >> 8 * lane & 0xFF, letter) for letter, lane in rules.lanes.items()):
        camels[byte >> 3] = camels.get(byte >> 3, "") + letter
    return camels


def ranking(word: int, rules: Rules) -> str:
    """The racing camels, first to last: farther along is ahead, in a stack the higher one."""
    camels = {word >> 8 * lane & 0xFF: letter for lane, letter in enumerate(rules.racing)}
    return "".join([camels[byte] for byte in sorted(camels, reverse=True)])


def _where_tiles_lie(track: int) -> int:
    """The spaces of the track but the first."""
    return (1 << track + 1) - 4


def die_that_shows(die: str, number: int, pyramid: int, rules: Rules) -> int:
    """The bit of the die in a pyramid that may show a number. Raises RulesError."""
    left = [sign for sign, bit in rules.dice.items() if pyramid & bit]
    if die == "#":
        raise RulesError('the grey die shows a number in "white" or in "black": say which')
    sign = "#" if die in ("white", "black") and rules.crazy else die
    bit = rules.dice.get(sign)
    if bit is None:
        raise RulesError(f"no die {die!r} in edition {rules.name}: expected one of {' '.join(left)}")
    if not pyramid & bit:
        raise RulesError(f"die {die!r} is already out: {' '.join(left)} are in the pyramid")
    numbers = [face.number for face in rules.faces[sign] if face.shows == die]
    if isinstance(number, bool) or number not in numbers:
        raise RulesError(f"die {die!r} shows {min(numbers)} to {max(numbers)}, not {number!r}")
    return bit
