"""Races played many times over, where no table is at hand: how many, from which seeds, and what comes out."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from math import ceil, sqrt
from numbers import Real
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError, whole_number
from camelodds.parallel import spread
from camelodds.position.board import Board
from camelodds.position.boards import die_table

GAMES: Final = 250_000
"""Races that are played for a position where no table is at hand, unless asked otherwise: a standard error of 0.1 %."""
MOST_GAMES: Final = 10**9
"""Races that a simulation plays at most: about ten minutes on two processors."""
TOO_MANY: Final = f"{MOST_GAMES:,} races, which take some ten minutes"
MOST_LEGS: Final = 128
"""Races of as many legs or more are counted together; those of the editions take a dozen at most."""
BLOCK: Final = 1 << 14
"""Races that are played from one seed."""


# Axes: C racing camels in the order of the rules.
class PlayedRaces(NamedTuple):
    """How races went that were played from one position.

    wins, losses : float64 (C,), the share of races that each camel won, and in which it came last
    legs : legs of a race on average, the one under way included
    stderr : the largest standard error of a share     legs_stderr : that of `legs`
    endings : uint8 (games,), the number of the ranking in which each race ended; empty unless asked for
    legs_counts : int64 (MOST_LEGS + 1,), races by their number of legs
    """

    wins: NDArray[np.float64]
    losses: NDArray[np.float64]
    legs: float
    stderr: float
    legs_stderr: float
    endings: NDArray[np.uint8]
    legs_counts: NDArray[np.int64]


def play_races(
    board: Board, games: int, seed: int = 0, executor: Executor | None = None, *, endings: bool = False
) -> PlayedRaces:
    """Play the race to its end so many times. The result depends on the board, the number and the seed only.

    games : as `races_to_play` gives it     executor : where it is done; one thread per processor by default
    endings : whether to keep how each race ended; race k sees the same dice on every board
    """
    racing = len(board.rules.racing)
    counts, kept = np.zeros(2 * racing + 3 + MOST_LEGS, np.int64), [np.zeros(0, np.uint8)]
    for counted, ended in spread(_Block.run, _blocks(board, games, seed), executor):
        counts += counted
        if endings:
            kept.append(ended)
    shares = counts[: 2 * racing] / games
    legs, squares = counts[2 * racing] / games, counts[2 * racing + 1] / games
    return PlayedRaces(
        shares[:racing],
        shares[racing:],
        float(legs),
        stderr=max(standard_error(share, games) for share in shares.tolist()),
        legs_stderr=sqrt(max(squares - legs * legs, 0.0) / games),
        endings=np.concatenate(kept),
        legs_counts=counts[2 * racing + 2 :],
    )


def standard_error(share: float, games: int) -> float:
    """The standard error of a share of so many races; half a race more on either side: none of many is not never."""
    likely = (share * games + 0.5) / (games + 1)
    return sqrt(likely * (1 - likely) / games)


def races_to_play(games: int | None = None, stderr: float | None = None) -> int:
    """How many races are played: so many, or as it takes for a standard error, or the usual number.

    Raises RulesError for what cannot be meant, and for more than MOST_GAMES.
    """
    if games is not None and stderr is not None:
        raise RulesError("either games or stderr sets how long to simulate, not both")
    if stderr is not None:
        if not isinstance(stderr, Real) or not 0 < stderr < 1:
            raise RulesError(f"a standard error between 0 and 1, not {stderr!r}")
        least = 0.5 / sqrt(MOST_GAMES)
        if stderr < least:
            raise RulesError(f"a standard error of {stderr:g} takes more than {TOO_MANY}; {least:.1e} is the least")
        return ceil(0.25 / float(stderr) ** 2)
    if games is None:
        return GAMES
    games = whole_number(games, "the number of races")
    if games < 1:
        raise RulesError(f"at least one race is played, not {games!r}")
    if games > MOST_GAMES:
        raise RulesError(f"no more than {TOO_MANY}: not {games:,}")
    return games


def checked_seed(seed: int) -> int:
    """A seed as an int. Raises RulesError for what is none."""
    seed = whole_number(seed, "a seed")
    if seed < 0:
        raise RulesError(f"a seed is a whole number from 0, not {seed}")
    return seed


@dataclass(frozen=True)
class _Block:
    """Races to be played from one seed."""

    board: Board
    seed: np.random.SeedSequence
    games: int

    def run(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        from camelodds.core.simulate import play
        from camelodds.core.starts import names

        board, rules = self.board, self.board.rules
        racing = len(rules.racing)
        named = names(racing, rules.track)
        counts, endings = np.zeros(2 * racing + 3 + MOST_LEGS, np.int64), np.empty(self.games, np.uint8)
        play(
            board.word, board.pyramid, board.cheering, board.booing, racing, bool(rules.crazy), rules.undrawn,
            rules.support, rules.track, die_table(rules), named.by_order, named.lane_of,
            self.seed.generate_state(4).astype(np.int64), self.games, counts, endings,
        )  # fmt: skip
        return counts, endings


def _blocks(board: Board, games: int, seed: int) -> Iterator[_Block]:
    """Blocks of so many races in all, made when they are asked for: there can be many."""
    source = np.random.SeedSequence(seed)
    for start in range(0, games, BLOCK):
        yield _Block(board, source.spawn(1)[0], min(BLOCK, games - start))
