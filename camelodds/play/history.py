"""A recorded game: what happened, one event after the other, with undo and redo, odds and EVs along it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from camelodds.errors import GameError
from camelodds.game.act import TURN_UP
from camelodds.game.game import Game
from camelodds.game.state import NOBODY
from camelodds.game.step import Shown
from camelodds.play.event import Event, after
from camelodds.position.board import Board

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.play.luck import Balance

FIELDS: Final = ("player", "action", "die", "number")


@dataclass(frozen=True)
class History:
    """A recorded game. A history is a value: every change gives a new one.

    Parameters
    ----------
    start : Game
        The game before the first event.
    events : tuple of Event
        What happened.
    undone : tuple of Event
        What was taken back, for `redo`.
    games : tuple of Game
        The games along it, the start first; found from the events.

    Raises
    ------
    GameError
        With the number of the first event that cannot be.
    """

    start: Game
    events: tuple[Event, ...] = ()
    undone: tuple[Event, ...] = ()
    games: tuple[Game, ...] = field(default=(), compare=False, repr=False)
    """The games along it, the start first: one more than events."""

    def __post_init__(self) -> None:
        if not isinstance(self.start, Game):
            raise GameError(f"a history starts with a Game, not {type(self.start).__name__}: see Game.parse")
        if len(self.games) == len(self.events) + 1:
            return
        games, events = [self.start], []
        for number, event in enumerate(self.events, 1):
            try:
                events.append(_whole(games[-1], event))
                games.append(after(games[-1], event))
            except ValueError as error:
                raise GameError(f"event {number}, {event}: {error}") from None
        object.__setattr__(self, "events", tuple(events))
        object.__setattr__(self, "games", tuple(games))

    def __repr__(self) -> str:
        last = f", the last {self.events[-1]}" if self.events else ""
        return f"History, events: {len(self.events)}{last}\n{self.game!r}"

    def _repr_html_(self) -> str:
        return self.game._repr_html_()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.games[-1]

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards along it, such as `plot.wins` shows."""
        return tuple(game.board for game in self.games)

    @property
    def legs(self) -> tuple[int, ...]:
        """The number of the leg, 1 the first, in which each of the games is."""
        legs = [1]
        for event, earlier, later in zip(self.events, self.boards, self.boards[1:], strict=False):
            legs.append(legs[-1] + (event.die is not None and earlier.reveals == 1 and not later.race_over))
        return tuple(legs)

    def apply(self, action: str, roll: Shown | None = None, player: str | None = None) -> History:
        """The history with one event more; what was undone is forgotten.

        Parameters
        ----------
        action : str
            As for `Game.apply`.
        roll : (str, int), optional
            For a reveal, what the die showed, as for `Game.apply`.
        player : str, optional
            Who does it, by default whose turn it is; others may act out of turn, and it goes on to the left of them.

        Returns
        -------
        History

        Raises
        ------
        GameError, RulesError
            As `Game.apply` does.
        """
        game = self.game
        die, number = roll or (None, None)
        event = _whole(game, Event(player, " ".join(action.split()), die, number))
        return History(self.start, (*self.events, event), (), (*self.games, after(game, event)))

    def turn_up(self, deck: str, number: int, colour: str) -> History:
        """The history with a finish card turned up in its place: see `Game.turn_up`, also for what it raises.

        Parameters
        ----------
        deck : str
            "winner" or "loser".
        number : int
            Which card of the deck, 1 the first that was placed.
        colour : str
            What it turns out to be.

        Returns
        -------
        History
        """
        return self.apply(f"{TURN_UP}{deck} {number} {colour}")

    def undo(self) -> History:
        """The history without its last event. Raises GameError if there is none."""
        if not self.events:
            raise GameError("nothing to undo: the history is at its start")
        return History(self.start, self.events[:-1], (*self.undone, self.events[-1]), self.games[:-1])

    def redo(self) -> History:
        """The history with the event that was undone last. Raises GameError if there is none."""
        if not self.undone:
            raise GameError("nothing to redo")
        event = self.undone[-1]
        return History(self.start, (*self.events, event), self.undone[:-1], (*self.games, after(self.game, event)))

    def to_json_lines(self) -> str:
        """The history as JSON lines: the game at the start, then an event in each line; what was undone is left out."""
        lines = [self.start.to_json()]
        for event in self.events:
            lines.append(json.dumps({name: value for name, value in event._asdict().items() if value is not None}))
        return "\n".join(lines) + "\n"

    @classmethod
    def from_json_lines(cls, text: str) -> History:
        """The history of what `to_json_lines` wrote.

        Parameters
        ----------
        text : str
            JSON lines: the game at the start, then an event in each line.

        Returns
        -------
        History

        Raises
        ------
        GameError
            With the line, or with the event that cannot be.
        NotationError, RulesError
            For a start that cannot be.
        """
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines:
            raise GameError("nothing there: expected the game at the start in the first line, as JSON")
        start = Game.from_json(lines[0][1])
        return cls(start, tuple(_event(number, line) for number, line in lines[1:]))

    def frame(self, *, race: bool = True, evs: bool = True) -> pd.DataFrame:
        """Odds and EVs along the game.

        Parameters
        ----------
        race : bool
            Whether to add each camel's chance to win the race.
        evs : bool
            Whether to add expected values, which takes the longest.

        Returns
        -------
        DataFrame
            A row per event, row 0 the start, with these columns.

        leg : of the race, 1 the first     player, action, die, number : the event     board : after it
        leg r, race r, ... : each camel's chance to win this leg, and the race (with `race`), after it
        ev, best, best_ev : of the action in pounds, and the best that there was (with `evs`), see `balances`; in the
            spicy Supercup a reveal's is that of `reveal + support`
        expected ana, ... : everyone's expected final money after it (with `evs`)
        """
        from camelodds.play.luck import frame

        return frame(self.events, self.games, self.legs, race, evs)

    def balances(self) -> dict[str, Balance]:
        """Where every player's money came from, by name: own actions, those of others, dice, the floor; and skill.

        See `luck.Balance` for what each part means and that they add up. Raises GameError for a game without players.
        """
        from camelodds.play.luck import balances

        return balances(self.events, self.games)

    def luck_and_skill(self) -> pd.DataFrame:
        """The `balances` as a DataFrame by player."""
        import pandas as pd

        rows = {name: balance._asdict() for name, balance in self.balances().items()}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("player")


def _whole(game: Game, event: Event) -> Event:
    """The event with who did it, by default whose turn it is; turning up a card is nobody's turn."""
    player = game.state.whose_turn()
    if event.player or event.turns_up or player == NOBODY:
        return event
    return event._replace(player=game.state.names[player])


def _event(number: int, line: str) -> Event:
    try:
        found = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise GameError(f"line {number} is no JSON: {error}") from None
    if not isinstance(found, Mapping) or not isinstance(found.get("action"), str) or not set(found) <= set(FIELDS):
        raise GameError(f"line {number}: expected an event with {', '.join(FIELDS)}, not {line.strip()[:80]}")
    kinds: dict[str, type[Any]] = {"player": str, "die": str, "number": int}
    for name, kind in kinds.items():
        if name in found and (not isinstance(found[name], kind) or isinstance(found[name], bool)):
            raise GameError(f"line {number}: {name} {found[name]!r} cannot be")
    if ("die" in found) != ("number" in found):
        raise GameError(f"line {number}: a die comes with its number")
    return Event(found.get("player"), found["action"], found.get("die"), found.get("number"))
