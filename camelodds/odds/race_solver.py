"""Solving the race from every start of a leg: sweeps and threads over the kernels of `core.race` and `core.sweep`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from math import ceil, log2, prod
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.core import race as core
from camelodds.core import sweep as core_sweep
from camelodds.core.starts import FACES, Changes, Names, changes, grey_moves, names, racing_moves
from camelodds.odds.race_course import Course
from camelodds.progress import Progress, silent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Sums = NDArray[np.int32]

SETTLED = 1.5e-12
"""The most that may be missing after the last sweep, of probabilities and of legs."""
SETTLED_SMALL = 5e-14
"""The same for up to so many leg starts, where a sweep costs little."""
SMALL = 100_000
PIECES = 16
ROUNDING = 2.0**-44
"""Beyond what roundings can lose, as 512 roundings of a number up to 1. Upward, a leg of six reveals adds fewer than 50
terms each. The sums of a sweep are whole numbers; around them it rounds four times: MOST_SWEEPS are as many.
"""
MOST_SWEEPS = 128
MOST = 2**31 - 1
"""The largest sum of a sweep."""
SWEEPS = 17
"""How many sweeps the 2nd edition needs; only to tell how far the work is."""


@dataclass(frozen=True)
class Solution:
    """The race from every leg's start.

    table : float64 (S, P, 2 * C + 1): squad, pair of perches; each rank's probability to win, then to come last, rank 0
        the last; then the expected number of legs
    error : how far any value can be from the exact one, at most     sweeps : over all leg starts
    """

    course: Course
    table: Floats
    error: float
    sweeps: int


def solve(course: Course, progress: Progress | None = None, threads: int | None = None) -> Solution:
    """Solve the race from every leg's start.

    progress : called now and then; what it raises ends the work     threads : one per processor by default
    """
    if not course.solvable:
        raise ValueError("no solver for support dice together with crazy camels")
    tell = progress or silent
    return _solve_with_crazy(course, tell, threads or cpu_count() or 1) if course.crazy else _solve_upward(course, tell)


class _Prospect(NamedTuple):
    """Something that the end of the race settles: its values by rank there, and what each leg adds."""

    at_the_end: Floats
    added: float
    columns: slice


def _prospects(racing: int) -> tuple[_Prospect, ...]:
    """Legs to come, the winner and the last."""
    ranks = np.eye(racing)
    return (
        _Prospect(np.zeros(1), 1.0, slice(2 * racing, 2 * racing + 1)),
        _Prospect(ranks[-1], 0.0, slice(0, racing)),
        _Prospect(ranks[0], 0.0, slice(racing, 2 * racing)),
    )


class _Moves(NamedTuple):
    names: Names
    changes: Changes
    squad_after: NDArray[np.int32]
    change: NDArray[np.uint8]


def _racing_moves(course: Course) -> _Moves:
    named = names(course.racing, course.track)
    shape = (course.shape[0], course.racing, FACES)
    squad_after, change = np.empty(shape, np.int32), np.empty(shape, np.uint8)
    racing_moves(course.track, *named[:3], squad_after, change)
    return _Moves(named, changes(course.racing), squad_after, change)


def _values_after(moves: _Moves, values: int) -> Ints:
    """What the values of a prospect are called after each change: one per rank, or a single one."""
    return moves.changes.rank if values > 1 else np.zeros((len(moves.changes.rank), 1), np.int64)


def _error(missing: float, legs: float, legs_missing: float) -> float:
    """A bound on the distance from the solution, where `missing` is the most by which a value differs from a leg later.

    With x = L x + c to be solved, L >= 0, what is missing is c + L x - x, and (I - L)^-1 times it the error;
    (I - L)^-1 1 is the expected number of legs. So that of the legs bounds itself: most legs <= legs found /
    (1 - what they miss).
    """
    most_legs = legs / (1.0 - legs_missing)
    return missing * most_legs + ROUNDING * most_legs * most_legs


def _solve_upward(course: Course, tell: Progress) -> Solution:
    moves = _racing_moves(course)
    table = np.empty(course.shape)
    for done, prospect in enumerate(_prospects(course.racing)):
        at_the_end = prospect.at_the_end
        table[:, 0, prospect.columns] = _upward(
            course, moves, at_the_end, _values_after(moves, len(at_the_end)), prospect.added
        )
        tell(done + 1, 3)
    return Solution(course, table, _error(0.0, float(table[..., -1].max()), 0.0), 1)


def _upward(
    course: Course, moves: _Moves, at_the_end: Floats, value_after: Ints, added: float = 0.0, legs: bool = False
) -> Floats:
    """One prospect at each leg's start, without crazy camels: float64 (S, V). See `pass_down`."""
    racing = course.racing
    full = (1 << racing) - 1 | (1 << racing if course.support else 0)
    held = np.zeros((course.shape[0] + 1, course.dice_sets, len(at_the_end)))
    held[-1] = at_the_end
    core.pass_down(
        moves.squad_after, moves.change, moves.changes.rank, moves.changes.dice, value_after, course.undrawn,
        course.support, added, legs, held,
    )  # fmt: skip
    return held[:-1, full].copy()


