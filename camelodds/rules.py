"""Editions as values (docs/rules.md, sections 1, 2, 3, 6 and 7). Nothing is computed here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from camelodds.errors import RulesError

COLOURS: Final = {
    "b": "blue",
    "g": "green",
    "o": "orange",
    "p": "purple",
    "r": "red",
    "w": "white",
    "y": "yellow",
    "K": "black",
    "W": "white",
}
"""What the letters of camels stand for; the crazy camels are the capitals."""

MAX_TRACK: Final = 28
MAX_RACING: Final = 5
CRAZY_LANE: Final = 5
GREY: Final = 5
SUPPORT: Final = 6
MODULES: Final = frozenset({"support", "photographer", "positions", "partners"})


@dataclass(frozen=True)
class Rules:
    """The rules of one edition, or one's own within the bounds that the encoding sets.

    racing : letters of the racing camels, one to five; their order is that of all results
    crazy : letters of the two crazy camels, or ""
    track : number of spaces, 3 to 28
    undrawn : dice that stay in the pyramid when the leg ends
    tickets : values of a colour's leg tickets, best first, in pounds
    finish : what the first right finish cards pay; every later one pays `finish_later`
    modules : "support" dice, "photographer", "positions" (tiles on tickets), "partners"
    spicy : whether a player may pay for one more support die
    players : fewest and most players     money : what each starts with
    official : False for a mix that no rulebook describes
    """

    name: str
    racing: str
    crazy: str = ""
    track: int = 16
    undrawn: int = 0
    tickets: tuple[int, ...] = (5, 3, 2)
    finish: tuple[int, ...] = (8, 5, 3, 2)
    finish_later: int = 1
    players: tuple[int, int] = (2, 8)
    money: int = 3
    modules: frozenset[str] = frozenset()
    spicy: bool = False
    official: bool = True

    def __post_init__(self) -> None:
        def require(fine: bool, what: str) -> None:
            if not fine:
                raise RulesError(f"rules {self.name!r}: {what}")

        letters = self.racing + self.crazy
        require(1 <= len(self.racing) <= MAX_RACING, f"1 to {MAX_RACING} racing camels, not {len(self.racing)}")
        require(len(self.crazy) in (0, 2), f"no crazy camels or two, not {len(self.crazy)}")
        require(letters.isascii() and letters.isalpha() and len(set(letters)) == len(letters), "one letter per camel")
        require(self.racing.islower(), f"racing camels are small letters, not {self.racing!r}")
        require(not self.crazy or self.crazy.isupper(), f"crazy camels are capitals, not {self.crazy!r}")
        require(3 <= self.track <= MAX_TRACK, f"a track of 3 to {MAX_TRACK} spaces, not {self.track}")
        dice = len(self.racing) + bool(self.crazy)
        require(0 <= self.undrawn < dice, f"at least one of the {dice} dice is revealed: not {self.undrawn} undrawn")
        require(self.modules <= MODULES, f"modules are {', '.join(sorted(MODULES))}; not {sorted(self.modules)}")
        require(not self.spicy or self.support, "the spicy step needs the support dice")
        require(all(value > 0 for value in self.tickets + self.finish), "tickets and cards pay something")

    @property
    def camels(self) -> str:
        """All letters: racing, then crazy."""
        return self.racing + self.crazy

    @property
    def support(self) -> bool:
        """Whether the support die of the camel then last goes in at each leg's start."""
        return "support" in self.modules

    @cached_property
    def lanes(self) -> dict[str, int]:
        """The byte of the word in which each camel is: racing camels from 0, crazy ones from 5."""
        racing = {letter: lane for lane, letter in enumerate(self.racing)}
        return racing | {letter: CRAZY_LANE + lane for lane, letter in enumerate(self.crazy)}

    @cached_property
    def dice(self) -> dict[str, int]:
        """The sign of each die that exists, in the order in which it is printed, and its bit in a set of dice."""
        dice = {letter: 1 << lane for lane, letter in enumerate(self.racing)}
        if self.crazy:
            dice["#"] = 1 << GREY
        if self.support:
            dice |= {f"{letter}+": 1 << SUPPORT + lane for lane, letter in enumerate(self.racing)}
        return dice

    def with_changes(self, **changes: Any) -> Rules:
        """These rules with other values for some fields; a name of its own unless one is given.

        Raises RulesError where the encoding's bounds are exceeded.
        """
        changes.setdefault("name", self.name + " (own)")
        return replace(self, **changes)


FIRST: Final = Rules("first", racing="bgoyw")
SECOND: Final = Rules(
    "second",
    racing="rbgyp",
    crazy="WK",
    undrawn=1,
    tickets=(5, 3, 2, 2),
    players=(3, 8),
    modules=frozenset({"partners"}),
)
SUPERCUP: Final = Rules("supercup", racing="bgoyw", track=20, tickets=(5, 3, 2, 2), players=(2, 10), modules=MODULES)
SUPERCUP_SECOND: Final = Rules(
    "supercup-second",
    racing="rbgyp",
    crazy="WK",
    track=20,
    undrawn=1,
    tickets=(5, 3, 2, 2),
    players=(3, 10),
    modules=MODULES,
    official=False,
)
EDITIONS: Final = {rules.name: rules for rules in (FIRST, SECOND, SUPERCUP, SUPERCUP_SECOND)}


def rules_of(edition: str | Rules) -> Rules:
    """The rules behind the name of a preset; rules are returned as they are. Raises RulesError for another name."""
    if isinstance(edition, Rules):
        return edition
    try:
        return EDITIONS[edition]
    except (KeyError, TypeError):
        raise RulesError(f"no edition is called {edition!r}: expected one of {', '.join(EDITIONS)}") from None
