"""Steady state of the leg core: `pytest benchmarks --benchmark-enable`. Nothing here asserts a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cases import LEGS, TEN_DICE, Case

import camelodds as co
from camelodds.odds.counting import count_legs
from camelodds.position.boards import Boards


@pytest.mark.parametrize("case", [*LEGS, TEN_DICE], ids=lambda case: case.name)
def test_leg_core(case: Case, benchmark: Any) -> None:
    boards = Boards.of([case.board])
    benchmark.extra_info["merged moves"] = co.leg_odds(case.board).moves
    benchmark(count_legs, boards)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_legs(threads: int, benchmark: Any) -> None:
    boards = Boards.of([LEGS[2].board] * 2048)
    with ThreadPoolExecutor(threads) as executor:
        benchmark(lambda: co.leg_odds_many(boards, executor=executor))
