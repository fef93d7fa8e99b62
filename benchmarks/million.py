"""A million different full 2nd-edition legs in one call: `python benchmarks/million.py [POSITIONS]`."""

from __future__ import annotations

import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import camelodds as co
from camelodds.position.boards import Boards


def different_starts(count: int, seed: int = 1) -> Boards:
    """So many different full pyramids: racing camels on 1 to 12, crazy ones on 5 to 16, stacked in any order."""
    rng = np.random.default_rng(seed)
    drawn = 2 * count
    spaces = np.concatenate([rng.integers(1, 13, (drawn, 5)), rng.integers(5, 17, (drawn, 2))], axis=1)
    before = rng.permuted(np.tile(np.arange(7), (drawn, 1)), axis=1)
    together = spaces[:, :, None] == spaces[:, None, :]
    levels = (together & (before[:, None, :] < before[:, :, None])).sum(axis=2)
    boards = Boards.from_columns(spaces, levels)
    _, first = np.unique(boards.word, return_index=True)
    return boards[rng.permutation(first)[:count]]


def peak() -> float:
    """The most memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    boards = different_starts(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    co.leg_odds_many(boards[:512])
    print(f"{len(boards):,} different positions; {peak():,.0f} MB before")
    share = boards[: len(boards) // 10]
    rates = []
    for threads, part in ((1, share), (2, share), (2, boards)):
        with ThreadPoolExecutor(threads) as executor:
            start = time.perf_counter()
            odds = co.leg_odds_many(part, executor=executor)
            rates.append(len(part) / (time.perf_counter() - start))
        answers = odds.nbytes / 2**20
        print(
            f"{threads} threads, {len(part):,}: {rates[-1]:,.0f} a second; {peak():,.0f} MB, answers {answers:,.0f} MB"
        )
    print(f"two threads are {rates[1] / rates[0]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
