"""The two things that are random: which token lies under the tent, and in which order the tiles come.

Numbers in, numbers out; everything is counted in integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Final

from camelodds.errors import GameError

MOST_STATES: Final = 50_000
"""Distinct intermediate results that `scorings` keeps; two scorings with any meeples need fewer than a hundred."""


def scorings(tokens: Mapping[int, int], rows: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """Ways of each outcome when the tent is scored several times, each time with a token that then is out.

    Parameters
    ----------
    tokens : mapping of int to int
        How many tokens of each value may still come.
    rows : sequence of tuple of int
        For each scoring, in order, the multiples of its token: one for each number that is asked for.

    Returns
    -------
    dict of tuple of int to int
        Ways to draw the tokens one after the other, by the sums over all scorings.

    Raises
    ------
    GameError
        If there are too many distinct outcomes to count.
    """
    values = tuple(tokens)
    states = {(tuple(tokens.values()), (0,) * (len(rows[0]) if rows else 0)): 1}
    for row in rows:
        after: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        for (left, sums), ways in states.items():
            for lane, value in enumerate(values):
                if left[lane]:
                    rest = (*left[:lane], left[lane] - 1, *left[lane + 1 :])
                    key = rest, tuple(total + many * value for total, many in zip(sums, row, strict=True))
                    after[key] = after.get(key, 0) + ways * left[lane]
            if len(after) > MOST_STATES:
                raise GameError(
                    f"{len(rows)} scorings with different meeples for {len(row) + 1} players have too many outcomes "
                    "to count: expected fewer scorings, or one other player (over=)"
                )
        states = after
    found: dict[tuple[int, ...], int] = {}
    for (_, sums), ways in states.items():
        found[sums] = found.get(sums, 0) + ways
    return found


def first_draws(tiles: int, circus: int) -> dict[int, int]:
    """Ways to lay `circus` circus tiles into a stack, by the draw of the first of them, 1 the next."""
    return {draw: comb(tiles - draw, circus - 1) for draw in range(1, tiles - circus + 2)} if circus else {}


def none_drawn(tiles: int, special: int, draws: int) -> Fraction:
    """The chance that none of `special` tiles is among given `draws` of the stack: the next ones, or the last ones."""
    return Fraction(comb(tiles - draws, special), comb(tiles, special))


def special_drawn(tiles: int, special: int, draws: int) -> dict[int, int]:
    """Ways by how many of `special` tiles are among given `draws` of the stack: hypergeometric."""
    most = min(special, draws)
    return {many: comb(special, many) * comb(tiles - special, draws - many) for many in range(most + 1)}
