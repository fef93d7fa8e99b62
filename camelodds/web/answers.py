"""Answers, each worked out once: equal requests share one, and quick ones never wait for slow ones."""

from __future__ import annotations

import asyncio
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, Final

from camelodds.game.game import Game
from camelodds.odds.leg import leg_odds
from camelodds.odds.race_course import Course
from camelodds.odds.race_table import TableError, solved_on_use, table_at_hand
from camelodds.position.board import Board
from camelodds.rules import Rules

KEPT: Final = 2_000
"""Answers that are remembered, some 10 kB each."""
WAITING: Final = 200
"""Different slow answers that may be under way or waiting at once."""

QUICK_MOVES: Final = 500_000
"""Merged moves below which others wait for a leg: some milliseconds."""

EXAMPLE: Final = "1:rb 2:g 3:yp 14:K 15:W"

Work = Callable[[], dict[str, Any]]


class BusyError(Exception):
    """Too many requests wait already."""


class Answers:
    """Works out answers in threads and remembers the last ones; nothing is written anywhere."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, bytes] = OrderedDict()
        self._under_way: dict[object, asyncio.Future[bytes]] = {}
        self._quick = ThreadPoolExecutor(1, "quick")
        self._slow = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "slow")
        self._ready: dict[Course, Event] = {}

    def prepare(self, played: Iterable[Rules]) -> None:
        """Begin to load the kernels and to solve in memory what is small, so that no request has to."""
        self._quick.submit(_load_kernels)
        courses = {Course.of(rules) for rules in played}
        for course in sorted(filter(solved_on_use, courses), key=lambda course: course.starts):
            self._ready[course] = Event()
            self._slow.submit(_open_table, course, self._ready[course])

    def close(self) -> None:
        """Give up what waits."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)

    async def quick(self, work: Work) -> bytes:
        """An answer that takes a millisecond or so."""
        return await asyncio.get_running_loop().run_in_executor(self._quick, _encoded, work)

    async def slow(self, key: object, game: Game, work: Work) -> bytes:
        """An answer that takes longer, remembered under a key. Raises BusyError."""
        return await self._once(key, self._slow, lambda: self._when_ready(game, work))

    async def leg(self, key: object, moves: int, work: Work) -> bytes:
        """An answer that takes so many merged moves, remembered under a key. Raises BusyError."""
        return await self._once(key, self._quick if moves < QUICK_MOVES else self._slow, work)

    async def _once(self, key: object, pool: ThreadPoolExecutor, work: Work) -> bytes:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._under_way:
            if len(self._under_way) >= WAITING:
                raise BusyError
            future = asyncio.get_running_loop().run_in_executor(pool, _encoded, work)
            self._under_way[key] = future
            future.add_done_callback(lambda done: self._finished(key, done))
        # One reader who leaves must not take the answer from the others who wait for it.
        return await asyncio.shield(self._under_way[key])

    def _finished(self, key: object, done: asyncio.Future[bytes]) -> None:
        del self._under_way[key]
        if not done.cancelled() and done.exception() is None:
            self._kept[key] = done.result()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def _when_ready(self, game: Game, work: Work) -> dict[str, Any]:
        """Wait for the table that is being solved, so that this request does not solve it as well."""
        event = self._ready.get(Course.of(game.rules))
        if event:
            event.wait()
        return work()


def _encoded(work: Work) -> bytes:
    return json.dumps(work(), separators=(",", ":")).encode()


def _open_table(course: Course, ready: Event) -> None:
    try:
        table_at_hand(course)
    except TableError:  # said again to everyone who asks for it
        pass
    finally:
        ready.set()


def _load_kernels() -> None:
    board = Board.parse(EXAMPLE)
    assert leg_odds(board).total
    board.roll("r", 1)
