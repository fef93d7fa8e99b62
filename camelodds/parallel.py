"""Work on many pieces at once, in order and in bounded memory; long work that may be given up between two pieces."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from os import cpu_count
from typing import Final, TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")

WINDOW: Final = 64
"""Pieces that are under way or wait to be fetched at any time."""

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def stoppable(check: Callable[[], None]) -> Iterator[None]:
    """Let long work inside the block be given up: `check` is called between its pieces, and may raise.

    A kernel cannot be ended from outside, so who waits for it in vain would have to wait until it has done all.
    """
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def is_stoppable() -> bool:
    """Whether the work under way may be given up, so that it is worth cutting into smaller pieces."""
    return _check.get() is not None


def go_on() -> None:
    """Raise what the check of `stoppable` raises, if the work under way is no longer wanted."""
    check = _check.get()
    if check is not None:
        check()


def spread(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], executor: Executor | None = None
) -> Iterator[Result]:
    """What `work` makes of each piece, in the order of the pieces.

    executor : any executor; by default one thread per processor. No more than WINDOW pieces are out at a time, so that
        neither the pieces nor the results pile up. Raises what `work` raises for the first piece that it fails on.
    """
    if executor is None:
        with ThreadPoolExecutor(cpu_count()) as threads:
            yield from spread(work, pieces, threads)
        return
    waiting: deque[Future[Result]] = deque()
    try:
        for piece in pieces:
            go_on()
            waiting.append(executor.submit(work, piece))
            if len(waiting) >= WINDOW:
                yield waiting.popleft().result()
        while waiting:
            go_on()
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
