"""Simulated races: the same result whoever plays them, and the frequencies that exact odds expect."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from math import sqrt

import numpy as np
import pytest
import reference
from cases import RACES
from reference import EDITIONS

from camelodds.core.simulate import below, nth_die, what_moves
from camelodds.errors import RulesError
from camelodds.ev import counts, expectation, floor
from camelodds.ev.actions import action_table
from camelodds.game.game import Game
from camelodds.odds.race import race_odds, race_odds_many, simulated_race
from camelodds.odds.simulation import BLOCK, _blocks, play_races
from camelodds.position.board import Board
from camelodds.position.boards import die_table
from camelodds.position.rankings import ranking_names

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
    first, second = (block.run()[0] for block in _blocks(board, 2 * BLOCK, 4))
    assert first.tolist() != second.tolist()
    for games, counted in ((BLOCK, first), (2 * BLOCK, first + second)):
        played = simulated_race(board, games=games, seed=4)
        sums = [*(played.wins * games), *(played.losses * games), played.legs * games]
        assert sums == counted[: len(sums)].tolist()


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        *((case.text, case.edition) for case in RACES if case.edition == "first"),
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


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"stderr": 1e-200}, "more than 1,000,000,000 races"),
        ({"stderr": 1e-8}, "minutes"),
        ({"stderr": 0.0}, "between 0 and 1"),
        ({"stderr": float("nan")}, "between 0 and 1"),
        ({"stderr": "0.1"}, "between 0 and 1"),
        ({"games": 10**11}, "no more than 1,000,000,000 races, which take some ten minutes: not 100,000,000,000"),
        ({"games": 0}, "at least one"),
        ({"games": 1.5}, "whole number"),
        ({"games": float("inf")}, "whole number"),
        ({"games": True}, "whole number"),
        ({"seed": -1}, "a seed is a whole number from 0, not -1"),
        ({"seed": 0.5}, "whole number"),
        ({"games": 5, "stderr": 0.1}, "not both"),
    ],
)
def test_what_can_not_be_played_is_refused(asked, message):
    board = Board.parse(START)
    for call in (simulated_race, race_odds, lambda board, **asked: race_odds_many([board], **asked)):
        with pytest.raises(RulesError, match=message):
            call(board, **asked)


def test_numpy_numbers_are_numbers():
    board = Board.parse(START)
    assert simulated_race(board, games=np.int32(100), seed=np.uint8(3)).wins.tolist() == (
        simulated_race(board, games=100, seed=3).wins.tolist()
    )
    assert simulated_race(board, stderr=np.float32(0.05)).games == 100


def test_blocks_are_made_when_they_are_played():
    board = Board.parse(START)
    few = [block.seed.generate_state(4).tolist() for block in islice(_blocks(board, 10**9, 7), 3)]
    assert few == [seed.generate_state(4).tolist() for seed in np.random.SeedSequence(7).spawn(3)]
    assert [block.games for block in _blocks(board, 2 * BLOCK + 5, 7)] == [BLOCK, BLOCK, 5]


@pytest.mark.parametrize("die", range(11))
def test_dice_are_found_by_their_index(die):
    others = [other for other in range(11) if other != die]
    dice = sum(1 << other for other in others)
    assert [nth_die(dice, index) for index in range(10)] == others


@pytest.mark.parametrize(
    ("text", "edition"),
    [("1:bg 2:wy 3:o", "first"), (START, "second"), (START + " / rbgyp r+b+g+y+p+ #", "supercup-second")],
)
def test_each_die_and_face_is_equally_likely(text, edition):
    """As often as the reference's dice say, within five standard errors."""
    board, rules = Board.parse(text, edition), EDITIONS[edition]
    weights = Counter()
    for roll in reference.rolls(reference.read(text, rules), rules):
        weights[board.rules.dice[roll.die], board.rules.lanes[roll.camel], roll.spaces] += roll.weight
    faces, table = 6 * board.pyramid.bit_count(), die_table(board.rules)
    state = np.random.SeedSequence(3).generate_state(4).astype(np.int64)
    games, drawn = 500 * faces, Counter()
    for _ in range(games):
        chosen = below(faces, state)
        die = nth_die(board.pyramid, chosen // 6)
        drawn[1 << die, *what_moves(board.word, die, chosen % 6, table)] += 1
    assert sum(weights.values()) == faces
    assert drawn.keys() == weights.keys()
    for roll, weight in weights.items():
        share = weight / faces
        assert abs(drawn[roll] - share * games) <= 5 * sqrt(games * share * (1 - share)), roll


def test_the_same_race_sees_the_same_dice_on_every_board():
    board = Board.parse("1:bg 2:wy 3:o", "first")
    plain = play_races(board, 2 * BLOCK, endings=True).endings
    out_of_reach = play_races(board.with_tile(+14), 2 * BLOCK, endings=True).endings
    on_the_way = play_races(board.with_tile(+5), 2 * BLOCK, endings=True).endings
    assert len(plain) == 2 * BLOCK and np.array_equal(plain, out_of_reach)
    # Most races that a tile does not change end alike; races played apart agree in one of twenty.
    apart = play_races(board, 2 * BLOCK, seed=1, endings=True).endings
    assert np.mean(plain == on_the_way) > 3 * np.mean(plain == apart)


def test_endings_are_those_that_are_counted():
    board = Board.parse("1:bg 2:wy 3:o", "first")
    played = play_races(board, BLOCK, endings=True)
    names = ranking_names("bgoyw")
    firsts = Counter(names[ending][0] for ending in played.endings.tolist())
    assert [firsts[camel] / BLOCK for camel in "bgoyw"] == played.wins.tolist()
    assert len(play_races(board, BLOCK).endings) == 0


def test_what_a_tile_does_to_cards_is_simulated_on_both_boards_at_once(monkeypatch: pytest.MonkeyPatch):
    """Against the table of the 1st edition, within five standard errors."""
    text = "3:b 4:g 5:oyw / boyw | ana | ben | winner ana=w | loser ana=b | to_move ana"
    exact = {row.action: row for row in action_table(Game.parse(text, "first"))}
    for module in (counts, expectation, floor):
        monkeypatch.setattr(module, "races_are_simulated", lambda rules: True)
    rows = [row for row in action_table(Game.parse(text, "first")) if row.kind == "tile"]
    assert len(rows) == 24
    for row in rows:
        assert abs(row.ev - exact[row.action].ev) <= 5 * row.error + 1e-9
        assert row.error < 0.04
