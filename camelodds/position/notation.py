"""Positions as people type them (README, "Notation"), read and printed.

A text is read token by token. What a token means under given rules is worked out once and remembered, so that
reading many texts costs little more than splitting them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from camelodds.errors import NotationError
from camelodds.position.bits import full_pyramid, no_tile_on, stacks
from camelodds.rules import COLOURS, Rules

UNKNOWN: Final = "?"
"""After the slash: the leg is over, and which die stays inside is not known."""
REMEMBERED: Final = 100_000
"""Tokens that are remembered before the memory starts anew."""


class Tile(NamedTuple):
    """A spectator or desert tile.

    Parameters
    ----------
    space : int
        Where it lies.
    side : int
        +1 cheering or oasis, -1 booing or mirage.
    owner : str, optional
        Who gets a pound for each landing on it.
    """

    space: int
    side: int
    owner: str | None = None

    def __str__(self) -> str:
        return f"{'+' if self.side > 0 else '-'}{self.space}" + (f"@{self.owner}" if self.owner else "")


class Position(NamedTuple):
    """What a text says: the word, the set of dice in the pyramid, and the tiles by space."""

    word: int
    dice: int
    tiles: tuple[Tile, ...]


class _Part(NamedTuple):
    word: int
    camels: int
    space: int
    tile: Tile | None


class _FaultError(Exception):
    """Something wrong at an offset of the piece at hand."""

    def __init__(self, message: str, offset: int = 0) -> None:
        self.message, self.offset = message, offset


_STACK: Final = re.compile(r"(finish|back|[0-9]+):(.*)")
OWNER: Final = re.compile(r"[^\s,/|:=@?+#\x00-\x1f\x7f-\x9f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")
"""A player's name as a text has it: one word in letters of any script; no mark that separates, nothing unseen."""
_TILE: Final = re.compile(rf"([+-])([0-9]+)(?:@({OWNER.pattern}))?")


@lru_cache(maxsize=64)
def reader(rules: Rules) -> Reader:
    """The reader of texts under these rules."""
    return Reader(rules)


