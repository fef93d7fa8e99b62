"""How far long work is: every `progress=` of the package takes the same function, or True for a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

Progress = Callable[[int, int], None]
"""Called now and then with what is done and what there is to do in all. What it raises ends the work."""


def silent(done: int, total: int) -> None:
    """The progress of work that nobody watches."""


@contextmanager
def reporting(progress: Progress | bool | None, what: str) -> Iterator[Progress]:
    """The function that long work calls to say how far it is.

    Parameters
    ----------
    progress : callable, bool or None
        A function of what is done and of all there is to do; True for a bar on standard error; None or False for
        nothing.
    what : str
        What the bar counts, such as "games".

    Examples
    --------
    >>> with reporting(print, "games") as tell:
    ...     tell(1, 2)
    1 2
    """
    if callable(progress):
        yield progress
    elif progress:
        with bar(what) as shown:
            yield shown
    else:
        yield silent


@contextmanager
def bar(what: str) -> Iterator[Progress]:
    """A progress bar on standard error with the time left, as a function to be called with what is done and the total.

    It is shown from the first call on: an error before any work is done does not follow an empty bar.
    """
    with ExitStack() as stack:
        advance: Progress | None = None

        def tell(done: int, total: int) -> None:
            nonlocal advance
            advance = advance or _drawn(what, stack)
            advance(done, total)

        yield tell


def _drawn(what: str, stack: ExitStack) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    drawn = stack.enter_context(Progress(*columns, console=Console(stderr=True)))
    task = drawn.add_task(what, total=None)
    return lambda done, total: drawn.update(task, completed=done, total=total)
