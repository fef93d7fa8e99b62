"""The end of the race place by place: rankings, who wins while who comes last, and how long it takes.

Without crazy camels all of it can be solved, as the winner is: what the end settles is then which ranks fill some
places. It is solved when it is first asked for, since the whole ranking has many values. Else races are played, from
the same seed and so many as for the winner: then the winner's chances here are the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import perm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from camelodds.odds.counting import watched_ends
from camelodds.odds.race_course import Course
from camelodds.odds.race_solver import orders, renamed, solve_legs, solve_places
from camelodds.odds.simulation import PlayedRaces, play_races, standard_error
from camelodds.position.bits import full_pyramid
from camelodds.position.board import Board
from camelodds.position.rankings import in_place

MOST_BYTES: Final = 3 << 29
"""Memory that solving may take. What would take more is simulated: of the Supercup, whole rankings."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Shares:
    """Probabilities, and where they come from.

    p : float64     method : "table" or "simulation"
    error : of a table, how far any of them can be from the exact value; None for a simulation
    stderr : of a simulation, the largest standard error; None for a table     games : races played, 0 for a table
    """

    p: Floats
    method: str
    error: float | None = None
    stderr: float | None = None
    games: int = 0


# Axes: C racing camels in the order of the rules, R = C! rankings, L numbers of legs.
@dataclass(frozen=True, eq=False)
class Finish:
    """How the race from a position ends.

    error : how far from exact what is solved can be     games, seed : of a simulation, where it is not solved
    """

    board: Board
    error: float
    games: int
    seed: int

    @cached_property
    def rankings(self) -> Shares:
        """float64 (R,): the joint distribution over final rankings, numbered as in `position.rankings`."""
        return self._filled(tuple(range(1, self._camels + 1)))

    @cached_property
    def places(self) -> Shares:
        """float64 (C, C): camel, place."""
        camels = self._camels
        if self._solved(camels) and not self._solved(perm(camels)):
            each = [self._filled((place,)).p for place in range(1, camels + 1)]
            return self._shares(np.stack(each, axis=1), True)
        p = np.tensordot(self.rankings.p, in_place(camels), 1)
        return self._shares(p, self.rankings.games == 0)

    @cached_property
    def winner_and_loser(self) -> Shares:
        """float64 (C, C): the camel that wins, the camel that comes last."""
        both = np.zeros((self._camels, self._camels))
        chosen = self._filled(ends_of_ranking(self._camels))
        both[_pair(self._camels)] = chosen.p
        return self._shares(both, chosen.games == 0)

    @cached_property
    def legs(self) -> Shares:
        """float64 (L,): the chances of 0, 1, 2, ... legs to come, the one under way included."""
        if not self._solved(1):
            return self._shares(np.trim_zeros(self._played.legs_counts, "b") / self.games, False)
        words, weights, under_way = self._ends
        over, squads, _ = _starts(self._course, words)
        later = np.zeros(1) if over.all() else weights[~over] @ _legs_table(self._course)[squads]
        later[0] += weights[over].sum()
        chances = np.concatenate([np.zeros(under_way), later]) / weights.sum()
        return self._shares(np.trim_zeros(chances, "b"), True)

    @property
    def _camels(self) -> int:
        return len(self.board.rules.racing)

    @property
    def _course(self) -> Course:
        return Course.of(self.board.rules)

    def _solved(self, values: int) -> bool:
        return self.board.race_over or can_solve(self._course, values)

    def _filled(self, places: tuple[int, ...]) -> Shares:
        """Who fills some places, numbered as `orders` of the camels."""
        if self._solved(perm(self._camels, len(places))):
            words, weights, _ = self._ends
            return self._shares(weights @ places_after(self._course, places, words) / weights.sum(), True)
        chosen = orders(self._camels, len(places))
        these = int(np.flatnonzero((chosen == np.array(places) - 1).all(axis=1))[0])
        number = renamed(chosen, orders(self._camels, self._camels))[:, these]
        counts = np.bincount(number[self._played.endings], minlength=len(chosen))
        return self._shares(counts / self.games, False)

    def _shares(self, p: Floats, solved: bool) -> Shares:
        if solved:
            return Shares(p, "table", self.error)
        stderr = max(standard_error(share, self.games) for share in p.ravel().tolist())
        return Shares(p, "simulation", None, stderr, self.games)

    @cached_property
    def _ends(self) -> tuple[Ints, Ints, int]:
        return ends_of_leg(self.board)

    @cached_property
    def _played(self) -> PlayedRaces:
        return play_races(self.board, self.games, self.seed, endings=True)


