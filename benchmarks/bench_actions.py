"""Measure the table of all actions of a game with five players: `python benchmarks/bench_actions.py`.

One thread, once warm; the smallest and the median processor time of 30 runs. Where no table of the race is at hand
(2nd edition: `camelodds race-table build`) finish cards are simulated, and the figures say so.
"""

from __future__ import annotations

import statistics
import time

from camelodds.ev.actions import action_table
from camelodds.game.game import Game
from camelodds.odds.policy import races_are_simulated

RUNS = 30
PLAYERS = "| ana money=4 {0}5 {1}3 | ben {0}3 | cy {1}5 | dan {2}5 | eve"
CARDS = "| winner ben=? cy={0} ana={1} | loser dan=? eve={2}"
FIRST = "1:bg 2:wy 3:o"
SECOND = "1:rb 2:g 3:yp 14:K 15:W"
CASES = [
    ("1st edition", "first", FIRST, "bgo", 10),
    ("1st edition, finish cards", "first", FIRST, "bgo", 20),
    ("2nd edition", "second", SECOND, "rbg", 40),
    ("2nd edition, finish cards", "second", SECOND, "rbg", 150),
    ("Supercup", "supercup", FIRST, "bgo", 60),
    ("Supercup, a photographer", "supercup", FIRST, "bgo", 60),
]


def main() -> None:
    """Print a line for each case, with what it should take at most."""
    for name, edition, board, colours, most in CASES:
        text = f"{board} {PLAYERS}".format(*colours)
        if name.endswith("finish cards"):
            text += CARDS.format(*colours)
        if name.endswith("photographer"):
            text += "| photographer ben=9"
        game = Game.parse(text, edition)
        rows = action_table(game, "ana")
        tiles = sum(row.kind == "tile" for row in rows)
        times = []
        for _ in range(RUNS):
            start = time.thread_time()
            action_table(game, "ana")
            times.append(1e3 * (time.thread_time() - start))
        race = "simulated" if races_are_simulated(game.rules) else "table"
        print(
            f"{name:28} {len(rows):3} actions, {tiles:2} tiles, race {race:9}"
            f" {min(times):7.1f} ms {statistics.median(times):7.1f} ms, at most {most} ms"
        )


if __name__ == "__main__":
    main()
