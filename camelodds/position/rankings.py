"""The rankings of racing camels, numbered in lexicographic order of the camels from first to last."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=8)
def ranking_names(racing: str) -> tuple[str, ...]:
    """All rankings, first to last, in the order in which they are numbered."""
    return tuple("".join(ranking) for ranking in permutations(racing))


# Axes: C racing camels, R = C! rankings.
@lru_cache
def places(camels: int) -> NDArray[np.int64]:
    """int64 (C, R): the place of each camel in each ranking, 1 the first."""
    rankings = np.array(list(permutations(range(camels))))
    return np.ascontiguousarray(rankings.argsort(axis=1).T + 1)
