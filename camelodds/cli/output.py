"""What the command line writes: JSON and CSV, and a word when something is compiled."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def print_json(**document: Any) -> None:
    """Print a JSON document."""
    print(json.dumps(document, indent=2))


def print_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print rows of comma-separated values below their columns."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)


def say_when_compiling() -> None:
    """Have it said, once, when something is compiled: it takes seconds."""
    from camelodds.core import kernel

    def say(name: str) -> None:
        kernel.compiling = None
        print(
            "camelodds: compiling, once on this machine; takes half a minute or so, `camelodds warmup` does all of it "
            "beforehand",
            file=sys.stderr,
            flush=True,
        )

    kernel.compiling = say
