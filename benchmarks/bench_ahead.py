"""Measure the look-ahead to the leg's end: `python benchmarks/bench_ahead.py`.

One thread, once warm; the smallest and the median processor time of a few runs, and how much there is to solve.
"""

from __future__ import annotations

import statistics
import time

from cases import LEGS, MID_LEG

from camelodds.ev.plan import MOST_BYTES, plan

RUNS = 7
PLAYERS = 5


def main() -> None:
    """Print a line for each position, all tickets on their stacks."""
    print(f"{PLAYERS} players, at most {MOST_BYTES / 1e9:.0f} GB of values")
    for case in [*LEGS, *MID_LEG]:
        board = case.board
        stacks = [board.rules.tickets] * len(board.rules.racing)
        found = plan(board, stacks, PLAYERS)
        times = []
        for _ in range(RUNS):
            start = time.thread_time()
            plan(board, stacks, PLAYERS)
            times.append(1e3 * (time.thread_time() - start))
        states = sum(len(layer.gone) for layer in found.layers)
        print(
            f"{case.name:32} {found.groups.boards:7,} boards, {len(found.groups.scale):6,} different"
            f" x {states:5,} states {min(times):8.1f} ms {statistics.median(times):8.1f} ms"
        )


if __name__ == "__main__":
    main()
