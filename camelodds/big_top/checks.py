"""What a state can not be. Each rule stands here once, for states from Python, from text and from JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from camelodds.big_top.components import ACROBAT_TILES, CIRCUS_TILES, PLAYERS, TOKENS
from camelodds.errors import GameError, RulesError, whole_number

if TYPE_CHECKING:
    from camelodds.big_top.state import State

HEADS: Final = ("tokens", "stack", "to_move", "rulings")
"""Words that begin a part of a state's text and therefore name no player."""

MOST_TILES: Final = 999
MOST_MEEPLES: Final = 99
MOST_SCORE: Final = 9999
NOT_IN_NAMES: Final = "|=,"

Place = tuple[str | int, ...]
"""Where in a state something is wrong, such as ("players", 1, "tent"): the reader of texts knows the letter."""


class StateError(GameError):
    """A state that can not be, and where in it that shows."""

    def __init__(self, message: str, place: Place = ()) -> None:
        super().__init__(message)
        self.place = place


def whole(value: Any, what: str, most: int, place: Place = (), least: int = 0) -> int:
    """The value as an int from `least` to `most`; `what` names it. Raises StateError."""
    try:
        number = whole_number(value, what)
    except RulesError:
        number = least - 1
    if not least <= number <= most:
        raise StateError(f"{what} is a whole number from {least} to {most}, not {value!r}", place)
    return number


def check_name(name: Any, place: Place = ()) -> None:
    """Raise StateError unless this can be a player's name: one word that no part begins with."""
    if not isinstance(name, str):
        raise StateError(f"a player's name is a text, not {name!r}", place)
    fit = name and name.isprintable() and not any(letter.isspace() or letter in NOT_IN_NAMES for letter in name)
    if not fit:
        raise StateError(f"a player's name is one word without a bar, a comma or =, not {name!r}", place)
    if name in HEADS:
        raise StateError(f"no player is called {name!r}: the word begins a part of the text", place)


def check_seen(seen: Sequence[Any], circus: int | None) -> tuple[int, ...]:
    """The tokens that are out, if there can be that many of each value and altogether. Raises StateError."""
    tokens: list[int] = []
    for index, given in enumerate(seen):
        try:
            token = whole_number(given, "a token")
        except RulesError:
            token = 0
        if token not in TOKENS:
            raise StateError(
                f"no token has the value {given!r}: expected {' '.join(map(str, TOKENS))}", ("seen", index)
            )
        if tokens.count(token) == TOKENS[token]:
            raise StateError(f"token {token} is seen too often: {TOKENS[token]} of 16 have that value", ("seen", index))
        tokens.append(token)
    most = max(0, CIRCUS_TILES - (circus or 0) - 1)
    if len(tokens) > most:
        why = (
            f"of {CIRCUS_TILES} circus tiles {circus} are in the stack, and the first one placed reveals nothing"
            if circus
            else f"{CIRCUS_TILES} are revealed in a game, and one is still under the tent"
        )
        raise StateError(f"tokens seen: {len(tokens)}, expected at most {most}; {why}", ("seen", most))
    return tuple(tokens)


def check_stack(state: State) -> None:
    """Raise StateError if the stack has more special tiles than the box, or than tiles."""
    if state.stack is None:
        for kind in ("circus", "acrobat"):
            if getattr(state, kind) is not None:
                raise StateError(f"{kind} tiles are counted in a stack: expected its size too (stack)", (kind,))
        return
    whole(state.stack, "the number of tiles in the stack", MOST_TILES, ("stack",))
    room = int(state.stack)
    for kind, most in (("circus", CIRCUS_TILES), ("acrobat", ACROBAT_TILES)):
        many = getattr(state, kind)
        if many is None:
            continue
        whole(many, f"the number of {kind} tiles", most, (kind,))
        if many > room:
            besides = "" if room == state.stack else f", {state.circus} circus tiles in it"
            raise StateError(f"{kind} tiles: {many} do not fit into a stack of {state.stack}{besides}", (kind,))
        room -= int(many)


def check_players(state: State) -> None:
    """Raise StateError if the players or who is to move can not be."""
    if len(state.players) > PLAYERS:
        raise StateError(f"{len(state.players)} players, expected at most {PLAYERS}", ("players", PLAYERS))
    names: list[str] = []
    for index, player in enumerate(state.players):
        here: Place = ("players", index)
        check_name(player.name, here)
        if player.name in names:
            raise StateError(f"player {player.name!r} comes twice", here)
        names.append(player.name)
        for kind in ("tent", "acrobats"):
            whole(getattr(player, kind), f"{player.name}: {kind}", MOST_MEEPLES, (*here, kind))
            if state.circus == CIRCUS_TILES and getattr(player, kind):
                raise StateError(
                    f"{player.name}: no tent stands yet, all {CIRCUS_TILES} circus tiles are in the stack: "
                    f"expected {kind}=0",
                    (*here, kind),
                )
        whole(player.score, f"{player.name}: score", MOST_SCORE, (*here, "score"))
    if state.to_move is not None and state.to_move not in names:
        known = f"the players are {', '.join(names)}" if names else "no player is named"
        raise StateError(f"{state.to_move!r} is not a player: {known}", ("to_move",))
