"""What a leg's scoring brings, thing by thing, so that it can be checked against the coins on the table."""

from __future__ import annotations

from camelodds.game.game import Game
from camelodds.game.payoffs import copied, position_pays, ticket_pays
from camelodds.game.state import Holding
from camelodds.position.rankings import ranking_names
from camelodds.web.shapes import Item


def scoring(game: Game) -> dict[str, list[Item]] | None:
    """What everything that the players hold brings in the leg that is over; None as long as it goes on."""
    if not game.board.leg_over:
        return None
    racing = game.rules.racing
    ranking = ranking_names(racing).index(game.board.ranking)
    now = game.state
    found = {}
    for player, name in enumerate(now.names):
        items = _items(racing, now.holdings[player], ranking)
        partner = now.partner[player]
        if partner >= 0:
            pays = int(copied(racing, now.holdings[partner])[ranking])
            items.append({"what": f"copy of {now.names[partner]}", "pays": pays})
        found[name] = items
    return found


def _items(racing: str, holding: Holding, ranking: int) -> list[Item]:
    bare = list(holding.tickets)
    items: list[Item] = []
    for place, ticket in holding.positions:
        bare.remove(ticket)
        pays = int(position_pays(racing, place, ticket[0])[ranking])
        items.append({"what": f"position {place} on {ticket}", "pays": pays})
    items += [{"what": ticket, "pays": int(ticket_pays(racing, ticket)[ranking])} for ticket in bare]
    items += [{"what": "pyramid", "pays": 1}] * holding.pyramid
    return items
