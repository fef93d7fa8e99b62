"""Tables on the terminal, with colours where there is one."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from camelodds.show.table import Table, named, plain, written

INKS: Final = {"b": "blue", "g": "green", "o": "dark_orange", "p": "magenta", "r": "red", "w": "bold", "y": "yellow"}
"""Terminal colours of the racing camels, readable on light and dark."""


def show(table: Table, console: Console | None = None) -> None:
    """Print a table and its notes; lines are never cut, so that they can be piped on."""
    width = max(map(len, plain(table).splitlines()))
    console = console or Console(highlight=False, width=width)
    console.print(Text(table.title, "bold"))
    grid = Grid(box=None, pad_edge=False)
    grid.add_column(table.label, no_wrap=True)
    for head, kind in table.columns:
        grid.add_column(head, justify="left" if kind == "text" else "right", no_wrap=True)
    for label, values in table.rows:
        name = Text(named(label), INKS.get(label, "")) if table.camels else Text(label)
        cells = (Text(written(value, kind)) for value, (_, kind) in zip(values, table.columns, strict=True))
        grid.add_row(name, *cells)
    console.print(grid)
    for note in table.notes:
        console.print(Text(note))
