"""The API in OpenAPI 3.1, its games after the package's own JSON schema."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

from camelodds import __version__
from camelodds.web import checks

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "number"}
INTEGER: Final[Schema] = {"type": "integer"}
YES_NO: Final[Schema] = {"type": "boolean"}
MAYBE: Final[Schema] = {"type": ["number", "null"]}
EXAMPLE: Final = "1:rb 2:g 3:yp 14:K 15:W +5@ana / rgyp# | ana money=3 r5 | ben money=3 | to_move ana"


def description() -> Schema:
    """The OpenAPI document."""
    game, shared = _game_schema()
    board = game["properties"]["board"]
    board |= {"format": "camel-up-board", "maxLength": checks.TEXT}
    die = {"enum": [*"rbgypow", *(f"{colour}+" for colour in "rbgypow"), "white", "black"]}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "camelodds",
            "version": __version__,
            "description": "Exact odds and expected values for the board game Camel Up.",
        },
        "paths": {
            "/api/editions": {"get": _operation("The editions, and how camels look", "Editions")},
            "/api/position": _post("The canonical form of a game and all that a page shows of it", "Position"),
            "/api/roll": _post(
                "The game after the player to move has revealed a die",
                "Position",
                {"die": die, "number": {"type": "integer", "minimum": 1, "maximum": 3}},
                required=True,
            ),
            "/api/next-leg": _post("The game at the start of the next leg, this one scored", "Position"),
            "/api/act": _post(
                "The game after another action of the player to move",
                "Position",
                {"action": {"type": "string", "examples": ["ticket r3", "tile +7", "winner g"]}},
                required=True,
            ),
            "/api/leg": _post("Exact odds of the rest of the leg", "Leg"),
            "/api/race": _post("Odds of the race, from a table at hand or simulated", "Race"),
            "/api/actions": _post(
                "What every action of a player is worth, best first; of the one to move, unless named",
                "Actions",
                {"player": {"type": ["string", "null"]}},
            ),
        },
        "components": {"schemas": {"Game": game, **shared, **_answers()}},
    }


def _game_schema() -> tuple[Schema, Schema]:
    """The schema of a game, and the parts that it shares, referred to where OpenAPI has them."""
    text = (files("camelodds") / "game.schema.json").read_text("utf-8")
    game = json.loads(text.replace("#/$defs/", "#/components/schemas/"))
    del game["$schema"]
    return game, game.pop("$defs")


def _post(summary: str, answer: str, more: Schema | None = None, required: bool = False) -> Schema:
    fields = more or {}
    needed = list(fields) if required else []
    text = {"type": "string", "format": "camel-up-game", "maxLength": checks.TEXT, "examples": [EXAMPLE]}
    edition = {"enum": list(checks.PLAYED), "default": "second"}
    schema = {
        "oneOf": [
            _object({"text": text, "edition": edition, **fields}, ["text", *needed]),
            _object({"game": {"$ref": "#/components/schemas/Game"}, **fields}, ["game", *needed]),
        ]
    }
    operation = _operation(summary, answer)
    operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    refusals = {
        "408": "The request did not arrive in time",
        "413": f"More than {checks.BODY} bytes",
        "415": "No JSON",
        "422": "No game, or nothing that the rules allow, or too much work: in plain words",
        "503": "Too many requests at once, or a table that cannot be used",
    }
    operation["responses"] |= {status: _answer(why, "Refusal") for status, why in refusals.items()}
    return {"post": operation}


def _operation(summary: str, answer: str) -> Schema:
    return {
        "summary": summary,
        "responses": {"200": _answer("As asked", answer), "403": _answer("Another site, or a strange name", "Refusal")},
    }


def _answer(what: str, schema: str) -> Schema:
    return {
        "description": what,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
    }


def _object(fields: Schema, required: list[str] | None = None) -> Schema:
    needed = list(fields) if required is None else required
    return {"type": "object", "properties": fields, "required": needed, "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _answers() -> Schema:
    """What is answered, by name."""
    texts = _list(TEXT)
    roll = _object({"die": TEXT, "number": INTEGER})
    edition = {
        **dict.fromkeys(("name", "title", "racing", "crazy"), TEXT),
        **dict.fromkeys(("track", "money", "most_players"), INTEGER),
        "dice": texts,
        "tickets": _list(INTEGER),
        "official": YES_NO,
    }
    position = {
        **dict.fromkeys(("edition", "text", "said", "stands", "ranking"), TEXT),
        "game": {"$ref": "#/components/schemas/Game"},
        "stacks": _list(_object({"space": INTEGER, "camels": TEXT})),
        "crossed": {"type": ["string", "null"]},
        "tiles": _list(_object({"space": INTEGER, "side": {"enum": [1, -1]}, "owner": {"type": ["string", "null"]}})),
        "dice": texts,
        **dict.fromkeys(("full", "leg_over", "race_over"), YES_NO),
        "rolls": _list(_object({"die": TEXT, "shows": _list(roll)})),
        "reveals": INTEGER,
        "tile_spaces": _map(_list(INTEGER)),
        "tickets": _map(_list(INTEGER)),
        "hands": _map({"type": ["string", "null"]}),
        "final": {"type": ["object", "null"], "additionalProperties": INTEGER},
    }
    action = {
        **dict.fromkeys(("action", "kind", "label", "why"), TEXT),
        **dict.fromkeys(("ev", "error", "sd", "p_gain", "others"), NUMBER),
        **dict.fromkeys(("worst", "best"), INTEGER),
        "reply": MAYBE,
    }
    return {
        "Refusal": _object({"error": TEXT}),
        "Editions": _object(
            {
                "editions": _list(_object(edition)),
                "paints": _map(_object(dict.fromkeys(("name", "fill", "ink"), TEXT))),
                "camel": _object({"outline": TEXT, "hat": TEXT, "high": INTEGER, "step": INTEGER}),
            }
        ),
        "Position": _object(position),
        "Leg": _object(
            {
                "camels": _list(_object({"camel": TEXT, "places": _list(NUMBER)})),
                "race_ends": NUMBER,
                "landings": _list(_object({"space": INTEGER, "expected": NUMBER})),
            }
        ),
        "Race": _object(
            {
                "camels": _list(_object({"camel": TEXT, "wins": NUMBER, "loses": NUMBER})),
                "legs": NUMBER,
                "method": {"enum": ["table", "simulation"]},
                "error": NUMBER,
                "note": TEXT,
            }
        ),
        "Actions": _object({"actions": _list(_object(action))}),
    }
