"""One game at a table, as the sum of what was done to it: every change is an entry, and only entries are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.play.event import Event
from camelodds.play.history import History

MOST_ENTRIES: Final = 2_000
"""Changes of one game, undone ones included; a long game has some 200."""
MOST_BACK: Final = 300
"""Changes that can be taken back."""
DOINGS: Final = {
    "start": ("game",),
    "load": ("lines",),
    "play": ("player", "action", "die", "number"),
    "mend": ("at", "player", "action", "die", "number"),
    "drop": ("at",),
    "turn": ("deck", "card", "colour"),
    "undo": (),
    "redo": (),
}
"""What can be done to a table, and the fields of each.

start : a game, from a position     load : a recorded game     play : an event     mend, drop : the event number `at`,
0 the first, was another, or never was     turn : a finish card that lies face down is turned up     undo, redo : of
all of these alike
"""

Entry = Mapping[str, Any]


class Table:
    """A recorded game with everything that was done to it. `number` counts the entries."""

    def __init__(self) -> None:
        self.number = 0
        self.now: History | None = None
        self._past: list[History | None] = []
        self._future: list[History | None] = []

    @property
    def history(self) -> History:
        """The recorded game. Raises GameError before there is one."""
        if self.now is None:
            raise GameError("no game has begun at this table")
        return self.now

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back; what a table began with stays."""
        return bool(self._past) and self._past[-1] is not None

    @property
    def can_redo(self) -> bool:
        """Whether what was taken back last can be done again."""
        return bool(self._future)

    def after(self, entry: Entry) -> History:
        """What the recorded game is after an entry; nothing is changed yet. Raises GameError or another ValueError."""
        kind = entry.get("do")
        if kind not in DOINGS:
            raise GameError(f"nothing called {kind!r} is done to a table: expected {', '.join(DOINGS)}")
        for name in entry:
            if name not in ("do", *DOINGS[kind]):
                raise GameError(f"{kind} has no field {name!r}: expected {', '.join(DOINGS[kind]) or 'none'}")
        if self.number >= MOST_ENTRIES:
            raise GameError(f"{MOST_ENTRIES:,} changes were made at this table: take the game home and open another")
        if kind == "undo":
            return self._last(self._past if self.can_undo else [], "there is nothing to take back")
        if kind == "redo":
            return self._last(self._future, "there is nothing to do again")
        return _AFTER[kind](self, entry)

    def enter(self, entry: Entry, after: History) -> None:
        """Make an entry, whose outcome is known from `after`."""
        self.number += 1
        if entry["do"] == "undo":
            self._future.append(self.now)
            self._past.pop()
        elif entry["do"] == "redo":
            self._past.append(self.now)
            self._future.pop()
        else:
            self._past.append(self.now)
            self._future.clear()
            del self._past[:-MOST_BACK]
        self.now = after

    @staticmethod
    def _last(kept: list[History | None], otherwise: str) -> History:
        if not kept or kept[-1] is None:
            raise GameError(otherwise)
        return kept[-1]


def _start(_: Table, entry: Entry) -> History:
    return History(Game.from_json(entry["game"]))


def _load(_: Table, entry: Entry) -> History:
    if not isinstance(entry.get("lines"), str):
        raise GameError("lines: expected a saved game as text")
    return History.from_json_lines(entry["lines"])


def _play(table: Table, entry: Entry) -> History:
    event = _event(entry)
    return table.history.apply(event.action, event.roll, event.player)


def _mend(table: Table, entry: Entry) -> History:
    history, at = _at(table, entry)
    event = _event(entry)
    event = event._replace(player=event.player or history.events[at].player)
    return History(history.start, (*history.events[:at], event, *history.events[at + 1 :]))


def _drop(table: Table, entry: Entry) -> History:
    history, at = _at(table, entry)
    return History(history.start, (*history.events[:at], *history.events[at + 1 :]))


def _turn(table: Table, entry: Entry) -> History:
    """The game as if the card had been open from the beginning: it is the same card, in the same place."""
    history, (deck, number, colour) = table.history, (entry.get(name) for name in ("deck", "card", "colour"))
    state = history.game.state
    cards = {"winner": state.winner, "loser": state.loser}.get(str(deck))
    if cards is None or isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(cards):
        raise GameError(f"there is no {deck} card number {number!r}")
    if not isinstance(colour, str) or colour not in tuple(state.rules.racing):
        raise GameError(f"a finish card of no colour: expected one of {' '.join(state.rules.racing)}")
    owner, shown = cards[number]
    if shown is not None:
        raise GameError(f"this card of {owner} lies open already")
    before = history.start.winner_cards if deck == "winner" else history.start.loser_cards
    if number < len(before):
        turned = (*before[:number], (owner, colour), *before[number + 1 :])
        start = history.start.state
        start = start._replace(winner=turned) if deck == "winner" else start._replace(loser=turned)
        # Through the description, so that what can not be is found.
        return History(Game.from_json(Game.of(start).to_json()), history.events)
    placed = [at for at, event in enumerate(history.events) if event.action.startswith(f"{deck} ")]
    at = placed[number - len(before)]
    event = history.events[at]
    event = event._replace(action=re.sub(r"^(\w+) \S+", rf"\1 {colour}", event.action))
    return History(history.start, (*history.events[:at], event, *history.events[at + 1 :]))


def _event(entry: Entry) -> Event:
    player, action, die, number = (entry.get(name) for name in ("player", "action", "die", "number"))
    if not isinstance(action, str) or not (player is None or isinstance(player, str)):
        raise GameError("expected an action as text, and the player's name")
    if (die is None) != (number is None):
        raise GameError("a die comes with its number")
    if die is not None and (not isinstance(die, str) or isinstance(number, bool) or not isinstance(number, int)):
        raise GameError(f"{die!r} and {number!r} are no die and number")
    return Event(player, " ".join(action.split()), die, number)


def _at(table: Table, entry: Entry) -> tuple[History, int]:
    history, at = table.history, entry.get("at")
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at < len(history.events):
        raise GameError(f"there is no event number {at!r}: {len(history.events)} are recorded, the first is 0")
    return history, at


_AFTER: Final = {"start": _start, "load": _load, "play": _play, "mend": _mend, "drop": _drop, "turn": _turn}
