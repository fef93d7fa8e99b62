"""Plots show the numbers of the answers and return their axes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from camelodds import plot
from camelodds.errors import NotationError
from camelodds.odds.leg import leg_odds
from camelodds.position.board import Board
from camelodds.testing import boards

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

BOARD = Board.parse("1:rb 2:g 3:yp 14:K 15:W +7@ana / rgyp#")


@pytest.fixture(autouse=True)
def no_figures_left() -> Iterator[None]:
    yield
    pyplot.close("all")


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {"action": ["ticket r5", "reveal", "tile +2"], "ev": [Fraction(-1, 2), 1.0, None], "sd": [2.5, 0.0, None]}
    )


DRAWN = {
    "places": lambda ax: plot.places(leg_odds(BOARD), ax=ax),
    "landings": lambda ax: plot.landings(BOARD, ax=ax),
    "wins": lambda ax: plot.wins([BOARD, BOARD.roll("r", 2)], ax=ax),
    "actions": lambda ax: plot.actions(frame(), ax=ax),
}


@pytest.mark.parametrize("name", DRAWN)
def test_axes_are_used_and_returned(name: str) -> None:
    _, axes = pyplot.subplots()
    assert DRAWN[name](axes) is axes
    made = DRAWN[name](None)
    assert made is not axes
    made.figure.canvas.draw()


@pytest.mark.parametrize("name", DRAWN)
def test_without_matplotlib_the_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "camelodds\[plot\]"'):
        DRAWN[name](None)


def test_bars_of_places_are_the_chances() -> None:
    leg = leg_odds(BOARD)
    axes = plot.places(leg)
    named = [label.get_text() for label in axes.get_yticklabels()]
    widths = np.array([bar.get_width() for bar in axes.patches]).reshape(5, 5)
    for label, row in zip(named, widths, strict=True):
        assert row == pytest.approx([float(leg.p(label[0], place)) for place in range(1, 6)])
    assert named[-1] == "p purple"


@given(boards(max_reveals=2))
def test_landings_are_those_of_the_board_with_the_tile(board: Board) -> None:
    expected = plot.expected_landings(board)
    assert expected.shape == (2, board.rules.track)
    for (row, column), value in np.ndenumerate(expected):
        try:
            tiled = board.with_tile((column + 1) * (1 if row == 0 else -1))
        except NotationError:
            assert np.isnan(value)
        else:
            assert value == float(leg_odds(tiled).landing(column + 1))


@pytest.mark.parametrize(
    "text",
    ["1:rb 2:g 3:yp 14:K 15:W / #", "back:Wrb 2:g 3:yp 14:K / rg", "1:r 2:g 3:yp 4:K 5:W 6:b +8 +10 +12 +14 +16"],
)
def test_landings_where_nothing_can_happen(text: str) -> None:
    plot.landings(Board.parse(text)).figure.canvas.draw()


def test_lines_are_the_chances_to_win_the_leg() -> None:
    sequence = [BOARD, BOARD.roll("r", 2), BOARD.roll("p", 3)]
    lines = plot.wins(sequence).lines
    assert [line.get_label() for line in lines] == ["r red", "b blue", "g green", "y yellow", "p purple"]
    for line in lines:
        assert list(line.get_ydata()) == [leg_odds(board).first[line.get_label()[0]] for board in sequence]


def test_lines_of_the_race() -> None:
    from camelodds.odds.race import race_odds_many

    sequence = [Board.parse("1:bg 2:wy 3:o", "first"), Board.parse("5:bg 6:wy 9:o / gy", "first")]
    lines = plot.wins(sequence, of="race").lines
    shown = np.array([line.get_ydata() for line in lines]).T
    assert (shown == race_odds_many(sequence)[:, :, 0]).all()


def test_no_boards_no_lines() -> None:
    with pytest.raises(ValueError, match="no boards"):
        plot.wins([])


def test_actions_from_the_worst_up_and_only_those_with_a_value() -> None:
    axes = plot.actions(frame())
    assert [label.get_text() for label in axes.get_yticklabels()] == ["ticket r5  -0.50", "reveal  +1.00"]
    assert [bar.get_width() for bar in axes.patches] == [-0.5, 1.0]
