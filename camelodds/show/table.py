"""Answers as tables of plain data, for `html` to show and as text. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from camelodds.show.palette import spoken

if TYPE_CHECKING:
    from camelodds.ev.actions import Action
    from camelodds.odds.leg import LegOdds
    from camelodds.odds.race import RaceOdds
    from camelodds.play.tournament import Tournament

Kind = Literal["text", "share", "pounds", "number"]
"""How a column is written: as it is; a probability in percent; pounds with their sign; a plain number."""

Value = str | float | None
FORMATS: Final[dict[Kind, str]] = {"text": "", "share": ".2%", "pounds": "+.4f", "number": ".4g"}
ACTION_COLUMNS: Final[Sequence[tuple[str, Kind]]] = (
    ("ev", "pounds"),
    ("sd", "number"),
    ("p_gain", "share"),
    ("worst", "number"),
    ("best", "number"),
    ("others", "pounds"),
    ("reply", "pounds"),
)


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


def of_leg(leg: LegOdds, exact: bool = False) -> Table:
    """Places by camel, the likeliest first on top; fractions where they are to be exact."""
    board = leg.board
    racing = board.rules.racing
    places = range(1, len(racing) + 1)
    chances = {camel: [leg.p(camel, place) for place in places] for camel in racing}
    order = sorted(racing, key=lambda camel: chances[camel], reverse=True)
    shown: Callable[[Fraction], Value] = str if exact else float
    landings = {tile: leg.landing(tile.space) for tile in board.tiles}
    ends = str(leg.race_ends) if exact else f"{float(leg.race_ends):.2%}"
    notes = [ending(board.race_over, board.leg_over, ends)]
    notes += [
        f"Tile {tile}: {landing if exact else f'{float(landing):.4f}'} landings expected"
        for tile, landing in landings.items()
    ]
    return Table(
        title=f"{board}   ({edition(board.edition, board.rules.official)})",
        label="camel",
        columns=[(ordinal(place), "share") for place in places],
        rows=[(camel, [shown(p) for p in chances[camel]]) for camel in order],
        notes=notes,
    )


def of_race(race: RaceOdds) -> Table:
    """Chances to win the race and to come last in it, the likeliest winner on top."""
    board = race.board
    chances = [list(pair) for pair in zip(race.wins.tolist(), race.losses.tolist(), strict=True)]
    order = sorted(zip(board.rules.racing, chances, strict=True), key=lambda row: row[1], reverse=True)
    notes = ["The race is over." if board.race_over else f"Legs to come, this one included: {race.legs:.2f}"]
    if race.stderr is not None:
        notes.append(f"Simulated, {race.games:,} races: standard error at most {race.stderr:.2%}")
    return Table(
        title=f"{board}   ({edition(board.edition, board.rules.official)})",
        label="camel",
        columns=[("wins", "share"), ("comes last", "share")],
        rows=order,
        notes=[*notes, race.note] if race.note else notes,
    )


def of_actions(title: str, actions: Iterable[Action]) -> Table:
    """What each action is worth, in the order given; the rule that forbids it where there is one."""
    given = list(actions)
    ruled = any(action.rule for action in given)

    def values(action: Action) -> list[Value]:
        numbers = [getattr(action, name) for name, _ in ACTION_COLUMNS]
        row: list[Value] = [None if number is None else float(number) for number in numbers]
        return [*row, action.rule] if ruled else row

    columns = [(name.replace("_", " "), kind) for name, kind in ACTION_COLUMNS]
    return Table(
        title=title,
        label="action",
        columns=[*columns, ("rule", "text")] if ruled else columns,
        rows=[(action.action, values(action)) for action in given],
        camels=False,
    )


def of_tournament(result: Tournament) -> Table:
    """How the bots did, the richest first, with confidence intervals of the means."""
    level = f"{result.confidence:.0%}"
    kinds: dict[Kind, str] = {"number": "money", "share": "wins"}
    return Table(
        title=f"{result.games:,} games of edition {result.edition}, seed {result.seed}",
        label="bot",
        columns=[(head, kind) for kind in kinds for head in (kinds[kind], f"{level} from", "to")],
        rows=[
            (each.bot, [each.money, each.money_low, each.money_high, each.wins, each.wins_low, each.wins_high])
            for each in result.standings
        ],
        notes=[f"{result.deals:,} deals, each played with every bot in every seat"],
        camels=False,
    )


def ending(race_over: bool, leg_over: bool, race_ends: str) -> str:
    """A sentence on how likely this leg is the last."""
    if race_over:
        return "The race is over."
    if leg_over:
        return "The leg is over."
    return f"The race ends in this leg: {race_ends}"


def edition(name: str, official: bool) -> str:
    """An edition's name as titles have it."""
    return f"edition {name}" + ("" if official else ", unofficial")


def ordinal(place: int) -> str:
    """1st, 2nd, ..."""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def written(value: Value, kind: Kind) -> str:
    """A value as its column writes it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return format(value, FORMATS[kind])


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
