"""Tables of positions to tables of odds, in memory or from file to file."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from camelodds.odds.counting import CHUNK, place_odds
from camelodds.parallel import spread
from camelodds.position.boards import Boards
from camelodds.progress import Progress, reporting
from camelodds.rules import Rules, rules_of

if TYPE_CHECKING:
    import pandas as pd

ROWS: Final = 32 * CHUNK
"""Rows of a file that are in memory at a time."""


def odds_columns(rules: Rules) -> list[str]:
    """The columns of odds: `p_r1` is the chance that red ends the leg first, `race_ends` that the race ends in it."""
    places = range(1, len(rules.racing) + 1)
    return [f"p_{camel}{place}" for camel in rules.racing for place in places] + ["race_ends"]


def leg_frame(
    positions: pd.DataFrame | pd.Series[Any],
    *,
    column: str = "board",
    edition: str | Rules = "second",
    executor: Executor | None = None,
    progress: Progress | bool = False,
) -> pd.DataFrame:
    """Exact odds of many legs as a DataFrame.

    Parameters
    ----------
    positions : DataFrame or Series
        A column of texts or boards, or a DataFrame with such a `column`.
    column : str
        Its name.
    edition : str or Rules
        For texts.
    executor : concurrent.futures.Executor, optional
        Where the work is done; one thread per processor by default. Results are the same to the bit.
    progress : callable or bool
        True for a bar on standard error, or a function that is called with the rows done and all rows.

    Returns
    -------
    DataFrame
        With the index of the positions; ``p_r1`` is the chance that red ends the leg first, ``race_ends`` that the
        race ends in it.

    Raises
    ------
    KeyError
        For a missing column.
    NotationError, RulesError
        With the label of the first row at fault.

    Examples
    --------
    >>> import camelodds as co, pandas as pd
    >>> positions = pd.Series(["2:rb 4:g 5:yp 13:KW +7 / rg#"], index=["evening"])
    >>> co.leg_frame(positions)[["p_g1", "race_ends"]].round(4)
               p_g1  race_ends
    evening  0.5926        0.0
    """
    import pandas as pd

    if isinstance(positions, pd.DataFrame):
        positions = positions[column]
    many = Boards.of(positions, edition)
    names = odds_columns(many.rules)
    odds = np.empty((len(many), len(names)))
    with reporting(progress, "positions") as tell:
        start = 0
        for part in spread(place_odds, _pieces(many), executor):
            odds[start : start + len(part)] = part
            start += len(part)
            tell(start, len(many))
    return pd.DataFrame(odds, index=positions.index, columns=names)


def leg_parquet(
    source: str | Path,
    target: str | Path,
    *,
    column: str = "board",
    edition: str | Rules = "second",
    executor: Executor | None = None,
    progress: Progress | bool = False,
) -> int:
    """Exact odds of the positions in a Parquet file, written to another with their other columns: how many there are.

    Memory stays the same however long the file is. The target appears when it is whole; one that is there is replaced.

    Parameters
    ----------
    source : str or Path
        The file with the positions.
    target : str or Path
        Where to write.
    column : str
        The name of the column of texts.
    edition : str or Rules
        For the texts.
    executor : concurrent.futures.Executor, optional
        Where the work is done; one thread per processor by default. Results are the same to the bit.
    progress : callable or bool
        True for a bar on standard error, or a function that is called with the rows done and all rows.

    Returns
    -------
    int
        How many positions there are.

    Raises
    ------
    ImportError
        Without pyarrow (extra `tables`).
    OSError
        For a file that cannot be read or written.
    KeyError
        For a missing column.
    NotationError, RulesError
        With the number of the first row at fault.
    """
    pa, parquet = _pyarrow()
    rules = rules_of(edition)
    names = odds_columns(rules)
    target = Path(target)
    partial = target.with_name(target.name + ".part")
    with parquet.ParquetFile(source) as file:
        if column not in file.schema_arrow.names:
            raise KeyError(f"{source}: no column {column!r}: expected one of {', '.join(file.schema_arrow.names)}")
        schema = file.schema_arrow
        for name in names:
            schema = schema.append(pa.field(name, pa.float64()))
        done = 0
        try:
            with parquet.ParquetWriter(partial, schema) as writer, reporting(progress, "positions") as tell:
                for rows in file.iter_batches(batch_size=ROWS):
                    many = Boards.of(rows.column(column).to_pylist(), rules, done)
                    odds = np.concatenate(list(spread(place_odds, _pieces(many), executor)))
                    arrays = [*rows.columns, *(pa.array(values) for values in odds.T)]
                    writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
                    done += len(many)
                    tell(done, file.metadata.num_rows)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    return done


def _pieces(many: Boards) -> Iterator[Boards]:
    return (many[start : start + CHUNK] for start in range(0, len(many), CHUNK))


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ImportError('Parquet files need pyarrow: pip install "camelodds[tables]"') from None
    return pa, parquet
