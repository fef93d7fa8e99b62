"""What is shown of a table: the game, what happened, what a player may do, and how it went."""

from __future__ import annotations

from typing import Any

from camelodds.errors import GameError
from camelodds.odds.leg import leg_odds_many
from camelodds.odds.policy import QUICK_GAMES
from camelodds.odds.race import race_odds_many
from camelodds.play.event import before
from camelodds.play.history import History
from camelodds.web import api
from camelodds.web.ledger import scoring
from camelodds.web.shapes import EventShape, Item, Legal, Result, TableShape
from camelodds.web.table import Table


def view(table: Table, kept: bool) -> TableShape:
    """A table as every phone shows it. kept : whether it is on the disk"""
    history = table.history
    events: list[EventShape] = [
        {"player": event.player, "action": event.action, "die": event.die, "number": event.number}
        for event in history.events
    ]
    return {
        "n": table.number,
        "kept": kept,
        "can_undo": table.can_undo,
        "can_redo": table.can_redo,
        "events": events,
        "legs": list(history.legs),
        "legal": _names(history.game) if history.game.to_move else [],
        "scored": _scored(history),
        "position": api.position(history.game),
    }


def legal(table: Table, asked: dict[str, Any]) -> Legal:
    """The names of what a player may do: now or at an earlier event, after a roll in the spicy Supercup."""
    for name in asked:
        if name not in ("player", "at", "die", "number"):
            raise GameError(f"no field {name!r}: expected player, at, die, number")
    history, at = table.history, asked.get("at")
    if at is not None and (isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < len(history.events)):
        raise GameError(f"there is no event number {at!r}")
    game = history.game if at is None else history.games[at]
    player = asked.get("player") or (history.events[at].player if at is not None else game.to_move)
    if player is not None and player not in game.players:
        raise GameError(f"{player!r} is no player")
    from camelodds.play.event import Event

    game = before(game, Event(player, "reveal"))
    die, number = asked.get("die"), asked.get("number")
    roll = (die, number) if isinstance(die, str) and isinstance(number, int) else None
    position = api.position(game)
    return {
        "names": _names(game, roll),
        "tile_spaces": position["tile_spaces"].get(player or "", []),
        "rolls": position["rolls"],
        "dice": position["dice"],
    }


def result(history: History) -> Result:
    """Where everyone's money came from, and each camel's chances along the game."""
    boards = list(history.boards)
    balances = history.balances() if history.start.players else {}
    races = race_odds_many(boards, games=QUICK_GAMES)
    legs = leg_odds_many(boards)
    return {
        "balances": {name: balance._asdict() for name, balance in balances.items()},
        "race": [[float(chance) for chance in row[:, 0]] for row in races],
        "leg": [[float(chance) for chance in row[:, 0]] for row in legs],
        "legs": list(history.legs),
    }


def _names(game: Any, roll: tuple[str, int] | None = None) -> list[str]:
    """The names of what may be done; cards that nobody else sees with them."""
    if game.board.leg_over:
        return []
    names = game.legal_actions(roll)
    for deck in ("winner", "loser"):
        if any(name.startswith(f"{deck} ") for name in names):
            names.append(f"{deck} ?")
    return list(names)


def _scored(history: History) -> dict[str, list[Item]] | None:
    """What the last event's leg brought everyone, thing by thing, if it ended one."""
    if not history.events:
        return None
    event, game = history.events[-1], history.games[-2]
    if event.die is None or game.board.reveals != 1 or not game.players:
        return None
    return scoring(before(game, event).apply(event.action, event.roll, score=False))
