"""What an act leads to, from state to state; what the dice can show; who gets what (docs/rules.md, 2, 7 and 8).

Acts are taken as allowed: `legal` says which are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from camelodds.errors import GameError
from camelodds.game.act import BOTTOM, FACE_DOWN, Act
from camelodds.game.legal import support_colours, support_die
from camelodds.game.payoffs import card_pays, scoring
from camelodds.game.state import NOBODY, Card, Holding, State
from camelodds.position.board import Board, Roll
from camelodds.position.notation import Tile
from camelodds.position.rankings import ranking_names
from camelodds.rules import Rules

Shown = tuple[str, int]
"""What a revealed die shows, as `Board.roll` takes it: ("r", 2), ("r+", 1), or the grey die as ("white", 3)."""


class Steps(NamedTuple):
    """A turn in its parts.

    acted : after the act, a revealed die not yet rolled     rolled : after its roll
    done : after the extra step of the spicy Supercup; the leg, if over, is not scored yet
    """

    acted: State
    rolled: State
    done: State


def acted(state: State, player: int, act: Act) -> State:
    """The state after an act; the die of a reveal is not rolled yet, the extra step is taken."""
    after = _EFFECTS[act.kind](state, player, act.item)
    return with_support(after, player, act.support) if act.support else after


def revealed(state: State, player: int, roll: Roll) -> State:
    """The state after a reveal: its pyramid ticket, the tile's and the photo's money, the die out."""
    board, unit, space, tile = state.board.move(roll.shows if roll.die == "#" else roll.die, roll.number)
    after = _after_reveal(state, player)._replace(board=board)
    if tile and tile.owner in state.names:
        after = after.receives(state.names.index(tile.owner), 1)
    if state.camera and space == state.camera[0]:
        after = after.receives(state.camera[1], len(unit))._replace(camera=None)
    # Only the spicy Supercup keeps used support dice apart: in the basic one they go back to the pedestal.
    if roll.die.endswith("+") and board.rules.spicy:
        after = after._replace(used_support=state.used_support | {roll.die[0]})
    return after


def reveals(state: State, player: int) -> Iterator[tuple[int, State]]:
    """Each roll's weight, of 6 x dice in the pyramid, and what a player's reveal that goes so leads to."""
    for roll in state.board.rolls():
        yield roll.weight, revealed(state, player, roll)


def with_support(state: State, player: int, colour: str) -> State:
    """The state after a player has paid a pyramid ticket for a support die."""
    board = state.board
    more = Board(board.rules, board.word, board.pyramid | support_die(board, colour), board.tiles)
    return state.gets_pyramid(player, -1)._replace(board=more)


def support_options(state: State, player: int) -> list[State]:
    """A state after an act, and what may be made of it with each support die that the player may put in."""
    return [state, *(with_support(state, player, colour) for colour in support_colours(state, player))]


def passed_on(state: State, player: int, score: bool = True) -> State:
    """The state with the turn passed on to the left; with `score`, a leg that is over is scored and the next one begun.

    Who took the last pyramid ticket acted last, so the one to the left starts the new leg.
    """
    state = state._replace(mover=(player + 1) % len(state.names) if state.names else NOBODY)
    over = score and not state.board.reveals and not state.board.race_over
    return next_leg(state) if over else state


def next_leg(state: State) -> State:
    """The state at the next leg's start: this one scored, tickets, tiles and camera home, partnerships ended.

    Raises RulesError if the leg goes on or the race is over.
    """
    return state._replace(
        board=state.board.next_leg(),
        money=scored(state),
        holdings=(Holding(),) * len(state.names),
        partner=(NOBODY,) * len(state.names),
        camera=None,
        used_support=frozenset(),
        taken=(),
    )


def scored(state: State) -> tuple[int, ...]:
    """Each player's money after the leg's scoring; nobody drops below 0."""
    return tuple(max(0, money + pounds) for money, pounds in zip(state.money, leg_rewards(state), strict=True))


def leg_rewards(state: State) -> tuple[int, ...]:
    """What the leg's scoring brings each player on the board as it stands, all bets netted, no floor."""
    racing = state.rules.racing
    ranking = ranking_names(racing).index(state.board.ranking)
    return tuple(
        int(scoring(racing, holding, state.partner_of(player))[ranking])
        for player, holding in enumerate(state.holdings)
    )


