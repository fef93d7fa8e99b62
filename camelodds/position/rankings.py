"""Rankings of the racing camels, first to last, numbered in lexicographic order of the rules' camels."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError, whole_number

if TYPE_CHECKING:
    import pandas as pd


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


def camel_and_place(racing: str, camel: str, place: int) -> tuple[int, int]:
    """The number of a camel and that of a place, both from 0. Raises RulesError for what is no camel or place.

    Examples
    --------
    >>> camel_and_place("rbgyp", "b", 1)
    (1, 0)
    """
    if not isinstance(camel, str) or camel not in racing or len(camel) != 1:
        raise RulesError(f"{camel!r} is no racing camel: expected one of {' '.join(racing)}")
    place = whole_number(place, "a place")
    if place not in range(1, len(racing) + 1):
        raise RulesError(f"places are 1 (first) to {len(racing)}, not {place!r}")
    return racing.index(camel), place - 1


def place_frame(racing: str, p: NDArray[np.float64]) -> pd.DataFrame:
    """Probabilities float64 (C, P) as a DataFrame: camels by letter x places from 1."""
    import pandas as pd

    places = pd.RangeIndex(1, len(racing) + 1, name="place")
    return pd.DataFrame(p, index=pd.Index(list(racing), name="camel"), columns=places)
