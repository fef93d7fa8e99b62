"""What players still gain when the turn passes on and everybody plays on to the leg's end, beside what acts are worth.

The model is that of `ahead`: later tiles, cards and other bets, and the extra step of the spicy Supercup, have no part
in it, nor has the floor at zero. Solved positions are remembered: the same ones come again when bots play a deal from
every seat, or play one game on with many dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

from camelodds.ev.plan import Others, plan
from camelodds.game.act import REVEAL, Act
from camelodds.game.state import State
from camelodds.position.board import Board

HOW: Final[dict[str, str]] = {
    "best": "everybody plays on as is best for them",
    "greedy": "the others take the best ticket if it is worth more than 1 alone, else reveal",
}
"""The ways in which the others may play on."""
REMEMBERED: Final = 4096
"""Solved positions that are kept, some numbers each."""
VALUES_A_SECOND: Final = 15_000_000
"""Values that are filled in about a second on one slow core."""


class Solved(NamedTuple):
    """What is gained from a position on: counted from the player to move, pounds x total.

    values : how many values were filled     value, reveal, tickets, alone : as in `Plan`
    """

    values: int
    total: int
    value: tuple[int, ...]
    reveal: tuple[int, ...]
    tickets: dict[int, tuple[int, ...]]
    alone: dict[int, int]


class Onward:
    """What follows the turn of the player who asks.

    start : where that player is to act     player : their number     others : how the others play, see `look_ahead`
    Raises RulesError where there are too many states, as `plan` does.
    """

    def __init__(self, start: State, player: int, others: Others = "best") -> None:
        self.start, self.player, self.others = start, player, others
        self._stacks = tuple(start.stacks.values())
        self._now = _solved(start.board, self._stacks, len(start.names), others, 0)

    @property
    def solves_a_second(self) -> int:
        """How many more positions like this one are solved in about a second."""
        return VALUES_A_SECOND // self._now.values

    def needs_a_solve(self, act: Act, after: State) -> bool:
        """Whether an act leaves another board, or other stacks, than a reveal, a ticket or waiting does."""
        return not _in_model(act) and (after.board != self.start.board or self._left(act, after) != self._stacks)

    def gains(self, act: Act, after: State) -> list[Fraction]:
        """What each player, in seating order, still gains after an act and beside what the act itself is worth.

        after : what the act leads to, the die of a reveal not yet rolled
        """
        now = self._now
        if act == REVEAL:
            return self._seated((now.reveal[0] - now.total, *now.reveal[1:]), now.total)
        if _in_model(act):
            lane = self.start.rules.racing.index(act.item[0])
            own, *rest = now.tickets[lane]
            return self._seated((own - now.alone[lane], *rest), now.total)
        return self._passed(after.board, self._left(act, after))

    def waiting(self) -> list[Fraction]:
        """What each player still gains if the turn passes on and nothing else has changed."""
        return self._passed(self.start.board, self._stacks)

    def _left(self, act: Act, after: State) -> tuple[tuple[int, ...], ...]:
        """The stacks after an act; tiles, cards and the camera leave them as they are."""
        return tuple(after.stacks.values()) if act.kind in ("ticket", "position") else self._stacks

    def _passed(self, board: Board, stacks: tuple[tuple[int, ...], ...]) -> list[Fraction]:
        """What each player gains when the next one is to move."""
        players = len(self.start.names)
        then = _solved(board, stacks, players, self.others, players - 1)
        return self._seated((then.value[-1], *then.value[:-1]), then.total)

    def _seated(self, gains: Sequence[int], total: int) -> list[Fraction]:
        """Gains counted from the player who asks, as pounds in seating order."""
        turned = [gains[(seat - self.player) % len(gains)] for seat in range(len(gains))]
        return [Fraction(gain, total) for gain in turned]


def _in_model(act: Act) -> bool:
    return act.kind in (REVEAL.kind, "ticket") and not act.support


def _solved(board: Board, stacks: tuple[tuple[int, ...], ...], players: int, others: Others, asker: int) -> Solved:
    """asker : counted from the player to move; who it is does not matter where all play best"""
    plain = Board(board.rules, board.word, board.pyramid, tuple(tile._replace(owner=None) for tile in board.tiles))
    return _remembered(plain, stacks, players, others, asker if others == "greedy" else 0)


@lru_cache(maxsize=REMEMBERED)
def _remembered(board: Board, stacks: tuple[tuple[int, ...], ...], players: int, others: Others, asker: int) -> Solved:
    found = plan(board, stacks, players, others, asker=asker)
    states = prod(len(stack) + 1 for stack in stacks)
    values = len(found.groups.scale) * states * players
    return Solved(values, found.total, found.value, found.reveal, found.tickets, found.alone)