def turned_up(state: State, deck: str, number: int, colour: str) -> State:
    """The state with a finish card turned up in its place: see `Game.turn_up`."""
    if deck not in ("winner", "loser"):
        raise GameError(f"no deck is called {deck!r}: expected winner or loser")
    cards = state.winner if deck == "winner" else state.loser
    if number not in range(1, len(cards) + 1):
        raise GameError(f"the {deck} deck has {len(cards)} cards: there is no card {number}")
    owner, shown = cards[number - 1]
    if shown is not None:
        raise GameError(f"{deck} card {number} of {owner} lies face up already: it is {shown}")
    if len(colour) != 1 or colour not in state.rules.racing:
        raise GameError(f"a finish card is of one of {' '.join(state.rules.racing)}, not {colour!r}")
    if colour in state.cards_of(state.names.index(owner)):
        raise GameError(f"{owner} has placed the card of {colour} already; each player has one of a colour")
    turned = (*cards[: number - 1], (owner, colour), *cards[number:])
    return state._replace(winner=turned) if deck == "winner" else state._replace(loser=turned)


def returns(state: State, face_down: bool = False) -> dict[str, int]:
    """Final money by player: see `Game.returns`."""
    board = state.board
    if not board.race_over:
        raise GameError(f"the race goes on: nobody knows what it pays yet ({board})")
    if not face_down and (missing := state.face_down()):
        cards = ", ".join(f"{deck} card {number} of {owner}" for deck, number, owner in missing)
        raise GameError(f"what is face down is not known: {cards}; turn them up first")
    money = dict(zip(state.names, scored(state), strict=True))
    ranking = board.ranking
    for deck, right in ((state.winner, ranking[0]), (state.loser, ranking[-1])):
        for name, pounds in card_rewards(state.rules, deck, right):
            money[name] = max(0, money[name] + pounds)
    return money


def card_rewards(rules: Rules, deck: Sequence[Card], right: str) -> list[tuple[str, int]]:
    """What each finish card of a deck pays its owner, in the order placed, when the camel `right` is right.

    Cards face down are left out (docs/rules.md, section 7).
    """
    rewards, rank = [], 0
    for name, colour in deck:
        if colour is not None:
            rewards.append((name, card_pays(rules, rank) if colour == right else -1))
        rank += colour == right
    return rewards


def opening_stacks(rules: Rules, rng: Random) -> dict[int, str]:
    """Camels on the spaces that their dice show, stacked in the order of a random draw (docs/rules.md, section 2)."""
    stacks: dict[int, str] = {}
    for camel in rng.sample(rules.racing, len(rules.racing)) + rng.sample(rules.crazy, len(rules.crazy)):
        number = rng.randint(1, 3)
        space = rules.track + 1 - number if camel in rules.crazy else number
        stacks[space] = stacks.get(space, "") + camel
    return stacks


def _after_reveal(state: State, player: int, item: None = None) -> State:
    holdings = list(state.holdings)
    tickets, positions, pyramid = holdings[player]
    holdings[player] = Holding(tickets, positions, pyramid + 1)
    return state._replace(holdings=tuple(holdings))


def _after_ticket(state: State, player: int, ticket: str) -> State:
    holding = state.holdings[player]
    return state.holds(player, holding._replace(tickets=(*holding.tickets, ticket)))


def _after_tile(state: State, player: int, tile: int) -> State:
    board, name = state.board, state.names[player]
    others = [each for each in board.tiles if each.owner != name]
    tiles = sorted([*others, Tile(abs(tile), 1 if tile > 0 else -1, name)])
    return state._replace(board=Board(board.rules, board.word, board.pyramid, tuple(tiles)))


def _after_winner(state: State, player: int, colour: str) -> State:
    return state._replace(winner=(*state.winner, _card(state, player, colour)))


def _after_loser(state: State, player: int, colour: str) -> State:
    return state._replace(loser=(*state.loser, _card(state, player, colour)))


def _card(state: State, player: int, colour: str) -> Card:
    return state.names[player], None if colour == FACE_DOWN else colour


def _after_camera(state: State, player: int, space: int) -> State:
    return state._replace(camera=(space, player))


def _after_position(state: State, player: int, item: tuple[int, str]) -> State:
    place, ticket = item
    holding = state.holdings[player]
    if ticket.startswith(BOTTOM):
        ticket = f"{ticket[-1]}{state.stacks[ticket[-1]][-1]}"
        holding = holding._replace(tickets=(*holding.tickets, ticket))
    return state.holds(player, holding.covered(place, ticket))


def _after_partner(state: State, player: int, name: str) -> State:
    other = state.names.index(name)
    partner = list(state.partner)
    partner[player], partner[other] = other, player
    return state._replace(partner=tuple(partner))


_EFFECTS: Final[dict[str, Callable[[State, int, Any], State]]] = {
    "reveal": _after_reveal,
    "ticket": _after_ticket,
    "tile": _after_tile,
    "winner": _after_winner,
    "loser": _after_loser,
    "camera": _after_camera,
    "position": _after_position,
    "partner": _after_partner,
}
