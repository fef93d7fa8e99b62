"""How fast the race's odds are: `pytest benchmarks/test_race_speed.py --benchmark-enable`.

The 2nd edition's rows need its table: `camelodds race-table build`; without it they are skipped.
"""

from __future__ import annotations

import pytest

from camelodds.odds.race import race_odds, simulated_race
from camelodds.odds.race_course import Course
from camelodds.odds.race_solver import solve
from camelodds.odds.race_table import table_at_hand
from camelodds.position.board import Board
from camelodds.rules import FIRST, SECOND, SUPERCUP

FIRST_START = "1:bg 2:wy 3:o"
SECOND_START = "1:rb 2:g 3:yp 14:K 15:W"


@pytest.mark.parametrize("rules", [FIRST, SUPERCUP], ids=lambda rules: rules.name)
def test_solve(benchmark, rules):
    """1st edition: 0.3 s at most, after compiling."""
    solve(Course.of(rules))
    benchmark.pedantic(solve, args=[Course.of(rules)], rounds=3)


@pytest.mark.parametrize(
    ("edition", "text"),
    [
        ("first", FIRST_START),
        ("second", SECOND_START),
        ("first", FIRST_START + " +5 -7"),
        ("second", SECOND_START + " +5 -7"),
        ("second", "8:rb 9:g 10:Wy 12:p 13:K +11 -7"),
    ],
)
def test_odds(benchmark, edition, text):
    """The start of a leg: 0.1 ms at most; a full leg of the 2nd edition with tiles: 6 ms."""
    board = Board.parse(text, edition)
    if edition == "second" and table_at_hand(Course.of(SECOND)) is None:
        pytest.skip("no table of the 2nd edition")
    benchmark(race_odds, board)


@pytest.mark.parametrize(("edition", "text"), [("first", FIRST_START), ("second", SECOND_START)])
def test_simulation(benchmark, edition, text):
    """100,000 races on all processors; one processor plays 500,000 a second at least."""
    benchmark.pedantic(simulated_race, args=[Board.parse(text, edition)], kwargs={"games": 100_000}, rounds=5)
