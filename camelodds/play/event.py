"""One thing that happened in a game, and the game after it."""

from __future__ import annotations

from typing import NamedTuple

from camelodds.errors import GameError
from camelodds.game.act import TURN_UP
from camelodds.game.game import Game
from camelodds.game.step import Shown


class Event(NamedTuple):
    """Who did what, and for a reveal what the die showed. The end of a leg follows from the last reveal.

    player : None in a game without players     die, number : as `Board.roll` takes them, None but for a reveal
    """

    player: str | None
    action: str
    die: str | None = None
    number: int | None = None

    def __str__(self) -> str:
        who = f"{self.player}: " if self.player else ""
        return f"{who}{self.action}" + (f" {self.die}{self.number}" if self.die else "")

    @property
    def turns_up(self) -> bool:
        """Whether a finish card was turned up, which is nobody's turn."""
        return self.action.startswith(TURN_UP)

    @property
    def roll(self) -> Shown | None:
        """What the die showed."""
        return None if self.die is None or self.number is None else (self.die, self.number)


def before(game: Game, event: Event) -> Game:
    """The game with the event's player to move. Raises GameError for a player who is none."""
    state = game.state
    if event.player is None or (state.mover >= 0 and state.names[state.mover] == event.player):
        return game
    if event.player not in state.names:
        raise GameError(f"{event.player!r} is no player: the players are {', '.join(state.names) or 'not named'}")
    return Game.of(state._replace(mover=state.names.index(event.player)))


def after(game: Game, event: Event) -> Game:
    """The game after an event."""
    return before(game, event).apply(event.action, event.roll)
