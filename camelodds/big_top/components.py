"""What is in the box of expansion 10 of Carcassonne (docs/guide/big-top.md, "The rules")."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TOKENS: Final[Mapping[int, int]] = MappingProxyType({1: 1, 3: 4, 4: 5, 5: 3, 6: 2, 7: 1})
"""How many animal tokens there are of each value: 16."""

CIRCUS_TILES: Final = 12
ACROBAT_TILES: Final = 8
PLAYERS: Final = 6
"""At most: there are six ringmasters."""

SITE: Final = 9
"""Tiles that a tent or a ringmaster sees: its own and the eight around."""

ACROBAT_POINTS: Final = 5
"""For each acrobat of a pyramid, complete or not."""

RINGMASTER_POINTS: Final = 2
"""For each circus or acrobat tile that a ringmaster sees."""
