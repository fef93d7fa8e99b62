"""What the server answers, as plain data: calls into the package, and nothing of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from camelodds.errors import GameError
from camelodds.ev.actions import action_table
from camelodds.ev.turn import Action
from camelodds.game.game import Game
from camelodds.game.legal import tile_spaces
from camelodds.game.state import PARTNERS_FROM
from camelodds.odds.leg import leg_odds
from camelodds.odds.policy import races_are_simulated
from camelodds.odds.race import race_odds
from camelodds.position.bits import full_pyramid
from camelodds.position.board import Board
from camelodds.rules import Rules
from camelodds.show import svg
from camelodds.show.palette import paint, spoken
from camelodds.web import limits
from camelodds.web.checks import PLAYED, number_of, text_of
from camelodds.web.ledger import scoring
from camelodds.web.sentences import label, rolled, stands, why
from camelodds.web.shapes import (
    Actions,
    DieShows,
    Document,
    Edition,
    Editions,
    Leg,
    Paint,
    Place,
    Position,
    Race,
    Row,
    Show,
)

TITLES: Final = {
    "first": "1st edition (2014)",
    "second": "2nd edition (2018)",
    "supercup": "Supercup",
    "supercup-second": "Supercup on the 2nd edition",
    "supercup-spicy": "Supercup, spicy",
    "supercup-second-spicy": "Supercup on the 2nd edition, spicy",
}


def editions() -> Editions:
    """What a page needs to know to show a game: the editions, and how camels look."""
    signs = sorted({letter for rules in PLAYED.values() for letter in rules.camels} | {"#"})
    return {
        "editions": [_edition(name, rules) for name, rules in PLAYED.items()],
        "paints": {sign: _painted(sign) for sign in signs},
        "camel": {"outline": svg.CAMEL, "hat": svg.HAT, "high": svg.CAMEL_HIGH, "step": svg.STEP},
    }


def position(game: Game, said: str = "") -> Position:
    """A game in its canonical form, and all of it that a page shows.

    said : what has just happened, in a sentence
    """
    board = game.board
    return {
        "edition": board.edition,
        "text": str(game),
        "game": Document(json.loads(game.to_json())),
        "said": said,
        "stands": stands(board),
        "stacks": [{"space": space, "camels": stack} for space, stack in board.stacks.items()],
        "crossed": board.crossed,
        "tiles": [{"space": tile.space, "side": tile.side, "owner": tile.owner} for tile in board.tiles],
        "dice": list(board.dice),
        "full": board.pyramid == full_pyramid(board.word, board.rules),
        "rolls": _rolls(board),
        "reveals": board.reveals,
        "leg_over": board.leg_over,
        "race_over": board.race_over,
        "ranking": board.ranking,
        "tile_spaces": _tile_spaces(game),
        "tickets": {colour: list(values) for colour, values in game.stacks.items()},
        "hands": {name: game.hand(name) for name in game.players},
        "scoring": scoring(game),
        "final": _final(game),
    }


def roll(game: Game, asked: Mapping[str, Any]) -> Position:
    """The game after the player to move has revealed a die; the leg, if over, is not scored yet."""
    die, number = text_of(asked, "die"), number_of(asked, "number")
    move = game.board.move(die, number)
    return position(game.apply("reveal", (die, number), score=False), rolled(die, number, move))


def begin_leg(game: Game) -> Position:
    """The game at the start of the next leg, this one scored."""
    after = game.next_leg()
    money = [f"{name} {after.players[name].money - player.money:+d}" for name, player in game.players.items()]
    return position(after, f"A new leg. {'Scored: ' + ', '.join(money) + '.' if money else ''}".strip())


def act(game: Game, asked: Mapping[str, Any]) -> Position:
    """The game after an action of the player to move that reveals no die."""
    action = text_of(asked, "action")
    return position(game.apply(action, score=False), f"{label(action)}: done.")


def leg(game: Game) -> Leg:
    """The exact odds of the leg, the likeliest first on top."""
    board = game.board
    limits.check_leg(board)
    odds = leg_odds(board)
    places = range(1, len(board.rules.racing) + 1)
    rows = [(camel, [float(odds.p(camel, place)) for place in places]) for camel in board.rules.racing]
    return {
        "camels": [
            {"camel": camel, "places": chances} for camel, chances in sorted(rows, key=lambda row: row[1], reverse=True)
        ],
        "race_ends": float(odds.race_ends),
        "landings": [{"space": tile.space, "expected": float(odds.landing(tile.space))} for tile in board.tiles],
    }


def race(game: Game) -> Race:
    """The odds of the race, from a table that is at hand or simulated."""
    limits.check_leg(game.board)
    odds = race_odds(game.board)
    return {
        "camels": [
            {"camel": camel, "wins": float(wins), "loses": float(loses)}
            for camel, wins, loses in zip(game.rules.racing, odds.wins, odds.losses, strict=True)
        ],
        "legs": odds.legs,
        "method": "table" if odds.method == "table" else "simulation",
        "error": (odds.error if odds.stderr is None else odds.stderr) or 0.0,
        "note": odds.note,
    }


def actions(game: Game, asked: Mapping[str, Any]) -> Actions:
    """What every action of a player is worth, best first, each with a sentence why.

    A player's own finish cards that are not known keep only further finish cards from being worth something.
    """
    names = list(game.players)
    player = text_of(asked, "player") if asked.get("player") is not None else game.to_move
    unknown = player in names and game.hand(str(player)) is None
    if unknown:
        game = _without_unknown(game, str(player))
    limits.check_actions(game, player)
    rows = action_table(game, player, support=game.rules.spicy)
    if unknown:
        rows = [row for row in rows if row.action.partition(" ")[0] not in ("winner", "loser")]
    simulated = races_are_simulated(game.rules)
    return {
        "player": player or names[0],
        "actions": [_row(row, simulated) for row in rows],
        "note": OWN_UNKNOWN if unknown else "",
    }


OWN_UNKNOWN: Final = (
    "Finish cards of this player lie face down and are not known here: what a further one is worth, and what a tile "
    "does to them, is left out."
)


def _row(row: Action, simulated: bool) -> Row:
    error = float(row.error or 0.0)
    return {
        "action": row.action,
        "kind": row.kind,
        "label": label(row.action),
        "why": why(row),
        "ev": float(row.ev or 0),
        "error": error,
        "simulated": simulated and error > 0,
        "sd": float(row.sd or 0),
        "p_gain": float(row.p_gain or 0),
        "worst": row.worst or 0,
        "best": row.best or 0,
        "others": float(row.others or 0),
        "reply": None if row.reply is None else float(row.reply),
    }


def _without_unknown(game: Game, player: str) -> Game:
    """The game without those of a player's finish cards whose colour is not known."""
    unknown = (player, None)
    winner, loser = (tuple(card for card in deck if card != unknown) for deck in (game.state.winner, game.state.loser))
    return Game.of(game.state._replace(winner=winner, loser=loser))


