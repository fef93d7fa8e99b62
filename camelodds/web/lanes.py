"""Work in threads, shared out: a client has its share, and what nobody waits for any more is dropped."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event, get_native_id
from typing import Any, Final

from camelodds.parallel import stoppable

WAITING: Final = 400
"""Pieces of work that may wait in one lane."""
EACH: Final = 100
"""How many of them may be one client's; a whole room behind one address has these in common."""

NICE: Final = 10
"""How far threads that give way stand back: of a processor for two they then get about a tenth."""

Work = Callable[[], Any]


class BusyError(Exception):
    """Too many requests wait already."""


class DroppedError(Exception):
    """Nobody waits for this work any more."""


class Job:
    """Work that one or more clients wait for. `result` is done in the loop of its lane."""

    def __init__(self, client: str, work: Work, result: asyncio.Future[Any]) -> None:
        self.client, self.work, self.result = client, work, result
        self.waiters = 0
        self._dropped = Event()

    async def wait(self) -> Any:
        """The result. Who is cancelled while waiting leaves; when the last one has left the work is dropped."""
        self.waiters += 1
        try:
            return await asyncio.shield(self.result)
        finally:
            self.waiters -= 1
            if not self.waiters and not self.result.done():
                self._dropped.set()

    @property
    def dropped(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._dropped.is_set()

    def run(self) -> Any:
        """Do the work; between its pieces see whether it is still wanted. Raises DroppedError."""
        with stoppable(self._go_on):
            self._go_on()
            return self.work()

    def _go_on(self) -> None:
        if self.dropped:
            raise DroppedError


class Lane:
    """Threads for one kind of work. Clients take turns, however much one of them asks for.

    slots : threads     share : how many of them one client may have at once
    gives_way : whether its threads leave the processor to others, so that taps are told on while slow work goes on
    """

    def __init__(self, name: str, slots: int, share: int, gives_way: bool = False) -> None:
        self.slots, self.share = slots, share
        self.under_way: Counter[str] = Counter()
        self._pool = ThreadPoolExecutor(slots, name, _give_way if gives_way else None)
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        return sum(map(len, self._queues.values()))

    def add(self, client: str, work: Work) -> Job:
        """Work to be done when it is the client's turn. Raises BusyError."""
        self._forget_dropped()
        mine = self._queues.get(client, ())
        if len(mine) >= EACH or self.waiting >= WAITING:
            raise BusyError
        job = Job(client, work, asyncio.get_running_loop().create_future())
        self._queues.setdefault(client, deque()).append(job)
        # Whoever adds a job begins to wait for it before the loop comes to this.
        asyncio.get_running_loop().call_soon(self._begin)
        return job

    def close(self) -> None:
        """Give up what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        """Let work begin as long as there are threads, one job of each client in turn."""
        while self.under_way.total() < self.slots:
            client = next((each for each in self._queues if self.under_way[each] < self.share), None)
            if client is None:
                return
            queue = self._queues.pop(client)
            job = queue.popleft()
            if queue:
                self._queues[client] = queue  # at the end: its turn comes again after those of the others
            if job.dropped:
                job.result.cancel()
                continue
            self.under_way[client] += 1
            done = asyncio.get_running_loop().run_in_executor(self._pool, job.run)
            done.add_done_callback(partial(self._finished, job))

    def _finished(self, job: Job, done: asyncio.Future[Any]) -> None:
        self.under_way[job.client] -= 1
        self.under_way += Counter()  # which drops the zeros
        if not job.result.done():
            error = None if done.cancelled() else done.exception()
            if done.cancelled() or isinstance(error, DroppedError):
                job.result.cancel()
            elif error:
                job.result.set_exception(error)
                job.result.exception()  # seen, even if all who waited have left
            else:
                job.result.set_result(done.result())
        self._begin()

    def _forget_dropped(self) -> None:
        for client, queue in list(self._queues.items()):
            for job in queue:
                if job.dropped:
                    job.result.cancel()
            left = deque(job for job in queue if not job.dropped)
            if left:
                self._queues[client] = left
            else:
                del self._queues[client]


def _give_way() -> None:
    """Lower the priority of the thread that this runs in; only Linux has one for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), NICE)
