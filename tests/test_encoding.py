"""Boards as arrays and back (README, "Many positions")."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import camelodds as co
from camelodds.position import bits
from camelodds.position.boards import Boards, die_table
from camelodds.testing import boards, editions

TEXTS = ["1:rb 2:g 3:yp 14:K 15:W", "1:rb 2:g 3:yp 14:K 15:W +5 -9 / rg#", "2:yp 3:K 9:g finish:rWb / bgyp#"]


@given(data=st.data(), rules=editions())
def test_there_and_back(data: st.DataObject, rules: co.Rules) -> None:
    many = data.draw(st.lists(boards(rules), min_size=1, max_size=5))
    encoded = Boards.of(many).checked()
    assert list(encoded) == many
    spaces, levels, dice, tiles = encoded.to_columns()
    assert spaces.tolist() == [[board.space(camel) for camel in rules.camels] for board in many]
    assert levels.tolist() == [[board.level(camel) for camel in rules.camels] for board in many]
    again = Boards.from_columns(spaces, levels, dice, tiles, edition=rules)
    assert list(again) == many
    assert list(Boards.of([str(board) for board in many], rules)) == many


def test_a_byte_per_camel() -> None:
    board = Boards.of(TEXTS[:1])
    lanes = board.word.view(np.uint8)
    assert [lanes[lane] >> 3 for lane in board.rules.lanes.values()] == [1, 1, 2, 3, 3, 15, 14]
    assert [lanes[lane] & 7 for lane in board.rules.lanes.values()] == [0, 1, 0, 0, 1, 0, 0]


def test_columns_default_to_full_pyramids_without_tiles() -> None:
    for edition, camels in [("first", 5), ("second", 7), ("supercup", 5), ("supercup-second", 7)]:
        spaces = np.arange(1, camels + 1)[None, :]
        board = Boards.from_columns(spaces, np.zeros_like(spaces), edition=edition)[0]
        assert board == co.Board.parse(str(board), edition)
        assert "/" not in str(board)


def test_words_alone_are_full_pyramids_without_tiles() -> None:
    for edition, text in [("second", TEXTS[0]), ("supercup", "1:bg 2:wy 3:o")]:
        words = Boards.of([text, text], edition).word
        assert [str(board) for board in Boards.of(words, edition)] == [text, text]
        assert (co.leg_odds_many(words, edition) == co.leg_odds(text, edition).probabilities).all()
    with pytest.raises(co.RulesError, match="board 0: "):
        Boards.of(np.zeros(3, np.uint64))
    with pytest.raises(co.RulesError, match="words of shape"):
        Boards.of(np.zeros((3, 2), np.uint64))


def test_slices_and_masks() -> None:
    many = Boards.of(TEXTS)
    assert len(many) == 3
    assert [str(board) for board in many[1:]] == TEXTS[1:]
    assert [str(board) for board in many[np.array([True, False, True])]] == [TEXTS[0], TEXTS[2]]
    assert str(many[-1]) == TEXTS[2]


def changed(**columns: int) -> Boards:
    many = Boards.of([TEXTS[0]] * 2)
    fields = {name: getattr(many, name).copy() for name in ("word", "dice", "cheering", "booing")}
    for name, value in columns.items():
        fields[name][1] = value
    return Boards(many.rules, **fields)


@pytest.mark.parametrize(
    "many",
    [
        changed(word=0),
        changed(word=int(Boards.of(TEXTS).word[0]) + 1),
        changed(word=int(Boards.of(TEXTS).word[0]) | 31 << 3),
        changed(word=int(Boards.of(TEXTS).word[0]) | 1 << 60),
        changed(dice=1 << 6),
        changed(cheering=1 << 1),
        changed(cheering=1 << 17),
        changed(booing=1 << 3),
        changed(cheering=1 << 6, booing=1 << 7),
        changed(cheering=1 << 6, booing=1 << 6),
    ],
)
def test_arrays_that_are_no_boards_are_refused(many: Boards) -> None:
    with pytest.raises(co.RulesError, match="board 1: "):
        many.checked()
    with pytest.raises(co.RulesError, match="board 1: "):
        co.leg_odds_many(many)


def test_columns_that_are_no_boards_are_refused() -> None:
    spaces, levels, dice, tiles = Boards.of(TEXTS).to_columns()
    for bad in [(spaces[:, :5], levels), (spaces + 20, levels), (spaces, levels + 9), (spaces, levels + 1)]:
        with pytest.raises(co.RulesError):
            Boards.from_columns(*bad)
    with pytest.raises(co.RulesError, match="dice of shape"):
        Boards.from_columns(spaces, levels, dice[:, :3])
    with pytest.raises(co.RulesError, match="tiles of shape"):
        Boards.from_columns(spaces, levels, dice, tiles[:, :3])


@pytest.mark.parametrize("edition", co.EDITIONS)
def test_dice_have_the_faces_of_the_rules(edition: str) -> None:
    """Section 3: racing dice 1 1 2 2 3 3, the grey die 1 2 3 in each colour, support dice 1 1 1 2 2 2."""
    rules = co.EDITIONS[edition]
    table = die_table(rules)
    racing = [[lane, 2, 2, 2, 0] for lane in range(5)]
    none = [0, 0, 0, 0, 0]
    grey = [5, 2, 2, 2, 0] if rules.crazy else none
    support = [[lane, 3, 3, 0, 0] if rules.support else none for lane in range(5)]
    assert table.tolist() == [*racing, grey, *support]
    assert rules.faces.keys() == rules.dice.keys()
    assert all(sum(face.weight for face in faces) == 6 for faces in rules.faces.values())
    if rules.crazy:
        assert rules.faces["#"] == tuple((colour, n, 1) for colour in ("white", "black") for n in (1, 2, 3))


@given(board=boards())
def test_one_more_tile_may_lie_where_the_text_with_it_is_a_board(board: co.Board) -> None:
    full = str(co.Board(board.rules, board.word, bits.full_pyramid(board.word, board.rules), board.tiles))
    for space in range(2, board.rules.track + 1):
        try:
            co.Board.parse(f"{full} +{space}", board.rules)
        except co.NotationError:
            assert not board.tile_spaces >> space & 1
        else:
            assert board.tile_spaces >> space & 1
    assert board.tile_spaces < 1 << board.rules.track + 1 and board.tile_spaces & 0b11 == 0


@given(data=st.data(), rules=editions())
def test_bits_answer_the_same_of_one_board_and_of_many(data: st.DataObject, rules: co.Rules) -> None:
    given_boards = data.draw(st.lists(boards(rules, min_reveals=1), min_size=1, max_size=5))
    given_boards += [board.roll(roll.shows, roll.number) for board in given_boards for roll in board.rolls()]
    words = Boards.of(given_boards).word.view(np.int64)
    for answer in (bits.race_over, bits.stands, bits.full_pyramid):
        assert [answer(board.word, rules) for board in given_boards] == answer(words, rules).tolist()
    for board in given_boards:
        assert set(board.stacks) == {space for space in range(32) if bits.stands(board.word, rules) >> space & 1}
        assert board.race_over == bool({0, rules.track + 1} & set(board.stacks)) == (board.crossed is not None)
