"""What a player can do in a turn, as values: a kind and what it is about. Names are for people.

| kind | item | name |
|---|---|---|
| reveal | | `reveal` |
| ticket | "r3" | `ticket r3` |
| tile | +7 or -7 | `tile +7` |
| winner, loser | "g", or "?" for a card that nobody else knows | `winner g` |
| camera | 8 | `camera 8` |
| position | (3, "r5"), or (2, "bottom g") for a ticket from the bottom of a stack | `position 3 on r5` |
| partner | "ben" | `partner ben` |

In the spicy Supercup `+ support b` may follow any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, NamedTuple

from camelodds.game.state import POSITION_PLACES, State
from camelodds.rules import Rules

KINDS: Final = ("reveal", "ticket", "tile", "winner", "loser", "camera", "position", "partner", "support")
"""The words with which a name begins, and "support" for the extra step."""
FACE_DOWN: Final = "?"
"""In place of a finish card's colour."""
BOTTOM: Final = "bottom "
"""Before the colour of a ticket that is taken from the bottom of its stack."""
EXTRA: Final = " + support "
TURN_UP: Final = "turn up "
"""Before the deck, number and colour of a finish card that is turned up: nobody's turn, but part of a recorded game."""


class Act(NamedTuple):
    """One thing that a player can do: see the table above.

    support : the colour of the support die that is put in afterwards, "" for none
    """

    kind: str
    item: Any = None
    support: str = ""

    @property
    def name(self) -> str:
        """What people call it."""
        kind, item, support = self
        if kind == "tile":
            name = f"tile {item:+d}"
        elif kind == "position":
            name = f"position {item[0]} on {item[1]}"
        else:
            name = kind if item is None else f"{kind} {item}"
        return name + EXTRA + support if support else name


REVEAL: Final = Act("reveal")


@lru_cache(maxsize=64)
def everybodys_acts(rules: Rules) -> tuple[Act, ...]:
    """What anybody may think of under these rules, whatever is held and whoever plays; extra steps apart."""
    acts = [REVEAL]
    values = sorted(set(rules.tickets), reverse=True)
    acts += [Act("ticket", f"{colour}{value}") for colour in rules.racing for value in values]
    acts += [Act("tile", side * space) for space in range(1, rules.track + 1) for side in (1, -1)]
    acts += [Act(deck, colour) for deck in ("winner", "loser") for colour in rules.racing]
    if "photographer" in rules.modules:
        acts += [Act("camera", space) for space in range(1, rules.track + 1)]
    return tuple(acts)


@lru_cache(maxsize=64)
def _by_name(rules: Rules) -> dict[str, Act]:
    hidden = [Act(deck, FACE_DOWN) for deck in ("winner", "loser")]
    return {act.name: act for act in (*everybodys_acts(rules), *hidden)}


def acts(state: State, player: int) -> list[Act]:
    """Everything that a player may think of, allowed or not; extra steps and cards face down apart."""
    rules = state.board.rules
    found = list(everybodys_acts(rules))
    if "positions" in rules.modules:
        tickets = [*dict.fromkeys(state.holdings[player].tickets), *(BOTTOM + colour for colour in rules.racing)]
        found += [Act("position", (place, ticket)) for place in place_tiles(rules) for ticket in tickets]
    if "partners" in rules.modules:
        found += [Act("partner", name) for name in state.names]
    return found


def place_tiles(rules: Rules) -> tuple[int, ...]:
    """The places of the position tiles that a race of so many camels has use for."""
    return POSITION_PLACES[: len(rules.racing) - 1]


def act_named(state: State, player: int, name: str) -> Act | None:
    """The act with a name, None if there is none; blanks do not count."""
    plain, _, support = " ".join(name.split()).partition(EXTRA)
    rules = state.board.rules
    act = _by_name(rules).get(plain)
    if act is None and plain.startswith(("position", "partner")):
        act = next((each for each in acts(state, player) if each.name == plain), None)
    if act is None or not support:
        return act
    return act._replace(support=support) if rules.spicy and support in rules.racing else None


def misspelt(wanted: str, names: Sequence[str]) -> str:
    """What to say of an action that has none of these names."""
    close = get_close_matches(wanted, names, n=3, cutoff=0.5)
    kinds = list(dict.fromkeys(name.partition(" ")[0] for name in names))
    expected = f"did you mean {' or '.join(close)}?" if close else f"expected one that begins with {', '.join(kinds)}"
    if wanted.partition(" ")[0] in KINDS and wanted.partition(" ")[0] not in kinds:
        return f"no action {wanted!r} in this edition"
    return f"no action is called {wanted!r}: {expected}"
