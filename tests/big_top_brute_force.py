"""Under the Big Top, played to its end for every order of the tokens and of the tiles: slow, plain, on its own.

Written from docs/guide/big-top.md, "The rules"; nothing is imported from the package. Only the chances are looked at:
who has how many meeples beside which site of the tent is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

BOX = [7, 6, 6, 5, 5, 5, 4, 4, 4, 4, 4, 3, 3, 3, 3, 1]
CIRCUS, ACROBAT, OTHER = "circus", "acrobat", "other"


class Scoring(NamedTuple):
    """A scoring of the tent: after which draw (None at the end), by whose seat, with which token."""

    draw: int | None
    seat: int | None
    token: int


def token_orders(seen: Sequence[int], many: int) -> Iterator[tuple[int, ...]]:
    """Every order in which the next tokens may come; equal ones are told apart, so that all orders are alike."""
    box = list(BOX)
    for token in seen:
        box.remove(token)
    return permutations(box, many)


def tile_orders(stack: int, circus: int, acrobat: int) -> Iterator[tuple[str, ...]]:
    """Every order of the stack, the next tile first; equal ones are told apart."""
    return permutations([CIRCUS] * circus + [ACROBAT] * acrobat + [OTHER] * (stack - circus - acrobat))


def played(tiles: Sequence[str], tokens: Sequence[int], seats: int) -> list[Scoring]:
    """The scorings of the tent, which stands, to the end of the game; the first seat draws next."""
    scorings = []
    left = list(tokens)
    for draw, tile in enumerate(tiles, 1):
        if tile == CIRCUS:
            scorings.append(Scoring(draw, (draw - 1) % seats, left.pop(0)))
    scorings.append(Scoring(None, None, left.pop(0)))
    return scorings


def one_more_meeple(scorings: Sequence[Scoring], leaves_after: int | None) -> int:
    """What a meeple beside the tent's first site earns that goes home after so many draws, None if never."""
    first = scorings[0]
    if leaves_after is None:
        return first.token
    return first.token if first.draw is not None and first.draw <= leaves_after else 0


def points(scorings: Sequence[Scoring], meeples: Sequence[int]) -> int:
    """What a player earns with so many meeples beside each site, one site after the other."""
    return sum(scoring.token * many for scoring, many in zip(scorings, meeples, strict=False))


def lead(scorings: Sequence[Scoring], scores: Sequence[int], meeples: Sequence[Sequence[int]]) -> int:
    """How far the first player is ahead of the best of the others, after as many sites as are given."""
    ends = [score + points(scorings, own) for score, own in zip(scores, meeples, strict=True)]
    return ends[0] - max(ends[1:])


def games(seen: Sequence[int], stack: int, circus: int, seats: int) -> list[list[Scoring]]:
    """Every game that may follow, all equally likely: each way to lay the circus tiles, each order of the tokens."""
    return [
        played(tiles, tokens, seats)
        for tiles in set(tile_orders(stack, circus, 0))
        for tokens in token_orders(seen, circus + 1)
    ]


def special_tiles(stack: int, circus: int, acrobat: int, draws: Sequence[int]) -> dict[int, Fraction]:
    """How likely each number of circus and acrobat tiles is at these draws of the stack, 0 the next."""
    orders = tile_orders(stack, circus, acrobat)
    return chances(sum(tiles[draw] != OTHER for draw in draws) for tiles in orders)


def chances(outcomes: Iterable[Hashable]) -> dict[Any, Fraction]:
    """How likely each outcome is, all being equally likely."""
    counted = Counter(outcomes)
    return {outcome: Fraction(many, counted.total()) for outcome, many in counted.items()}
