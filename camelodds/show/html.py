"""Tables with bars for notebooks and pages: no scripts, nothing from outside.

Text takes the page's own colour and bars are translucent, so that a table is read on light and dark pages alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from camelodds.show.palette import paint, spoken
from camelodds.show.table import Estimate, Kind, Table, Value, written

STYLE: Final = (
    ".co-table{border-collapse:collapse;font:14px/1.4 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,"
    "sans-serif;font-variant-numeric:tabular-nums;color:inherit;background:none;margin:.4em 0;border:0}"
    ".co-table caption,.co-table tfoot td{text-align:left;padding:2px 8px;white-space:normal;"
    "caption-side:top;color:inherit;opacity:.8}"
    ".co-table caption{font-weight:600;opacity:1}"
    ".co-table th,.co-table td{padding:3px 8px;border:0;text-align:right;white-space:nowrap;background:none;"
    "color:inherit}"
    ".co-table thead th{font-weight:600;opacity:.8;border-bottom:1px solid rgba(128,128,128,.5)}"
    ".co-table tbody tr{border-bottom:1px solid rgba(128,128,128,.18);background:none}"
    ".co-table tfoot tr:first-child td{padding-top:6px}"
    ".co-table .co-label{text-align:left;font-weight:400}"
    ".co-table tbody td{min-width:62px}"
    ".co-table i{display:block;height:4px;border-radius:2px;margin:1px 0 2px;background:rgba(128,128,128,.16);"
    "overflow:hidden}"
    ".co-table i b{display:block;height:4px;border-radius:2px;box-shadow:inset 0 0 0 1px rgba(128,128,128,.45)}"
    ".co-table .co-chip{display:inline-block;width:1.45em;border-radius:5px;text-align:center;font-weight:700;"
    "margin-right:.5em;border:1px solid rgba(128,128,128,.6)}"
)
LEFT: Final = ' class="co-label"'
PLAIN_BAR: Final = "#d08a1d"
LOSS_BAR: Final = "#b5442c"


def table_html(table: Table) -> str:
    """A table as one HTML element with its own style; all text is escaped.

    Shares have bars from 0 to 1. Pounds have bars on both sides of the column's zero, long as the largest of them.
    """
    heads = "".join(
        f'<th scope="col"{LEFT if kind == "text" else ""}>{escape(head)}</th>' for head, kind in table.columns
    )
    body = "".join(_row(label, values, table) for label, values in table.rows)
    span = len(table.columns) + 1
    foot = "".join(f'<tr><td colspan="{span}">{escape(note)}</td></tr>' for note in table.notes)
    return (
        f'<div class="co-table-box" style="overflow-x:auto"><style>{STYLE}</style><table class="co-table">'
        f"<caption>{escape(table.title)}</caption>\n"
        f'<thead><tr><th scope="col" class="co-label">{escape(table.label)}</th>{heads}</tr></thead>\n'
        f"<tbody>{body}\n</tbody>\n" + (f"<tfoot>{foot}</tfoot>\n" if foot else "") + "</table></div>\n"
    )


def _row(label: str, values: Sequence[Value], table: Table) -> str:
    colour = paint(label).fill if table.camels else PLAIN_BAR
    cells = "".join(
        _cell(value, kind, colour, _reach(table, column))
        for column, (value, (_, kind)) in enumerate(zip(values, table.columns, strict=True))
    )
    return f'\n<tr><th scope="row" class="co-label">{_label(label, table.camels)}</th>{cells}</tr>'


def _label(label: str, camel: bool) -> str:
    if not camel:
        return escape(label)
    fill, ink = paint(label)
    name = spoken(label)
    chip = f'<span class="co-chip" style="background:{fill};color:{ink}">{escape(label)}</span>'
    return chip + ("" if name == label else escape(name))


def _reach(table: Table, column: int) -> tuple[float, float]:
    """The lowest and highest value of a column and zero."""
    cells = (_bare(values[column]) for _, values in table.rows)
    numbers = [0.0, *(value for value in cells if isinstance(value, int | float))]
    return min(numbers), max(numbers)


def _cell(value: Value, kind: Kind, colour: str, reach: tuple[float, float]) -> str:
    text, value = escape(written(value, kind)), _bare(value)
    if isinstance(value, str) or value is None or kind in ("text", "number"):
        return f"<td{LEFT if kind == 'text' else ''}>{text}</td>"
    if kind == "share":
        return f"<td>{text}{_bar(0, value, colour)}</td>"
    low, high = reach
    width = (high - low) or 1.0
    start, end = sorted(((min(value, 0.0) - low) / width, (max(value, 0.0) - low) / width))
    return f"<td>{text}{_bar(start, end, LOSS_BAR if value < 0 else colour)}</td>"


def _bare(value: Value) -> str | float | None:
    return value.value if isinstance(value, Estimate) else value


def _bar(start: float, end: float, colour: str) -> str:
    return f'<i><b style="margin-left:{start:.1%};width:{end - start:.1%};background:{colour}"></b></i>'