# Axes: S squads, V ways to fill some places, P places.
def solve_places(course: Course, places: tuple[int, ...]) -> Floats:
    """Which ranks end in some places of the race, from every leg's start without crazy camels: float64 (S, V).

    The values are numbered as `orders` of the ranks, 0 the last camel, for the places as given, 1 the first.
    """
    moves = _racing_moves(course)
    ranks = orders(course.racing, len(places))
    at_the_end = (ranks == [course.racing - place for place in places]).all(axis=1).astype(float)
    return _upward(course, moves, at_the_end, renamed(ranks, moves.changes.rank))


def solve_legs(course: Course) -> Floats:
    """The chances of 0, 1, 2, ... legs to come, from every leg's start without crazy camels: float64 (S, L)."""
    moves = _racing_moves(course)
    # Each reveal takes a camel up, so this many legs end the race, from wherever it stands.
    reveals = course.racing + course.support - course.undrawn
    most = course.racing * (course.track - 1) // reveals + 1
    at_the_end = np.eye(1, most + 1)[0]
    names_stay = np.tile(np.arange(most + 1), (len(moves.changes.rank), 1))
    return _upward(course, moves, at_the_end, names_stay, legs=True)


@lru_cache(maxsize=16)
def orders(camels: int, count: int) -> Ints:
    """int64 (V, count): each way to choose so many different camels, one after the other, in lexicographic order."""
    return np.array(list(permutations(range(camels), count)), np.int64).reshape(-1, count)


def renamed(ranks: Ints, names: Ints) -> Ints:
    """int64 (N, V): the number among `orders` of each of them, each camel called by its new name; names (N, C)."""
    digits = names.shape[1] ** np.arange(ranks.shape[1])[::-1]
    numbers: Ints = np.searchsorted(ranks @ digits, names[:, ranks] @ digits)
    return numbers


class _Dice(NamedTuple):
    """The sets of racing dice of each size, and the number of each set in its layer."""

    layers: list[Ints]
    number: Ints

    @classmethod
    def of(cls, racing: int) -> _Dice:
        every = np.arange(1 << racing)
        size = np.bitwise_count(every)
        layers = [every[size == count] for count in range(racing + 1)]
        number = np.empty(1 << racing, np.int64)
        for layer in layers:
            number[layer] = np.arange(len(layer))
        return cls(layers, number)


def _solve_with_crazy(course: Course, tell: Progress, threads: int) -> Solution:
    found: list[tuple[slice, Floats]] = []
    missing = legs_missing = 0.0
    sweeps = done = 0
    with ThreadPoolExecutor(threads) as pool:
        work = _Work(course, pool)
        for prospect in _prospects(course.racing):
            values = len(prospect.at_the_end)
            solved, still, turns = _settle(work, prospect, _part_of(tell, done, values, course.shape[2]))
            found.append((prospect.columns, solved))
            if prospect.added:
                legs_missing = still
            missing, sweeps, done = max(missing, still), max(sweeps, turns), done + values
    table = np.empty(course.shape)
    for columns, solved in found:
        table[:, :, columns] = solved.transpose(0, 2, 1)
    tell(1, 1)
    return Solution(course, table, _error(missing, float(table[..., -1].max()), legs_missing), sweeps)


def _part_of(tell: Progress, before: int, part: int, whole: int) -> Progress:
    """Tells of a part of the work as what it is of the whole, so much being done before."""
    return lambda done, total: tell(before * total + part * done, whole * total)


def _settle(work: _Work, prospect: _Prospect, tell: Progress) -> tuple[Floats, float, int]:
    """Sweep until next to nothing is missing: (values (S, V, P), the most that is missing, sweeps)."""
    sweep = _Sweep(work, prospect)
    settled = SETTLED if work.course.starts > SMALL else SETTLED_SMALL
    missing, turns = 1.0, 0
    while missing > settled:
        missing = sweep.run(missing)
        turns += 1
        if turns > MOST_SWEEPS:
            raise ArithmeticError(f"a race that does not settle in {MOST_SWEEPS} sweeps: the bound does not hold")
        tell(min(turns, SWEEPS), SWEEPS)
    return sweep.solved[:-1], missing, turns


