"""Checking the core against files of known counts, as chess programs do.

A perft file has a position a line, JSON: `text`, `edition`; `total` weight; `nodes`, the unmerged tree's nodes by depth
(the grey die has six children, every other die one per number); `distinct`, boards with their dice left by depth;
`ends`, distinct boards at the end; `places` and `rankings` ("!" where the race is over), weights; `landings`, weight x
landings by tile; `photo`, weights by number of camels in the first photo on one space. Those in tests/perft come from
tests/reference.py, which shares no code with this package.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from camelodds.board import Board
from camelodds.leg import LegOdds, leg_odds, ranking_names
from camelodds.rules import GREY, SUPPORT


def check_file(file: str | Path) -> tuple[int, str | None]:
    """Check every position of a file: (positions that agree, None or a text about the first that does not).

    Raises OSError for a file that can not be read, ValueError for one that is no perft file.
    """
    checked = 0
    for number, line in enumerate(Path(file).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            known = json.loads(line)
            board = Board.parse(known["text"], known["edition"])
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"{file}, line {number}: no perft position ({error!r})") from None
        difference = compare(board, known)
        if difference:
            return checked, f"{file}, line {number}: {board} ({board.edition})\n{difference}\n{divide(board)}"
        checked += 1
    if not checked:
        raise ValueError(f"{file}: no positions in it")
    return checked, None


def compare(board: Board, known: dict[str, Any]) -> str | None:
    """None if the core counts what is known of a position, else the first count in which they differ."""
    counted = count(board, known.get("photo", {}).get("space"))
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
    from camelodds.core.move import roll

    rules, cheering, booing = board.rules, board.cheering, board.booing
    nodes, distinct = [], []
    layer = Counter({(board.word, board.pyramid, board.race_over): 1})
    for _ in range(board.reveals):
        following: Counter[tuple[int, int, bool]] = Counter()
        for (word, pyramid, over), paths in layer.items():
            if over:
                continue
            for bit in rules.dice.values():
                if not pyramid & bit:
                    continue
                die = bit.bit_length() - 1
                for second in (False, True) if die == GREY else (False,):
                    for number in (1, 2) if die >= SUPPORT else (1, 2, 3):
                        after, _, space, _ = roll(word, die, second, number, rules.track, cheering, booing)
                        following[after, pyramid ^ bit, not 1 <= space <= rules.track] += paths
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
