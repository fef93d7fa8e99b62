"""camelodds: exact odds and expected values for the board game Camel Up.

Its rooms, each of which knows only those before it: `core`, jitted, arrays in and out; `position`, where the camels
stand; `show`, how tables and boards look; `odds`, how it can end; `game`, who holds what and may do what; `ev`, what
it is worth; `play`, how a game goes; and for people the command line `cli` and the page `web`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from camelodds.errors import GameError as GameError
    from camelodds.errors import NotationError as NotationError
    from camelodds.errors import RulesError as RulesError
    from camelodds.ev.actions import actions as actions
    from camelodds.ev.ahead import LookAhead as LookAhead
    from camelodds.ev.ahead import look_ahead as look_ahead
    from camelodds.ev.compare import compare as compare
    from camelodds.ev.holdings import holdings as holdings
    from camelodds.ev.opening import opening_odds as opening_odds
    from camelodds.game.game import Game as Game
    from camelodds.game.opening import opening as opening
    from camelodds.game.player import Player as Player
    from camelodds.odds.batch import leg_frame as leg_frame
    from camelodds.odds.batch import leg_parquet as leg_parquet
    from camelodds.odds.leg import LegOdds as LegOdds
    from camelodds.odds.leg import leg_odds as leg_odds
    from camelodds.odds.leg import leg_odds_many as leg_odds_many
    from camelodds.odds.partly import leg_odds_of as leg_odds_of
    from camelodds.odds.race import RaceOdds as RaceOdds
    from camelodds.odds.race import race_odds as race_odds
    from camelodds.odds.race import race_odds_many as race_odds_many
    from camelodds.odds.race_table import TableError as TableError
    from camelodds.play.bots import ahead_bot as ahead_bot
    from camelodds.play.bots import cautious_bot as cautious_bot
    from camelodds.play.bots import greedy_bot as greedy_bot
    from camelodds.play.bots import random_bot as random_bot
    from camelodds.play.history import History as History
    from camelodds.play.puzzle import puzzle as puzzle
    from camelodds.play.tournament import tournament as tournament
    from camelodds.play.win_chances import WinChances as WinChances
    from camelodds.play.win_chances import win_chances as win_chances
    from camelodds.position.board import Board as Board
    from camelodds.position.board import Move as Move
    from camelodds.position.boards import Boards as Boards
    from camelodds.position.notation import Tile as Tile
    from camelodds.position.partly import PartlyKnown as PartlyKnown
    from camelodds.rules import EDITIONS as EDITIONS
    from camelodds.rules import Rules as Rules

__version__ = "0.1.0"

_HOME = {
    "Board": "position.board",
    "Boards": "position.boards",
    "EDITIONS": "rules",
    "Game": "game.game",
    "GameError": "errors",
    "History": "play.history",
    "LegOdds": "odds.leg",
    "LookAhead": "ev.ahead",
    "Move": "position.board",
    "NotationError": "errors",
    "PartlyKnown": "position.partly",
    "Player": "game.player",
    "RaceOdds": "odds.race",
    "Rules": "rules",
    "RulesError": "errors",
    "TableError": "odds.race_table",
    "Tile": "position.notation",
    "WinChances": "play.win_chances",
    "actions": "ev.actions",
    "ahead_bot": "play.bots",
    "cautious_bot": "play.bots",
    "compare": "ev.compare",
    "greedy_bot": "play.bots",
    "holdings": "ev.holdings",
    "leg_frame": "odds.batch",
    "leg_odds": "odds.leg",
    "leg_odds_many": "odds.leg",
    "leg_odds_of": "odds.partly",
    "leg_parquet": "odds.batch",
    "look_ahead": "ev.ahead",
    "opening": "game.opening",
    "opening_odds": "ev.opening",
    "puzzle": "play.puzzle",
    "race_odds": "odds.race",
    "race_odds_many": "odds.race",
    "random_bot": "play.bots",
    "tournament": "play.tournament",
    "win_chances": "play.win_chances",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    # Names are looked up when they are first used, so that importing the package stays quick.
    if name in _HOME:
        value = globals()[name] = getattr(import_module(f"camelodds.{_HOME[name]}"), name)
        return value
    raise AttributeError(f"module 'camelodds' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
