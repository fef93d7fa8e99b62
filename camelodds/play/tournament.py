"""Bots against each other, on the same dice from every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count
from math import fsum, sqrt
from os import cpu_count
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING, Final

from camelodds.errors import GameError, whole_number
from camelodds.game.game import Game, opening
from camelodds.game.step import Shown
from camelodds.parallel import spread
from camelodds.play.bots import BOTS, Bot
from camelodds.play.history import History
from camelodds.position.board import Board
from camelodds.progress import Progress, reporting
from camelodds.rules import SIDES, Rules, rules_of
from camelodds.show.table import Kind, Table

if TYPE_CHECKING:
    import pandas as pd

MOST_ACTIONS: Final = 5_000
"""Actions after which a game is given up: somebody only ever moves his tile."""
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

    bots : one for each seat, by name ("random", "greedy", "cautious") or as functions; the same one may sit twice
    games : at least so many; every deal (an opening, and what each die will show) is played with each bot in every
        seat, all moving one seat on, so whole rounds of len(bots) games are played
    workers : processes at most, one per processor by default; 1 plays in this one. More need bots that are functions
        of a module     executor : any other place to play in
    progress : True for a bar on standard error, or a function that is called with the games done and all games
    Raises RulesError for a number of games or workers that is none, GameError for players that the rules do not allow,
    a bot that is none, or a game that does not end.
    """
    rules = rules_of(edition)
    if (games := whole_number(games, "the number of games")) < 1:
        raise GameError(f"at least one game is played, not {games!r}")
    workers = (cpu_count() or 1) if workers is None else whole_number(workers, "the number of workers")
    if workers < 1:
        raise GameError(f"at least one worker plays, not {workers!r}")
    table = [_bot(bot) for bot in bots]
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
        rules = board.rules
        order = list(rules.dice)
        Random(f"{self.seed}/{leg}/{reveal}").shuffle(order)
        sign = next(die for die in order if die in board.dice)
        sides = [face for face in rules.faces[sign] for _ in range(face.weight)]
        face = sides[Random(f"{self.seed}/{leg}/{sign}").randrange(SIDES)]
        return face.shows, face.number


def play(start: Game, seats: Mapping[str, Bot], dice: Dice, rng: Random) -> History:
    """A game played to its end by bots, by player. Raises GameError for a game that does not end."""
    history = History(start)
    leg = reveal = 0
    for _ in range(MOST_ACTIONS):
        game = history.game
        if game.board.race_over:
            return history
        action = seats[str(game.to_move)](game, rng)
        if action != "reveal":
            history = history.apply(action)
            continue
        history = history.apply(action, dice.roll(game.board, leg, reveal))
        leg, reveal = (leg + 1, 0) if game.board.reveals == 1 else (leg, reveal + 1)
    raise GameError(f"the race is not over after {MOST_ACTIONS} actions: {history.game}")


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
        start = opening(self.rules, names, Random(f"{self.seed}/opening"))
        seats = dict(zip(self.names, self.bots, strict=True))
        money = play(start, seats, Dice(self.seed), Random(f"{self.seed}/{first}/bots")).game.returns()
        return tuple(money[name] for name in self.names)


def _bot(bot: str | Bot) -> tuple[str, Bot]:
    if callable(bot):
        return getattr(bot, "__name__", "bot").removesuffix("_bot").strip("<>"), bot
    if bot not in BOTS:
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


def _student(freedom: int) -> float:
    """The quantile of Student's distribution, by its series in 1 / degrees of freedom (Abramowitz, Stegun 26.7.5)."""
    if freedom == 1:
        return 12.7062
    if freedom == 2:
        return 4.3027
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    series = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return fsum(term / freedom**power for power, term in enumerate(series))
