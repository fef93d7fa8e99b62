"""Measure a tournament of five greedy bots, 1st edition: `python benchmarks/bench_tournament.py [GAMES] [WORKERS]`.

The aim: 1,000 games in at most 10 minutes on two processors. Starting the workers is in the figure, compiling is not.
"""

from __future__ import annotations

import sys
import time

from camelodds.play.tournament import tournament


def main(games: int = 100, workers: int = 2) -> None:
    """Print the time, the time per game, and what was won."""
    tournament(["greedy"] * 5, 5, workers=1)
    start = time.perf_counter()
    found = tournament(["greedy"] * 5, games, seed=1, workers=workers)
    took = time.perf_counter() - start
    mean = found.standings[0]
    print(f"{found.games} games, {workers} workers: {took:.1f} s, {1e3 * took / found.games:.0f} ms a game")
    print(f"each bot has {mean.money:.2f} pounds, from {mean.money_low:.2f} to {mean.money_high:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
