"""Colours of camels and dice for pictures, tables and plots. Letters always stand beside them."""

from __future__ import annotations

from typing import Final, NamedTuple

from camelodds.rules import COLOURS


class Paint(NamedTuple):
    """A fill and the ink that is read on it, contrast 4.5 to 1 or more (WCAG AA)."""

    fill: str
    ink: str


LIGHT_INK: Final = "#ffffff"
DARK_INK: Final = "#1f1a14"
OTHER: Final = Paint("#a3978a", DARK_INK)
"""Of camels of one's own rules whose letters stand for no colour."""

GREY_DIE: Final = Paint("#b4b0a8", DARK_INK)
PAINTS: Final = {
    "b": Paint("#2a6fc4", LIGHT_INK),
    "g": Paint("#1d8048", LIGHT_INK),
    "o": Paint("#ef8a24", DARK_INK),
    "p": Paint("#8450b3", LIGHT_INK),
    "r": Paint("#cf3a32", LIGHT_INK),
    "w": Paint("#fdfbf6", DARK_INK),
    "y": Paint("#f6cf3a", DARK_INK),
    "K": Paint("#29262d", LIGHT_INK),
    "W": Paint("#f4f1ec", DARK_INK),
}


def paint(sign: str) -> Paint:
    """The paint of a camel by its letter, or of a die by its sign."""
    return GREY_DIE if sign == "#" else PAINTS.get(sign[:1], OTHER)


def spoken(sign: str) -> str:
    """A camel's colour by its letter, "crazy" before that of a capital; the letter itself where it stands for none."""
    return ("crazy " if sign.isupper() else "") + COLOURS.get(sign, sign)
