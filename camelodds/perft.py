"""Checking the core against files of known counts, as chess programs do.

A perft file has a position a line, JSON: `text`, `edition`; `total` weight; `nodes`, the unmerged tree's nodes by depth
(the grey die has six children, every other die one per number); `distinct`, boards with their dice left by depth;
`ends`, distinct boards at the end; `places` and `rankings` ("!" where the race is over), weights; `landings`, weight x
landings by tile. Not required: `photo`, weights by number of camels in the first photo on one space; `hits`, not
checked, the rules that the reference met. Those in tests/perft come from tests/reference.py, which shares no code with
this package.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from camelodds.odds.leg import LegOdds, leg_odds
from camelodds.position.board import Board
from camelodds.position.rankings import ranking_names

LONGEST_LINE: Final = 100_000
"""Bytes of a position, at most; those in tests/perft have some two thousand."""


def check_file(file: str | Path) -> tuple[int, str | None]:
    """Check every position of a file: (positions that agree, None or a text about the first that does not).

    Raises OSError for a file that cannot be read, ValueError for one that is no perft file.
    """
    checked = 0
    for number, line in _lines(Path(file)):
        where = f"{file}, line {number}"
        try:
            known = _known(line)
            board = Board.parse(known["text"], known["edition"])
            difference = compare(board, known)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{where}: no perft position: {error}") from None
        if difference:
            return checked, f"{where}: {board} ({board.edition})\n{difference}\n{divide(board)}"
        checked += 1
    if not checked:
        raise ValueError(f"{file}: no positions in it")
    return checked, None


def compare(board: Board, known: dict[str, Any]) -> str | None:
    """None if the core counts what is known of a position, else the first count in which they differ."""
    counted = count(board, known["photo"]["space"] if "photo" in known else None)
    for key, expected in known.items():
        if key in counted and counted[key] != expected:
            return f"{key}: expected {expected}\n{' ' * len(key)}  counted  {counted[key]}"
    return None


def count(board: Board, camera: int | None = None) -> dict[str, Any]:
    """All counts of a position, under the keys of a perft file."""
    leg = leg_odds(board)
    racing = board.rules.racing
    nodes, distinct = tree(board)
    counted: dict[str, Any] = {
        "total": leg.total,
        "nodes": nodes,
        "distinct": distinct,
        "ends": len(leg.ends.weights),
        "places": {camel: leg.counts[lane].tolist() for lane, camel in enumerate(racing)},
        "rankings": _rankings(leg),
        "landings": {str(tile.space): int(leg.landing_weights[tile.space]) for tile in board.tiles},
    }
    if camera is not None:
        photo = {str(camels): int(p * leg.total) for camels, p in leg.photo(camera).items() if p}
        counted["photo"] = {"space": camera, "counts": photo}
    return counted


def tree(board: Board) -> tuple[list[int], list[int]]:
    """(nodes of the unmerged tree, distinct boards with their dice left) by depth, one entry per reveal to go."""
    from camelodds.core.move import crossed, roll

    rules, cheering, booing = board.rules, board.cheering, board.booing
    nodes, distinct = [], []
    layer = Counter({(board.word, board.pyramid, board.race_over): 1})
    for _ in range(board.reveals):
        following: Counter[tuple[int, int, bool]] = Counter()
        for (word, pyramid, over), paths in layer.items():
            if over:
                continue
            for sign, bit in rules.dice.items():
                if not pyramid & bit:
                    continue
                die = bit.bit_length() - 1
                for face in rules.faces[sign]:
                    second = face.shows == "black"  # whichever colour is the second camel's: both are counted
                    after, _, space, _ = roll(word, die, second, face.number, rules.track, cheering, booing)
                    following[after, pyramid ^ bit, crossed(space, rules.track)] += paths
        layer = following
        nodes.append(layer.total())
        distinct.append(len(layer))
    return nodes, distinct


def divide(board: Board) -> str:
    """A text with a line per first roll: the board after it and the nodes of its unmerged tree in all depths below."""
    lines = ["divide:"]
    for roll in board.rolls():
        after = board.roll(roll.shows, roll.number)
        lines.append(f"  {roll.shows} {roll.number}: {sum(tree(after)[0]):>8} below  {after}")
    return "\n".join(lines)


def _rankings(leg: LegOdds) -> dict[str, int]:
    names = ranking_names(leg.board.rules.racing)
    over, index = np.nonzero(leg.joint)
    return {
        names[ranking] + "!" * int(ended): int(leg.joint[ended, ranking])
        for ended, ranking in zip(over, index, strict=True)
    }


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, numbered from 1. Raises OSError, ValueError for what cannot be one."""
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise ValueError(f"{file} is no regular file")
    with file.open("rb") as lines:
        number = 0
        while line := lines.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise ValueError(
                    f"{file}, line {number}: longer than any perft position: {LONGEST_LINE:,} bytes at most"
                )
            if line.strip():
                yield number, line


def _known(line: bytes) -> dict[str, Any]:
    """What a line knows of a position. Raises ValueError for what is missing, unknown or of another type."""
    known = json.loads(line.decode("utf-8"))
    if not isinstance(known, dict):
        raise ValueError("expected an object")
    missing = [key for key in REQUIRED if key not in known]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing")
    for key, value in known.items():
        if key not in KEYS:
            raise ValueError(f"no key {key!r}: expected {', '.join(KEYS)}")
        fits, expected = KEYS[key]
        if not fits(value):
            raise ValueError(f"{key}: expected {expected}")
    return known


def _number(value: Any) -> bool:
    return type(value) is int


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(_number, value))


def _named(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_number, value.values()))


def _photo(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"space", "counts"}
        and _number(value["space"])
        and _named(value["counts"])
    )


REQUIRED: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "text": (_text, "a text"),
    "edition": (_text, "a text"),
    "total": (_number, "a whole number"),
    "nodes": (_numbers, "a list of whole numbers"),
    "distinct": (_numbers, "a list of whole numbers"),
    "ends": (_number, "a whole number"),
    "places": (lambda value: isinstance(value, dict) and all(map(_numbers, value.values())), "lists by camel"),
    "rankings": (_named, "whole numbers by ranking"),
    "landings": (_named, "whole numbers by space"),
}
KEYS: Final = REQUIRED | {"photo": (_photo, "a space and its counts"), "hits": (_named, "whole numbers by rule")}
