"""camelodds: exact odds and expected values for the board game Camel Up.

The layers, each of which knows only those before it: `rules`, `core` (jitted), `notation` and `board`, `encoding`,
`leg`, and `cli` on top.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from camelodds.batch import leg_frame as leg_frame
    from camelodds.batch import leg_parquet as leg_parquet
    from camelodds.board import Board as Board
    from camelodds.board import Move as Move
    from camelodds.encoding import Boards as Boards
    from camelodds.errors import GameError as GameError
    from camelodds.errors import NotationError as NotationError
    from camelodds.errors import RulesError as RulesError
    from camelodds.game import Game as Game
    from camelodds.game import Player as Player
    from camelodds.held import holdings as holdings
    from camelodds.leg import LegOdds as LegOdds
    from camelodds.leg import leg_odds as leg_odds
    from camelodds.leg import leg_odds_many as leg_odds_many
    from camelodds.notation import Tile as Tile
    from camelodds.rules import EDITIONS as EDITIONS
    from camelodds.rules import Rules as Rules
    from camelodds.turn import actions as actions

__version__ = "0.1.0"

_HOME = {
    "Board": "board",
    "Boards": "encoding",
    "EDITIONS": "rules",
    "Game": "game",
    "GameError": "errors",
    "LegOdds": "leg",
    "Move": "board",
    "NotationError": "errors",
    "Player": "game",
    "Rules": "rules",
    "RulesError": "errors",
    "Tile": "notation",
    "actions": "turn",
    "holdings": "held",
    "leg_frame": "batch",
    "leg_odds": "leg",
    "leg_odds_many": "leg",
    "leg_parquet": "batch",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # Names are looked up when they are first used, so that importing the package stays quick.
    if name in _HOME:
        return getattr(import_module(f"camelodds.{_HOME[name]}"), name)
    raise AttributeError(f"module 'camelodds' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
