"""Plots. They need matplotlib: pip install "camelodds[plot]".

Every function draws on `ax`, on new axes if None, and returns the axes. Camels are told by letters beside colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from camelodds.odds.leg import LegOdds, leg_odds_many
from camelodds.odds.tiles import expected_landings as expected_landings
from camelodds.position.board import Board
from camelodds.show.palette import DARK_INK, paint
from camelodds.show.table import named, ordinal

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from camelodds.odds.tree import LegTree

MOST_WORDS: Final = 24
"""Boards of a line whose dice have room below it."""
MARKERS: Final = "osD^v"
FAINTEST: Final = 0.1
"""Landings that a scale of colours reaches at least, so that next to nothing looks like it."""
MOST_LEAVES: Final = 120
"""Last reveals of a tree that can still be read."""
READABLE: Final = 0.06
"""Share from which a part of a bar has room for its number."""


def places(leg: LegOdds, ax: Axes | None = None) -> Axes:
    """Stacked bars: each camel's chances of every place in a leg, the likeliest first on top.

    Parameters
    ----------
    leg : LegOdds
        As `leg_odds` gives.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib Axes
    """
    ax = _axes(ax, (7, 3.6))
    racing = leg.board.rules.racing
    order = sorted(range(len(racing)), key=lambda camel: leg.probabilities[camel].tolist())
    for height, camel in enumerate(order):
        colour, _ = paint(racing[camel])
        left = 0.0
        for place, share in enumerate(leg.probabilities[camel]):
            strength = 1 - 0.8 * place / max(1, len(racing) - 1)
            fill = _blend(colour, strength)
            ax.barh(height, share, left=left, height=0.74, color=fill, edgecolor=DARK_INK, linewidth=0.7)
            if share >= READABLE:
                text = f"{ordinal(place + 1)}\n{share:.0%}"
                ax.text(left + share / 2, height, text, ha="center", va="center", fontsize=8, color=_ink(fill))
            left += share
    ax.set_yticks(range(len(racing)), [named(racing[camel]) for camel in order])
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(_percent())
    ax.set_xlabel("chance of each place, 1st to last from the left")
    return _titled(ax, leg.board)


def landings(board: Board, ax: Axes | None = None) -> Axes:
    """Heat map of what one more tile would bring its owner in this leg, in expected landings, by space and side.

    Spaces where none may lie are hatched. All legs are counted in one batch.

    Parameters
    ----------
    board : Board
        The position.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib Axes
    """
    ax = _axes(ax, (max(6.0, 0.58 * board.rules.track), 2.4))
    expected = expected_landings(board)
    most = max(FAINTEST, np.nanmax(expected, initial=0))
    shown = ax.imshow(np.ma.masked_invalid(expected), cmap="cividis", vmin=0, vmax=most, aspect="auto")
    ax.set_facecolor("#dddddd")
    ax.patch.set(hatch="////", edgecolor="#aaaaaa")
    for (row, column), value in np.ndenumerate(expected):
        if not np.isnan(value):
            colour = "black" if value > 0.6 * most else "white"
            ax.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=colour)
    for tile in board.tiles:
        ax.text(tile.space - 1, 0.5, str(tile).partition("@")[0], ha="center", va="center", fontsize=9)
    for space, stack in board.stacks.items():
        if 1 <= space <= board.rules.track:
            ax.text(space - 1, 0.5, "\n".join(reversed(stack)), ha="center", va="center", fontsize=9, weight="bold")
    ax.set_xticks(range(board.rules.track), [str(space) for space in range(1, board.rules.track + 1)])
    ax.set_yticks([0, 1], ["+1", "−1"])
    ax.set_xlabel("space")
    ax.figure.colorbar(shown, ax=ax, label="landings", pad=0.02)
    return _titled(ax, board)


def wins(boards: Iterable[Board], ax: Axes | None = None, of: Literal["leg", "race"] = "leg") -> Axes:
    """Lines: each camel's chance to win the leg, or the race, along a sequence of boards such as a recorded game.

    Parameters
    ----------
    boards : iterable of Board
        In their order, such as `History.boards`.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    of : {"leg", "race"}
        What is won.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        If there are no boards.
    """
    ax = _axes(ax, (8, 4))
    sequence = list(boards)
    if not sequence:
        raise ValueError("no boards: expected at least one")
    if of == "race":
        from camelodds.odds.race import race_odds_many

        chances = race_odds_many(sequence)[:, :, 0]
    else:
        chances = leg_odds_many(sequence)[:, :, 0]
    racing = sequence[0].rules.racing
    at = range(len(sequence))
    for camel, letter in enumerate(racing):
        colour, _ = paint(letter)
        (line,) = ax.plot(at, chances[:, camel], color=colour, linewidth=2.4)
        line.set(marker=MARKERS[camel], markersize=6, markeredgecolor=DARK_INK, label=named(letter))
        # The dark edge is what shows white and yellow on a white page.
        line.set_path_effects(_outline(3.8))
    for height, camel in _spread(chances[-1], 0.045):
        ax.annotate(
            racing[camel], (len(sequence) - 1, height), (9, 0), textcoords="offset points", va="center", weight="bold"
        )
    ax.set_ylim(-0.02, 1.02)
    ax.yaxis.set_major_formatter(_percent())
    ax.xaxis.set_major_locator(_whole_numbers())
    words = [_last_roll(before, after) for before, after in pairwise(sequence)]
    if len(sequence) <= MOST_WORDS:
        ax.set_xticks(at, ["start", *words])
    ax.set_xlabel("boards in their order, each under the die that led to it")
    ax.set_ylabel(f"chance to win the {of}")
    ax.grid(alpha=0.3)
    ax.legend(ncols=len(racing), frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1))
    return ax


def tree(tree: LegTree[LegOdds], ax: Axes | None = None) -> Axes:
    """The next reveals from left to right, with their chances, and bars of who then ends the leg first.

    Parameters
    ----------
    tree : LegTree
        From `LegOdds.tree`.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        For more than 120 last reveals, or none.
    """
    last = [each for each in tree.branches if len(each.rolls) == tree.depth or each.board.leg_over]
    if not 0 < len(last) <= MOST_LEAVES:
        raise ValueError(f"a tree of 1 to {MOST_LEAVES} last reveals can be drawn, not of {len(last)}")
    ax = _axes(ax, (7 + 1.6 * tree.depth, 1.2 + 0.24 * len(last)))
    heights: dict[tuple[Any, ...], float] = {branch.rolls: -float(row) for row, branch in enumerate(last)}
    for depth in range(tree.depth - 1, -1, -1):
        for rolls in {branch.rolls[:depth] for branch in tree.branches if len(branch.rolls) > depth}:
            grown = [at for key, at in heights.items() if len(key) == depth + 1 and key[:depth] == rolls]
            heights[rolls] = (min(grown) + max(grown)) / 2
    for branch in tree.branches:
        depth, height = len(branch.rolls), heights[branch.rolls]
        root = heights[branch.rolls[:-1]]
        ax.plot([depth - 1, depth - 0.55, depth - 0.45], [root, height, height], color="#999999", linewidth=0.8)
        roll = branch.rolls[-1]
        text = f"{roll.shows} {roll.number}   {float(branch.chance):.1%}"
        ax.text(depth - 0.43, height, text, va="center", fontsize=8)
    start, width, racing = tree.depth + 0.12, 1.6, tree.board.rules.racing
    for branch in last:
        left, height = start, heights[branch.rolls]
        for camel, chance in branch.leg.firsts().items():
            colour, ink = paint(camel)
            share = width * float(chance)
            ax.barh(
                heights[branch.rolls], share, left=left, height=0.8, color=colour, edgecolor=DARK_INK, linewidth=0.5
            )
            if chance >= READABLE:
                text = f"{camel} {float(chance):.0%}"
                ax.text(left + share / 2, height, text, ha="center", va="center", fontsize=7, color=ink)
            left += share
    ax.text(start, 0.9, f"first at the leg's end, of {' '.join(racing)}", fontsize=8)
    ax.set_xlim(-0.1, start + width + 0.05)
    ax.set_ylim(-len(last) + 0.3, 1.4)
    ax.set_axis_off()
    return _titled(ax, tree.board)


def actions(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Bars: the expected value of each action with the standard deviation of what it pays, best on top.

    Parameters
    ----------
    frame : DataFrame
        With the columns action, ev and sd, as `camelodds.actions` gives; actions without an ev are left out.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib Axes
    """
    rows = _folded(frame.dropna(subset=["ev"]))
    names = rows["action"].tolist()
    values, spreads = rows["ev"].astype(float).to_numpy(), rows["sd"].fillna(0).astype(float).to_numpy()
    order = np.argsort(values, kind="stable")
    ax = _axes(ax, (7, 1.2 + 0.27 * len(names)))
    colours = ["#2a6fc4" if value >= 0 else "#ef8a24" for value in values[order]]
    ax.barh(range(len(names)), values[order], color=colours, edgecolor=DARK_INK, linewidth=0.7, height=0.72)
    ax.errorbar(
        values[order], range(len(names)), xerr=spreads[order], fmt="none", ecolor=DARK_INK, elinewidth=1, capsize=2.5
    )
    ax.set_yticks(range(len(names)), [f"{names[index]}  {_signed(values[index])}" for index in order])
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.axvline(0, color=DARK_INK, linewidth=0.9)
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    ax.set_xlabel("expected value in pounds; the line is one standard deviation of its own item")
    return ax


