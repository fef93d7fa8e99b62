"""The positions that are compared and measured: tests hold them against the reference, benchmarks take their time.

No position is measured whose numbers are not held: a fast answer that is wrong is none.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import camelodds as co

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import reference


class Case(NamedTuple):
    """A position: what is special, the edition and the notation."""

    name: str
    edition: str
    text: str

    @property
    def board(self) -> co.Board:
        return co.Board.parse(self.text, self.edition)

    def by_reference(self) -> reference.Leg:
        rules = reference.EDITIONS[self.edition]
        return reference.leg(reference.read(self.text, rules), rules)


LEGS = [
    Case("1st edition", "first", "1:bg 2:wy 3:o"),
    Case("1st edition, two tiles", "first", "1:bg 2:wy 3:o +5 -7"),
    Case("2nd edition", "second", "1:rb 2:g 3:yp 14:K 15:W"),
    Case("2nd edition, two tiles", "second", "1:rb 2:g 3:yp 14:K 15:W +5 -12"),
    Case("2nd edition, all on one space", "second", "5:rbWgypK"),
    Case("2nd edition, near the line", "second", "10:Wr 13:bg 14:y 15:Kp +16"),
    Case("Supercup", "supercup", "1:bg 2:wy 3:o"),
]
MID_LEG = [
    Case("1st edition, two reveals left", "first", "2:b 4:g 5:oyw / ow"),
    Case("2nd edition, two reveals left", "second", "2:rb 4:g 5:yp 13:KW +7 / rg#"),
]
TEN_DICE = Case("Supercup, all ten dice", "supercup", "1:bg 2:wy 3:o / bgoywb+g+o+y+w+")
RACES = [
    Case("1st edition, start", "first", "1:bg 2:wy 3:o"),
    Case("1st edition, two tiles", "first", "1:bg 2:wy 3:o +5 -7"),
    Case("2nd edition, start", "second", "1:rb 2:g 3:yp 14:K 15:W"),
    Case("2nd edition, two tiles", "second", "1:rb 2:g 3:yp 14:K 15:W +5 -7"),
    Case("2nd edition, on the way", "second", "8:rb 9:g 10:Wy 12:p 13:K +11 -7"),
]
