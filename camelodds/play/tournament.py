"""Bots against each other, on the same dice from every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import atan, cos, pi, sin, sqrt
from os import cpu_count
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Final

from camelodds.errors import GameError, whole_number
from camelodds.game.act import REVEAL
from camelodds.game.game import Game
from camelodds.game.opening import opening
from camelodds.game.state import State
from camelodds.game.step import Shown, returns
from camelodds.game.turn import turn_taken
from camelodds.parallel import spread
from camelodds.play.bots import BOTS, Bot
from camelodds.play.event import Event
from camelodds.play.history import History
from camelodds.position.board import Board
from camelodds.progress import Progress, reporting
from camelodds.rules import Rules, rules_of
from camelodds.show.table import Kind, Table

if TYPE_CHECKING:
    import pandas as pd

MOST_ACTIONS: Final = 5_000
"""Actions after which a game is given up: somebody only ever moves their tile."""
MOST_REVEALS: Final = 12
"""Reveals of a leg, at most: there are eleven dice."""
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did.

    money : pounds at the end, on average     wins : share of games with most money, a tie shared between those ahead
    *_low, *_high : confidence interval of the mean, None for a single deal
    """

    bot: str
    money: float
    money_low: float | None
    money_high: float | None
    wins: float
    wins_low: float | None
    wins_high: float | None


# Axes of `results`: deals, seatings, bots.
@dataclass(frozen=True)
class Tournament:
    """What came out, the best bot first in `standings`.

    deals : openings with their dice; each is played once with every seating     games : all together
    confidence : of the intervals, which take deals, not games, as independent
    results : final money by deal, by seating (the first bot moves first, then everyone one seat on), by bot in the
        order of `bots`
    """

    edition: str
    seed: int
    deals: int
    games: int
    confidence: float
    bots: tuple[str, ...]
    standings: tuple[Standing, ...]
    results: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def frame(self) -> pd.DataFrame:
        """The standings as a DataFrame, by bot."""
        import pandas as pd

        columns = Standing.__slots__
        rows = [[getattr(standing, name) for name in columns] for standing in self.standings]
        return pd.DataFrame(rows, columns=list(columns)).set_index("bot").astype(float)

    def table(self) -> Table:
        """How the bots did, the richest first, with confidence intervals of the means."""
        level = f"{self.confidence:.0%}"
        kinds: dict[Kind, str] = {"number": "money", "share": "wins"}
        return Table(
            title=f"{self.games:,} games of edition {self.edition}, seed {self.seed}",
            label="bot",
            columns=[(head, kind) for kind in kinds for head in (kinds[kind], f"{level} from", "to")],
            rows=[
                (bot.bot, [bot.money, bot.money_low, bot.money_high, bot.wins, bot.wins_low, bot.wins_high])
                for bot in self.standings
            ],
            notes=[f"{self.deals:,} deals, each played with every bot in every seat"],
            camels=False,
        )


