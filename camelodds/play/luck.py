"""What a recorded game says about luck and skill (docs/rules.md, section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from camelodds.errors import GameError
from camelodds.ev.expectation import DeckOdds
from camelodds.ev.outlook import Outlook, expected, remembered, worths_of
from camelodds.game.game import Game
from camelodds.game.state import State
from camelodds.game.step import leg_rewards, scored, support_options
from camelodds.game.turn import steps
from camelodds.odds.leg import leg_odds_many
from camelodds.play.event import Event, before

if TYPE_CHECKING:
    import pandas as pd


class Balance(NamedTuple):
    """Where one player's money came from, in pounds.

    A player's expectation at any moment is what `actions` counts with: the leg is rolled to its end, nobody acts,
    nobody is kept from dropping below 0. What is believed of a finish card face down follows the race odds when it was
    placed, or at the start of the history. The expectation changes by what happens:

    start : the expectation at the start
    actions : the sum of its changes by own actions, so of their EVs; a reveal brings its pyramid ticket
    others : the sum of its changes by actions of others
    luck : the sum of its changes by what the dice showed, whoever revealed them, and by what cards turned out to be;
        on average 0. Where races are simulated their error is in it.
    floor : what the floor at zero gave
    final : the money at the end; before it, or with a finish card face down, the expectation as it stands.
        start + actions + others + luck + floor = final
    best : what the best action in each own turn would have brought, by the EVs of `actions`, in the spicy Supercup with
        those of `support`; of a card face down it is taken that there was none better
    skill : actions - best, never above 0
    """

    start: float
    actions: float
    others: float
    luck: float
    floor: float
    final: float
    best: float
    skill: float


class Change(NamedTuple):
    """What one event changed, each by player: through the action, the dice, the floor; expectations before and after.

    ev : of the action, nan where a card was turned up; of a reveal, with the best that may follow it in the spicy
        Supercup
    best, best_ev : the action with the highest EV and that, for who acted     shortfall : what the one taken missed
    """

    acted: list[float]
    rolled: list[float]
    floor: list[float]
    after: list[float]
    ev: float
    best: str
    best_ev: float
    shortfall: float


def balances(events: Sequence[Event], games: Sequence[Game]) -> dict[str, Balance]:
    """The balance of every player: see `History.balances`. games : one more than events, the start first"""
    names = games[0].state.names
    if not names:
        raise GameError("no player is named: luck and skill are somebody's")
    start = expected(games[0].state)
    found = changes(events, games, start)
    ends = final(games[-1])
    result = {}
    for player, name in enumerate(names):
        mine = [change for event, change in zip(events, found, strict=True) if event.player == name]
        actions = sum(change.acted[player] for change in mine)
        now = found[-1].after[player] if found else start[player]
        last = now if ends is None else float(ends[name])
        skill = 0.0 - sum(change.shortfall for change in mine)
        result[name] = Balance(
            start=start[player],
            actions=actions,
            others=sum(change.acted[player] for change in found) - actions,
            luck=sum(change.rolled[player] for change in found),
            floor=sum(change.floor[player] for change in found) + last - now,
            final=last,
            best=actions - skill,
            skill=skill,
        )
    return result


def changes(events: Sequence[Event], games: Sequence[Game], start: list[float]) -> list[Change]:
    """What every event changed. start : the expectations at the start."""
    found = []
    now = start
    odds = remembered(games[0].state)
    for event, game, following in zip(events, games, games[1:], strict=False):
        odds = remembered(game.state, odds)
        change = _change(before(game, event), event, following, now, odds)
        found.append(change)
        now = change.after
    return found


def final(game: Game) -> dict[str, int] | None:
    """Final money, None as long as it is not known."""
    known = all(colour for _, colour in (*game.state.winner, *game.state.loser))
    return game.returns() if game.state.board.race_over and known else None


def frame(events: Sequence[Event], games: Sequence[Game], legs: Sequence[int], race: bool, evs: bool) -> pd.DataFrame:
    """Odds and EVs along a game: see `History.frame`."""
    import pandas as pd

    racing, boards = games[0].rules.racing, [game.state.board for game in games]
    rows = [Event(None, ""), *events]
    columns: dict[str, Any] = {
        "leg": list(legs),
        "player": [event.player for event in rows],
        "action": [event.action or None for event in rows],
        "die": [event.die for event in rows],
        "number": pd.array([event.number for event in rows], dtype="Int64"),
        "board": [str(board) for board in boards],
    }
    chances = leg_odds_many(boards)[:, :, 0]
    columns |= {f"leg {camel}": chances[:, index] for index, camel in enumerate(racing)}
    if race:
        wins = [worths_of(game.state).races.of(game.state.board)[0] for game in games]
        columns |= {f"race {camel}": [win[index] for win in wins] for index, camel in enumerate(racing)}
    if evs and games[0].state.names:
        start = expected(games[0].state)
        found = changes(events, games, start)
        columns["ev"] = [None, *(change.ev for change in found)]
        columns["best"] = [None, *(change.best for change in found)]
        columns["best_ev"] = [None, *(change.best_ev for change in found)]
        for player, name in enumerate(games[0].state.names):
            columns[f"expected {name}"] = [start[player], *(change.after[player] for change in found)]
    return pd.DataFrame(columns).rename_axis("event")


def _change(game: Game, event: Event, following: Game, now: list[float], odds: DeckOdds) -> Change:
    """What an event changed. game : before it, its player to move     following : after it

    odds : see `remembered`
    """
    state = game.state
    if event.turns_up:
        ends = expected(following.state, odds=odds)
        none = [0.0] * len(now)
        return Change(none, _less(ends, now), none, ends, ev=nan, best="", best_ev=nan, shortfall=0.0)
    player = state.names.index(str(event.player))
    parts = steps(state, player, event.action, event.roll)
    then = remembered(parts.acted, odds)
    acted = expected(parts.acted, odds=then)
    gains = _less(acted, now)
    ends = expected(following.state, odds=then)
    floor = [0.0] * len(now)
    if following.state.board.reveals and parts.done.board.leg_over:
        loss = zip(scored(parts.done), parts.done.money, leg_rewards(parts.done), strict=True)
        floor = [float(money - had - brought) for money, had, brought in loss]
    extra, missed = [0.0] * len(now), 0.0
    if event.roll:
        extra, missed = _support(parts.rolled, parts.done, player, then)
    rolled = [end - one - more - given for end, one, more, given in zip(ends, acted, extra, floor, strict=True)]
    outlook = Outlook(state, odds=odds)
    evs = dict(outlook.evs)
    plain = event.action
    if game.rules.spicy:
        evs["reveal + support"] = outlook.reveal
    if event.roll:
        plain = "reveal + support" if game.rules.spicy else "reveal"
    best = max(evs, key=evs.__getitem__)
    ev = evs.get(plain, gains[player])
    best_ev = max(ev, evs[best])
    return Change(
        acted=[gain + more for gain, more in zip(gains, extra, strict=True)],
        rolled=rolled if event.roll else [0.0] * len(now),
        floor=floor,
        after=ends,
        ev=ev,
        best=best if evs[best] >= ev else plain,
        best_ev=best_ev,
        shortfall=(best_ev - ev if plain in evs else 0.0) + missed,
    )


def _support(rolled: State, done: State, player: int, odds: DeckOdds) -> tuple[list[float], float]:
    """What a support die put in after a reveal changed, by player, and what the best choice would have brought more."""
    if not rolled.rules.spicy:
        return [0.0] * len(rolled.names), 0.0
    none = expected(rolled, odds=odds)
    extra = _less(expected(done, odds=odds), none)
    best = max(expected(option, odds=odds)[player] - none[player] for option in support_options(rolled, player))
    return extra, best - extra[player]


def _less(more: list[float], less: list[float]) -> list[float]:
    return [one - other for one, other in zip(more, less, strict=True)]
