"""camelodds: exact odds and expected values for the board game Camel Up.

The layers, each of which knows only those before it: `rules`, `core` (jitted), `notation` and `board`, `encoding`,
`leg`, and `cli` on top.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from camelodds.board import Board as Board
    from camelodds.board import Move as Move
    from camelodds.encoding import Boards as Boards
    from camelodds.errors import GameError as GameError
    from camelodds.errors import NotationError as NotationError
    from camelodds.errors import RulesError as RulesError
    from camelodds.leg import LegOdds as LegOdds
    from camelodds.leg import leg_odds as leg_odds
    from camelodds.leg import leg_odds_many as leg_odds_many
    from camelodds.notation import Tile as Tile
    from camelodds.rules import EDITIONS as EDITIONS
    from camelodds.rules import Rules as Rules

__version__ = "0.1.0"

_HOME = {
    "Board": "board",
    "Boards": "encoding",
    "EDITIONS": "rules",
    "GameError": "errors",
    "LegOdds": "leg",
    "Move": "board",
    "NotationError": "errors",
    "Rules": "rules",
    "RulesError": "errors",
    "Tile": "notation",
    "leg_odds": "leg",
    "leg_odds_many": "leg",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # Names are looked up when they are first used, so that importing the package stays quick.
    if name in _HOME:
        return getattr(import_module(f"camelodds.{_HOME[name]}"), name)
    raise AttributeError(f"module 'camelodds' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