def tournament(
    bots: Sequence[str | Bot],
    games: int = 100,
    seed: int = 0,
    *,
    edition: str | Rules = "first",
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | bool = False,
) -> Tournament:
    """Let bots play against each other; the result depends on bots, games, seed and edition only.

    Parameters
    ----------
    bots : sequence of str or callable
        One for each seat, by name ("random", "greedy", "cautious") or as functions; the same one may sit twice.
    games : int
        At least so many; every deal (an opening, and what each die will show) is played with each bot in every seat,
        all moving one seat on, so whole rounds of ``len(bots)`` games are played.
    seed : int
        Where chance starts; another seed gives other deals.
    edition : str or Rules
        "first", "second", "supercup", "supercup-second", or own rules.
    workers : int, optional
        Processes at most, one per processor by default; 1 plays in this one. More need bots that are functions of a
        module.
    executor : concurrent.futures.Executor, optional
        Any other place to play in.
    progress : callable or bool
        True for a bar on standard error, or a function that is called with the games done and all games.

    Returns
    -------
    Tournament
        The standings, the richest bot first, and all results.

    Raises
    ------
    RulesError
        For a number of games or workers that is none.
    GameError
        For fewer than one game or worker, players that the rules do not allow, a bot that is none, or a game that does
        not end.

    Examples
    --------
    >>> import camelodds as co
    >>> played = co.tournament(["greedy", "random"], games=2, workers=1)
    >>> played.games, played.standings[0].bot
    (2, 'greedy')
    """
    rules = rules_of(edition)
    if (games := whole_number(games, "the number of games")) < 1:
        raise GameError(f"at least one game is played, not {games!r}")
    workers = (cpu_count() or 1) if workers is None else whole_number(workers, "the number of workers")
    if workers < 1:
        raise GameError(f"at least one worker plays, not {workers!r}")
    table = [named_bot(bot) for bot in bots]
    names = _names([name for name, _ in table])
    opening(rules, names, Random(0))
    deals = -(-games // len(names))
    rounds = (_Round(rules, tuple(bot for _, bot in table), names, f"{seed}/{deal}") for deal in range(deals))
    results = []
    workers = min(workers, deals)
    pool_of = nullcontext(executor) if executor or workers == 1 else ProcessPoolExecutor(workers)
    with pool_of as pool, reporting(progress, "games") as tell:
        for result in map(_Round.play, rounds) if pool is None else spread(_Round.play, rounds, pool):
            results.append(result)
            tell(len(results) * len(names), deals * len(names))
    standings = [_standing(name, bot, results) for bot, name in enumerate(names)]
    standings.sort(key=lambda standing: -standing.money)
    return Tournament(rules.name, seed, deals, deals * len(names), CONFIDENCE, names, tuple(standings), tuple(results))


@dataclass(frozen=True)
class Dice:
    """What every die will show in a game, whoever reveals it: its number by leg, and which one comes next by reveal."""

    seed: str

    def roll(self, board: Board, leg: int, reveal: int) -> Shown:
        """What the next reveal shows. Each die of the pyramid is equally likely, and so is each of its faces."""
        turns, shows = _dice_of_leg(board.rules, self.seed, leg)
        ranks = turns[reveal]
        sign = min(board.dice, key=ranks.__getitem__)
        return shows[sign]


@lru_cache(maxsize=256)
def _dice_of_leg(rules: Rules, seed: str, leg: int) -> tuple[list[dict[str, float]], dict[str, Shown]]:
    """A leg in one draw: random ranks of the dice by reveal, of which the lowest comes; what each die will show."""
    rng = Random(f"{seed}/{leg}")
    ranks = [{sign: rng.random() for sign in rules.dice} for _ in range(MOST_REVEALS)]
    shows = {}
    for sign, faces in rules.faces.items():
        (face,) = rng.choices(faces, [face.weight for face in faces])
        shows[sign] = face.shows, face.number
    return ranks, shows


def play(start: Game, seats: Mapping[str, Bot], dice: Dice, rng: Random) -> History:
    """A game played to its end by bots, by player. Raises GameError for a game that does not end."""
    events, games = [], [start]
    for event, state in turns(start.state, seats, dice, rng):
        events.append(event)
        games.append(Game.of(state))
    return History(start, tuple(events), (), tuple(games))


def turns(state: State, seats: Mapping[str, Bot], dice: Dice, rng: Random) -> Iterator[tuple[Event, State]]:
    """What happens until the race is over, and the state after it."""
    leg = reveal = 0
    for _ in range(MOST_ACTIONS):
        if state.board.race_over:
            return
        player = state.names[state.mover]
        action = seats[player](Game.of(state), rng)
        if not isinstance(action, str):
            raise GameError(f"the bot of {player} gave {action!r}: expected the name of an action, such as reveal")
        shown = dice.roll(state.board, leg, reveal) if action == REVEAL.name else None
        last = shown is not None and state.board.reveals == 1
        state = turn_taken(state, action, shown)
        if shown is not None:
            leg, reveal = (leg + 1, 0) if last else (leg, reveal + 1)
        yield Event(player, action, *(shown or ())), state
    raise GameError(f"the race is not over after {MOST_ACTIONS} actions: {Game.of(state)}")


@dataclass(frozen=True)
class _Round:
    """One deal, played with every seating."""

    rules: Rules
    bots: tuple[Bot, ...]
    names: tuple[str, ...]
    seed: str

    def play(self) -> tuple[tuple[int, ...], ...]:
        """Final money by seating, by bot."""
        return tuple(self._seating(first) for first in range(len(self.names)))

    def _seating(self, first: int) -> tuple[int, ...]:
        names = [*self.names[first:], *self.names[:first]]
        state = opening(self.rules, names, Random(f"{self.seed}/opening")).state
        seats = dict(zip(self.names, self.bots, strict=True))
        for _, later in turns(state, seats, Dice(self.seed), Random(f"{self.seed}/{first}/bots")):
            state = later
        money = returns(state)
        return tuple(money[name] for name in self.names)


def named_bot(bot: str | Bot) -> tuple[str, Bot]:
    """What a bot is called, and its function. Raises GameError for a bot that is none."""
    if callable(bot):
        return getattr(bot, "__name__", "bot").removesuffix("_bot").strip("<>"), bot
    if not isinstance(bot, str) or bot not in BOTS:
        raise GameError(f"no bot is called {bot!r}: expected one of {', '.join(BOTS)}")
    return bot, BOTS[bot]


def _names(given: list[str]) -> tuple[str, ...]:
    """The names, with numbers where one comes twice."""
    counts, numbers = Counter(given), {name: count(1) for name in given}
    return tuple(f"{name}-{next(numbers[name])}" if counts[name] > 1 else name for name in given)


def _standing(name: str, bot: int, results: Sequence[Sequence[Sequence[int]]]) -> Standing:
    money = [fmean(game[bot] for game in deal) for deal in results]
    wins = [fmean(_win(game, bot) for game in deal) for deal in results]
    share, low, high = _interval(wins)
    within = (None if low is None else max(0.0, low), None if high is None else min(1.0, high))
    return Standing(name, *_interval(money), share, *within)


def _win(game: Sequence[int], bot: int) -> float:
    most = max(game)
    return (game[bot] == most) / sum(money == most for money in game)


def _interval(values: Sequence[float]) -> tuple[float, float | None, float | None]:
    """The mean and its confidence interval, which a single value does not have."""
    mean = fmean(values)
    if len(values) < 2:
        return mean, None, None
    half = _student(len(values) - 1) * stdev(values) / sqrt(len(values))
    return mean, mean - half, mean + half


@lru_cache
def _student(freedom: int) -> float:
    """The two-sided quantile of Student's distribution, by bisection of its closed form."""
    low, high = 0.0, 1e3
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < CONFIDENCE else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """The chance that Student's t is between -t and t (Abramowitz, Stegun 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (power - 1) / power
    if odd:
        return 2 / pi * (angle + sin(angle) * total)
    return sin(angle) * total