def ends_of_leg(board: Board) -> tuple[Ints, Ints, int]:
    """The boards in which a leg ends and the ways to each, int64 (E,); and how many legs are under way, 1 or 0.

    Where nothing of the leg has happened yet, and no tile lies on the track, the table knows as much: none is.
    """
    starts = not board.tiles and board.pyramid == full_pyramid(board.word, board.rules)
    if board.race_over or board.leg_over or starts:
        return np.array([board.word]), np.ones(1, np.int64), 0
    words, weights = watched_ends(board, 0)
    return words, weights, 1


def can_solve(course: Course, values: int) -> bool:
    """Whether the race of a course is solved for something that has so many values."""
    return not course.crazy and 8 * course.starts * course.dice_sets * values <= MOST_BYTES


def joint_is_solved(course: Course) -> bool:
    """Whether `winners_and_losers` can be asked for."""
    return can_solve(course, perm(course.racing, 2))


# Axes: E boards, C racing camels by lane.
def winners_and_losers(course: Course, words: Ints) -> Floats:
    """Who wins and who comes last, together, from boards at the end of a leg: float64 (E, C, C)."""
    both = np.zeros((len(words), course.racing, course.racing))
    both[:, *_pair(course.racing)] = places_after(course, ends_of_ranking(course.racing), words)
    return both


# Axes: E boards, V ways to fill some places.
def places_after(course: Course, places: tuple[int, ...], words: Ints) -> Floats:
    """Who fills some places, 1 the first, from boards at the end of a leg: float64 (E, V), by `orders` of the lanes."""
    from camelodds.core.starts import names

    chosen = orders(course.racing, len(places))
    over, squads, rankings = _starts(course, words)
    by_rank = np.empty((len(words), len(chosen)))
    by_rank[over] = (chosen == [course.racing - place for place in places]).all(axis=1)
    if len(squads):
        by_rank[~over] = _places_table(course, places)[squads]
    found = np.empty_like(by_rank)
    lanes = renamed(chosen, names(course.racing, course.track).lane_of)[rankings]
    np.put_along_axis(found, lanes, by_rank, axis=1)
    return found


def ends_of_ranking(camels: int) -> tuple[int, ...]:
    """The first place and the last; of a single camel these are the same."""
    return (1, camels) if camels > 1 else (1,)


def _pair(camels: int) -> tuple[Ints, Ints]:
    """Winner and loser of each value for `ends_of_ranking`."""
    chosen = orders(camels, len(ends_of_ranking(camels)))
    return chosen[:, 0], chosen[:, -1]


def _starts(course: Course, words: Ints) -> tuple[NDArray[np.bool_], Ints, Ints]:
    """Whether the race is over, bool (E,); the squads of those where it is not; rankings of all, int64 (E,)."""
    from camelodds.core.starts import NOWHERE, names, starts_of_words

    starts = np.empty((len(words), 3), np.int64)
    starts_of_words(words, course.crazy, course.track, *names(course.racing, course.track)[:3], starts)
    over = starts[:, 0] == NOWHERE
    return over, starts[~over, 0], starts[:, 2]


@lru_cache(maxsize=16)
def _places_table(course: Course, places: tuple[int, ...]) -> Floats:
    return solve_places(course, places)


@lru_cache(maxsize=4)
def _legs_table(course: Course) -> Floats:
    return solve_legs(course)
