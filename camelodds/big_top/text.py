"""States as text and as JSON, read and written. A mistake in a text is shown with a caret under its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from camelodds.big_top.checks import Place, StateError, check_name
from camelodds.errors import GameError, NotationError

if TYPE_CHECKING:
    from camelodds.big_top.state import State

_WORD: Final = re.compile(r"[^\s,]+")
_PLAYER_FIELDS: Final = ("tent", "acrobats", "score")
_STATE_FIELDS: Final = ("seen", "stack", "circus", "acrobat", "players", "to_move", "acrobats_count")
_RULINGS: Final = {"acrobats": "acrobats_count"}
_PLAYER_EXPECTED: Final = "expected tent=3, acrobats=1 or score=41"
EXAMPLE: Final = (
    "tokens 7 6 4 seen | stack 40 circus 6 acrobat 3 | ana tent=3 score=41 | ben tent=1 score=45 | to_move ana"
)


MOST_DIGITS: Final = 9


class Word(NamedTuple):
    """A word of the text and where it begins."""

    text: str
    at: int


class Reader:
    """Reads one text into the fields of a `State`; remembers where each stands, to show what is wrong with it.

    Raises NotationError.
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a state is a text, not {type(text).__name__}")
        self.text = text
        self.fields: dict[str, Any] = {}
        self.players: list[dict[str, Any]] = []
        self.places: dict[Place, int] = {}

    def read(self) -> None:
        """Read the text, part by part."""
        start = 0
        for part in self.text.split("|"):
            words = [Word(match.group(), start + match.start()) for match in _WORD.finditer(part)]
            start += len(part) + 1
            if not words:
                what = "an empty part" if "|" in self.text else "nothing there"
                raise self.fault(f'{what}: expected such as "{EXAMPLE}"', start - 1)
            self._part(words)

    def wrong(self, error: StateError) -> NotationError:
        """The error of a state that can not be, shown in the text."""
        place = error.place
        while place and place not in self.places:
            place = place[:-1]
        return self.fault(str(error), self.places.get(place, len(self.text.rstrip())))

    def fault(self, message: str, at: int) -> NotationError:
        """What is wrong, where."""
        return NotationError(message, self.text, at)

    def _part(self, words: list[Word]) -> None:
        head = words[0]
        read = _PARTS.get(head.text)
        if read is None:
            self._player(head, words[1:])
            return
        if (head.text,) in self.places:
            raise self.fault(f"the part {head.text!r} comes twice", head.at)
        self.places[(head.text,)] = head.at
        read(self, words)

    def _tokens(self, words: list[Word]) -> None:
        *tokens, last = words[1:] or [words[0]]
        if last.text != "seen":
            raise self.fault('expected "seen" after the tokens, such as "tokens 7 6 4 seen"', last.at + len(last.text))
        if [word.text for word in tokens] == ["none"]:
            tokens = []
        self.fields["seen"] = [self.number(word, "a token") for word in tokens]
        self.places |= {("seen", index): word.at for index, word in enumerate(tokens)}

    def _stack(self, words: list[Word]) -> None:
        names = iter(words)
        for name in names:
            if name.text not in ("stack", "circus", "acrobat"):
                raise self.fault(f'{name.text!r} is not understood: expected "stack 40 circus 6 acrobat 3"', name.at)
            if name.text in self.fields:
                raise self.fault(f"{name.text} comes twice", name.at)
            number = next(names, None)
            if number is None:
                raise self.fault(f"expected a number after {name.text}", name.at + len(name.text))
            self.fields[name.text] = self.number(number, f"the number after {name.text}")
            self.places[(name.text,)] = number.at

    def _to_move(self, words: list[Word]) -> None:
        if len(words) != 2:
            at = words[2].at if len(words) > 2 else words[0].at + len(words[0].text)
            raise self.fault("expected the name of one player after to_move", at)
        self.fields["to_move"] = words[1].text
        self.places[("to_move",)] = words[1].at

    def _rulings(self, words: list[Word]) -> None:
        for word in words[1:]:
            name, _, value = word.text.partition("=")
            if name not in _RULINGS or value not in ("yes", "no"):
                raise self.fault(f"no ruling is called {word.text!r}: expected acrobats=yes or acrobats=no", word.at)
            if _RULINGS[name] in self.fields:
                raise self.fault(f"the ruling {name!r} comes twice", word.at)
            self.fields[_RULINGS[name]] = value == "yes"
        if len(words) == 1:
            raise self.fault("expected acrobats=yes or acrobats=no after rulings", words[0].at + len(words[0].text))

    def _player(self, name: Word, words: list[Word]) -> None:
        here: Place = ("players", len(self.players))
        self.places[here] = name.at
        try:
            check_name(name.text)
        except StateError as error:
            raise self.fault(f"{error}; a part begins with a player's name or {' '.join(_PARTS)}", name.at) from None
        given: dict[str, int] = {}
        for word in words:
            kind, equals, value = word.text.partition("=")
            if kind not in _PLAYER_FIELDS or not equals:
                raise self.fault(f"player {name.text}: {word.text!r} is not understood; {_PLAYER_EXPECTED}", word.at)
            if kind in given:
                raise self.fault(f"player {name.text}: {kind} comes twice", word.at)
            number = Word(value, word.at + len(kind) + 1)
            given[kind] = self.number(number, f"{name.text}: {kind}")
            self.places[(*here, kind)] = number.at
        self.players.append({"name": name.text, **given})

    def number(self, word: Word, what: str) -> int:
        """The number that a word is; how large it may be is checked with the state. Raises NotationError."""
        if not (word.text.isascii() and word.text.isdigit()):
            raise self.fault(f"{what} is a whole number, not {word.text!r}", word.at)
        if len(word.text) > MOST_DIGITS:
            raise self.fault(f"{what} is larger than any here", word.at)
        return int(word.text)


