"""What is shown of a game that is followed: tables that fit the terminal, a scoring piece by piece, final money."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from textwrap import fill
from typing import Final

from camelodds.ev.actions import action_table, actions_table, lands_nothing
from camelodds.ev.turn import Action
from camelodds.game.game import Game
from camelodds.game.scoring import Item, card_items, leg_items
from camelodds.game.state import State
from camelodds.show.table import Table, plain

BEST: Final = 10
"""Actions that are shown unless all are asked for."""
FIRST_TO_GO: Final = ("best", "worst", "others", "sd", "p gain", "reply")
"""Columns that a narrow table is without, in this order; then those on the right."""


def fitted(table: Table, width: int) -> str:
    """A table as text of so many columns: those that matter least go where there is no room, title and notes wrap.

    Parameters
    ----------
    table : Table
    width : int
        Of the terminal.
    """
    left_out: list[str] = []
    while len(table.columns) > 1 and _width(table) > width:
        heads = [head for head, _ in table.columns]
        head = next((each for each in FIRST_TO_GO if each in heads), heads[-1])
        left_out.append(head)
        table = _without(table, heads.index(head))
    notes = [*table.notes, f"no room for {', '.join(left_out)}"] if left_out else table.notes
    return plain(replace(table, title=wrapped(table.title, width), notes=[wrapped(note, width) for note in notes]))


def wrapped(text: str, width: int) -> str:
    """A line as lines of at most so many columns where it has blanks, later ones indented."""
    if len(text) <= width:
        return text
    return fill(text, max(width, 20), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def best_actions(game: Game, player: str | None, count: int | None, *, ahead: bool = False) -> Table:
    """What a player's actions are worth, best first.

    Parameters
    ----------
    game : Game
    player : str or None
        By default who is to move.
    count : int or None
        So many rows at most, tiles on which nothing lands left out; None for all.
    ahead : bool
        Whether by what is expected when everybody plays on as is best for them.

    Raises
    ------
    GameError
        For a player who is unknown, or a race that is over.
    """
    rows = action_table(game, player, support=game.rules.spicy, ahead="best" if ahead else None)
    name = player or game.to_move
    table = actions_table(f"{name}, pounds expected", _some(rows, count), every_tile=True)
    own = any(owner == name for _, _, owner in game.face_down)
    note = f"{name}'s own cards are face down: without tiles and finish cards, which hang on them" if own else ""
    notes = [*table.notes, *([note] if note else [])]
    if len(rows) > len(table.rows):
        tiles = sum(lands_nothing(row) for row in rows)
        nothing = f", {tiles} of them tiles on which nothing can land" if tiles else ""
        notes.append(f"{len(rows) - len(table.rows)} more{nothing}: actions all")
    return replace(table, notes=notes)


def scoring(before: State) -> list[str]:
    """The scoring of a leg piece by piece, a line for each player: what there was, what each thing brings, the sum.

    Parameters
    ----------
    before : State
        At the end of the leg, not scored yet.
    """
    return [
        _sum(name, money, items)
        for name, money, items in zip(before.names, before.money, leg_items(before), strict=True)
    ]


def final(game: Game) -> list[str]:
    """The money at the end of a race, piece by piece; what is not known yet is named."""
    state = game.state
    if not state.names:
        return ["The race is over."]
    lines = ["The race is over. Its last leg:", *scoring(state)]
    items, missing = card_items(state)
    if missing:
        example = missing[0].partition("'")[0]
        return [
            *lines,
            f"The money at the end is not known yet: face down {'is' if len(missing) == 1 else 'are'}",
            *(f"  {card}" for card in missing),
            f"Turn a card up with cards {example}={state.rules.racing[0]}",
        ]
    if any(items):
        money = [max(0, had + sum(item.pounds for item in own)) for had, own in _money(state)]
        lines += ["Finish cards:", *(_sum(*parts) for parts in zip(state.names, money, items, strict=True))]
    returns = game.returns()
    most = max(returns.values())
    winners = " and ".join(name for name, pounds in returns.items() if pounds == most)
    ends = ", ".join(f"{name} has {pounds}" for name, pounds in returns.items())
    return [*lines, f"The race is over. {ends}; {winners} {'wins' if ' and ' not in winners else 'win'}."]


def _money(state: State) -> Iterable[tuple[int, list[Item]]]:
    return zip(state.money, leg_items(state), strict=True)


def _sum(name: str, money: int, items: Sequence[Item]) -> str:
    """A line such as "ana: 3 + 5 (r5) - 1 (g3) = 7". The floor at zero acts on the sum, of cards after each of them."""
    parts = "".join(f" {'-' if item.pounds < 0 else '+'} {abs(item.pounds)} ({item.what})" for item in items)
    total = money + sum(item.pounds for item in items)
    cards = bool(items) and items[0].what.startswith(("winner", "loser"))
    end = money
    for item in items:
        end = max(0, end + item.pounds)
    end = end if cards else max(0, total)
    floor = " (nobody drops below 0)" if end != total else ""
    return f"{name}: {money}{parts} = {end}{floor}" if items else f"{name}: {money}"


def _some(rows: Sequence[Action], count: int | None) -> list[Action]:
    return list(rows) if count is None else [row for row in rows if not lands_nothing(row)][:count]


def _width(table: Table) -> int:
    grid = plain(replace(table, title="", notes=[])).splitlines()
    return max(map(len, grid))


def _without(table: Table, column: int) -> Table:
    def cut(values: Sequence[object]) -> list[object]:
        return [*values[:column], *values[column + 1 :]]

    rows = [(label, cut(values)) for label, values in table.rows]
    return replace(table, columns=cut(table.columns), rows=rows)  # type: ignore[arg-type]
