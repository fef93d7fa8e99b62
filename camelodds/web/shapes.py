"""What the server answers, as types; the API's description is made from them."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict


class Document(dict[str, Any]):
    """A game as JSON, after the package's own schema."""


class Refusal(TypedDict):
    error: str


class Place(TypedDict):
    """A space of the ring: its column and row, and whether racing camels look to the right on it."""

    column: int
    row: int
    right: bool


class Edition(TypedDict):
    name: str
    title: str
    racing: str
    crazy: str
    track: int
    side: int
    ring: list[Place]
    dice: list[str]
    tickets: list[int]
    money: int
    fewest_players: int
    most_players: int
    partners_from: int
    modules: list[str]
    spicy: bool
    official: bool


class Paint(TypedDict):
    name: str
    fill: str
    ink: str


class Camel(TypedDict):
    outline: str
    hat: str
    high: int
    step: int


class Editions(TypedDict):
    editions: list[Edition]
    paints: dict[str, Paint]
    camel: Camel


class Stack(TypedDict):
    space: int
    camels: str


class TileShape(TypedDict):
    space: int
    side: int
    owner: str | None


class Show(TypedDict):
    die: str
    number: int


class DieShows(TypedDict):
    die: str
    shows: list[Show]


class Item(TypedDict):
    """What one thing that a player holds brings, such as "r5", "pyramid", "position 3 on r5", "copy of ana"."""

    what: str
    pays: int


class Position(TypedDict):
    edition: str
    text: str
    game: Document
    said: str
    stands: str
    stacks: list[Stack]
    crossed: str | None
    tiles: list[TileShape]
    dice: list[str]
    full: bool
    rolls: list[DieShows]
    reveals: int
    leg_over: bool
    race_over: bool
    ranking: str
    tile_spaces: dict[str, list[int]]
    tickets: dict[str, list[int]]
    hands: dict[str, str | None]
    scoring: dict[str, list[Item]] | None
    final: dict[str, int] | None


class Places(TypedDict):
    camel: str
    places: list[float]


class Landing(TypedDict):
    space: int
    expected: float


class Leg(TypedDict):
    camels: list[Places]
    race_ends: float
    landings: list[Landing]


class Chances(TypedDict):
    camel: str
    wins: float
    loses: float


class Race(TypedDict):
    camels: list[Chances]
    legs: float
    method: Literal["table", "simulation"]
    error: float
    note: str


class Row(TypedDict):
    action: str
    kind: str
    label: str
    why: str
    ev: float
    error: float
    simulated: bool
    sd: float
    p_gain: float
    worst: int
    best: int
    others: float
    reply: float | None


class Actions(TypedDict):
    player: str
    actions: list[Row]
    note: str


class EventShape(TypedDict):
    player: str | None
    action: str
    die: str | None
    number: int | None


class TableShape(TypedDict):
    """A table: its number of changes, whether it is on the disk, the recorded game and how it stands."""

    n: int
    kept: bool
    can_undo: bool
    can_redo: bool
    events: list[EventShape]
    legs: list[int]
    legal: list[str]
    scored: dict[str, list[Item]] | None
    position: Position


class OpenedTable(TypedDict):
    key: str
    table: TableShape


class Legal(TypedDict):
    names: list[str]
    tile_spaces: list[int]
    rolls: list[DieShows]
    dice: list[str]


class Result(TypedDict):
    """Money by where it came from, and each camel's chance to win the race and the leg, the start first."""

    balances: dict[str, dict[str, float]]
    race: list[list[float]]
    leg: list[list[float]]
    legs: list[int]


class Invitation(TypedDict):
    link: str
    code: list[str]


def schema_of(shape: Any) -> dict[str, Any]:
    """The JSON schema of a type."""
    simple = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
    if shape in simple:
        return {"type": simple[shape]}
    if shape is Document:
        return {"$ref": "#/components/schemas/Game"}
    if is_typeddict(shape):
        hints = get_type_hints(shape)
        return {
            "type": "object",
            "properties": {name: schema_of(hint) for name, hint in hints.items()},
            "required": [name for name in hints if name in shape.__required_keys__],
            "additionalProperties": False,
        }
    origin, inner = get_origin(shape), get_args(shape)
    if origin is list:
        return {"type": "array", "items": schema_of(inner[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(each) for each in inner]}
    if shape is Any:
        return {}
    raise TypeError(f"no schema for {shape!r}")


ANSWERS = (Refusal, Editions, Position, Leg, Race, Actions, TableShape, OpenedTable, Legal, Result, Invitation)


def shapes() -> dict[str, Any]:
    """The schema of each answer by its name."""
    return {shape.__name__: schema_of(shape) for shape in ANSWERS}
