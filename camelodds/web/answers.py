"""Answers, each worked out once: equal requests share one, and quick ones never wait for slow ones."""

from __future__ import annotations

import asyncio
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final

from camelodds.odds.leg import leg_odds
from camelodds.odds.race_course import Course
from camelodds.odds.race_table import TableError, solved_on_use, table_at_hand
from camelodds.position.board import Board
from camelodds.rules import SECOND, Rules
from camelodds.web.lanes import BusyError, Job, Lane

__all__ = ["Answers", "BusyError", "Work"]

KEPT: Final = 2_000
"""Answers that are remembered, some 10 kB each."""
QUICK_MOVES: Final = 500_000
"""Merged moves below which others wait for a leg: some milliseconds."""

EXAMPLE: Final = "1:rb 2:g 3:yp 14:K 15:W"

Work = Callable[[], Any]


class Answers:
    """Works out answers in threads and remembers the last ones; nothing is written anywhere."""

    def __init__(self) -> None:
        processors = max(2, os.cpu_count() or 1)
        self.quick_lane = Lane("quick", 1, 1)
        self.leg_lane = Lane("legs", 2, 1)
        # One thread more than a client may have, so that there is always one for the others.
        self.slow_lane = Lane("slow", processors + 1, processors, gives_way=True)
        self._preparing = ThreadPoolExecutor(1, "preparing")
        self._kept: OrderedDict[object, bytes] = OrderedDict()
        self._under_way: dict[object, Job] = {}
        self._ready: dict[Course, asyncio.Future[None]] = {}

    def prepare(self, played: Iterable[Rules]) -> None:
        """Begin to load the kernels and to solve in memory what is small, so that no request has to.

        The default edition comes first: whoever opens the page sees it, and must not wait for the others.
        """
        loop = asyncio.get_running_loop()
        self._preparing.submit(_load_kernels)
        courses = {Course.of(rules) for rules in played} - {Course.of(SECOND)}
        for course in sorted(filter(solved_on_use, courses), key=lambda course: course.starts):
            self._ready[course] = loop.run_in_executor(self._preparing, _open_table, course)

    def close(self) -> None:
        """Give up what waits."""
        self._preparing.shutdown(wait=False, cancel_futures=True)
        for lane in (self.quick_lane, self.leg_lane, self.slow_lane):
            lane.close()

    async def quick(self, client: str, work: Work) -> bytes:
        """An answer that takes a millisecond or so. Raises BusyError."""
        answer: bytes = await self.quick_lane.add(client, lambda: _encoded(work())).wait()
        return answer

    async def slow(self, client: str, key: object, rules: Rules, work: Work) -> bytes:
        """An answer that takes longer, remembered under a key. Raises BusyError."""
        if key not in self._kept and (ready := self._ready.get(Course.of(rules))):
            # The table is being solved: without this the request would solve it as well.
            await asyncio.shield(ready)
        return await self._once(client, key, self.slow_lane, work)

    async def leg(self, client: str, key: object, moves: int, work: Work) -> bytes:
        """An answer that takes so many merged moves, remembered under a key. Raises BusyError."""
        return await self._once(client, key, self.quick_lane if moves < QUICK_MOVES else self.leg_lane, work)

    async def _once(self, client: str, key: object, lane: Lane, work: Work) -> bytes:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        job = self._under_way.get(key)
        if job is None or job.dropped:
            job = self._under_way[key] = lane.add(client, lambda: _encoded(work()))
            job.result.add_done_callback(partial(self._finished, key, job))
        answer: bytes = await job.wait()
        return answer

    def _finished(self, key: object, job: Job, done: asyncio.Future[bytes]) -> None:
        if self._under_way.get(key) is job:
            del self._under_way[key]
        if not done.cancelled() and done.exception() is None:
            self._kept[key] = done.result()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _encoded(answer: Any) -> bytes:
    return json.dumps(answer, separators=(",", ":")).encode()


def _open_table(course: Course) -> None:
    with suppress(TableError):  # said again to everyone who asks for it
        table_at_hand(course)


def _load_kernels() -> None:
    from camelodds.ev.actions import action_table
    from camelodds.game.game import Game

    board = Board.parse(EXAMPLE)
    assert leg_odds(board).total
    assert action_table(Game.parse(f"{EXAMPLE} / rg | you | to_move you"))
