"""Work on many pieces at once, in order and in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from os import cpu_count
from typing import Final, TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")

WINDOW: Final = 64
"""Pieces that are under way or wait to be fetched at any time."""


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
            waiting.append(executor.submit(work, piece))
            if len(waiting) >= WINDOW:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