class Reader:
    """Reads texts under one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._parts: dict[str, _Part] = {}
        self._pyramids: dict[str, int] = {}
        self._all = sum(1 << lane for lane in rules.lanes.values())

    def read(self, text: str) -> Position:
        """The position that a text describes. Raises NotationError."""
        if not isinstance(text, str):
            raise TypeError(f"a position is a text, not {type(text).__name__}")
        body, slash, pyramid = text.partition("/")
        word = camels = spaces = tiles_on = number = 0
        tiles: list[Tile] = []
        try:
            for number, token in enumerate(body.replace(",", " ").split()):  # noqa: B007 - for the place of a fault
                part = self._parts.get(token) or self._remember(token)
                space_bit = 1 << part.space
                if part.tile:
                    if tiles_on & space_bit:
                        raise _FaultError(f"two tiles on space {part.space}")
                    tiles_on |= space_bit
                    tiles.append(part.tile)
                    continue
                if spaces & space_bit:
                    raise _FaultError(f"{self._place(part.space)} is named twice: write one stack")
                if camels & part.camels:
                    raise self._twice(token, camels)
                word += part.word
                camels |= part.camels
                spaces |= space_bit
        except _FaultError as fault:
            raise NotationError(fault.message, text, _place_of(body, number) + fault.offset) from None
        crossed = spaces & (1 | 1 << self.rules.track + 1)
        misplaced = tiles_on & no_tile_on(spaces, tiles_on, self.rules.track)
        if camels != self._all or misplaced or crossed & crossed - 1:
            raise self._impossible(text, camels, spaces, misplaced)
        tiles.sort()
        dice = self._pyramid(text, pyramid) if slash else full_pyramid(word, self.rules)
        return Position(word, dice, tuple(tiles))

    def _remember(self, token: str) -> _Part:
        """What a token means. Raises _FaultError."""
        part = self._part(token)
        if len(self._parts) >= REMEMBERED:
            self._parts.clear()
        self._parts[token] = part
        return part

    def _twice(self, token: str, camels: int) -> _FaultError:
        """The fault of a stack with a camel that is among those which stand elsewhere."""
        stack = token.partition(":")[2]
        level, letter = next(
            (level, letter) for level, letter in enumerate(stack) if camels >> self.rules.lanes[letter] & 1
        )
        return _FaultError(f"{self._camel(letter)} stands twice", token.index(":") + 1 + level)

    def _impossible(self, text: str, camels: int, spaces: int, misplaced: int) -> NotationError:
        """The error of pieces that are right one by one and do not go together.

        camels, spaces : those that are named, as bits     misplaced : the spaces of tiles that lie where none may
        """
        body = text.partition("/")[0]
        tokens = body.replace(",", " ").split()
        end = len(body.rstrip(", \t\n")) if body.strip() else len(body)
        if not tokens:
            return NotationError("nothing there: expected stacks such as 1:rb, bottom to top", text, end)
        missing = [letter for letter, lane in self.rules.lanes.items() if not camels >> lane & 1]
        if missing:
            names = " and ".join(map(self._camel, missing))
            return NotationError(f"{names} {'is' if len(missing) == 1 else 'are'} missing", text, end)
        place_of = {number: _place_of(body, number) for number in range(len(tokens))}
        if spaces & 1 and spaces >> self.rules.track + 1 & 1:
            later = max(place_of[number] for number, token in enumerate(tokens) if token[0] in "bf")
            return NotationError("one unit crosses the line, then the race is over: not finish and back", text, later)
        tile_at = {self._part(token).space: place_of[number] for number, token in enumerate(tokens) if token[0] in "+-"}
        space = next(space for space in tile_at if misplaced >> space & 1)
        if spaces >> space & 1:
            return NotationError(f"no tile on space {space}: camels stand there", text, tile_at[space])
        other = space - 1 if space - 1 in tile_at else space + 1
        both = f"tiles on {min(space, other)} and {max(space, other)}: never next to each other"
        return NotationError(both, text, max(tile_at[space], tile_at[other]))

    def _part(self, token: str) -> _Part:
        """What a token means, worked out anew. Raises _FaultError."""
        if token[0] in "+-":
            return self._tile(token)
        match = _STACK.fullmatch(token)
        if not match:
            if ":" in token:
                raise _FaultError(f"expected a space, finish or back before the colon, not {token.partition(':')[0]!r}")
            if all(letter in self.rules.camels for letter in token):
                raise _FaultError(f"a stack without its space: expected one such as 1:{token}")
            raise _FaultError(f"expected a stack such as 1:{self.rules.racing[:2]} or a tile such as +5, not {token!r}")
        where, stack = match.groups()
        space = {"finish": self.rules.track + 1, "back": 0}.get(where, -1)
        if space < 0:
            space = self._on_track(where, 0)
        if not stack:
            raise _FaultError(f"an empty stack on {self._place(space)}: leave it out", len(where) + 1)
        word = camels = 0
        for level, letter in enumerate(stack):
            offset = len(where) + 1 + level
            lane = self.rules.lanes.get(letter)
            if lane is None:
                raise _FaultError(self._unknown(letter), offset)
            if camels >> lane & 1:
                raise _FaultError(f"{self._camel(letter)} stands twice", offset)
            camels |= 1 << lane
            word |= (space << 3 | level) << 8 * lane
        crazy_led = stack[0] in self.rules.crazy
        if where == "back" and not crazy_led:
            raise _FaultError(
                "only a crazy camel carries others back over the line: it is the lowest there", len(where) + 1
            )
        if where == "finish" and crazy_led:
            raise _FaultError("a racing camel leads what crosses the line: it is the lowest there", len(where) + 1)
        return _Part(word, camels, space, None)

    def _tile(self, token: str) -> _Part:
        match = _TILE.fullmatch(token)
        if not match:
            raise _FaultError(f"expected a tile such as +5, -9 or +5@ana, not {token!r}")
        sign, number, owner = match.groups()
        space = self._on_track(number, 1)
        if space == 1:
            raise _FaultError("no tile on space 1", 1)
        return _Part(0, 0, space, Tile(space, +1 if sign == "+" else -1, owner))

    def _on_track(self, number: str, offset: int) -> int:
        track, racing, crazy = self.rules.track, self.rules.racing, self.rules.crazy or "K"
        space = int(number) if len(number) < 9 else track + 2
        if space == 0:
            carried = f"back:{crazy[0]}{racing[0]}"
            raise _FaultError(
                f"off the track: spaces are 1 to {track}; what went back over the line is {carried}", offset
            )
        if space > track:
            over = f"finish:{racing[:2]}"
            raise _FaultError(f"off the track: spaces are 1 to {track}; a unit over the line is {over}", offset)
        return space

    def _pyramid(self, text: str, pyramid: str) -> int:
        """The set of dice named after the slash."""
        known = self._pyramids.get(pyramid)
        if known is None:
            try:
                known = self._dice(pyramid)
            except _FaultError as fault:
                raise NotationError(fault.message, text, text.index("/") + 1 + fault.offset) from None
            if len(self._pyramids) >= REMEMBERED:
                self._pyramids.clear()
            self._pyramids[pyramid] = known
        return known

    def _dice(self, pyramid: str) -> int:
        rules = self.rules
        stays_inside = f"in this edition {rules.undrawn} die always stays inside" if rules.undrawn else ""
        signs = list(re.finditer(r"[^\s,]\+?", pyramid))
        if not signs:
            raise _FaultError(
                "no dice after the slash: leave it out for a full pyramid" + ("" if rules.undrawn else ", - for none"),
                len(pyramid),
            )
        if [match.group() for match in signs] == ["-"]:
            if rules.undrawn:
                raise _FaultError(f"not an empty pyramid: {stays_inside}", signs[0].start())
            return 0
        if rules.undrawn and [match.group() for match in signs] == [UNKNOWN]:
            return 0
        dice = 0
        for match in signs:
            sign, at = match.group(), match.start()
            bit = rules.dice.get(sign)
            if bit is None:
                raise _FaultError(self._no_die(sign), at)
            if dice & bit:
                raise _FaultError(f"{self._die(sign)} is named twice", at)
            dice |= bit
        if dice.bit_count() < rules.undrawn:
            raise _FaultError(f"too few dice: {stays_inside}", len(pyramid))
        return dice

    def _no_die(self, sign: str) -> str:
        expected = f"expected {' '.join(self.rules.dice)}"
        if sign == "-":
            return f"- stands for no dice at all: not beside others; {expected}"
        if sign == "/":
            return f"a second slash; {expected}"
        if sign == "#":
            return f"no grey die in the {_edition(self.rules)}; {expected}"
        if sign.endswith("+") and sign[0] in self.rules.racing:
            return f"no support dice in the {_edition(self.rules)}; {expected}"
        name = COLOURS.get(sign[0], sign[0]) if sign[0].islower() else sign[0]
        return f"{name} has no die in the {_edition(self.rules)}; {expected}"

    def _die(self, sign: str) -> str:
        if sign == "#":
            return "the grey die"
        return f"the {'support ' if sign.endswith('+') else ''}die {sign} ({COLOURS.get(sign[0], sign[0])})"

    def _camel(self, letter: str) -> str:
        kind = "crazy camel " if letter in self.rules.crazy else ""
        name = COLOURS.get(letter)
        return f"{kind}{letter} ({name})" if name else f"{kind}{letter}"

    def _unknown(self, letter: str) -> str:
        also = ""
        if letter.swapcase() in self.rules.camels:
            also = f"; {letter.swapcase()} is {self._camel(letter.swapcase())}"
        name = f" ({COLOURS[letter]})" if letter in COLOURS else ""
        return (
            f"{letter}{name} is not a camel of the {_edition(self.rules)}: expected {' '.join(self.rules.camels)}{also}"
        )

    def _place(self, space: int) -> str:
        return {0: "back", self.rules.track + 1: "finish"}.get(space, f"space {space}")


def name_word(name: str) -> str:
    """A player's name as one word of a text: as it was typed, with `_` for blanks.

    Raises NotationError at the first letter that no name has.

    Examples
    --------
    >>> name_word(" Zoë  K "), shown_name("Zoë_K")
    ('Zoë_K', 'Zoë K')
    """
    word = "_".join(name.split())
    if not OWNER.fullmatch(word):
        fine = OWNER.match(word)
        expected = "a player's name has letters of any script, not , / | : = @ ? + or #"
        raise NotationError(expected, word, fine.end() if fine else 0)
    return word


def shown_name(word: str) -> str:
    """A player's name as people see it: the word of a text with its blanks again."""
    return word.replace("_", " ")


def _place_of(body: str, number: int) -> int:
    """Where the token with a number begins."""
    return [match.start() for match in re.finditer(r"[^\s,]+", body)][number]


def _edition(rules: Rules) -> str:
    spoken = {"first": "1st edition", "second": "2nd edition", "supercup": "Supercup"}
    return spoken.get(rules.name, f"edition {rules.name}")


def write(position: Position, rules: Rules) -> str:
    """The text of a position: stacks low to high, tiles, dice if the pyramid is not full."""
    pieces = []
    for space, stack in stacks(position.word, rules).items():
        where = {0: "back", rules.track + 1: "finish"}.get(space, str(space))
        pieces.append(f"{where}:{stack}")
    pieces += [str(tile) for tile in position.tiles]
    if position.dice != full_pyramid(position.word, rules):
        signs = "".join(sign for sign, bit in rules.dice.items() if position.dice & bit)
        pieces += ["/", signs or (UNKNOWN if rules.undrawn else "-")]
    return " ".join(pieces)
