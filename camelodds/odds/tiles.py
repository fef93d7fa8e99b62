"""What one more tile would bring in this leg."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from camelodds.odds.counting import count_legs
from camelodds.position.board import Board
from camelodds.position.boards import Boards


def expected_landings(board: Board) -> NDArray[np.float64]:
    """float64 (2, N): expected landings in this leg on one more tile, [cheering or booing, space - 1].

    nan where no tile may lie (docs/rules.md, section 6; of tiles already out, none is taken for the player's own).
    All legs are counted in one batch.
    """
    expected = np.full((2, board.rules.track), np.nan)
    placed = list(_with_each_tile(board))
    if placed:
        counted = count_legs(Boards.of([tiled for _, _, tiled in placed]))
        totals = counted.rankings.sum(axis=1)
        for index, (side, space, _) in enumerate(placed):
            expected[0 if side > 0 else 1, space - 1] = counted.landings[index, space] / totals[index]
    return expected


def _with_each_tile(board: Board) -> Iterator[tuple[int, int, Board]]:
    free = board.tile_spaces
    for space in range(2, board.rules.track + 1):
        if free >> space & 1:
            for side in (1, -1):
                yield side, space, board.with_tile(side * space)
