"""The answers as tables, for the terminal and for notebooks. They are found elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from camelodds.big_top.components import CIRCUS_TILES
from camelodds.show.table import Kind, Table, Value

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.big_top.circus_tile import CircusTile
    from camelodds.big_top.distribution import Distribution
    from camelodds.big_top.state import State
    from camelodds.big_top.tent_questions import Meeples

ROUNDS: Final = 2
"""Rounds of draws that are shown."""

DRAWS: Final = 6
"""Draws that are shown at least."""


def number(exact: bool) -> Callable[[Fraction], Value]:
    """How a number is put into a table: a fraction as text where it is to be exact."""
    return str if exact else float


def spread(exact: bool) -> str:
    """The heading of the column that `spread_of` fills."""
    return "variance" if exact else "sd"


def spread_of(answer: Distribution, exact: bool) -> Value:
    """The standard deviation; where it is to be exact the variance, since a root is no fraction."""
    return str(answer.variance) if exact else answer.sd


def of_distribution(answer: Distribution, exact: bool = False) -> Table:
    """Each number with its chance, and the chance of at least that much."""
    put = number(exact)
    return Table(
        title=answer.what.capitalize() if answer.what.islower() else answer.what,
        label="number",
        columns=[("chance", "share"), ("at least", "share")],
        rows=[(str(value), [put(answer.p(value)), put(answer.at_least(value))]) for value, _ in answer.ways],
        notes=[moments(answer, exact)],
        camels=False,
    )


def moments(answer: Distribution, exact: bool) -> str:
    """Mean and spread as a line."""
    if exact:
        return f"Mean {answer.mean}, variance {answer.variance}"
    return f"Mean {float(answer.mean):.4g}, standard deviation {answer.sd:.4g}"


def of_state(state: State, exact: bool = False, then: Sequence[Meeples] = ()) -> list[Table]:
    """All that a state answers by itself; `then` are the meeples at further scorings, for points and leads."""
    tables = [of_token(state, exact)]
    if state.circus:
        tables.append(of_moves(state, exact))
    if state.players:
        tables.append(of_players(state, exact, then))
    if state.circus != CIRCUS_TILES:
        tables.append(of_one_more(state, exact))
    return tables


def of_token(state: State, exact: bool = False) -> Table:
    """The token under the tent: how many of each value may lie there."""
    token, put = state.token(), number(exact)
    unseen = state.unseen
    return Table(
        title=str(state),
        label="token",
        columns=[("unseen", "number"), ("chance", "share"), ("at least", "share")],
        rows=[
            (str(value), [unseen[value], put(token.p(value)), put(token.at_least(value))]) for value, _ in token.ways
        ],
        notes=[moments(token, exact)],
        camels=False,
    )


def of_moves(state: State, exact: bool = False) -> Table:
    """When the tent moves, draw by draw, and whose draws these are."""
    until, put = state.draws_until_tent_moves(), number(exact)
    seats = len(state.players)
    order = list(state.tent_moved_by()) if state.to_move is not None else []
    draws = range(1, min(max(ROUNDS * seats, DRAWS), until.ways[-1][0]) + 1)
    rows: list[tuple[str, Sequence[Value]]] = []
    for draw in draws:
        chances = [put(until.p(draw)), put(state.tent_moves_within(draw))]
        rows.append((str(draw), [order[(draw - 1) % seats], *chances] if order else chances))
    columns: list[tuple[str, Kind]] = [("at this draw", "share"), ("until then", "share")]
    expected = until.mean if exact else f"{float(until.mean):.4g}"
    first = "The tent is placed" if state.circus == CIRCUS_TILES else "The tent moves"
    return Table(
        title=first,
        label="draw",
        columns=[("drawn by", "text"), *columns] if order else columns,
        rows=rows,
        notes=[f"It takes {expected} draws on average"],
        camels=False,
    )


def of_players(state: State, exact: bool = False, then: Sequence[Meeples] = ()) -> Table:
    """Everyone after the next scoring, or the next few; and who is likely to move the tent."""
    put, several = number(exact), len(state.players) > 1
    columns: list[tuple[str, Kind]] = [("meeples", "text" if then else "number"), *points_columns(exact, several)]
    columns.append(("score now", "number"))
    moved_by = state.tent_moved_by() if state.circus and state.to_move is not None else {}
    if moved_by:
        columns.append(("moves the tent", "share"))
    rows: list[tuple[str, Sequence[Value]]] = []
    for player in state.players:
        points = state.points(player.name, then)
        lead = state.lead(player.name, then=then) if several else None
        now = state.meeples(player.name)
        meeples = " ".join(map(str, [now, *(each.get(player.name, 0) for each in then)])) if then else now
        row = [meeples, *points_values(points, lead, exact), player.score]
        rows.append((player.name, [*row, put(moved_by[player.name])] if moved_by else row))
    title = f"After the next {len(then) + 1} scorings" if then else "After the next scoring"
    notes = ["The lead is over the best of the others"] if len(state.players) > 2 else []
    return Table(title=title, label="player", columns=columns, rows=rows, notes=notes, camels=False)


def points_columns(exact: bool, several: bool) -> list[tuple[str, Kind]]:
    """The headings of `points_values`."""
    columns: list[tuple[str, Kind]] = [("points", "number"), (spread(exact), "number")]
    if several:
        columns += [("lead", "pounds"), (f"{spread(exact)} lead", "number"), ("ahead", "share"), ("level", "share")]
    return columns


def points_values(points: Distribution, lead: Distribution | None, exact: bool) -> list[Value]:
    """Mean and spread of points and of the lead, and the chance to be ahead and level."""
    put = number(exact)
    values = [put(points.mean), spread_of(points, exact)]
    if lead is None:
        return values
    return [*values, put(lead.mean), spread_of(lead, exact), put(lead.more_than(0)), put(lead.p(0))]


def of_one_more(state: State, exact: bool = False) -> Table:
    """What one more meeple beside the tent earns, by how long it stays."""
    put = number(exact)
    rows: list[tuple[str, Sequence[Value]]] = []
    stays: list[tuple[str, int | None]] = [("until the tent is scored", None)]
    if state.circus and state.stack is not None:
        most = min(max(ROUNDS * len(state.players), DRAWS), state.stack)
        stays += [(f"{draws} draw{'s' * (draws > 1)}", draws) for draws in range(1, most + 1)]
    for label, draws in stays:
        answer = state.one_more_meeple(draws)
        rows.append((label, [put(answer.mean), spread_of(answer, exact), put(answer.more_than(0))]))
    return Table(
        title="One more meeple beside the tent",
        label="it stays",
        columns=[("points", "number"), (spread(exact), "number"), ("scores", "share")],
        rows=rows,
        camels=False,
    )


def of_circus_tile(answer: CircusTile, exact: bool = False) -> Table:
    """The places for a circus tile, the best first."""
    return Table(
        title=f"The circus tile for {answer.player}: the scoring now and the next",
        label="place",
        columns=points_columns(exact, several=answer.places[0][2] is not None),
        rows=[(name, points_values(points, lead, exact)) for name, points, lead in answer.places],
        camels=False,
    )


def frame_of(table: Table) -> pd.DataFrame:
    """A table's numbers as a DataFrame, rows by label."""
    import pandas as pd

    names = [head for head, _ in table.columns]
    index = pd.Index([label for label, _ in table.rows], name=table.label)
    return pd.DataFrame([list(values) for _, values in table.rows], index=index, columns=names)