_PARTS: Final[dict[str, Callable[[Reader, list[Word]], None]]] = {
    "tokens": Reader._tokens,
    "stack": Reader._stack,
    "to_move": Reader._to_move,
    "rulings": Reader._rulings,
}


def read_meeples(text: str) -> dict[str, int]:
    """Meeples by player's name of a text such as "ana=1 ben=2". Raises NotationError."""
    reader = Reader(text)
    meeples: dict[str, int] = {}
    for match in _WORD.finditer(text):
        name, equals, many = match.group().partition("=")
        if not equals:
            raise reader.fault(f'{name!r} is not understood: expected meeples such as "ana=1 ben=2"', match.start())
        if name in meeples:
            raise reader.fault(f"player {name!r} comes twice", match.start())
        meeples[name] = reader.number(Word(many, match.start() + len(name) + 1), f"the number of {name}'s meeples")
    return meeples


def write(state: State) -> str:
    """The text of a state, which `Reader` reads."""
    parts = [" ".join(["tokens", *(map(str, state.seen) if state.seen else ["none"]), "seen"])]
    tiles = {name: getattr(state, name) for name in ("stack", "circus", "acrobat")}
    parts.append(" ".join(f"{name} {many}" for name, many in tiles.items() if many is not None))
    for player in state.players:
        acrobats = f" acrobats={player.acrobats}" if player.acrobats else ""
        parts.append(f"{player.name} tent={player.tent}{acrobats} score={player.score}")
    if state.to_move is not None:
        parts.append(f"to_move {state.to_move}")
    if not state.acrobats_count:
        parts.append("rulings acrobats=no")
    return " | ".join(part for part in parts if part)


def to_json(state: State) -> str:
    """The JSON text of a state: see `State.to_json`."""
    return json.dumps(asdict(state), ensure_ascii=False)


def from_json(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fields of a state, and those of its players, of a JSON text. Raises GameError."""
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise GameError(f"no JSON: {error}") from None
    except RecursionError:
        raise GameError("the state is nested too deeply") from None
    except GameError:
        raise
    except ValueError:  # a number of thousands of digits
        raise GameError("the state has a number that is larger than any here") from None
    given = _object(found, "the state", _STATE_FIELDS)
    players = given.pop("players", [])
    if not isinstance(players, list):
        raise GameError(f"players come as a list, not {players!r}")
    seated = [_object(player, f"players[{seat}]", ("name", *_PLAYER_FIELDS)) for seat, player in enumerate(players)]
    for seat, player in enumerate(seated):
        if "name" not in player:
            raise GameError(f'players[{seat}]: expected a "name"')
    return given, seated


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names come once each. Raises GameError."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise GameError(f"the name {name!r} comes twice in one object")
        found[name] = value
    return found


def _object(value: Any, what: str, known: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise GameError(f"{what}: expected an object, not {value!r}")
    for name in value:
        if name not in known:
            raise GameError(f"{what} has no field {name!r}: expected {', '.join(known)}")
    return value
