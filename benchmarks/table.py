"""Measure and print the table that the README shows: `python benchmarks/table.py`.

All figures of one run belong together; the machine decides the rest, so compare ratios.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from cases import LEGS, TEN_DICE

import camelodds as co
from camelodds.odds.counting import count_legs
from camelodds.position.boards import Boards


def median(work: Callable[[], object], repeats: int) -> float:
    """Median seconds of one call."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def command_line(cache: str) -> float:
    """Seconds of one `camelodds odds` from its start to its answer, with compiled code kept in a folder."""
    command = [sys.executable, "-m", "camelodds", "odds", LEGS[2].text]
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    return once(lambda: subprocess.run(command, env=environment, capture_output=True, check=True))


def main() -> None:
    print("| full leg | merged moves | one leg | per merged move | reference / ours |")
    print("|---|---|---|---|---|")
    for case in LEGS:
        boards, moves = Boards.of([case.board]), co.leg_odds(case.board).moves
        seconds = median(lambda boards=boards: count_legs(boards), 301)
        ratio = once(case.by_reference) / seconds
        print(f"| {case.name} | {moves:,} | {seconds * 1e3:.3f} ms | {seconds / moves * 1e9:.1f} ns | {ratio:,.0f} |")
    boards, moves = Boards.of([TEN_DICE.board]), co.leg_odds(TEN_DICE.board).moves
    seconds = median(lambda: count_legs(boards), 5)
    print(f"| {TEN_DICE.name} | {moves:,} | {seconds * 1e3:.0f} ms | {seconds / moves * 1e9:.1f} ns | |")

    many = Boards.of([LEGS[2].board] * 20_480)
    rates = []
    for threads in (1, 2):
        with ThreadPoolExecutor(threads) as executor:
            rates.append(len(many) / once(lambda executor=executor: co.leg_odds_many(many, executor=executor)))
    print(
        f"\nMany full 2nd-edition legs: {rates[0]:,.0f} a second by one thread, by two {rates[1] / rates[0]:.2f} times."
    )

    loads = [once(lambda: subprocess.run([sys.executable, "-c", "import camelodds"], check=True)) for _ in range(5)]
    with tempfile.TemporaryDirectory() as cache:
        cold = command_line(cache)
        cached = statistics.median(command_line(cache) for _ in range(5))
    print(
        f"Python with `import camelodds` {statistics.median(loads):.2f} s; `camelodds odds` from start to answer",
        end=" ",
    )
    print(f"{cold:.1f} s the first time on a machine (it compiles), {cached:.2f} s from then on.")


if __name__ == "__main__":
    main()