class _Work:
    """The moves of a race with crazy camels, and the threads that share the work."""

    def __init__(self, course: Course, pool: ThreadPoolExecutor) -> None:
        self.course, self.pool = course, pool
        self.moves = _racing_moves(course)
        count, pair_count, _ = course.shape
        cuts = [count * piece // PIECES for piece in range(PIECES + 1)]
        self.pieces = list(pairwise(cuts))
        faces = 2 * FACES
        # Where a crazy camel carries others follows from the lowest of them and the number that it shows. Alone it
        # changes nothing, or ends the race.
        most_runs = FACES * course.racing + 1
        self.grey = (
            np.empty((count, pair_count, faces), np.uint16),
            np.empty((count, faces * pair_count), np.int32),
            np.zeros((count, most_runs, 2), np.int32),
        )
        self.run(grey_moves, [(*piece, course.track, *self.moves.names[:3], *self.grey) for piece in self.pieces])

    def run(self, kernel: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> list[Any]:
        """What a kernel returns for each of its tasks."""
        return [future.result() for future in [self.pool.submit(kernel, *task) for task in tasks]]


# Axes of a layer: S + 1 squads, D sets of dice, V values, P + 1 pairs, the last column of zeros.
class _Sweep:
    """One prospect at the starts of all legs: what is solved, and what is still missing to look one leg farther.

    A sweep moves what is missing to what is solved, in whole units, and finds what a leg makes of it. That comes in
    whole numbers, without any rounding, and the unit shrinks from sweep to sweep: so four bytes a number are enough.

    No sum overflows. With a unit of at least `missing / (MOST // ways)` no number of units exceeds `MOST // ways`,
    above or below 0. Each sum adds such numbers times ways, all of them positive and at most `ways` together, and so
    does each part of a sum: none exceeds MOST.
    """

    def __init__(self, work: _Work, prospect: _Prospect) -> None:
        self.work = work
        course = work.course
        count, pair_count, _ = course.shape
        values = len(prospect.at_the_end)
        self.value_after = _values_after(work.moves, values)
        self.dice = _Dice.of(course.racing)
        sets = max(map(len, self.dice.layers))
        self.without_grey, self.with_grey = (
            np.zeros((count + 1, sets, values, pair_count + 1), np.int32) for _ in range(2)
        )
        self.solved = np.zeros((count + 1, values, pair_count))
        self.missing = np.full((count + 1, values, pair_count), prospect.added)
        self.missing[-1] = prospect.at_the_end[:, None]
        self.ways = 2 * prod(FACES * reveal for reveal in range(course.undrawn + 1, course.racing + 2))

    def unit(self, most_missing: float) -> float:
        """The least power of two of which what is missing holds so few that no sum overflows."""
        return 2.0 ** ceil(log2(most_missing / (MOST // self.ways)))

    def run(self, most_missing: float) -> float:
        """One sweep; returns the most that is missing after it."""
        undrawn = self.work.course.undrawn
        unit = self.unit(most_missing)
        core_sweep.take_units(self.missing, unit, self.solved, self.without_grey)
        over = self.without_grey[-1, 0].copy()
        ways = 1
        for size, layer in enumerate(self.dice.layers):
            if size + 1 <= undrawn:
                continue
            # Where the leg is over, the numbers of units are the source; with the grey die each of them counts twice,
            # since it has six faces and a racing die three.
            leg_over = size <= undrawn
            if leg_over:
                tasks = [self._racing(self.without_grey, True, layer, 2, self.with_grey)]
            else:
                tasks = [
                    self._racing(self.without_grey, size - 1 <= undrawn, layer, 1, self.without_grey),
                    self._racing(self.with_grey, False, layer, 1, self.with_grey),
                ]
            self.work.run(core_sweep.reveal_racing, tasks)
            if not leg_over:
                ways *= FACES * size
                self.without_grey[-1] = over * ways
            self.work.run(core_sweep.reveal_grey, self._grey(leg_over, layer))
            self.with_grey[-1] = over * (ways * 2 * FACES * (size + 1))
        return float(core_sweep.add_leg(self.with_grey, unit / self.ways, self.missing))

    def _numbers(self, over: bool) -> Ints:
        """The number of each set of racing dice in its layer; if the leg is over then, there is a single one."""
        return np.zeros_like(self.dice.number) if over else self.dice.number

    def _racing(self, source: Sums, over: bool, layer: Ints, times: int, store: Sums) -> tuple[Any, ...]:
        moves, track = self.work.moves, self.work.course.track
        return (
            source, self._numbers(over), layer, moves.squad_after, moves.change, *moves.changes, self.value_after,
            track * (track + 1) // 2, track, times, store,
        )  # fmt: skip

    def _grey(self, over: bool, layer: Ints) -> list[tuple[Any, ...]]:
        set_after = np.ascontiguousarray(self._numbers(over)[self.work.moves.changes.dice[:, layer]])
        return [
            (self.without_grey, set_after, *self.work.grey, self.value_after, *piece, self.with_grey)
            for piece in self.work.pieces
        ]