def _painted(sign: str) -> Paint:
    fill, ink = paint(sign)
    return {"name": "grey" if sign == "#" else spoken(sign), "fill": fill, "ink": ink}


def _edition(name: str, rules: Rules) -> Edition:
    side, ring = _ring(rules.track)
    return {
        "name": name,
        "title": TITLES[name],
        "racing": rules.racing,
        "crazy": rules.crazy,
        "track": rules.track,
        "side": side,
        "ring": ring,
        "dice": list(rules.dice),
        "tickets": list(rules.tickets),
        "money": rules.money,
        "fewest_players": rules.players[0],
        "most_players": rules.players[1],
        "partners_from": PARTNERS_FROM,
        "modules": sorted(rules.modules),
        "spicy": rules.spicy,
        "official": rules.official,
    }


def _ring(track: int) -> tuple[int, list[Place]]:
    """The track as a square ring for a page that is held upright: its side in spaces, and each space's place."""
    side = ceil(track / 4) + 1
    last = side - 1
    places = [(column, 0) for column in range(last)] + [(last, row) for row in range(last)]
    places += [(column, last) for column in range(last, 0, -1)] + [(0, row) for row in range(last, 0, -1)]
    found: list[Place] = []
    for (column, row), (next_column, _) in zip(places[:track], [*places[1:], places[0]], strict=False):
        right = column == 0 if next_column == column else next_column > column
        found.append({"column": column, "row": row, "right": right})
    return side, found


def _rolls(board: Board) -> list[DieShows]:
    """What the next reveal can show, die by die."""
    shows: dict[str, list[Show]] = {}
    for each in board.rolls():
        shows.setdefault(each.die, []).append({"die": each.shows, "number": each.number})
    return [{"die": die, "shows": found} for die, found in shows.items()]


def _tile_spaces(game: Game) -> dict[str, list[int]]:
    """The spaces on which each player, or "" for nobody in particular, may place a tile."""
    board, camera = game.board, game.photographer[1] if game.photographer else None
    spaces = range(1, board.rules.track + 1)
    free = {owner: tile_spaces(board, owner, camera) for owner in (None, *game.players)}
    return {owner or "": [space for space in spaces if bits >> space & 1] for owner, bits in free.items()}


def _final(game: Game) -> dict[str, int] | None:
    """Each player's money at the end, where it is known."""
    try:
        return game.returns() if game.board.race_over else None
    except GameError:
        return None
