"""A scoring piece by piece, as it is counted at the table (docs/rules.md, section 7)."""

from __future__ import annotations

from typing import NamedTuple

from camelodds.game.payoffs import card_pays, copied, position_pays, ticket_pays
from camelodds.game.state import State
from camelodds.position.rankings import ranking_names


class Item(NamedTuple):
    """One piece of a scoring: what it is, and the pounds that it brings."""

    what: str
    pounds: int


def leg_items(state: State) -> list[list[Item]]:
    """What each player's things bring at the leg's scoring, with the board as it stands.

    Parameters
    ----------
    state : State
        At the end of a leg, not scored yet.

    Returns
    -------
    list of list of Item
        By player: position tiles on their tickets, other tickets, pyramid tickets, the copy of a partner's best.
    """
    racing = state.rules.racing
    ranking = ranking_names(racing).index(state.board.ranking)
    players = []
    for player, holding in enumerate(state.holdings):
        items, bare = [], list(holding.tickets)
        for place, ticket in holding.positions:
            bare.remove(ticket)
            items.append(Item(f"position {place} on {ticket}", int(position_pays(racing, place, ticket[0])[ranking])))
        items += [Item(ticket, int(ticket_pays(racing, ticket)[ranking])) for ticket in bare]
        if holding.pyramid:
            what = "1 pyramid ticket" if holding.pyramid == 1 else f"{holding.pyramid} pyramid tickets"
            items.append(Item(what, holding.pyramid))
        partner = state.partner_of(player)
        if partner is not None:
            whose = state.names[state.partner[player]]
            items.append(Item(f"copy of {whose}'s best", int(copied(racing, partner)[ranking])))
        players.append(items)
    return players


def card_items(state: State) -> tuple[list[list[Item]], list[str]]:
    """What each player's finish cards bring when the race is over, and what is not known of them yet.

    Parameters
    ----------
    state : State
        With the race over.

    Returns
    -------
    (list of list of Item, list of str)
        By player, winner deck first; and the cards that must be turned up first, empty if all is known.
    """
    ranking = state.board.ranking
    players: list[list[Item]] = [[] for _ in state.names]
    missing = []
    for deck, cards, right in (("winner", state.winner, ranking[0]), ("loser", state.loser, ranking[-1])):
        rank = 0
        for number, (name, colour) in enumerate(cards, 1):
            if colour is None:
                missing.append(f"{name}'s card, number {number} of the {deck} deck")
                continue
            pounds = card_pays(state.rules, rank) if colour == right else -1
            rank += colour == right
            players[state.names.index(name)].append(Item(f"{deck} {colour}", pounds))
    return players, missing