def _folded(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the tiles on which nothing lands as one."""
    import pandas as pd

    if not {"kind", "worst", "best"} <= set(rows.columns):
        return rows
    idle = (rows["kind"] == "tile") & (rows["worst"] == 0) & (rows["best"] == 0)
    if idle.sum() < 2:
        return rows
    one = rows[idle].iloc[[0]].assign(action=f"{idle.sum()} tiles, no landing")
    return pd.concat([rows[~idle], one])


def _last_roll(before: Board, after: Board) -> str:
    """The die that went out between two boards, as a label; "leg" where a new leg began, "" where it is not told."""
    out = before.pyramid & ~after.pyramid
    if after.pyramid & ~before.pyramid:
        return "leg"
    return next((sign for sign, bit in before.rules.dice.items() if bit == out), "")


def _signed(value: float) -> str:
    """Pounds with their sign, none for what rounds to nothing."""
    text = f"{value:+.2f}"
    return "0.00" if float(text) == 0 else text


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError('plots need matplotlib: pip install "camelodds[plot]"') from None
    if ax is not None:
        return ax
    _, made = pyplot.subplots(figsize=size, layout="constrained")
    return made


def _titled(ax: Axes, board: Board) -> Axes:
    ax.set_title(f"{board}   ({board.rules.title})", fontsize=10, loc="left")
    return ax


def _percent() -> Any:
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(1, decimals=0)


def _whole_numbers() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True)


def _outline(width: float) -> list[Any]:
    from matplotlib import patheffects

    return [patheffects.Stroke(linewidth=width, foreground=DARK_INK), patheffects.Normal()]


def _blend(colour: str, strength: float) -> tuple[float, float, float]:
    """A colour thinned with white."""
    from matplotlib.colors import to_rgb

    red, green, blue = (1 - strength * (1 - part) for part in to_rgb(colour))
    return red, green, blue


def _ink(fill: tuple[float, float, float]) -> str:
    """Black or white, whichever has more contrast."""
    red, green, blue = (part**2.2 for part in fill)
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "white"


def _spread(heights: Any, apart: float) -> Iterator[tuple[float, int]]:
    """Heights for labels, low to high and at least so far apart, each with the index it belongs to."""
    lowest = -np.inf
    for index in np.argsort(heights, kind="stable"):
        lowest = max(float(heights[index]), lowest + apart)
        yield lowest, int(index)
