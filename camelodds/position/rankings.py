"""Rankings of the racing camels, first to last, numbered in lexicographic order of the rules' camels."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray


# Axes: C racing camels, R = C! rankings, P = C places.
@lru_cache(maxsize=8)
def ranking_names(racing: str) -> tuple[str, ...]:
    """All rankings, first to last, in the order in which they are numbered.

    Examples
    --------
    >>> ranking_names("rbg")
    ('rbg', 'rgb', 'brg', 'bgr', 'grb', 'gbr')
    """
    return tuple("".join(ranking) for ranking in permutations(racing))


@lru_cache(maxsize=8)
def places(camels: int) -> NDArray[np.int64]:
    """int64 (C, R): the place of each camel in each ranking, 1 the first.

    Examples
    --------
    >>> places(2)
    array([[1, 2],
           [2, 1]])
    """
    rankings = np.array(list(permutations(range(camels))))
    return np.ascontiguousarray(rankings.argsort(axis=1).T + 1)


@lru_cache(maxsize=8)
def in_place(camels: int) -> NDArray[np.int64]:
    """int64 (R, C, P): 1 where a ranking has a camel in a place, place 0 the first."""
    return np.ascontiguousarray((places(camels).T[:, :, None] == np.arange(1, camels + 1)).astype(np.int64))
