"""A turn as people say it: the name of an action and what the die showed, checked and carried out."""

from __future__ import annotations

from camelodds.errors import GameError
from camelodds.game.act import EXTRA, REVEAL, Act, act_named, acts, misspelt
from camelodds.game.legal import legal_acts, rule_against, rule_against_support, support_colours
from camelodds.game.state import NOBODY, State
from camelodds.game.step import Shown, Steps, acted, as_roll, passed_on, revealed, with_support
from camelodds.position.board import Roll


def player_to_move(state: State) -> int:
    """The number of the player to move, while the leg goes on. Raises GameError."""
    if state.board.race_over:
        raise GameError(f"the race is over: there is no action any more ({state.board})")
    if state.board.leg_over:
        raise GameError(f"the leg is over: next_leg() scores it ({state.board})")
    player = state.whose_turn()
    if player == NOBODY:
        raise GameError("whose turn is it? set to_move" if state.names else "no player is named")
    return player


def legal_names(state: State, shown: Shown | None = None) -> list[str]:
    """Names of all that the player to move may do: see `Game.legal_actions`."""
    if state.board.race_over:
        return []
    player = player_to_move(state)
    if shown is not None:
        after = revealed(state, player, as_roll(shown))
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
    player = player_to_move(state) if state.names else NOBODY
    done = steps(state, player, name, shown).done if state.names else _only_dice(state, name, shown)
    return passed_on(done, player, score)


def steps(state: State, player: int, name: str, shown: Shown | None = None) -> Steps:
    """The action of a player, in its parts. Raises as `Game.apply`."""
    act = act_named(state, player, name)
    if act is None:
        raise GameError(misspelt(" ".join(name.split()), _names(state, player, name)))
    if act.kind == REVEAL.kind:
        after = revealed(state, player, _roll_of(shown))
        done = after
        if act.support:
            _check_support(after, player, act)
            done = with_support(after, player, act.support)
        return Steps(acted(state, player, REVEAL), after, done)
    if shown is not None:
        raise GameError(f"{act.name} reveals no die: a roll comes with reveal only")
    plain = act._replace(support="")
    if rule := rule_against(state, player, plain):
        raise GameError(f"{act.name} is not allowed: {rule}")
    done = acted(state, player, plain)
    if act.support:
        _check_support(done, player, act)
        done = with_support(done, player, act.support)
    return Steps(done, done, done)


def _check_support(after: State, player: int, act: Act) -> None:
    if rule := rule_against_support(after, player, act.support):
        raise GameError(f"{act.name} is not allowed: {rule}")


def _names(state: State, player: int, wanted: str) -> list[str]:
    """What the player may have meant."""
    names = [act.name for act in acts(state, player)]
    if EXTRA.strip() in wanted and state.rules.spicy:
        plain = " ".join(wanted.split()).partition(EXTRA)[0]
        names = [f"{plain}{EXTRA}{colour}" for colour in state.rules.racing]
    return names


def _roll_of(shown: Shown | None) -> Roll:
    if shown is None:
        raise GameError('a reveal needs what the die showed, such as roll=("r", 2): see chance_outcomes()')
    return as_roll(shown)


def _only_dice(state: State, name: str, shown: Shown | None) -> State:
    """Where no player is named, dice are all that happens."""
    if " ".join(name.split()) != REVEAL.name:
        raise GameError(f"no player is named: who does {name!r}?")
    roll = _roll_of(shown)
    return state._replace(board=state.board.roll(roll.shows, roll.number))
