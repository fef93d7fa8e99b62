"""What must hold for every leg, whatever the numbers (README, "Why trust it")."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import camelodds as co
from camelodds.position.boards import Boards
from camelodds.position.rankings import ranking_names
from camelodds.testing import boards


@given(board=boards(max_reveals=4))
def test_counts_sum_to_the_total(board: co.Board) -> None:
    leg = co.leg_odds(board)
    assert leg.joint.min() >= 0
    assert leg.joint.sum() == leg.total == leg.ends.weights.sum()
    assert (leg.counts.sum(axis=0) == leg.total).all()
    assert (leg.counts.sum(axis=1) == leg.total).all()
    assert sum(leg.p(camel, 1) for camel in board.rules.racing) == 1


@given(board=boards(max_reveals=4), data=st.data())
def test_renaming_colours_renames_the_answer(board: co.Board, data: st.DataObject) -> None:
    racing = board.rules.racing
    renamed = str.maketrans(racing, "".join(data.draw(st.permutations(racing))))
    stacks = {space: stack.translate(renamed) for space, stack in board.stacks.items()}
    dice = [sign.translate(renamed) for sign in board.dice]
    other = co.leg_odds(co.Board.of(stacks, dice=dice, tiles=board.tiles, edition=board.rules))
    leg = co.leg_odds(board)
    for lane, camel in enumerate(racing):
        assert (other.counts[racing.index(camel.translate(renamed))] == leg.counts[lane]).all()
    assert (other.landing_weights == leg.landing_weights).all()


@given(board=boards("second", max_reveals=4))
def test_white_and_black_swapped_change_nothing(board: co.Board) -> None:
    swapped = {space: stack.translate(str.maketrans("WK", "KW")) for space, stack in board.stacks.items()}
    other = co.Board.of(swapped, dice=board.dice, tiles=board.tiles, edition="second")
    leg, again = co.leg_odds(board), co.leg_odds(other)
    assert (leg.joint == again.joint).all()
    assert (leg.landing_weights == again.landing_weights).all()


@given(board=boards("second", max_reveals=4, lowest=12, highest=16), by=st.integers(-4, 4))
def test_the_board_moved_along_a_long_track_changes_nothing(board: co.Board, by: int) -> None:
    long = co.EDITIONS["second"].with_changes(track=28)
    moved = []
    for shift in (0, by):
        stacks = {space + shift: stack for space, stack in board.stacks.items()}
        tiles = [(tile.space + shift, tile.side) for tile in board.tiles if tile.space >= 8]
        moved.append(co.leg_odds(co.Board.of(stacks, dice=board.dice, tiles=tiles, edition=long)))
    assume(not moved[0].race_ends and not moved[1].race_ends)
    assert (moved[0].joint == moved[1].joint).all()


@given(board=boards(min_reveals=1, max_reveals=4))
def test_law_of_total_probability_over_the_next_roll(board: co.Board) -> None:
    leg = co.leg_odds(board)
    dice = len(board.dice)
    joint = np.zeros(leg.joint.shape, dtype=object)
    for roll in board.rolls():
        after = co.leg_odds(board.roll(roll.shows, roll.number))
        share = Fraction(roll.weight, 6 * dice * after.total)
        joint += after.joint.astype(object) * share
    assert (joint == leg.joint.astype(object) * Fraction(1, leg.total)).all()


@given(board=boards("first", max_reveals=5, tiles=False, highest=4), side=st.sampled_from([1, -1]))
def test_a_tile_out_of_reach_changes_nothing(board: co.Board, side: int) -> None:
    rules = co.EDITIONS["first"].with_changes(track=28)
    far = co.Board.of(board.stacks, dice=board.dice, tiles=[(24, side)], edition=rules)
    near = co.Board.of(board.stacks, dice=board.dice, edition=rules)
    assert (co.leg_odds(far).joint == co.leg_odds(near).joint).all()
    assert co.leg_odds(far).landing(24) == 0


@given(many=st.lists(boards("second", max_reveals=3), max_size=6))
def test_a_batch_equals_one_by_one(many: list[co.Board]) -> None:
    odds = co.leg_odds_many(many, "second")
    assert odds.shape == (len(many), 5, 5)
    for board, row in zip(many, odds, strict=True):
        assert (row == co.leg_odds(board).probabilities).all()


def test_many_in_every_form_and_by_every_executor() -> None:
    texts = ["1:rb 2:g 3:yp 14:K 15:W", "1:rb 2:g 3:yp 14:K 15:W +5 -9 / rg#", "2:yp 3:K 9:g finish:rWb / bgyp#"]
    expected = np.stack([co.leg_odds(text).probabilities for text in texts])
    boards = [co.Board.parse(text) for text in texts]
    column = pd.Series(texts, index=[7, 8, 9])
    for form in (texts, boards, column, pd.Series(boards), iter(texts), Boards.of(texts), np.array(texts)):
        assert (co.leg_odds_many(form) == expected).all()
    for executor in (ThreadPoolExecutor(1), ThreadPoolExecutor(3), ProcessPoolExecutor(1)):
        with executor:
            assert (co.leg_odds_many(texts * 600, executor=executor) == np.tile(expected, (600, 1, 1))).all()
    assert co.leg_odds_many([]).shape == (0, 5, 5)


def test_many_name_the_board_at_fault() -> None:
    with pytest.raises(co.NotationError, match=r"board 1: .*twice"):
        co.leg_odds_many(["1:rb 2:g 3:yp 14:K 15:W", "1:rb 2:gr 3:yp 14:K 15:W"])
    with pytest.raises(co.RulesError, match="board 1 is of edition first"):
        co.leg_odds_many([co.Board.parse("1:rb 2:g 3:yp 14:K 15:W"), co.Board.parse("1:bg 2:wy 3:o", "first")])
    with pytest.raises(TypeError, match=r"row 0: .*not float"):
        co.leg_odds_many(pd.Series([float("nan")]))


def test_the_values_of_a_leg() -> None:
    board = co.Board.parse("1:bg 2:o 3:yw +4 -6", "first")
    leg = co.leg_odds(board)
    assert leg.total == 120 * 6**5
    assert leg.landing(4) == Fraction(4559, 3240)
    assert leg.landings.loc[6] == float(Fraction(1909, 2430))
    assert leg.frame.loc["g", 1] == float(Fraction(1799, 7290))
    assert leg.first["b"] == float(leg.p("b", 1))
    assert leg.second["b"] == float(leg.p("b", 2))
    assert leg.last["b"] == float(leg.p("b", 5))
    assert leg.rankings["count"].sum() == leg.total
    assert set(leg.rankings["ranking"]) <= set(ranking_names("bgoyw"))
    assert not leg.rankings["race_over"].any()
    assert sum(leg.photo(5).values()) == 1
    again = pickle.loads(pickle.dumps(leg))
    assert (again.counts == leg.counts).all()
    for call in (lambda: leg.p("r", 1), lambda: leg.p("b", 0), lambda: leg.p("b", 6), lambda: leg.p("bg", 1)):
        with pytest.raises(co.RulesError):
            call()
    for call in (lambda: leg.landing(5), lambda: leg.photo(4), lambda: leg.photo(0), lambda: leg.photo(17)):
        with pytest.raises(co.RulesError):
            call()


@pytest.mark.parametrize("number", [8.0, 1.0, True, None, "8", 8.5, float("nan"), np.float64(8), np.bool_(True)])
def test_places_and_spaces_are_whole_numbers(number: Any) -> None:
    leg = co.leg_odds("1:bg 2:o 3:yw +8", "first")
    for call in (lambda: leg.p("b", number), lambda: leg.landing(number), lambda: leg.landing_distribution(number)):
        with pytest.raises(co.RulesError, match="whole number"):
            call()
    with pytest.raises(co.RulesError, match="whole number"):
        leg.photo(number)
    assert leg.p("b", np.int8(1)) == leg.p("b", 1) and leg.photo(np.int64(5)) == leg.photo(5)  # type: ignore[arg-type]
    assert leg.landing(np.uint8(8)) == leg.landing(8)  # type: ignore[arg-type]
    for camel in (1, None, ""):
        with pytest.raises(co.RulesError, match="no racing camel"):
            leg.p(camel, 1)  # type: ignore[arg-type]


def test_merged_moves_are_those_of_the_design() -> None:
    """Work done for a full leg, which the benchmarks report beside the times."""
    assert co.leg_odds("1:bg 2:wy 3:o", "first").moves == 12_186
    assert co.leg_odds("1:rb 2:g 3:yp 14:K 15:W").moves == 62_370


def test_what_a_ticket_pays_is_what_its_places_pay() -> None:
    """Section 7: its value for the first place, 1 for the second, else -1."""
    for edition, values in [("first", (5, 3, 2)), ("second", (5, 3, 2, 2))]:
        leg = co.leg_odds("5:bg 6:wy 7:o / bgo" if edition == "first" else "5:rb 6:g 7:yp 12:K 13:W / rg#", edition)
        for camel in leg.board.rules.racing:
            for value in values:
                assert leg.ticket(f"{camel}{value}") == (value + 1) * leg.p(camel, 1) + 2 * leg.p(camel, 2) - 1
            assert leg.ticket(camel) == leg.ticket(f"{camel}5")
            assert leg.tickets[camel] == float(leg.ticket(camel))
    for wrong in ("", "r", "b4", "b05", "bg", "K5"):
        with pytest.raises(co.RulesError, match="is no ticket of edition first"):
            co.leg_odds("1:bg 2:wy 3:o / b", "first").ticket(wrong)


def test_boards_in_which_a_leg_ends_do_not_name_a_die_that_nobody_knows() -> None:
    leg = co.leg_odds("5:rb 6:g 7:yp 12:K 13:W / r#")
    texts = [str(board) for board in leg.ends.boards]
    assert all(text.endswith(" / ?") for text in texts)
    for text, board in zip(texts, leg.ends.boards, strict=True):
        assert co.Board.parse(text) == board and board.leg_over and board.dice == ()
    assert co.leg_odds_many(leg.ends.boards).shape == (len(texts), 5, 5)
    assert all(str(board).endswith(" / -") for board in co.leg_odds("5:bg 6:wy 7:o / b", "first").ends.boards)
    for text, edition in [("1:bg 2:wy 3:o / ?", "first"), ("1:rb 2:g 3:yp 14:K 15:W / r?", "second")]:
        with pytest.raises(co.NotationError):
            co.Board.parse(text, edition)
