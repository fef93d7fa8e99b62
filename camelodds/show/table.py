"""Tables of plain data, as text and for `html` and `terminal` to show. Answers make their own, see their `table()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Final, Literal, NamedTuple

from camelodds.show.palette import spoken

Kind = Literal["text", "share", "pounds", "number"]
"""How a column is written: as it is; a probability in percent; pounds with their sign; a plain number."""


class Estimate(NamedTuple):
    """A number that is known up to an error, the standard error of a simulation; written with both.

    Examples
    --------
    >>> written(Estimate(0.171432, 0.00075), "share"), written(Estimate(1.0712, 0.003), "pounds")
    ('17.143% ±0.075%', '+1.0712 ±0.0030')
    """

    value: float
    error: float


Value = str | float | Estimate | None
"""What stands in a table: a text as it is, a number as its column writes it, None for nothing."""

FORMATS: Final[dict[Kind, str]] = {"text": "", "share": ".2%", "pounds": "+.4f", "number": ".4g"}


@dataclass(frozen=True, slots=True)
class Table:
    """What is shown of an answer.

    title : what it is about
    label : heading of the first column     columns : heading and kind of each other one
    rows : label and values of each row, None for nothing there; a label that is a camel's letter gets its colour
    notes : lines below
    camels : whether the labels are letters of camels
    """

    title: str
    label: str
    columns: Sequence[tuple[str, Kind]]
    rows: Sequence[tuple[str, Sequence[Value]]]
    notes: Sequence[str] = ()
    camels: bool = True


def ordinal(place: int) -> str:
    """1st, 2nd, ..."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def written(value: Value, kind: Kind) -> str:
    """A value as its column writes it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Estimate):
        return _uncertain(value, kind)
    text = format(value, FORMATS[kind])
    return text.replace("-", "+") if kind == "pounds" and float(text) == 0 else text


def _uncertain(estimate: Estimate, kind: Kind) -> str:
    """An estimate with two digits of its error, and no more digits than that."""
    value, error = estimate
    if error <= 0:
        return format(value, FORMATS[kind])
    unit, scale = ("%", 100) if kind == "share" else ("", 1)
    digits = max(0, 1 - floor(log10(scale * error)))
    sign = "+" if kind == "pounds" else ""
    return f"{scale * value:{sign}.{digits}f}{unit} ±{scale * error:.{digits}f}{unit}"


def plain(table: Table) -> str:
    """A table as text: words to the left, numbers to the right, no line ends in blanks."""
    heads = [table.label, *(head for head, _ in table.columns)]
    body = [
        [
            named(label) if table.camels else label,
            *(written(value, kind) for value, (_, kind) in zip(values, table.columns, strict=True)),
        ]
        for label, values in table.rows
    ]
    widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
    justify = [str.ljust, *(str.ljust if kind == "text" else str.rjust for _, kind in table.columns)]
    lines = [
        "  ".join(put(cell, width) for put, cell, width in zip(justify, row, widths, strict=True)).rstrip()
        for row in [heads, *body]
    ]
    return "\n".join([table.title, *lines, *table.notes])


def named(camel: str) -> str:
    """A camel's letter and colour, such as "r red"."""
    name = spoken(camel)
    return camel if name == camel else f"{camel} {name}"
