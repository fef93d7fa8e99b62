"""The API in OpenAPI 3.1, its games after the package's own JSON schema."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

from camelodds import __version__
from camelodds.web import checks
from camelodds.web.shapes import shapes
from camelodds.web.table import DOINGS

Schema = dict[str, Any]

EXAMPLE: Final = "1:rb 2:g 3:yp 14:K 15:W +5@ana / rgyp# | ana money=3 r5 | ben money=3 | to_move ana"


def description() -> Schema:
    """The OpenAPI document."""
    game, shared = _game_schema()
    board = game["properties"]["board"]
    game["properties"]["edition"]["enum"] = list(checks.PLAYED)
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
            **_tables(),
        },
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "The key of a table"}},
            "schemas": {"Game": game, **shared, **shapes()},
        },
    }


def _tables() -> Schema:
    """The ways in to a shared table."""
    text, number = {"type": "string", "maxLength": checks.TEXT}, {"type": "integer", "minimum": 0}
    event = {"player": text, "action": text, "die": text, "number": number}
    given = {"at": number, "deck": {"enum": ["winner", "loser"]}, "card": number, "colour": text}
    game = {"$ref": "#/components/schemas/Game"}
    doings = {"do": {"enum": list(DOINGS)}, "n": number, "game": game, **event, **given}
    saved = _post("A new table, from a position or a saved game; its key is said once", "OpenedTable")
    content = saved["post"]["requestBody"]["content"]["application/json"]
    content["schema"]["oneOf"].append(_object({"lines": {"type": "string"}}))
    stream, lines = ({kind: {"schema": {"type": "string"}}} for kind in ("text/event-stream", "application/jsonl"))
    keyed = {
        "/api/table": {"get": _operation("A table as it stands", "TableShape")},
        "/api/table/follow": {"get": _operation("A table as it stands, and after every change", "TableShape", stream)},
        "/api/table/do": _changes("Change a table that has had n changes", "TableShape", doings, ["do", "n"]),
        "/api/table/legal": _changes("What a player may do, now or at an event", "Legal", event | {"at": number}, []),
        "/api/table/result": {"get": _operation("Luck and skill of everyone, the course of the chances", "Result")},
        "/api/table/invitation": {"get": _operation("A table's address, and the code for phones", "Invitation")},
        "/api/table/file": {"get": _operation("The recorded game as a file of JSON lines", "TableShape", lines)},
    }
    for ways in keyed.values():
        for operation in ways.values():
            operation["security"] = [{"key": []}]
            for status, why in {"401": "No table has this key", "409": "Somebody else was quicker"}.items():
                operation["responses"][status] = _answer(why, "Refusal")
            for status, why in {"422": "Nothing that can be", "503": "No room, or too much at once"}.items():
                operation["responses"].setdefault(status, _answer(why, "Refusal"))
    return {"/api/tables": saved, **keyed}


def _changes(summary: str, answer: str, fields: Schema, needed: list[str]) -> Schema:
    found = _post(summary, answer)
    found["post"]["requestBody"]["content"]["application/json"]["schema"] = _object(fields, needed)
    return found


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


def _operation(summary: str, answer: str, content: Schema | None = None) -> Schema:
    found = {"description": "As asked", "content": content} if content else _answer("As asked", answer)
    strange = _answer("Another site, or a strange name", "Refusal")
    return {"summary": summary, "responses": {"200": found, "403": strange}}


def _answer(what: str, schema: str) -> Schema:
    return {
        "description": what,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
    }


def _object(fields: Schema, required: list[str] | None = None) -> Schema:
    needed = list(fields) if required is None else required
    return {"type": "object", "properties": fields, "required": needed, "additionalProperties": False}
