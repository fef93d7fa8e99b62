"""The plan: what everybody does until the leg's end, in every state that can come, and what each still gains.

Here the arrays are made that `core.ahead` fills, and bounds are checked: nothing overflows, and what would not fit into
memory is refused before it starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise
from math import perm, prod
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError
from camelodds.position.board import Board
from camelodds.position.boards import die_table
from camelodds.progress import Progress, silent
from camelodds.rules import SECOND_PAYS, WRONG_PAYS

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Others = Literal["best", "greedy"]
Stacks = Sequence[tuple[int, ...]]
"""The values left on each colour's stack, best first, colours in the order of the rules."""

MOST_BOARDS: Final = 500_000
"""Boards with different dice left that are followed at most: some seconds, some hundred megabytes."""
MOST_BYTES: Final = 2_000_000_000
"""Memory that values may take at most."""
VALUES_A_CALL: Final = 10_000_000
"""Values that a kernel fills at most before the work can be interrupted: about a tenth of a second."""
ALL_BEST: Final = -1
"""In place of the asker, where everybody plays best."""


# Axes: G groups, C racing camels, M moves of groups, Q tickets of a colour at most.
class Groups(NamedTuple):
    """Boards that are worth the same, as groups: those with the fewest reveals left first, the position's own last.

    boards : how many boards there were
    scale, made : int64 (G,), ways in which the leg can go on; reveals made since the start
    by_rank : int64 (G, C), the racing camels' lanes, first camel first
    places : int64 (G, 2, C), ways in which each camel is first, and second, in the end
    moves : int64 (G + 1,), each group's first move     child, weight : int64 (M,), where to, in how many faces
    """

    boards: int
    scale: Ints
    made: Ints
    by_rank: Ints
    places: Ints
    moves: Ints
    child: Ints
    weight: Ints


# Axes: S states of a layer, C racing camels.
class Layer(NamedTuple):
    """The states with the same number of tickets taken since the start.

    gone : int64 (S, C), how many of each colour
    one_more : int64 (S, C), the state with one more of a colour in the next layer, -1: none left
    """

    gone: Ints
    one_more: Ints


@dataclass(frozen=True, eq=False)
class Plan:
    """What everybody does and gains; players are counted from the one who is to move at first.

    groups, layers : the states
    acts : of each layer uint8 (G, S), what the player to move does: a lane or REVEAL
    value : what each player gains by what all do, pounds x scale of the position
    reveal : the same if the first act is a reveal
    tickets : the same for the top ticket of each colour that has one, by lane, the camel ahead now first
    alone : what each of these tickets itself is worth, by lane
    """

    groups: Groups
    layers: Sequence[Layer]
    acts: Sequence[Bytes]
    value: tuple[int, ...]
    reveal: tuple[int, ...]
    tickets: dict[int, tuple[int, ...]]
    alone: dict[int, int]

    @property
    def total(self) -> int:
        """All ways in which the leg can go on from the position."""
        return int(self.groups.scale[-1])


