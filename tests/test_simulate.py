"""Simulated races: the same result whoever plays them, and the frequencies that exact odds expect."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from camelodds.board import Board
from camelodds.race import race_odds, simulated_race

START = "1:rb 2:g 3:yp 14:K 15:W"


def test_the_result_does_not_depend_on_the_threads():
    board = Board.parse(START)
    results = []
    for threads in (1, 2, 5):
        with ThreadPoolExecutor(threads) as executor:
            odds = simulated_race(board, games=100_000, seed=7, executor=executor)
        results.append((odds.wins.tolist(), odds.losses.tolist(), odds.legs, odds.stderr))
    assert results[0] == results[1] == results[2]


def test_a_seed_gives_one_result_and_another_seed_another():
    board = Board.parse(START)
    one, same, other = (simulated_race(board, games=20_000, seed=seed).wins.tolist() for seed in (1, 1, 2))
    assert one == same != other


def test_more_games_go_on_from_the_same_blocks():
    board = Board.parse("1:bg 2:wy 3:o", "first")
    few, many = (simulated_race(board, games=games, seed=4) for games in (1 << 14, 1 << 15))
    assert np.all(many.wins * many.games >= few.wins * few.games)


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        ("1:bg 2:wy 3:o", "first"),
        ("3:bg 5:w 9:yo +6 -11 / bw", "first"),
        ("3:bg 5:w 9:yo +6 -11 / bwo b+", "supercup"),
        ("16:b 9:gw 12:oy", "supercup"),
    ],
)
def test_frequencies_are_within_five_standard_errors(text, edition):
    exact = race_odds(text, edition)
    played = simulated_race(exact.board, games=400_000)
    assert np.abs(played.wins - exact.wins).max() <= 5 * played.stderr
    assert np.abs(played.losses - exact.losses).max() <= 5 * played.stderr
    assert abs(played.legs - exact.legs) <= 5 * played.legs_stderr


def test_standard_errors_are_those_of_the_frequencies():
    board = Board.parse("1:bg 2:wy 3:o", "first")
    exact = race_odds(board)
    runs = [simulated_race(board, games=4_000, seed=seed) for seed in range(200)]
    spread = np.std([run.wins for run in runs], axis=0)
    expected = np.sqrt(exact.wins * (1 - exact.wins) / 4_000)
    assert np.all(np.abs(spread / expected - 1) < 0.3)
    legs = np.std([run.legs for run in runs])
    assert abs(legs / runs[0].legs_stderr - 1) < 0.3


def test_a_race_that_is_over_is_not_played():
    board = Board.parse("5:r 9:K 12:W 15:by finish:gp / rb#")
    assert simulated_race(board, games=10).wins.tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("die", range(11))
def test_each_die_and_face_is_equally_likely(die):
    from camelodds.core.simulate import nth_die

    others = [other for other in range(11) if other != die]
    dice = sum(1 << other for other in others)
    assert [nth_die(dice, index) for index in range(10)] == others
