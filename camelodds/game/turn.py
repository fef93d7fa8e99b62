"""A turn as people say it: the name of an action and what the die showed, checked and carried out."""

from __future__ import annotations

from typing import Any

from camelodds.errors import GameError
from camelodds.game.act import EXTRA, REVEAL, TURN_UP, Act, act_named, acts, misspelt
from camelodds.game.legal import legal_acts, rule_against, rule_against_support, support_colours
from camelodds.game.state import NOBODY, State
from camelodds.game.step import Shown, Steps, acted, passed_on, revealed, turned_up, with_support
from camelodds.position.board import Roll


def player_to_move(state: State) -> int:
    """The number of the player to move, while the leg goes on. Raises GameError."""
    if not state.board.reveals:
        over = (
            "race is over: there is no action any more"
            if state.board.race_over
            else "leg is over: next_leg() scores it"
        )
        raise GameError(f"the {over} ({state.board})")
    player = state.whose_turn() if state.mover == NOBODY else state.mover
    if player == NOBODY:
        raise GameError("whose turn is it? set to_move" if state.names else "no player is named")
    return player


def legal_names(state: State, shown: Shown | None = None) -> list[str]:
    """Names of all that the player to move may do: see `Game.legal_actions`."""
    if state.board.race_over:
        return []
    player = player_to_move(state)
    if shown is not None:
        after = revealed(state, player, _roll_of(shown))
        return [act.name for act in (REVEAL, *(Act("reveal", None, c) for c in support_colours(after, player)))]
    return [act.name for act in legal_turns(state, player)]


def legal_turns(state: State, player: int) -> list[Act]:
    """What a player may do, with what may follow in the spicy Supercup; after a reveal that is known after its roll."""
    found = legal_acts(state, player)
    if state.rules.spicy:
        for act in found[1:]:
            found += [act._replace(support=colour) for colour in support_colours(acted(state, player, act), player)]
    return found


def turn_taken(state: State, name: str, shown: Shown | None = None, score: bool = True) -> State:
    """The state after the action of the player to move, the next one to move: see `Game.apply`."""
    if name.startswith(TURN_UP):
        return _turned_up(state, name)
    if not state.names:
        return passed_on(_only_dice(state, name, shown), NOBODY, score)
    player = player_to_move(state)
    _, done = _rolled_and_done(state, player, _understood(state, player, name), shown)
    return passed_on(done, player, score)


def steps(state: State, player: int, name: str, shown: Shown | None = None) -> Steps:
    """The action of a player, in its parts. Raises as `Game.apply`."""
    act = _understood(state, player, name)
    rolled, done = _rolled_and_done(state, player, act, shown)
    return Steps(acted(state, player, REVEAL) if act.kind == REVEAL.kind else rolled, rolled, done)


def _understood(state: State, player: int, name: str) -> Act:
    """The act with a name. Raises GameError for a name that is none."""
    act = act_named(state, player, name)
    if act is None:
        raise GameError(misspelt(" ".join(name.split()), _names(state, player, name)))
    return act


def _rolled_and_done(state: State, player: int, act: Act, shown: Shown | None) -> tuple[State, State]:
    """The state after an act, its die rolled, and that after its extra step. Raises GameError if it is not allowed."""
    if act.kind == REVEAL.kind:
        rolled = revealed(state, player, _roll_of(shown))
    elif shown is not None:
        raise GameError(f"{act.name} reveals no die: a roll comes with reveal only")
    elif rule := rule_against(state, player, act):
        raise GameError(f"{act.name} is not allowed: {rule}")
    else:
        rolled = acted(state, player, act._replace(support="") if act.support else act)
    if not act.support:
        return rolled, rolled
    if rule := rule_against_support(rolled, player, act.support):
        raise GameError(f"{act.name} is not allowed: {rule}")
    return rolled, with_support(rolled, player, act.support)


def _names(state: State, player: int, wanted: str) -> list[str]:
    """What the player may have meant."""
    names = [act.name for act in acts(state, player)]
    if EXTRA.strip() in wanted and state.rules.spicy:
        plain = " ".join(wanted.split()).partition(EXTRA)[0]
        names = [f"{plain}{EXTRA}{colour}" for colour in state.rules.racing]
    return names


def _turned_up(state: State, name: str) -> State:
    """What turning a card up leads to, such as `turn up winner 2 g`: no turn, so who is to move stays."""
    words = name.split()[2:]
    if len(words) != 3 or not (words[1].isascii() and words[1].isdigit()):
        raise GameError(f"{name!r} is not understood: expected deck, number and colour, such as {TURN_UP}winner 2 g")
    return turned_up(state, words[0], int(words[1]), words[2])


def _roll_of(shown: Any) -> Roll:
    """A roll as people give it, such as ("r", 2) or ("white", 3). Raises GameError for another thing, or none."""
    if shown is None:
        raise GameError('a reveal needs what the die showed, such as roll=("r", 2): see chance_outcomes()')
    if not isinstance(shown, (tuple, list)) or len(shown) != 2 or not isinstance(shown[0], str):
        raise GameError(f'a roll is what the die shows, such as ("r", 2) or ("white", 3), not {shown!r}')
    shows, number = shown
    return Roll("#" if shows in ("white", "black") else shows, shows, number, 0)


def _only_dice(state: State, name: str, shown: Shown | None) -> State:
    """Where no player is named, dice are all that happens."""
    if " ".join(name.split()) != REVEAL.name:
        raise GameError(f"no player is named: who does {name!r}?")
    roll = _roll_of(shown)
    return state._replace(board=state.board.roll(roll.shows, roll.number))