def plan(
    board: Board, stacks: Stacks, players: int, others: Others = "best", tell: Progress = silent, asker: int = 0
) -> Plan:
    """Solve a position in which the leg goes on; `tell` hears of states.

    asker : who answers "greedy" others best, counted from the player to move
    Raises RulesError, before the long part of the work, where it would not fit into memory or into integers.
    """
    from camelodds.core.ahead import play_layer

    sizes = _layer_sizes(stacks)
    _check_size(board, stacks, sum(sizes))
    groups = _groups(board, sum(sizes))
    most = max(upper + lower for upper, lower in pairwise([*sizes, 0]))
    size = len(groups.scale)
    needed = 8 * size * players * most + size * sum(sizes)
    if needed > MOST_BYTES:
        raise RulesError(
            f"looking ahead takes {size:,} different boards x {sum(sizes):,} states of the tickets "
            f"x {players} players, and {needed / 1e9:.1f} GB of memory: {MOST_BYTES / 1e9:.1f} GB are the most"
        )
    layers = _layers(stacks)
    worth = _worth(groups, stacks)
    plays_best = asker if others == "greedy" else ALL_BEST
    kept = [np.empty(size * players * max(sizes[parity::2], default=0), np.int64) for parity in range(2)]
    before = now = kept[0][:0].reshape(size, 0, players)
    acts: list[Bytes] = []
    done = 0
    for taken in range(len(layers) - 1, -1, -1):
        gone, one_more = layers[taken]
        before, now = now, kept[taken % 2][: size * len(gone) * players].reshape(size, len(gone), players)
        acts.append(np.empty((size, len(gone)), np.uint8))
        step = max(1, VALUES_A_CALL // (len(gone) * players))
        for first in range(0, size, step):
            last = min(first + step, size)
            play_layer(
                first, last, taken, plays_best, groups.made, groups.scale, groups.by_rank, worth,
                groups.moves, groups.child, groups.weight, gone, one_more, before, now, acts[-1],
            )  # fmt: skip
            done += (last - first) * len(gone)
            tell(done, size * sum(sizes))
    reveal, tickets = _first_acts(groups, layers[0], worth, before, now)
    alone = {lane: int(worth[-1, lane, 0]) for lane in tickets}
    return Plan(groups, layers, acts[::-1], tuple(now[-1, 0].tolist()), reveal, tickets, alone)


def _layer_sizes(stacks: Stacks) -> list[int]:
    """How many states each layer has."""
    sizes = np.ones(1, object)
    for stack in stacks:
        sizes = np.convolve(sizes, np.ones(len(stack) + 1, object))
    return [int(size) for size in sizes]


def _check_size(board: Board, stacks: Stacks, states: int) -> None:
    dice, reveals = board.pyramid.bit_count(), board.reveals
    ways = perm(dice, reveals) * 6**reveals
    pounds = reveals + sum(value + 1 for stack in stacks for value in stack)
    if ways * pounds >= 2**63:
        raise RulesError(f"looking ahead counts up to {ways:,} ways x {pounds:,} pounds, which is beyond 64 bits")
    if 80 * states > MOST_BYTES:
        raise RulesError(f"looking ahead takes {states:,} states of the tickets for every board: too many for memory")


def _groups(board: Board, states: int) -> Groups:
    from camelodds.core.ahead import group_boards, next_boards
    from camelodds.core.starts import names

    rules = board.rules
    racing = len(rules.racing)
    _, by_order, lane_of, _ = names(racing, rules.track)
    words, dice = np.array([board.word], np.int64), np.array([board.pyramid], np.int64)
    found = []
    boards = 1
    for _ in range(board.reveals):
        ends = np.zeros((len(words), 2, racing), np.uint8)
        faces = np.empty(len(words) + 1, np.int64)
        most = MOST_BOARDS - boards
        after, after_dice, child = next_boards(
            words, dice, board.cheering, board.booing, rules.undrawn, rules.track, die_table(rules),
            by_order, lane_of, most, ends, faces,
        )  # fmt: skip
        if len(after) == most:
            raise RulesError(
                f"looking ahead takes more than {MOST_BOARDS:,} boards x {states:,} states of the tickets: "
                f"too many with {' '.join(board.dice)} in the pyramid"
            )
        found.append((words, ends, faces, child))
        words, dice = after, after_dice
        boards += len(words)

    scale, grouped, moves_before = 1, 0, 0
    group_of, places = np.empty(0, np.int32), np.zeros((0, 2, racing), np.int64)
    parts: list[tuple[Ints, ...]] = []
    for reveals, (words, ends, faces, child) in enumerate(reversed(found), 1):
        group_of_next, group_of = group_of, np.empty(len(words), np.int32)
        first_next = grouped - len(places)
        rankings, places, starts, leads, weights = group_boards(
            words, ends, faces, child, group_of_next, places, scale, first_next, by_order, group_of
        )
        scale *= 6 * (reveals + rules.undrawn)
        here = np.ones(len(rankings), np.int64)
        ranked = lane_of[rankings][:, ::-1]
        made = board.reveals - reveals
        parts.append((here * scale, here * made, ranked, places, starts[:-1] + moves_before, leads, weights))
        grouped += len(rankings)
        moves_before += len(leads)
    joined = [np.ascontiguousarray(np.concatenate(part)) for part in zip(*parts, strict=True)]
    joined[4] = np.append(joined[4], moves_before)
    return Groups(boards, *joined)


def _layers(stacks: Stacks) -> list[Layer]:
    """All layers, that of the start first."""
    shape = [len(stack) + 1 for stack in stacks]
    gone = np.indices(shape).reshape(len(shape), -1).T
    strides = [prod(shape[lane + 1 :]) for lane in range(len(shape))]
    taken = gone.sum(axis=1)
    number = np.empty(len(gone), np.int64)
    members = [np.flatnonzero(taken == count) for count in range(taken[-1] + 1)]
    for states in members:
        number[states] = np.arange(len(states))
    layers = []
    for states in members:
        left = gone[states] < np.array(shape) - 1
        more = np.where(left, states[:, None] + strides, 0)
        layers.append(Layer(np.ascontiguousarray(gone[states]), np.where(left, number[more], -1)))
    return layers


def _worth(groups: Groups, stacks: Stacks) -> Ints:
    """What a colour's next ticket is worth if nobody acts any more, pounds x scale (docs/rules.md, section 7).

    int64 (G, C, Q), by how many of the colour have been taken since the start
    """
    first, second = groups.places[:, 0], groups.places[:, 1]
    wrong = groups.scale[:, None] - first - second
    value = np.zeros((len(stacks), max(1, *map(len, stacks))), np.int64)
    for lane, stack in enumerate(stacks):
        value[lane, : len(stack)] = stack
    worth: Ints = first[:, :, None] * value + (second * SECOND_PAYS + wrong * WRONG_PAYS)[:, :, None]
    return worth


def _first_acts(
    groups: Groups, layer: Layer, worth: Ints, before: Ints, now: Ints
) -> tuple[tuple[int, ...], dict[int, tuple[int, ...]]]:
    """Each player's gains after each first act."""
    here = slice(groups.moves[-2], groups.moves[-1])
    reveal = groups.weight[here] @ now[groups.child[here], 0]
    reveal[0] += groups.scale[-1]
    tickets = {}
    for lane in groups.by_rank[-1].tolist():
        more = layer.one_more[0, lane]
        if more >= 0:
            gains = before[-1, more].copy()
            gains[0] += worth[-1, lane, 0]
            tickets[lane] = tuple(gains.tolist())
    return tuple(reveal.tolist()), tickets


Course = tuple[tuple[int | None, Fraction], ...]
"""Acts, None for a reveal or a ticket's lane, each with the chance that all comes so up to it."""
Ways = dict[int, int]
"""In how many ways a course leads to each group."""


def likeliest(found: Plan, acts: int) -> Course:
    """The likeliest course of so many acts, or of fewer if the leg ends before.

    A course gets no likelier as it goes on. So where the likeliest of all is complete, no other can overtake it.
    """
    from camelodds.core.ahead import REVEAL

    number = count()
    waiting: list[tuple[Fraction, int, Course, int, Ways | None]] = []

    def wait(chance: Fraction, course: Course, state: int, ways: Ways | None) -> None:
        """ways : None where the leg has ended"""
        heappush(waiting, (-chance, next(number), course, state, ways))

    wait(Fraction(1), (), 0, {len(found.groups.scale) - 1: 1})
    while True:
        _, _, course, state, ways = heappop(waiting)
        if ways is None or len(course) == acts:
            return course
        taken = sum(lane is not None for lane, _ in course)
        by_act: dict[int, Ways] = {}
        for group, times in ways.items():
            by_act.setdefault(int(found.acts[taken][group, state]), {})[group] = times
        for act, acting in by_act.items():
            chance = _chance(found, acting)
            longer = (*course, (None if act == REVEAL else act, chance))
            if act != REVEAL:
                wait(chance, longer, int(found.layers[taken].one_more[state, act]), acting)
            elif len(longer) == acts:
                wait(chance, longer, state, acting)
            else:
                after = _after_reveal(found.groups, acting)
                goes_on = _chance(found, after)
                if goes_on:
                    wait(goes_on, longer, state, after)
                if goes_on < chance:
                    wait(chance - goes_on, longer, state, None)


def _chance(found: Plan, ways: Ways) -> Fraction:
    return Fraction(sum(times * int(found.groups.scale[group]) for group, times in ways.items()), found.total)


def _after_reveal(groups: Groups, ways: Ways) -> Ways:
    after: Ways = {}
    for group, times in ways.items():
        for move in range(groups.moves[group], groups.moves[group + 1]):
            child = int(groups.child[move])
            after[child] = after.get(child, 0) + times * int(groups.weight[move])
    return after
