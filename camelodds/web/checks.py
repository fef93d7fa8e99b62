"""What a request asks for, read and checked; everything that is no game is refused in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from camelodds.errors import GameError, RulesError
from camelodds.game.game import Game
from camelodds.rules import EDITIONS, SUPERCUP, SUPERCUP_SECOND, Rules

BODY: Final = 16_384
"""Bytes of a request, at most."""
TEXT: Final = 2_000
"""Letters of a text, at most."""
NAME: Final = 20
"""Letters of a player's name, at most."""
NUMBER: Final = 100_000
"""The largest number, such as of pounds."""

PLAYED: Final[Mapping[str, Rules]] = EDITIONS | {
    rules.name: rules for rules in (SUPERCUP.as_spicy(), SUPERCUP_SECOND.as_spicy())
}
"""The rules that the server plays by. Others could have it solve a race of their own, which takes long."""


def decoded(body: bytes) -> dict[str, Any]:
    """The object of a JSON body. Raises GameError."""
    try:
        found = json.loads(body, parse_constant=_no_number, object_pairs_hook=_once)
    except RecursionError:
        raise GameError("no JSON that is read here: nested too deep") from None
    except GameError:
        raise
    except ValueError as error:
        raise GameError(f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise GameError("expected an object")
    return found


def only(asked: Mapping[str, Any], *more: str) -> None:
    """Refuse fields that a request does not have. Raises GameError."""
    expected = ("text", "edition", "game", *more)
    for name in asked:
        if name not in expected:
            raise GameError(f"no field {name!r}: expected {', '.join(expected)}")


def text_of(asked: Mapping[str, Any], name: str) -> str:
    """A field that is a text. Raises GameError."""
    found = asked.get(name)
    if not isinstance(found, str):
        raise GameError(f"{name}: expected a text, not {found!r:.100}")
    return found


def number_of(asked: Mapping[str, Any], name: str) -> int:
    """A field that is a whole number. Raises GameError."""
    found = asked.get(name)
    if isinstance(found, bool) or not isinstance(found, int):
        raise GameError(f"{name}: expected a whole number, not {found!r:.100}")
    return found


def game_of(asked: Mapping[str, Any]) -> Game:
    """The game of a request, which gives it as `text` and `edition`, or as `game` after its schema.

    Raises GameError, NotationError or RulesError.
    """
    sizes(asked)
    if ("text" in asked) == ("game" in asked):
        raise GameError('expected either "text", with "edition", or "game"')
    if "text" in asked:
        game = Game.parse(text_of(asked, "text"), played(asked.get("edition", "second")))
    elif "edition" in asked:
        raise GameError("a game names its edition itself")
    else:
        game = Game.from_json(_with_rules(asked["game"]))
    for name in game.players:
        if len(name) > NAME:
            raise GameError(f"a player's name of {len(name)} letters: {NAME} are enough here")
        # Browsers put names that are numbers before all others, and seats would change.
        if name.isdigit():
            raise GameError(f"player {name!r}: a name that is not only a number, please")
    return game


def played(edition: object) -> Rules:
    """The rules by their name. Raises RulesError."""
    rules = PLAYED.get(edition) if isinstance(edition, str) else None
    if rules is None:
        raise RulesError(f"no edition is called {edition!r:.100}: expected one of {', '.join(PLAYED)}")
    return rules


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names come once each; of a name that comes twice the first would be lost without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise GameError(f"{twice[:40]!r} comes twice in one object")
    return found


def sizes(value: Any) -> None:
    """Refuse texts and numbers that are larger than any game has."""
    if isinstance(value, str) and len(value) > TEXT:
        raise GameError(f"a text of {len(value):,} letters: at most {TEXT:,} are read here")
    if isinstance(value, int | float) and abs(value) > NUMBER:
        raise GameError(f"a number beyond {NUMBER:,}")
    if isinstance(value, dict):
        for name, inner in value.items():
            sizes(name)
            sizes(inner)
    if isinstance(value, list):
        for inner in value:
            sizes(inner)


def _with_rules(document: Any) -> dict[str, Any]:
    """A game's document, its own rules exchanged for those played here that they are equal to."""
    if not isinstance(document, dict):
        raise GameError(f"game: expected an object, not {document!r:.100}")
    edition, given = document.get("edition"), document.get("rules")
    if given is None:
        if "edition" not in document:
            return document
        rules = played(edition)
        if rules.name in EDITIONS:
            return document
        rest = {name: value for name, value in document.items() if name != "edition"}
        return {**rest, "rules": {**_plain(rules), "name": rules.name}}
    if isinstance(given, dict):
        whole = {**_plain(Rules("own", "x")), **given, "name": "own"}
        for rules in PLAYED.values():
            if whole == _plain(rules):
                return {**document, "rules": {**_plain(rules), "name": rules.name}}
    raise RulesError(f"rules of one's own are not played here: expected those of {', '.join(PLAYED)}")


def _plain(rules: Rules) -> dict[str, Any]:
    """Rules as JSON has them, without their name."""
    found = asdict(rules) | {"modules": sorted(rules.modules), "name": "own"}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
