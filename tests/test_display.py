"""Boards and answers as pictures, tables and text.

CAMELODDS_UPDATE_GOLDEN=1 writes tests/golden and docs/board.svg anew: then look at them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given

from camelodds.ev.actions import actions_table
from camelodds.ev.turn import Action
from camelodds.odds.leg import leg_odds
from camelodds.odds.race import RaceOdds
from camelodds.position.board import Board
from camelodds.position.notation import Tile
from camelodds.rules import EDITIONS, SECOND, Rules
from camelodds.show.html import table_html
from camelodds.show.palette import GREY_DIE, OTHER, PAINTS
from camelodds.show.svg import board_svg
from camelodds.show.table import Table, plain
from camelodds.testing import boards

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
SVG = "{http://www.w3.org/2000/svg}"
README_BOARD = "1:rb 2:g 3:yp 14:K 15:W +5@ana -9@ben / rgyp#"
BOARDS = {
    "first-start": ("first", "1:bg 2:wy 3:o"),
    "first-tiles": ("first", "6:wbo 7:g 9:y +8@ana -12@a_very_long_name / gy"),
    "second-start": ("second", "1:rb 2:g 3:yp 14:K 15:W"),
    "second-high-stack": ("second", "5:KrbWgyp +8 -12@ben / rg"),
    "second-leg-over": ("second", "4:rb 6:gyp 9:WK / #"),
    "second-finish": ("second", "3:gyp 14:W finish:rKb / ry#"),
    "second-back": ("second", "back:Wrb 3:gyp 14:K / ry#"),
    "supercup-start": ("supercup", "1:bg 2:wy 3:o"),
    "supercup-second-spicy": ("supercup-second", "1:bg 6:rKWyp +8 -11@ana / rbgyp#r+b+"),
}


def check_golden(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("CAMELODDS_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == text


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def texts(svg: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", BOARDS)
def test_golden_picture(name: str) -> None:
    edition, text = BOARDS[name]
    check_golden(f"{name}.svg", Board.parse(text, edition).svg())


@pytest.mark.parametrize("name", BOARDS)
def test_golden_table_of_a_leg(name: str) -> None:
    edition, text = BOARDS[name]
    leg = leg_odds(Board.parse(text, edition))
    check_golden(f"{name}.html", leg._repr_html_())
    check_golden(f"{name}.txt", f"{leg}\n")


def test_every_edition_has_a_golden_picture() -> None:
    assert {edition for edition, _ in BOARDS.values()} == set(EDITIONS)


def test_the_picture_in_the_documents_is_up_to_date() -> None:
    path = ROOT / "docs" / "board.svg"
    svg = Board.parse(README_BOARD).svg()
    if os.environ.get("CAMELODDS_UPDATE_GOLDEN"):
        path.write_text(svg, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == svg


@given(boards())
def test_everything_on_the_board_is_in_the_picture(board: Board) -> None:
    svg = parsed(board_svg(board))
    shown = texts(svg)
    for camel in board.rules.camels:
        assert shown.count(camel) == 1 + (camel in board.dice)
    for sign in board.dice:
        assert sign in shown
    for space in range(1, board.rules.track + 1):
        assert str(space) in shown
    assert shown.count("+1") == sum(tile.side > 0 for tile in board.tiles)
    assert shown.count("−1") == sum(tile.side < 0 for tile in board.tiles)
    assert svg.findtext(f"{SVG}title") == f"Camel Up, edition {board.edition}: {board}"


@given(boards())
def test_a_stack_goes_upwards_on_its_space(board: Board) -> None:
    at = {
        element.text: (float(element.get("x", "nan")), float(element.get("y", "nan")))
        for element in reversed(list(parsed(board_svg(board)).iter(f"{SVG}text")))
    }
    for stack in board.stacks.values():
        places = [at[camel] for camel in stack]
        assert len({x for x, _ in places}) == 1
        assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)


@given(boards())
def test_a_picture_is_small_and_stands_alone(board: Board) -> None:
    svg = board_svg(board)
    assert len(svg.encode()) < 12_000
    assert svg.count("http") == 1
    assert not re.search(r"\sid=|href|url\(|<script|@import|font-face", svg)
    assert "prefers-color-scheme:dark" in svg


@pytest.mark.parametrize("track", range(3, 29))
@pytest.mark.parametrize("text", ["1:rb 2:gyp 3:KW", "finish:rbK 2:gyp 3:W", "back:KrbgypW"])
def test_any_track(track: int, text: str) -> None:
    board = Board.parse(text, SECOND.with_changes(track=track))
    svg = parsed(board_svg(board))
    outside = [float(value) for value in (svg.get("viewBox") or "").split()[2:]]
    for element in svg.iter(f"{SVG}text"):
        assert all(0 <= float(element.get(axis, "nan")) <= most for axis, most in zip("xy", outside, strict=True))
    assert [space for space in texts(svg) if space.isdigit()] == [str(space) for space in range(1, track + 1)]


def test_spaces_run_clockwise_from_the_line() -> None:
    numbers = list(parsed(board_svg(Board.parse(README_BOARD))).iter(f"{SVG}text"))
    at = {element.text: (float(element.get("x", "nan")), float(element.get("y", "nan"))) for element in numbers}
    assert at["16"][1] == at["1"][1] == at["5"][1] < at["6"][1] < at["8"][1] == at["13"][1]
    assert at["16"][0] < at["1"][0] < at["5"][0]
    assert at["9"][0] > at["12"][0] > at["13"][0]


def test_crazy_camels_face_the_other_way_and_wear_hats() -> None:
    svg = board_svg(Board.parse("1:rbgyp 3:KW"))
    assert svg.count('class="co-crazy"') == 2
    assert svg.count("scale(-1 1)") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (README_BOARD, "4 reveals left"),
        ("1:rb 2:g 3:yp 14:K 15:W / r#", "1 reveal left"),
        ("1:rb 2:g 3:yp 14:K 15:W / r", "The leg is over"),
        ("finish:rb 2:g 3:yp 14:K 15:W / rg", "over the line"),
        ("back:Wrb 2:g 3:yp 14:K / rg", "carried back"),
        ("back:Wrb 2:g 3:yp 14:K / rg", "The race is over"),
    ],
)
def test_how_things_stand_is_said(text: str, said: str) -> None:
    assert said in texts(parsed(board_svg(Board.parse(text))))


def test_the_description_reads_the_board_out() -> None:
    said = parsed(board_svg(Board.parse(README_BOARD))).findtext(f"{SVG}desc")
    assert said == (
        "Space 1, bottom to top: red, blue. Space 2, bottom to top: green. Space 3, bottom to top: yellow, purple. "
        "Space 14, bottom to top: crazy black. Space 15, bottom to top: crazy white. Space 5: tile +1 of ana. "
        "Space 9: tile -1 of ben. In the pyramid: red, green, yellow, purple, grey. 4 reveals left."
    )


def test_owners_and_names_are_escaped() -> None:
    board = Board.parse("1:rb 2:g 3:yp 14:K 15:W", SECOND.with_changes(name='<&"> \x00'))
    board = replace(board, tiles=(Tile(5, 1, '<b>&"'), Tile(9, -1, "a\x00b]]>")))
    svg = parsed(board_svg(board))
    assert '<b>&"' in texts(svg)
    assert "ab]]>" in texts(svg)
    assert '"<&"> "' not in (svg.findtext(f"{SVG}title") or "")
    table = Table("<a>", "<b>", [("<c>", "text")], [("<d>", ["<e>"])], ["<f>"], camels=False)
    shown = table_html(table)
    assert "".join(parsed(shown).itertext()).count("<") == 6
    assert not re.search("<[a-f]>", shown)


def test_a_long_owner_is_cut_and_whole_in_the_tooltip() -> None:
    svg = parsed(board_svg(Board.parse("1:rb 2:g 3:yp 14:K 15:W +5@maximiliane")))
    assert "maximil…" in texts(svg)
    assert "+1 of maximiliane" in [title.text for title in svg.iter(f"{SVG}title")]


def test_ones_own_camels_have_letters_too() -> None:
    board = Board.of({1: "az", 2: "KX"}, edition=Rules("own", racing="az", crazy="KX", track=7))
    assert {"a", "z", "K", "X"} <= set(texts(parsed(board_svg(board))))
    assert "<td>" in leg_odds(board)._repr_html_()


@pytest.mark.parametrize("paint", [*PAINTS.values(), GREY_DIE, OTHER])
def test_letters_are_read_on_their_colours(paint: tuple[str, str]) -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted(map(luminance, paint))
    assert (high + 0.05) / (low + 0.05) >= 4.5


@given(boards(max_reveals=2))
def test_table_of_a_leg(board: Board) -> None:
    leg = leg_odds(board)
    table = parsed(leg._repr_html_()).find("table")
    assert table is not None
    rows = table.findall("tbody/tr")
    assert sorted(row.findtext("th/span") or "" for row in rows) == sorted(board.rules.racing)
    for row in rows:
        camel = row.findtext("th/span") or ""
        shown = [cell.text for cell in row.findall("td")]
        assert shown == [f"{float(leg.p(camel, place)):.2%}" for place in range(1, len(rows) + 1)]
    assert repr(leg) == str(leg) == plain(leg.table())
    assert len(repr(leg).splitlines()) == 2 + len(rows) + 1 + len(board.tiles)


def test_table_of_a_race() -> None:
    board = Board.parse("1:bg 2:wy 3:o", "first")
    wins = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    race = RaceOdds(
        board, wins, wins[::-1], 3.5, "simulation", stderr=0.0005, legs_stderr=0.002, games=1_000_000, note="no table"
    )
    table = race.table()
    assert [row[0] for row in table.rows] == list("oygwb")
    assert table.notes == [
        "Legs to come, this one included: 3.5000 ±0.0020",
        "Simulated, 1,000,000 races: after ± the standard error",
        "no table",
    ]
    assert "30.000% ±0.046%" in table_html(table)
    assert "10.000% ±0.030%" in plain(table)


def test_table_actions_table() -> None:
    rows = [
        Action("ticket r5", "ticket", Fraction(3, 2), 2.5, Fraction(1, 2), -1, 5, Fraction(0), Fraction(1)),
        Action("ticket g2", "ticket", Fraction(-1, 2), 0.5, Fraction(1, 4), -1, 2, Fraction(0), None),
        Action("tile +2", "tile", rule="camels stand on space 2"),
    ]
    table = actions_table("What ana can do", rows)
    assert plain(table).splitlines() == [
        "What ana can do",
        "action          ev   sd  p gain  worst  best   others    reply  rule",
        "ticket r5  +1.5000  2.5  50.00%     -1     5  +0.0000  +1.0000",
        "ticket g2  -0.5000  0.5  25.00%     -1     2  +0.0000",
        "tile +2                                                         camels stand on space 2",
    ]
    shown = table_html(table)
    assert "margin-left:25.0%;width:75.0%" in shown
    assert "margin-left:0.0%;width:25.0%" in shown
    assert parsed(shown).findall(".//tbody/tr")


def test_a_picture_needs_nothing_that_is_slow_to_import() -> None:
    code = (
        "import sys; from camelodds import Board; Board.parse('1:rb 2:g 3:yp 14:K 15:W').svg();"
        "sys.exit(bool({'numpy', 'numba', 'pandas', 'matplotlib'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
