"""Games as text and as JSON, read and written. Errors say what was found and what was expected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any, Final

from camelodds.errors import GameError
from camelodds.game.description import SECTIONS, Description
from camelodds.game.player import Player
from camelodds.position.board import Board
from camelodds.rules import EDITIONS, Rules, rules_of

_FIELD: Final = re.compile(r"(money|pyramid|position[0-9]+)=(.*)")
_TICKET: Final = re.compile(r"[a-z][0-9]+")
_PLAYER_EXPECTED: Final = "expected money=3, pyramid=1, tickets such as r5, or position3=r5"


def read(text: str, edition: str | Rules) -> Description:
    """What a text says of a game: see `Game.parse`."""
    if not isinstance(text, str):
        raise TypeError(f"a game is a text, not {type(text).__name__}")
    board, *parts = text.split("|")
    found: dict[str, Any] = {"players": {}}
    for part in parts:
        head, *words = part.replace(",", " ").split() or [""]
        head = "used" if head == "used_support" else head
        if head in SECTIONS:
            name = {"winner": "winner_cards", "loser": "loser_cards", "used": "used_support"}.get(head, head)
            if name in found:
                raise GameError(f"the part {head!r} comes twice")
            found[name] = _READ[head](head, words)
        elif not head:
            raise GameError(f"an empty part: expected a player or one of {', '.join(SECTIONS)} after each bar")
        elif head in found["players"]:
            raise GameError(f"player {head!r} comes twice")
        else:
            found["players"][head] = _player(head, words)
    return Description(Board.parse(board.strip(), edition), **found)


def write(game: Description) -> str:
    """The text of a game, which `read` reads."""
    parts = [str(game.board)]
    for name, player in game.players.items():
        words = [name, f"money={player.money}", *player.tickets]
        words += [f"pyramid={player.pyramid}"] if player.pyramid else []
        words += [f"position{place}={ticket}" for place, ticket in player.positions.items()]
        parts.append(" ".join(words))
    for head, cards in (("winner", game.winner_cards), ("loser", game.loser_cards)):
        if cards:
            parts.append(" ".join([head, *(f"{name}={colour or '?'}" for name, colour in cards)]))
    if game.photographer:
        parts.append("photographer {}={}".format(*game.photographer))
    if game.partners:
        parts.append(" ".join(["partners", *("=".join(pair) for pair in game.partners)]))
    for head, words in (("used", sorted(game.used_support)), ("taken", list(game.taken))):
        if words:
            parts.append(" ".join([head, *words]))
    if game.to_move:
        parts.append(f"to_move {game.to_move}")
    return " | ".join(parts)


def to_json(game: Description) -> str:
    """The JSON text of a game: see `Game.to_json`."""
    rules = game.board.rules
    known = EDITIONS.get(rules.name) == rules
    players = {
        name: {
            "money": player.money,
            "tickets": list(player.tickets),
            "pyramid": player.pyramid,
            "positions": {str(place): ticket for place, ticket in player.positions.items()},
        }
        for name, player in game.players.items()
    }
    return json.dumps(
        {
            **({"edition": rules.name} if known else {"rules": asdict(rules) | {"modules": sorted(rules.modules)}}),
            "board": str(game.board),
            "players": players,
            "winner_cards": game.winner_cards,
            "loser_cards": game.loser_cards,
            "to_move": game.to_move,
            "photographer": game.photographer,
            "partners": game.partners,
            "used_support": sorted(game.used_support),
            "taken": game.taken,
        }
    )


def from_json(text: str | Mapping[str, Any]) -> Description:
    """What a JSON text says of a game: see `Game.from_json`."""
    try:
        found = dict(text if isinstance(text, Mapping) else _object("the game", json.loads(text)))
    except json.JSONDecodeError as error:
        raise GameError(f"no JSON: {error}") from None
    except RecursionError:
        raise GameError("the game is nested too deeply") from None
    _only(found, ("edition", "rules", *Description._fields), "the game")
    if not isinstance(found.get("board"), str):
        raise GameError('the game has no "board": expected its text, such as "1:rb 2:g 3:yp 14:K 15:W"')
    rules = _rules(found.pop("edition", None), found.pop("rules", None))
    board = Board.parse(found.pop("board"), rules)
    players = {
        name: _json_player(name, player) for name, player in _object("players", found.pop("players", {})).items()
    }
    for name in ("winner_cards", "loser_cards", "partners", "used_support", "taken"):
        if not isinstance(found.get(name, []), list):
            raise GameError(f"{name}: expected a list, not {found[name]!r}")
    return Description(board, players, **found)


def _player(name: str, words: list[str]) -> Player:
    found: dict[str, Any] = {}
    tickets, positions = [], {}
    for word in words:
        match = _FIELD.fullmatch(word)
        if match and match[1].startswith("position"):
            place = int(match[1][8:])
            if place in positions:
                raise GameError(f"player {name}: position tile {place} comes twice")
            positions[place] = match[2]
        elif match:
            if match[1] in found:
                raise GameError(f"player {name}: {match[1]} comes twice")
            found[match[1]] = _number(f"player {name}: {match[1]}", match[2])
        elif _TICKET.fullmatch(word):
            tickets.append(word)
        else:
            raise GameError(f"player {name}: {word!r} is not understood; {_PLAYER_EXPECTED}")
    return Player(tickets=tickets, positions=positions, **found)


def _number(what: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise GameError(f"{what} is a whole number from 0, not {digits!r}")
    return int(digits)


def _split(head: str, words: list[str], example: str) -> Iterator[tuple[str, str]]:
    for word in words:
        name, equals, what = word.partition("=")
        if not (name and equals and what):
            raise GameError(f"{head}: {word!r} is not understood; expected such as {example}")
        yield name, what


def _deck(head: str, words: list[str]) -> list[tuple[str, str | None]]:
    return [(name, None if what == "?" else what) for name, what in _split(head, words, "ana=r, or ana=? if face down")]


def _photographer(head: str, words: list[str]) -> tuple[str, int] | list[tuple[str, int]]:
    found = [(name, _number("the camera's space", what)) for name, what in _split(head, words, "ana=8")]
    if not found:
        raise GameError("photographer: expected the holder and the camera's space, such as ana=8")
    return found[0] if len(found) == 1 else found


def _to_move(head: str, words: list[str]) -> str:
    if len(words) != 1:
        raise GameError(f"to_move: expected the name of one player, not {' '.join(words) or 'nothing'}")
    return words[0]


_READ: Final[dict[str, Callable[[str, list[str]], Any]]] = {
    "winner": _deck,
    "loser": _deck,
    "partners": lambda head, words: list(_split(head, words, "ana=ben")),
    "photographer": _photographer,
    "used": lambda head, words: words,
    "taken": lambda head, words: words,
    "to_move": _to_move,
}


def _object(what: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise GameError(f"{what}: expected an object, not {value!r}")
    return value


def _only(found: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for name in found:
        if name not in known:
            raise GameError(f"{what} has no field {name!r}: expected {', '.join(known)}")


def _json_player(name: str, value: Any) -> Player:
    player = dict(_object(f"player {name}", value))
    _only(player, tuple(each.name for each in fields(Player)), f"player {name}")
    positions = _object(f"player {name}: positions", player.pop("positions", {}))
    if not isinstance(player.get("tickets", []), list):
        raise GameError(f"player {name}: tickets: expected a list, not {player['tickets']!r}")
    places = {_number("the place of a position tile", place): ticket for place, ticket in positions.items()}
    return Player(positions=places, **player)


def _rules(edition: Any, rules: Any) -> Rules:
    if rules is None:
        return rules_of("second" if edition is None else edition)
    if edition is not None:
        raise GameError("a game has an edition or rules of its own, not both")
    given = _object("rules", rules)
    _only(given, tuple(each.name for each in fields(Rules)), "rules")
    missing = [name for name in ("name", "racing") if name not in given]
    if missing:
        raise GameError(f"rules need {' and '.join(missing)}")
    return Rules(**given)
