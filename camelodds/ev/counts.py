"""The counts that expectations rest on, each board's found once: its leg, exactly; the chances of its race."""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.odds.counting import count_legs
from camelodds.odds.policy import FEWEST_GAMES, games_each, races_are_simulated
from camelodds.odds.race import race_odds
from camelodds.odds.simulation import play_races
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.position.rankings import places, ranking_names
from camelodds.rules import Rules

Floats = NDArray[np.float64]
Key = tuple[int, int, tuple[tuple[int, int], ...]]
NOTHING: Final = 0
"""What is watched where only rankings and expected landings are asked for: see `leg_rankings`."""


class LegCount(NamedTuple):
    """One leg counted: ways by ranking int64 (R,), ways x landings by space int64 (32,), ways by mark int64 (16,)."""

    rankings: NDArray[np.int64]
    landings: NDArray[np.int64]
    marks: NDArray[np.int64]
    total: int


class LegCounts:
    """Exact counts of many legs under the same rules, each board counted once for each thing watched."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._rankings = factorial(len(rules.racing))
        self._found: dict[tuple[Key, int], LegCount] = {}

    def count(self, wanted: Iterable[tuple[Board, int]]) -> None:
        """Count these boards with what is watched, as in `core.leg.leg_rankings`, as far as they are new."""
        asked = {(_key(board), watch): board for board, watch in wanted}
        watched = {key for key, watch in (*asked, *self._found) if watch}
        new = {
            (key, watch): board
            for (key, watch), board in asked.items()
            if (key, watch) not in self._found and (watch or key not in watched)
        }
        if not new:
            return
        counted = count_legs(Boards.of(new.values()), np.array([watch for _, watch in new]))
        rankings = counted.rankings.reshape(len(new), 2, -1)[:, :, : self._rankings].sum(axis=1)
        totals = rankings.sum(axis=1).tolist()
        for row, *found in zip(new, rankings, counted.landings, counted.marks, totals, strict=True):
            self._found[row] = self._found[row[0], NOTHING] = LegCount(*found)

    def leg(self, board: Board, watch: int = NOTHING) -> LegCount:
        """A board's leg, with what is watched."""
        row = _key(board), watch
        if row not in self._found:
            self.count([(board, watch)])
        return self._found[row]

    def marks(self, board: Board, watch: int) -> dict[int, int]:
        """Ways by landings on the tile on space `watch`, or by camels in the photo on space `-watch`."""
        marks = self.leg(board, watch).marks
        return {int(number): int(marks[number]) for number in np.flatnonzero(marks)}


Chances = tuple[Floats, Floats, Floats]
"""A board's chances of each camel to win and to lose the race, and the error of each: float64 (C,)."""


class RaceChances:
    """Chances of the race by board, each board's found once."""

    def __init__(self) -> None:
        self._rows: dict[Key, Chances] = {}
        self._endings: dict[Key, NDArray[np.uint8]] = {}

    def find(self, boards: Iterable[Board]) -> None:
        """Find the chances of these boards, as far as they are new."""
        new = {_key(board): board for board in boards}
        new = {key: board for key, board in new.items() if key not in self._rows}
        if new:
            self._rows |= zip(new, self.many(list(new.values())), strict=True)

    def many(self, boards: Boards | list[Board]) -> list[Chances]:
        """The chances of boards that are all different."""
        return race_chances(boards)

    def of(self, board: Board) -> Chances:
        """The chances of one board."""
        if _key(board) not in self._rows:
            self.find([board])
        return self._rows[_key(board)]

    def paired(
        self, after: Board, gains: tuple[Floats, Floats], before: Board, lost: tuple[Floats, Floats]
    ) -> tuple[float, float] | None:
        """How much more the race pays after than before, and the standard error, from the same dice on both boards.

        gains, lost : float64 (C,) each, what is paid by the camel that wins and by the one that comes last
        None where a table of the race is at hand.
        """
        if not races_are_simulated(after.rules):
            return None
        more = self._paid(after, gains) - self._paid(before, lost)
        return float(more.mean()), float(more.std()) / sqrt(len(more))

    def _paid(self, board: Board, pays: tuple[Floats, Floats]) -> Floats:
        """What each of the simulated races pays: float64 (FEWEST_GAMES,)."""
        rankings = places(len(board.rules.racing))
        key = _key(board)
        if key not in self._endings:
            self._endings[key] = race_endings(board)
        by_ranking: Floats = pays[0] @ (rankings == 1) + pays[1] @ (rankings == len(rankings))
        return by_ranking[self._endings[key]]


def race_endings(board: Board) -> NDArray[np.uint8]:
    """The rankings in which simulated races end: uint8 (FEWEST_GAMES,); where the race is over, that one."""
    if board.race_over:
        ended = ranking_names(board.rules.racing).index(board.ranking)
        return np.full(FEWEST_GAMES, ended, np.uint8)
    return play_races(board, FEWEST_GAMES, endings=True).endings


def race_chances(boards: Boards | list[Board]) -> list[Chances]:
    """Each board's chances; the error is the table's bound, or the standard error where races are simulated."""
    games = games_each(len(boards))
    found = []
    for board in boards:
        odds = race_odds(board, games=games)
        error = odds.stderr if odds.error is None else odds.error
        found.append((odds.wins, odds.losses, np.full(len(odds.wins), error)))
    return found


def _key(board: Board) -> Key:
    """What a board's odds depend on, under the same rules; the tiles' owners do not."""
    return board.word, board.pyramid, tuple([(tile.space, tile.side) for tile in board.tiles])
