"""What a line at the table means: an action, what the die showed, and who did it. Nothing is done here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.rules import COLOURS, Rules

WORDS: Final = {"ticket": 2, "tile": 2, "winner": 2, "loser": 2, "camera": 2, "partner": 2, "position": 4}
"""Words of an action, its own name included, by that name."""
SAME: Final = {
    "take": "ticket", "takes": "ticket", "took": "ticket", "bet": "ticket", "win": "winner", "lose": "loser",
    "photo": "camera", "photographer": "camera", "partners": "partner", "spectator": "tile", "desert": "tile",
    "reveals": "reveal", "roll": "reveal", "rolls": "reveal", "pyramid": "reveal",
}  # fmt: skip
"""Other words for the same thing."""
SIDES: Final = {"oasis": "+", "cheer": "+", "cheering": "+", "mirage": "-", "boo": "-", "booing": "-"}
"""Sides of a tile as both editions call them."""
FILLERS: Final = {"a", "the", "places", "puts", "plays", "on", "tile", "ticket", "card", "at", "space", "die"}
"""Words that say nothing more where another one has said what is done."""

_DIE: Final = re.compile(r"([a-z]+|#)\s*(\+?)\s*([0-9]+)", re.IGNORECASE)
_SUPPORT: Final = re.compile(r"\s*\+\s*support\s+(\S+)")


class Said(NamedTuple):
    """What a line says.

    action : as `Game.apply` takes it     roll : what the die showed; of a reveal, None if the line does not tell
    player : who did it, None for whose turn it is
    """

    action: str
    roll: tuple[str, int] | None = None
    player: str | None = None


def understood(line: str, game: Game) -> Said | None:
    """What a line says in a game, None if it begins with no word that is known.

    Parameters
    ----------
    line : str
        Such as "take g", "ann takes green", "tile +7 ben", "mirage 9", "r2" or "reveal".
    game : Game
        Whose players and rules give the names.

    Raises
    ------
    GameError
        For a line that is half understood.
    """
    body, extra = _parted(line)
    words = body.split()
    for rest, player in _with_player(words, list(game.state.names)):
        if said := _action(rest, game):
            return said._replace(action=said.action + extra, player=player)
    kind = _kind(words[0]) if words else ""
    if kind in WORDS:
        _refuse(kind, words, game)
    return None


def colour_of(rules: Rules, word: str) -> str:
    """A racing camel's letter where it is named in full or as a capital, else the word."""
    letters = {COLOURS.get(letter, letter): letter for letter in rules.racing}
    lower = word.lower()
    return letters.get(lower) or (lower if lower[:1] and lower[:1] in rules.racing else word)


def die_of(rules: Rules, word: str) -> str:
    """The sign of a die that is named by letter or colour; the grey one by the colour that it showed."""
    known = {"grey": "#", "gray": "#"} if rules.crazy else {}
    for letter in rules.camels:
        sign = letter if letter in rules.racing else COLOURS.get(letter, letter)
        for name in (letter, letter.lower(), COLOURS.get(letter, letter)):
            known.setdefault(name, sign)
    return known.get(word) or known.get(word.lower(), word)


def player_of(game: Game, word: str) -> str:
    """The player of a name, in whatever case. Raises GameError."""
    names = game.state.names
    alike = [name for name in names if name.lower() == word.lower()]
    if word in names:
        return word
    if len(alike) != 1:
        raise GameError(f"{word!r} is no player: the players are {', '.join(names) or 'not named'}")
    return alike[0]


def _parted(line: str) -> tuple[str, str]:
    """A line without the extra step of the spicy Supercup, and that step as an action's name has it."""
    step = _SUPPORT.search(line)
    return (line[: step.start()] + line[step.end() :], f" + support {step[1]}") if step else (line, "")


def _with_player(words: list[str], names: list[str]) -> Iterator[tuple[list[str], str | None]]:
    """The words as they are, and without a player's name at their beginning or end."""
    yield words, None
    by_lower = {name.lower(): name for name in names} | {name: name for name in names}
    for at, rest in ((0, words[1:]), (-1, words[:-1])):
        if rest and (name := by_lower.get(words[at]) or by_lower.get(words[at].lower())):
            yield rest, name


def _kind(word: str) -> str:
    return SAME.get(word.lower(), word.lower())


def _action(words: list[str], game: Game) -> Said | None:
    """What words without a name say, None if they are not an action and nothing more."""
    rules = game.rules
    if not words:
        return None
    kind = _kind(words[0])
    if kind in FILLERS - set(WORDS) and len(words) > 1:
        return _action(words[1:], game)
    if kind == "reveal":
        rest = [word for word in words[1:] if word.lower() not in FILLERS]
        return _action(rest, game) if rest else Said("reveal")
    if kind in SIDES or (kind == "tile" and len(words) == 3 and words[1].lower() in SIDES):
        side = SIDES[kind if kind in SIDES else words[1].lower()]
        numbers = [word.lstrip("+-") for word in words[1:] if word.lower() not in {*FILLERS, *SIDES}]
        return Said(f"tile {side}{numbers[0]}") if len(numbers) == 1 and numbers[0].isdecimal() else None
    die = _DIE.fullmatch(" ".join(words))
    if die and (len(die[1]) == 1 or die[1].lower() in {*COLOURS.values(), "grey", "gray"}):
        return Said("reveal", (die_of(rules, die[1]) + die[2], int(die[3][:9])))
    if kind not in WORDS:
        return None
    words = [kind, *(words[1:] if kind == "position" else [*words[1:2], *_meaning(words[2:])])]
    if kind == "ticket" and words[1:2] and words[1].lower() in ("a", "the") and len(words) > 2:
        words = [kind, *words[2:]]
    if kind == "ticket" and len(words) == 3 and words[2].isdecimal() and colour_of(rules, words[1]) in rules.racing:
        words = [kind, colour_of(rules, words[1]) + words[2]]
    if len(words) != WORDS[kind] + (kind == "position" and words[3:4] == ["bottom"]):
        return None
    return Said(_named(words, game))


def _meaning(words: list[str]) -> list[str]:
    return [word for word in words if word.lower() not in {"ticket", "card", "tile", "die"}]


def _named(words: list[str], game: Game) -> str:
    kind, rules = words[0], game.rules
    if kind in ("ticket", "winner", "loser"):
        words[1] = colour_of(rules, words[1])
    if kind == "partner":
        words[1] = player_of(game, words[1])
    if kind == "ticket" and words[1] in rules.racing and len(words[1]) == 1:
        top = game.state.top(words[1])
        if top is None:
            raise GameError(f"no ticket of {words[1]} is left")
        words[1] += str(top)
    return " ".join(words)


def _refuse(kind: str, words: list[str], game: Game) -> None:
    """Say what is wrong with an action that has too many words or too few. Raises GameError."""
    count = WORDS[kind] + (kind == "position" and words[3:4] == ["bottom"])
    if len(words) == count + 1:
        player_of(game, words[-1])
    more = "one word" if count == 2 else f"{count - 1} words"
    raise GameError(f"{kind}: expected {more} more, and a player who acts out of turn; help shows examples")
