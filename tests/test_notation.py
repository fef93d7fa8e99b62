"""Texts to boards and back; whatever is wrong is named and shown (docs/rules.md sections 1 to 6, README "Notation")."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import camelodds as co
from camelodds.position.notation import name_word
from camelodds.testing import boards, editions

LINES = (Path(__file__).parent / "data" / "bad_input.txt").read_text().splitlines()
BAD = [line.split("\t") for line in LINES]
# What each message must name, and the text on which its caret stands ("" at the end).
NAMED = [
    ("orange.*missing", ""),
    ("orange.*twice", "o"),
    ("red.*not a camel of the 1st edition", "r"),
    ("white.*black.*missing", ""),
    ("no tile on space 1", "1"),
    ("no tile on space 3: camels", "+3"),
    ("no tile on space 14: camels", "+14"),
    ("tiles on 6 and 7: never next", "-7"),
    ("off the track: spaces are 1 to 16", "17"),
    ("off the track", "0:rb"),
    ("off the track.*finish:rb", "17:rb"),
    ("off the track", "112:rb"),
    ("die r.*twice", "r"),
    ("orange has no die in the 2nd edition", "o"),
    ("no support dice in the 2nd edition", "r+"),
    ("after the slash: leave it out for a full pyramid", ""),
    ("1 die always stays inside", "-"),
    ("no grey die in the 1st edition", "#"),
    ("two tiles on space 5", "+5"),
    ("space 1 is named twice", "1:g"),
    ("w .*not a camel of the 2nd edition.*W is crazy camel W", "w"),
    ("empty stack", " 2:rbg"),
    ("stack without its space", "rb"),
    ("nothing there", ""),
    ("no edition is called 'third'", None),
]


@pytest.mark.parametrize(("bad", "named"), list(zip(BAD, NAMED, strict=True)), ids=[line[2] for line in BAD])
def test_bad_input_is_named_and_shown(bad: list[str], named: tuple[str, str | None]) -> None:
    edition, text, _ = bad
    pattern, place = named
    with pytest.raises(ValueError, match=pattern) as caught:
        co.Board.parse(text, edition)
    if place is None:
        assert isinstance(caught.value, co.RulesError)
        return
    error = caught.value
    assert isinstance(error, co.NotationError)
    assert error.text == text
    assert text[error.at :].startswith(place) if place else error.at == len(text)
    shown, caret = str(error).splitlines()[-2:]
    assert shown == "  " + text
    assert caret.index("^") == 2 + error.at


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("1:rb 2:g 3:yp 14:K 15:W +5@", "expected a tile"),
        ("1:rb 2:g 3:yp 14:K 15:W +5@a=b", "expected a tile"),
        ("1:rb 2:g 3:yp 14:K 15:W +", "expected a tile"),
        ("1:rb 2:g 3:yp 14:K 15:W / r / b", "second slash"),
        ("1:rb 2:g 3:yp 14:K 15:W / r-", "not beside others"),
        ("1:rb 2:g 3:yp 14:K 15:W / R", "R has no die"),
        ("1:rr 2:g 3:yp 14:K 15:W", "red.*twice"),
        ("x:rb 2:g 3:yp 14:K 15:W", "before the colon"),
        ("-1:rb 2:g 3:yp 14:K 15:W", "expected a tile"),
        ("1:rb 2:g 3:yp 14:K 15:W 7", "expected a stack"),
        ("1:rb 2:g 3:yp 14:K finish:W", "racing camel leads"),
        ("back:rb 2:g 3:yp 14:K 15:W", "only a crazy camel"),
        ("back:W finish:rb 2:g 3:yp 14:K", "not finish and back"),
        ("1:rb 2:g 3:yp 14:K 15:W +99999999999999999999", "off the track"),
        ("/", "nothing there"),
        ("+5", "are missing"),
        ("1:rb 2:g 3:yp 14:K 15:W\n+3", "no tile on space 3"),
        ("１:rb 2:g 3:yp 14:K 15:W", "before the colon"),
    ],
)
def test_more_mistakes(text: str, pattern: str) -> None:
    with pytest.raises(co.NotationError, match=pattern):
        co.Board.parse(text)


@given(text=st.one_of(st.text(), st.text("12345:rbgypWK+-@/# ,finishback")), edition=editions())
def test_any_text_is_a_board_or_its_error(text: str, edition: co.Rules) -> None:
    try:
        board = co.Board.parse(text, edition)
    except co.NotationError as error:
        assert 0 <= error.at <= len(text)
    else:
        assert co.Board.parse(str(board), edition) == board


@given(data=st.data(), board=boards())
def test_a_changed_text_is_a_board_or_its_error(data: st.DataObject, board: co.Board) -> None:
    text = str(board)
    at = data.draw(st.integers(0, len(text)))
    changed = (
        text[:at] + data.draw(st.sampled_from(["", "r", "W", "+", "3", ":", "/", " ", "#", "@x"])) + text[at + 1 :]
    )
    try:
        assert co.Board.parse(changed, board.rules)
    except co.NotationError as error:
        assert 0 <= error.at <= len(changed)


@given(board=boards())
def test_a_printed_board_reads_back_the_same(board: co.Board) -> None:
    again = co.Board.parse(str(board), board.edition)
    assert again == board
    assert hash(again) == hash(board)
    assert str(again) == str(board)
    assert eval(repr(board), {"Board": co.Board}) == board
    assert pickle.loads(pickle.dumps(board)) == board


@given(board=boards(), data=st.data())
def test_any_order_is_read(board: co.Board, data: st.DataObject) -> None:
    body, slash, dice = str(board).partition("/")
    pieces = data.draw(st.permutations(body.split()))
    signs = data.draw(st.permutations(re.findall(r"\S\+?", dice)))
    text = data.draw(st.sampled_from([" ", ", ", "  "])).join(pieces) + slash + " ".join(signs)
    assert co.Board.parse(text, board.edition) == board


def test_printed_low_to_high_stacks_before_tiles_grey_after_racing_support_last() -> None:
    text = "-9@ana, 15:W 3:yp,2:g 1:rb +5 14:K / # b+ y r"
    assert str(co.Board.parse(text, "supercup-second")) == "1:rb 2:g 3:yp 14:K 15:W +5 -9@ana / ry#b+"


def test_a_full_pyramid_needs_no_slash() -> None:
    assert co.Board.parse("1:rb 2:g 3:yp 14:K 15:W").dice == tuple("rbgyp#")
    assert co.Board.parse("1:bg 2:wy 3:o", "first").dice == tuple("bgoyw")
    assert co.Board.parse("1:bg 2:wy 3:o", "supercup").dice == (*"bgoyw", "b+")
    assert co.Board.parse("5:bg 2:wy 3:o", "supercup").dice == (*"bgoyw", "w+")
    assert co.Board.parse("1:rb 2:g 3:yp 14:K 15:W", "supercup-second").dice == (*"rbgyp#", "r+")
    assert str(co.Board.parse("1:bg 2:wy 3:o / bgoywb+", "supercup")) == "1:bg 2:wy 3:o"


def test_errors_survive_a_process_boundary() -> None:
    with pytest.raises(co.NotationError) as caught:
        co.Board.parse("1:rb")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.at) == (str(caught.value), caught.value.at)


def test_a_text_is_asked_for() -> None:
    with pytest.raises(TypeError, match="a position is a text, not int"):
        co.Board.parse(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Zoë", "Ünal", "李", "Zoë_K", "🐪", "👩‍🚀", "O'Neil", "ana-2", "99"])
def test_names_have_letters_of_any_script(name: str) -> None:
    board = co.Board.parse(f"1:rb 2:g 3:yp 14:K 15:W +5@{name}")
    assert board.tiles[0].owner == name and co.Board.parse(str(board)) == board
    assert co.Board.parse("1:rb 2:g 3:yp 14:K 15:W").with_tile(5, owner=name) == board
    game = co.Game.parse(f"{board} | {name} money=4 | ben | winner {name}=r | to_move {name}")
    assert co.Game.parse(str(game)) == co.Game.from_json(game.to_json()) == game


@pytest.mark.parametrize(
    "name", ["", "a/b", "a|b", "a:b", "a=b", "a@b", "a?", "a,b", "a+b", "a#b", "a\u202eb", "a\x00", "a\u200b"]
)
def test_what_separates_or_is_not_seen_is_no_part_of_a_name(name: str) -> None:
    with pytest.raises(co.NotationError, match="letters of any script"):
        name_word(name)
    with pytest.raises(co.GameError, match="letters of any script"):
        co.Game(co.Board.parse("1:rb 2:g 3:yp 14:K 15:W"), {name: co.Player()})
