"""camelodds: exact odds and expected values for the board game Camel Up.

The layers, each of which knows only those before it: `rules`; `notation` and `board`; `encoding`; the jitted `core`,
which knows nothing but arrays; the odds in `leg` and `race`; money in `bets`, `game` and `turn`; and for people
`tables`, `svg`, `plot`, `history` and the command line `cli`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from camelodds.batch import leg_frame as leg_frame
    from camelodds.batch import leg_parquet as leg_parquet
    from camelodds.board import Board as Board
    from camelodds.board import Move as Move
    from camelodds.bots import cautious_bot as cautious_bot
    from camelodds.bots import greedy_bot as greedy_bot
    from camelodds.bots import random_bot as random_bot
    from camelodds.encoding import Boards as Boards
    from camelodds.errors import GameError as GameError
    from camelodds.errors import NotationError as NotationError
    from camelodds.errors import RulesError as RulesError
    from camelodds.game import Game as Game
    from camelodds.game import Player as Player
    from camelodds.held import holdings as holdings
    from camelodds.history import History as History
    from camelodds.leg import LegOdds as LegOdds
    from camelodds.leg import leg_odds as leg_odds
    from camelodds.leg import leg_odds_many as leg_odds_many
    from camelodds.notation import Tile as Tile
    from camelodds.playing import opening as opening
    from camelodds.race import RaceOdds as RaceOdds
    from camelodds.race import race_odds as race_odds
    from camelodds.race import race_odds_many as race_odds_many
    from camelodds.race_table import TableError as TableError
    from camelodds.rules import EDITIONS as EDITIONS
    from camelodds.rules import Rules as Rules
    from camelodds.tournaments import tournament as tournament
    from camelodds.turn import actions as actions

__version__ = "0.1.0"

_HOME = {
    "Board": "board",
    "Boards": "encoding",
    "EDITIONS": "rules",
    "Game": "game",
    "GameError": "errors",
    "History": "history",
    "LegOdds": "leg",
    "Move": "board",
    "NotationError": "errors",
    "Player": "game",
    "RaceOdds": "race",
    "Rules": "rules",
    "RulesError": "errors",
    "TableError": "race_table",
    "Tile": "notation",
    "actions": "turn",
    "cautious_bot": "bots",
    "greedy_bot": "bots",
    "holdings": "held",
    "leg_frame": "batch",
    "leg_odds": "leg",
    "leg_odds_many": "leg",
    "leg_parquet": "batch",
    "opening": "playing",
    "race_odds": "race",
    "race_odds_many": "race",
    "random_bot": "bots",
    "tournament": "tournaments",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # Names are looked up when they are first used, so that importing the package stays quick.
    if name in _HOME:
        return getattr(import_module(f"camelodds.{_HOME[name]}"), name)
    raise AttributeError(f"module 'camelodds' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
