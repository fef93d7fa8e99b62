"""How fast the race's odds are: `pytest benchmarks/test_race_speed.py --benchmark-enable`.

The 2nd edition's rows need its table: `camelodds race-table build`; without it they are skipped.
"""

from __future__ import annotations

import pytest
from cases import RACES

from camelodds.odds.race import race_odds, simulated_race
from camelodds.odds.race_course import Course
from camelodds.odds.race_solver import solve
from camelodds.odds.race_table import table_at_hand
from camelodds.rules import FIRST, SECOND, SUPERCUP


@pytest.mark.parametrize("rules", [FIRST, SUPERCUP], ids=lambda rules: rules.name)
def test_solve(benchmark, rules):
    """1st edition: 0.3 s at most, after compiling."""
    solve(Course.of(rules))
    benchmark.pedantic(solve, args=[Course.of(rules)], rounds=3)


@pytest.mark.parametrize("case", RACES, ids=lambda case: case.name)
def test_odds(benchmark, case):
    """The start of a leg: 0.1 ms at most; a full leg of the 2nd edition with tiles: 6 ms."""
    if case.edition == "second" and table_at_hand(Course.of(SECOND)) is None:
        pytest.skip("no table of the 2nd edition")
    benchmark(race_odds, case.board)


@pytest.mark.parametrize("case", [RACES[0], RACES[2]], ids=lambda case: case.name)
def test_simulation(benchmark, case):
    """100,000 races on all processors; one processor plays 500,000 a second at least."""
    benchmark.pedantic(simulated_race, args=[case.board], kwargs={"games": 100_000}, rounds=5)
