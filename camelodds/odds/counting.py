"""Many legs counted at once: arrays to the kernels and back, in batches."""

from __future__ import annotations

from concurrent.futures import Executor
from math import factorial, perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.parallel import go_on, is_stoppable, spread
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.position.rankings import in_place

CHUNK = 512
"""Boards that one task of `leg_odds_many` takes."""


class Ends(NamedTuple):
    """The distinct boards in which a leg ends, tiles and dice left out, and their weights.

    boards : Boards (E,), pyramids empty     weights : int64 (E,), they sum to the leg's total
    """

    boards: Boards
    weights: NDArray[np.int64]


def watched_ends(board: Board, watch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct boards in which a leg ends and their weights: int64 (E,), int64 (E,).

    watch : as in `core.leg.leg_ends`; what was seen is in the upper byte of the board's word
    """
    from camelodds.core.leg import leg_ends

    rules = board.rules
    return leg_ends(
        board.word, board.pyramid, board.cheering, board.booing, watch, rules.undrawn, rules.track, rules.marks
    )


class Counted(NamedTuple):
    rankings: NDArray[np.int64]
    landings: NDArray[np.int64]
    marks: NDArray[np.int64]
    moves: NDArray[np.int64]


def count_legs(many: Boards, watch: NDArray[np.int64] | None = None) -> Counted:
    """What `leg_rankings` counts; fewer than five camels leave the rankings' upper part empty."""
    from camelodds.core.leg import leg_rankings
    from camelodds.core.ranking import OVER, ranking_tables

    rules, size = many.rules, len(many)
    counted = Counted(*[np.zeros((size, width), np.int64) for width in (2 * OVER, 32, 16, 2)])
    words, watched = many.word.view(np.int64), np.zeros(size, np.int64) if watch is None else watch
    step = _boards_at_once(many) if is_stoppable() else max(1, size)
    for start in range(0, size, step):
        at = slice(start, start + step)
        go_on()
        leg_rankings(
            words[at], many.dice[at], many.cheering[at], many.booing[at], watched[at],
            rules.undrawn, rules.track, rules.marks, *ranking_tables(len(rules.racing)),
            *[part[at] for part in counted],
        )  # fmt: skip
    return counted


def ends_of(board: Board) -> Ends:
    """The distinct boards in which a leg ends."""
    word, weights = watched_ends(board, 0)
    none = np.zeros(len(word), np.int64)
    return Ends(Boards(board.rules, word.view(np.uint64), none, none, none), weights)


def marks_of(board: Board, watch: int) -> list[int]:
    """Ways by the number that is seen on a space, up to the largest that can be; watch : as in `core.leg.leg_ends`."""
    marks = count_legs(Boards.one(board), np.array([watch])).marks[0]
    ways: list[int] = marks[: int(np.flatnonzero(marks).max()) + 1].tolist()
    return ways


def _boards_at_once(many: Boards) -> int:
    """How many legs are counted between two checks whether they are still wanted: some milliseconds of them."""
    dice = max((int(each).bit_count() for each in many.dice), default=0)
    return max(1, 64 >> 2 * max(0, dice - 5))


def place_odds(many: Boards) -> NDArray[np.float64]:
    """Odds of legs, flat: float64 (B, C * C + 1), each camel's places one after the other, then the end of the race."""
    camels = len(many.rules.racing)
    joint = count_legs(many).rankings.reshape(len(many), 2, -1)[:, :, : factorial(camels)]
    ways = np.empty((len(many), camels * camels + 1), np.int64)
    ways[:, :-1] = joint.sum(axis=1) @ in_place(camels).reshape(-1, camels * camels)
    ways[:, -1] = joint[:, 1].sum(axis=1)
    odds: NDArray[np.float64] = ways / joint.sum(axis=(1, 2))[:, None]
    return odds


def place_odds_many(many: Boards, executor: Executor | None) -> NDArray[np.float64]:
    """Chances of every place, in pieces that an executor shares: float64 (B, C, C)."""
    camels = len(many.rules.racing)
    odds = np.empty((len(many), camels, camels))
    pieces = [slice(start, start + CHUNK) for start in range(0, len(many), CHUNK)]
    for piece, part in zip(pieces, spread(place_odds, (many[piece] for piece in pieces), executor), strict=True):
        odds[piece] = part[:, :-1].reshape(-1, camels, camels)
    return odds


def total_ways(board: Board) -> int:
    """All ways of a leg: draws of dice times six faces each."""
    reveals = board.reveals
    ways: int = perm(board.pyramid.bit_count(), reveals) * 6**reveals
    return ways
