"""What answers cost, decided once for every door: is a table at hand, how many races are played, how long is a leg?

The number of races for one position is `simulation.GAMES`, whoever asks, from the same seed: one question, one answer.
"""

from __future__ import annotations

from typing import Final

from camelodds.odds.race_course import Course
from camelodds.odds.race_table import solved_on_use, table_at_hand
from camelodds.odds.simulation import GAMES
from camelodds.position.board import Board
from camelodds.rules import Rules

FEWEST_GAMES: Final = 50_000
"""Races that are played at least for each of many positions: a standard error of 0.23 % at most."""
QUICK_GAMES: Final = 1 << 15
"""Races that are played for a position where an answer is wanted at once: a standard error of 0.28 % at most."""
QUICK_STARTS: Final = 20_000
"""Leg starts of a race that is solved in a fraction of a second."""
FIVE_DICE: Final = {False: 12_200, True: 11_000}
"""Merged moves of a leg of five dice, without and with crazy camels."""
MORE_DICE: Final = {False: 5.0, True: 5.7}
"""How many times as many each further die takes, at most; measured up to eleven dice."""


def games_each(positions: int) -> int:
    """How many races are played for each of so many positions, where they are simulated.

    Examples
    --------
    >>> games_each(1), games_each(2), games_each(30)
    (250000, 125000, 50000)
    """
    return max(FEWEST_GAMES, GAMES // max(1, positions))


def races_are_simulated(rules: Rules) -> bool:
    """Whether no table of the race is at hand; a small one is solved now. Raises TableError for one not usable."""
    course = Course.of(rules)
    return not course.solvable or table_at_hand(course) is None


def race_is_quick(board: Board) -> bool:
    """Whether exact odds of the race take next to no time: a table was built, or is small.

    Raises TableError for a table that cannot be used.
    """
    course = Course.of(board.rules)
    if board.race_over or (solved_on_use(course) and course.starts > QUICK_STARTS):
        return False
    return not races_are_simulated(board.rules)


def leg_moves(rules: Rules, dice: int) -> int:
    """About how many merged moves a leg takes with so many dice in the pyramid, at most."""
    crazy = bool(rules.crazy)
    return int(FIVE_DICE[crazy] * MORE_DICE[crazy] ** (dice - 5))
