"""Solving the race from every start of a leg: sweeps and threads over the kernels of `core.race`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.core import race as core
from camelodds.core.starts import FACES, Changes, Names, changes, grey_moves, names, racing_moves
from camelodds.odds.race_course import Course
from camelodds.progress import Progress, silent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SETTLED = 2e-11
"""The largest change in the last sweep, of probabilities and of legs."""
SETTLED_SMALL = 5e-14
"""The same for up to so many leg starts, where a sweep costs little."""
SMALL = 100_000
PIECES = 16
ROUNDING = 2.0**-44
"""Beyond what the sums of one leg can lose, relatively: each of its six reveals adds less than 50 terms."""
SWEEPS = 15
"""How many sweeps the 2nd edition needs; only to tell how far the work is."""


@dataclass(frozen=True)
class Solution:
    """The race from every leg's start.

    table : float64 (S, P, 2 * C + 1): squad, pair of places; each rank's probability to win, then to come last, rank 0
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


def _error(sweep: float, legs: float, leg_change: float) -> float:
    """A bound on the distance from the fixed point, after a sweep whose largest change was `sweep`.

    A sweep x -> L x + c with L >= 0 leaves the error L (I - L)^-1 times the change, and (I - L)^-1 1 is the expected
    number of legs. So that of the legs bounds itself: most legs <= legs found / (1 - their change).
    """
    most_legs = legs / (1.0 - leg_change)
    return sweep * (most_legs - 1.0) + ROUNDING * most_legs * most_legs


def _solve_upward(course: Course, tell: Progress) -> Solution:
    moves = _racing_moves(course)
    racing = course.racing
    table = np.empty(course.shape)
    sets = (1 << racing) * (racing + 1 if course.support else 1)
    full = (1 << racing) - 1 | (1 << racing if course.support else 0)
    for done, prospect in enumerate(_prospects(racing)):
        held = np.zeros((course.shape[0] + 1, sets, len(prospect.at_the_end)))
        held[-1] = prospect.at_the_end
        core.pass_down(
            moves.squad_after, moves.change, moves.changes.rank, moves.changes.dice,
            _values_after(moves, held.shape[2]), course.undrawn, course.support, prospect.added, held,
        )  # fmt: skip
        table[:, 0, prospect.columns] = held[:-1, full]
        tell(done + 1, 3)
    return Solution(course, table, _error(0.0, float(table[..., -1].max()), 0.0), 1)


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
    table = np.empty(course.shape)
    legs = leg_change = error = 0.0
    sweeps = done = 0
    with ThreadPoolExecutor(threads) as pool:
        work = _Work(course, pool, threads)
        for prospect in _prospects(course.racing):
            values = len(prospect.at_the_end)
            change, turns = _settle(work, prospect, table, _part_of(tell, done, values, course.shape[2]))
            if prospect.added:
                legs, leg_change = float(table[..., -1].max()), change
            error = max(error, _error(change, legs, leg_change))
            sweeps = max(sweeps, turns)
            done += values
    tell(1, 1)
    return Solution(course, table, error, sweeps)


def _part_of(tell: Progress, before: int, part: int, whole: int) -> Progress:
    """Tells of a part of the work as what it is of the whole, so much being done before."""
    return lambda done, total: tell(before * total + part * done, whole * total)


def _settle(work: _Work, prospect: _Prospect, table: Floats, tell: Progress) -> tuple[float, int]:
    """Sweep until next to nothing changes, and write the values: (largest change of the last sweep, sweeps)."""
    sweep = _Sweep(work, prospect)
    settled = SETTLED if work.course.starts > SMALL else SETTLED_SMALL
    change, turns = 1.0, 0
    while change > settled:
        change = sweep.run()
        turns += 1
        tell(min(turns, SWEEPS), SWEEPS)
    table[:, :, prospect.columns] = sweep.solved[:-1, 0].transpose(0, 2, 1)
    return change, turns


class _Work:
    """The moves of a race with crazy camels, and the threads that share the work."""

    def __init__(self, course: Course, pool: ThreadPoolExecutor, threads: int) -> None:
        self.course, self.pool = course, pool
        self.moves = _racing_moves(course)
        count, pair_count, _ = course.shape
        cuts = [count * piece // PIECES for piece in range(PIECES + 1)]
        self.pieces = list(pairwise(cuts))
        self.grey = np.empty((count, 2 * FACES * pair_count), np.int64), np.empty(count, np.int64)
        self.run(grey_moves, [(*piece, course.track, *self.moves.names[:3], *self.grey) for piece in self.pieces])
        self.parts = [(True, True)] if threads <= 2 else [(True, False), (False, True)]

    def run(self, kernel: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> list[Any]:
        """What a kernel returns for each of its tasks."""
        return [future.result() for future in [self.pool.submit(kernel, *task) for task in tasks]]


# Axes of a layer: S + 1 squads, D sets of dice, V values, P pairs.
class _Sweep:
    """One prospect at the starts of all legs, and what it takes to look one leg farther."""

    def __init__(self, work: _Work, prospect: _Prospect) -> None:
        self.work, self.added = work, prospect.added
        count, pair_count, _ = work.course.shape
        values = len(prospect.at_the_end)
        self.value_after = _values_after(work.moves, values)
        self.dice = _Dice.of(work.course.racing)
        sets = max(map(len, self.dice.layers))
        self.without_grey, self.with_grey, self.solved = (
            np.empty((count + 1, size, values, pair_count)) for size in (sets, sets, 1)
        )
        for layer in (self.without_grey, self.with_grey):
            layer[-1] = prospect.at_the_end[:, None]
        self.solved[:] = prospect.at_the_end[:, None]

    def run(self) -> float:
        """One sweep; returns the largest change."""
        undrawn = self.work.course.undrawn
        for size, layer in enumerate(self.dice.layers):
            tasks = []
            if size > undrawn:
                tasks += self._racing(self.without_grey, size - 1 <= undrawn, layer, size)
            if size + 1 > undrawn:
                tasks += self._racing(self.with_grey, size <= undrawn, layer, size + 1)
            self.work.run(core.reveal_racing, tasks)
            if size + 1 > undrawn:
                self.work.run(core.reveal_grey, self._grey(size <= undrawn, layer, size + 1))
        tasks = [(self.with_grey, self.added, *piece, self.solved) for piece in self.work.pieces]
        return float(max(self.work.run(core.settle, tasks)))

    def _numbers(self, over: bool) -> Ints:
        """The number of each set of racing dice in its layer; if the leg is over then, there is a single one."""
        return np.zeros_like(self.dice.number) if over else self.dice.number

    def _racing(self, store: Floats, over: bool, layer: Ints, dice_left: int) -> list[tuple[Any, ...]]:
        moves, source = self.work.moves, self.solved if over else store
        return [
            (
                source, self._numbers(over), layer, moves.squad_after, moves.change, *moves.changes, self.value_after,
                self.work.course.track, *part, 1.0 / (FACES * dice_left), store,
            )
            for part in self.work.parts
        ]  # fmt: skip

    def _grey(self, over: bool, layer: Ints, dice_left: int) -> list[tuple[Any, ...]]:
        source = self.solved if over else self.without_grey
        set_after = np.ascontiguousarray(self._numbers(over)[self.work.moves.changes.dice[:, layer]])
        share = 1.0 / (2 * FACES * dice_left)
        return [
            (source, set_after, *self.work.grey, self.value_after, share, *piece, self.with_grey)
            for piece in self.work.pieces
        ]
