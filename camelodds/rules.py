"""Editions as values (docs/rules.md, sections 1, 2, 3, 6 and 7). Nothing is computed here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

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
MOST_SHOWN: Final = 4
"""The highest number that a die may show."""
SIDES: Final = 6
"""Faces of every die, all equally likely."""
MOST_PAYS: Final = 1000
SECOND_PAYS: Final = 1
"""What a leg ticket pays for the second place, whatever its value."""
WRONG_PAYS: Final = -1
"""What a leg ticket pays for every other place, and every other wrong bet."""
MOST_POUNDS: Final = 1_000_000
"""Bound of a player's money and pyramid tickets: sums stay far within what is counted with."""
MOST_PLAYERS: Final = 20
SUPERCUP_TRACK: Final = 20
SUPERCUP_TICKETS: Final = (5, 3, 2, 2)
MOST_WITH_SOME: Final = 8
MOST_WITH_ALL: Final = 10
"""Players at most, with some modules of the Supercup, and with all of them."""
MODULES: Final = frozenset({"support", "photographer", "positions", "partners"})


class Face(NamedTuple):
    """What a die can show: the sign that says whom it moves, the number of spaces, and how many of six faces do."""

    shows: str
    number: int
    weight: int


@dataclass(frozen=True)
class Rules:
    """The rules of one edition, or one's own within the bounds that the encoding sets.

    Parameters
    ----------
    name : str
        The edition's name.
    racing : str
        Letters of the racing camels, one to five; their order is that of all results.
    crazy : str
        Letters of the two crazy camels, or "".
    track : int
        Number of spaces, 3 to 28.
    undrawn : int
        Dice that stay in the pyramid when the leg ends.
    tickets : tuple of int
        Values of a colour's leg tickets, best first, in pounds.
    finish : tuple of int
        What the first right finish cards pay, in pounds.
    finish_later : int
        What every later right finish card pays.
    players : tuple of int
        Fewest and most players.
    money : int
        What each starts with, in pounds.
    modules : frozenset of str
        "support" dice, "photographer", "positions" (tiles on tickets), "partners".
    spicy : bool
        Whether a player may pay for one more support die.
    official : bool
        False for a mix that no rulebook describes.

    Raises
    ------
    RulesError
        Where the bounds of the encoding are exceeded, or the fields do not go together.
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

        def count(name: str, low: int, high: int) -> None:
            value = getattr(self, name)
            require(
                _whole(value) and low <= value <= high, f"{name} is a whole number from {low} to {high}: not {value!r}"
            )

        require(isinstance(self.name, str) and self.name.strip() != "", "a name is a text, and not empty")
        for name in ("racing", "crazy"):
            require(isinstance(getattr(self, name), str), f"{name} is a text, not {getattr(self, name)!r}")
        for name in ("spicy", "official"):
            require(isinstance(getattr(self, name), bool), f"{name} is true or false, not {getattr(self, name)!r}")
        for name in ("tickets", "finish", "players"):
            object.__setattr__(self, name, _numbers(getattr(self, name)))
        given = self.modules
        sequence = isinstance(given, (set, frozenset, list, tuple)) and all(isinstance(each, str) for each in given)
        require(sequence, f"modules are a set of texts, not {given!r}")
        object.__setattr__(self, "modules", frozenset(given))
        letters = self.racing + self.crazy
        require(1 <= len(self.racing) <= MAX_RACING, f"1 to {MAX_RACING} racing camels, not {len(self.racing)}")
        require(len(self.crazy) in (0, 2), f"no crazy camels or two, not {len(self.crazy)}")
        require(letters.isascii() and letters.isalpha() and len(set(letters)) == len(letters), "one letter per camel")
        require(self.racing.islower(), f"racing camels are small letters, not {self.racing!r}")
        require(not self.crazy or self.crazy.isupper(), f"crazy camels are capitals, not {self.crazy!r}")
        require(
            _whole(self.track) and 3 <= self.track <= MAX_TRACK,
            f"a track of 3 to {MAX_TRACK} spaces, not {self.track!r}",
        )
        dice = len(self.racing) + bool(self.crazy)
        require(
            _whole(self.undrawn) and 0 <= self.undrawn < dice,
            f"at least one of the {dice} dice is revealed: not {self.undrawn!r} undrawn",
        )
        require(self.modules <= MODULES, f"modules are {', '.join(sorted(MODULES))}; not {sorted(self.modules)}")
        require(not self.spicy or self.support, "the spicy step needs the support dice")
        for name in ("tickets", "finish"):
            values = getattr(self, name)
            require(
                isinstance(values, tuple) and all(_whole(value) and 1 <= value <= MOST_PAYS for value in values),
                f"tickets and cards pay something: {name} are whole numbers from 1 to {MOST_PAYS}, not {values!r}",
            )
        count("finish_later", 0, MOST_PAYS)
        count("money", 0, MOST_POUNDS)
        pair = self.players
        require(
            isinstance(pair, tuple)
            and len(pair) == 2
            and all(map(_whole, pair))
            and 1 <= pair[0] <= pair[1] <= MOST_PLAYERS,
            f"players are the fewest and the most, from 1 to {MOST_PLAYERS}: not {pair!r}",
        )

    @property
    def camels(self) -> str:
        """All letters: racing, then crazy."""
        return self.racing + self.crazy

    @property
    def title(self) -> str:
        """The name as titles have it, such as "edition supercup-second, unofficial"."""
        return f"edition {self.name}" + ("" if self.official else ", unofficial")

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

    @cached_property
    def faces(self) -> dict[str, tuple[Face, ...]]:
        """What each die can show, by its sign; the weights of one die sum to six (docs/rules.md, section 3)."""
        faces = {letter: tuple(Face(letter, number, 2) for number in (1, 2, 3)) for letter in self.racing}
        if self.crazy:
            faces["#"] = tuple(Face(colour, number, 1) for colour in ("white", "black") for number in (1, 2, 3))
        if self.support:
            faces |= {f"{letter}+": tuple(Face(f"{letter}+", number, 3) for number in (1, 2)) for letter in self.racing}
        return faces

    @cached_property
    def plain_dice(self) -> int:
        """The set of dice that are in the pyramid at every leg's start: all but the support dice."""
        return (1 << len(self.racing)) - 1 | (1 << GREY if self.crazy else 0)

    @cached_property
    def marks(self) -> int:
        """A word with the highest bit of the byte of each camel that takes part."""
        return sum(0x80 << 8 * lane for lane in self.lanes.values())

    def as_spicy(self) -> Rules:
        """These rules with the spicy step, named `NAME-spicy`. Raises RulesError where there are no support dice."""
        return self.with_changes(name=f"{self.name}-spicy", spicy=True)

    def with_changes(self, **changes: Any) -> Rules:
        """These rules with other values for some fields; a name of its own unless one is given.

        Other modules bring the Supercup's track, tickets and players, unless those are given: see `with_modules`.

        Parameters
        ----------
        **changes
            Fields by name.

        Returns
        -------
        Rules

        Raises
        ------
        RulesError
            Where the encoding's bounds are exceeded.

        Examples
        --------
        >>> EDITIONS["second"].with_changes(undrawn=2).name
        'second (own)'
        """
        changes.setdefault("name", self.name + " (own)")
        modules = changes.get("modules", self.modules)
        if isinstance(modules, (set, frozenset, list, tuple)) and set(modules) - self.modules:
            most = MOST_WITH_ALL if set(modules) == MODULES else MOST_WITH_SOME
            brought = {"track": SUPERCUP_TRACK, "tickets": SUPERCUP_TICKETS, "players": (self.players[0], most)}
            changes = brought | changes
        return replace(self, **changes)

    def with_modules(self, *modules: str) -> Rules:
        """These rules with modules of the Supercup, alone or together (docs/rules.md, section 8).

        With any of them the track has 20 spaces and a colour four tickets; nine and ten players need all four.

        Parameters
        ----------
        *modules : str
            Of "support", "photographer", "positions", "partners".

        Returns
        -------
        Rules
            A preset where one has the same rules, else named after its modules.

        Raises
        ------
        RulesError
            For a module that does not exist.

        Examples
        --------
        >>> some = FIRST.with_modules("positions", "partners")
        >>> some.name, some.track, some.tickets, some.players
        ('first-partners-positions', 20, (5, 3, 2, 2), (2, 8))
        >>> FIRST.with_modules("support", "photographer", "positions", "partners").name
        'supercup'
        """
        if set(modules) == self.modules:
            return self
        name = "-".join([self.name, *sorted(set(modules))])
        # What the Supercup's modules do to the 2nd edition is no rulebook's to say.
        official = self.official and not (self.crazy and set(modules) - self.modules)
        made = self.with_changes(name=name, modules=frozenset(modules), official=official)
        same = (preset for preset in EDITIONS.values() if replace(made, name=preset.name) == preset)
        return next(same, made)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


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
SUPERCUP: Final = Rules(
    "supercup",
    racing="bgoyw",
    track=SUPERCUP_TRACK,
    tickets=SUPERCUP_TICKETS,
    players=(2, MOST_WITH_ALL),
    modules=MODULES,
)
SUPERCUP_SECOND: Final = Rules(
    "supercup-second",
    racing="rbgyp",
    crazy="WK",
    track=SUPERCUP_TRACK,
    undrawn=1,
    tickets=SUPERCUP_TICKETS,
    players=(3, MOST_WITH_ALL),
    modules=MODULES,
    official=False,
)
EDITIONS: Final = {rules.name: rules for rules in (FIRST, SECOND, SUPERCUP, SUPERCUP_SECOND)}


def ticket_by_place(value: int, camels: int) -> tuple[int, ...]:
    """What a leg ticket pays in pounds, by the place of its camel, the first place first (docs/rules.md, section 7).

    Examples
    --------
    >>> ticket_by_place(5, camels=5)
    (5, 1, -1, -1, -1)
    """
    return (value, SECOND_PAYS, *[WRONG_PAYS] * camels)[:camels]


def rules_of(edition: str | Rules) -> Rules:
    """The rules behind the name of a preset; rules are returned as they are. Raises RulesError for another name."""
    if isinstance(edition, Rules):
        return edition
    try:
        return EDITIONS[edition]
    except (KeyError, TypeError):
        raise RulesError(f"no edition is called {edition!r}: expected one of {', '.join(EDITIONS)}") from None
