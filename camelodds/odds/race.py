"""Odds of the race: who wins it, who comes last, how long it takes (docs/rules.md, sections 2 to 5)."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from camelodds.odds.race_course import Course
from camelodds.odds.race_places import Finish, ends_of_leg
from camelodds.odds.race_table import RaceTable, build_table, megabytes, solved_on_use, table_at_hand
from camelodds.odds.simulation import GAMES, checked_seed, play_races, races_to_play, standard_error
from camelodds.parallel import spread
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.position.rankings import camel_and_place, place_frame, ranking_names
from camelodds.progress import Progress, reporting
from camelodds.rules import Rules
from camelodds.show.table import Estimate, Table, Value, plain, written

if TYPE_CHECKING:
    import pandas as pd

CHUNK: Final = 64
"""Boards that one task of `race_odds_many` takes."""


# Axes: C racing camels in the order of the rules.
@dataclass(frozen=True)
class RaceOdds:
    """Odds of the race from a position, in the middle of a leg or at its start.

    Parameters
    ----------
    board : Board
        Where the race stands.
    wins : float64 array (C,)
        Each camel's probability to win the race, in the order of the rules.
    losses : float64 array (C,)
        Each camel's probability to come last in it.
    legs : float
        Expected number of legs to come, the one under way included.
    method : {"table", "simulation"}
        How they were found.
    error : float or None
        Of a table, how far any of these can be from the exact value, at most; None for a simulation.
    stderr : float or None
        Of a simulation, the largest standard error of a probability; None for a table.
    legs_stderr : float or None
        Of a simulation, the standard error of `legs`; None for a table.
    games : int
        How many races were played, 0 for a table.
    seed : int
        Of a simulation.
    note : str
        What to know about the method, for people; "" if nothing.
    """

    board: Board
    wins: NDArray[np.float64]
    losses: NDArray[np.float64]
    legs: float
    method: str
    error: float | None = None
    stderr: float | None = None
    legs_stderr: float | None = None
    games: int = 0
    seed: int = 0
    note: str = ""

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    def table(self) -> Table:
        """Chances to win the race and to come last in it, the likeliest winner on top."""
        board = self.board
        chances = [list(pair) for pair in zip(self.wins.tolist(), self.losses.tolist(), strict=True)]
        order = sorted(zip(board.rules.racing, chances, strict=True), key=lambda row: row[1], reverse=True)
        legs = f"{self.legs:.2f}"
        notes = []
        rows: list[tuple[str, list[Value]]] = [(camel, [*pair]) for camel, pair in order]
        if self.stderr is not None:
            rows = [(camel, [Estimate(p, standard_error(p, self.games)) for p in pair]) for camel, pair in order]
            legs = written(Estimate(self.legs, self.legs_stderr or 0.0), "number")
            notes = [f"Simulated, {self.games:,} races: after ± the standard error"]
        notes.insert(0, "The race is over." if board.race_over else f"Legs to come, this one included: {legs}")
        return Table(
            title=f"{board}   ({board.rules.title})",
            label="camel",
            columns=[("wins", "share"), ("comes last", "share")],
            rows=rows,
            notes=[*notes, self.note] if self.note else notes,
        )

    @property
    def winner(self) -> pd.Series[float]:
        """Probability of each camel to win the race, by letter."""
        return self._by_letter(self.wins)

    @property
    def loser(self) -> pd.Series[float]:
        """Probability of each camel to come last in the race, by letter."""
        return self._by_letter(self.losses)

    @cached_property
    def finish(self) -> Finish:
        """The end of the race in numpy, place by place: each part says how it was found."""
        return Finish(self.board, self.error or 0.0, self.games or GAMES, self.seed)

    @cached_property
    def places(self) -> NDArray[np.float64]:
        """float64 (C, C): the probability of each camel to end the race in each place.

        Exact where there are no crazy camels. Else the places between the first and the last are simulated: the sums of
        a camel's row then are 1 to within the standard error, `finish.places.stderr`.
        """
        p = self.finish.places.p.copy()
        p[:, 0], p[:, -1] = self.wins, self.losses
        return p

    def p(self, camel: str, place: int) -> float:
        """Probability that a camel ends the race in a place.

        Parameters
        ----------
        camel : str
            The letter of a racing camel.
        place : int
            1 for the first.

        Returns
        -------
        float
            As in `places`.

        Raises
        ------
        RulesError
            For any other camel or place.

        Examples
        --------
        >>> import camelodds as co
        >>> round(co.race_odds("1:bg 2:wy 3:o", "first").p("o", 1), 6)
        0.205057
        """
        number, at = camel_and_place(self.board.rules.racing, camel, place)
        known = {0: self.wins, len(self.wins) - 1: self.losses}  # the rest need not be found for these
        return float(known[at][number] if at in known else self.places[number, at])

    @property
    def frame(self) -> pd.DataFrame:
        """Probabilities as a DataFrame: camels by letter x places from 1."""
        return place_frame(self.board.rules.racing, self.places)

    @property
    def rankings(self) -> pd.DataFrame:
        """The joint distribution as a DataFrame: ranking (first to last), probability, the likeliest first."""
        import pandas as pd

        p = self.finish.rankings.p
        frame = pd.DataFrame({"ranking": ranking_names(self.board.rules.racing), "probability": p})
        return frame[p > 0].sort_values("probability", ascending=False, kind="stable", ignore_index=True)

    @property
    def winner_and_loser(self) -> pd.DataFrame:
        """The joint distribution of who wins and who comes last, as a DataFrame: winner x loser."""
        import pandas as pd

        letters = list(self.board.rules.racing)
        index, columns = pd.Index(letters, name="winner"), pd.Index(letters, name="loser")
        return pd.DataFrame(self.finish.winner_and_loser.p, index=index, columns=columns)

    @property
    def legs_distribution(self) -> pd.Series[float]:
        """Probability of each number of legs to come, the one under way included, by that number."""
        import pandas as pd

        p = self.finish.legs.p
        return pd.Series(p, index=pd.RangeIndex(len(p), name="legs"), name="probability")

    def _by_letter(self, values: NDArray[np.float64]) -> pd.Series[float]:
        import pandas as pd

        return pd.Series(values, index=pd.Index(list(self.board.rules.racing), name="camel"))


def race_odds(
    board: Board | str,
    edition: str | Rules = "second",
    *,
    build: bool = False,
    games: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    progress: Progress | bool = False,
) -> RaceOdds:
    """Odds of the race from a position: exact to `error` where there is a table, else simulated.

    Parameters
    ----------
    board : Board or str
        The position, or its text in the notation of `edition`.
    edition : str or Rules
        For a text: "first", "second", "supercup", "supercup-second", or own rules.
    build : bool
        Whether to build the table if there is none (2nd edition: minutes, once); without, the race is simulated.
    games : int, optional
        How many races a simulation plays.
    stderr : float, optional
        Instead of `games`: the standard error that no probability may exceed.
    seed : int
        Of the simulation; the same seed gives the same result.
    progress : callable or bool
        True for a bar while a table is built, or a function that is called with what is done and the total.

    Returns
    -------
    RaceOdds
        Who wins, who comes last, and how many legs it takes.

    Raises
    ------
    NotationError, RulesError
        For what is no position, edition, number of races or seed.
    TableError
        For a table that cannot be used or built.

    Examples
    --------
    >>> import camelodds as co
    >>> race = co.race_odds("1:bg 2:wy 3:o", edition="first")
    >>> race.method, {camel: round(float(p), 4) for camel, p in zip("bgoyw", race.wins)}
    ('table', {'b': 0.1841, 'g': 0.2028, 'o': 0.2051, 'y': 0.2099, 'w': 0.1981})
    """
    races_to_play(games, stderr), checked_seed(seed)
    if not isinstance(board, Board):
        board = Board.parse(board, edition)
    if board.race_over:
        return _decided(board)
    course = Course.of(board.rules)
    table = table_at_hand(course) if course.solvable else None
    if table is None and build:
        with reporting(progress, "solving") as tell:
            table = build_table(course, tell)
    if table is None:
        return simulated_race(board, games=games, stderr=stderr, seed=seed)
    return _from_table(board, table)


def race_odds_many(
    boards: Boards | Iterable[Board | str] | pd.Series[Any],
    edition: str | Rules = "second",
    *,
    build: bool = False,
    games: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    executor: Executor | None = None,
) -> NDArray[np.float64]:
    """Odds of many races.

    Parameters
    ----------
    boards : Boards, iterable of Board or str, or pandas Series
        Boards, texts in the notation of `edition`, a pandas column of either, or encoded `Boards`.
    edition : str or Rules
        For texts: "first", "second", "supercup", "supercup-second", or own rules.
    build, games, stderr, seed
        As in `race_odds`, for each board.
    executor : concurrent.futures.Executor, optional
        Where the work is done; one thread per processor by default. Results are the same to the bit.

    Returns
    -------
    float64 array (N, C, 2)
        By board, camel in the order of the rules, and whether it wins (0) or comes last (1).

    Raises
    ------
    NotationError, RulesError, TableError
        As `race_odds` does, naming the first board at fault.

    Examples
    --------
    >>> import camelodds as co
    >>> co.race_odds_many(["1:bg 2:wy 3:o", "9:bg 2:wy 3:o"], "first")[:, 0, 0].round(3).tolist()[0]
    0.184
    """
    if isinstance(boards, Boards):
        boards.checked()
    races_to_play(games, stderr), checked_seed(seed)
    many = Boards.of(boards, edition)
    course = Course.of(many.rules)
    if build and course.solvable and table_at_hand(course) is None:
        build_table(course)
    odds = np.empty((len(many), len(many.rules.racing), 2))
    pieces = [slice(start, start + CHUNK) for start in range(0, len(many), CHUNK)]
    tasks = (_Task(many[piece], games, stderr, seed) for piece in pieces)
    for piece, part in zip(pieces, spread(_Task.run, tasks, executor), strict=True):
        odds[piece] = part
    return odds


def simulated_race(
    board: Board,
    *,
    games: int | None = None,
    stderr: float | None = None,
    seed: int = 0,
    executor: Executor | None = None,
) -> RaceOdds:
    """Odds of the race by playing it many times, whatever the rules. The result does not depend on the executor.

    games : how many races are played     stderr : or the standard error that no probability may exceed
    Raises RulesError for more than `simulation.MOST_GAMES` races.
    """
    count, seed = races_to_play(games, stderr), checked_seed(seed)
    if board.race_over:
        return _decided(board)
    played = play_races(board, count, seed, executor)
    return RaceOdds(
        board, played.wins, played.losses, played.legs, "simulation", stderr=played.stderr,
        legs_stderr=played.legs_stderr, games=count, seed=seed, note=_why_simulated(board.rules),
    )  # fmt: skip


@dataclass(frozen=True)
class _Task:
    """Some boards of `race_odds_many`."""

    boards: Boards
    games: int | None
    stderr: float | None
    seed: int

    def run(self) -> NDArray[np.float64]:
        found = [race_odds(board, games=self.games, stderr=self.stderr, seed=self.seed) for board in self.boards]
        return np.array([(odds.wins, odds.losses) for odds in found]).transpose(0, 2, 1)


def _from_table(board: Board, table: RaceTable) -> RaceOdds:
    racing = len(board.rules.racing)
    words, weights, under_way = ends_of_leg(board)
    values = table.weigh(words, weights) / weights.sum()
    return RaceOdds(
        board,
        values[:racing],
        values[racing : 2 * racing],
        float(values[-1]) + under_way,
        "table",
        error=table.error,
        note=SPICY if board.rules.spicy else "",
    )


SPICY: Final = "as if nobody paid for one more support die"


def _decided(board: Board) -> RaceOdds:
    racing, ranking = board.rules.racing, board.ranking
    wins = np.array([float(camel == ranking[0]) for camel in racing])
    losses = np.array([float(camel == ranking[-1]) for camel in racing])
    return RaceOdds(board, wins, losses, 0.0, "table", error=0.0)


def _why_simulated(rules: Rules) -> str:
    course = Course.of(rules)
    if not course.solvable:
        why = "no table is made for support dice together with crazy camels"
    elif solved_on_use(course):
        return ""
    else:
        why = (
            f"the exact table of {course.starts:,} leg starts is made by `camelodds race-table build`"
            f" ({megabytes(course.peak_bytes)} of memory, {megabytes(course.table_bytes)} on disk)"
        )
    return f"{why}; {SPICY}" if rules.spicy else why
