"""What the server answers, as plain data: calls into the package, and nothing of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from camelodds.errors import GameError
from camelodds.ev.actions import action_table
from camelodds.game.game import Game
from camelodds.game.legal import tile_spaces
from camelodds.odds.leg import leg_odds
from camelodds.odds.race import race_odds
from camelodds.position.bits import full_pyramid
from camelodds.position.board import Board
from camelodds.rules import Rules
from camelodds.show import svg
from camelodds.show.palette import paint, spoken
from camelodds.web import limits
from camelodds.web.checks import PLAYED, number_of, text_of
from camelodds.web.sentences import label, rolled, stands, why

TITLES: Final = {
    "first": "1st edition (2014)",
    "second": "2nd edition (2018)",
    "supercup": "Supercup",
    "supercup-second": "Supercup on the 2nd edition",
    "supercup-spicy": "Supercup, spicy",
    "supercup-second-spicy": "Supercup on the 2nd edition, spicy",
}


def editions() -> dict[str, Any]:
    """What a page needs to know to show a game: the editions, and how camels look."""
    signs = sorted({letter for rules in PLAYED.values() for letter in rules.camels} | {"#"})
    return {
        "editions": [_edition(name, rules) for name, rules in PLAYED.items()],
        "paints": {sign: {"name": spoken(sign), **paint(sign)._asdict()} for sign in signs if sign != "#"}
        | {"#": {"name": "grey", **paint("#")._asdict()}},
        "camel": {"outline": svg.CAMEL, "hat": svg.HAT, "high": svg.CAMEL_HIGH, "step": svg.STEP},
    }


def position(game: Game, said: str = "") -> dict[str, Any]:
    """A game in its canonical form, and all of it that a page shows.

    said : what has just happened, in a sentence
    """
    board = game.board
    return {
        "edition": board.edition,
        "text": str(game),
        "game": json.loads(game.to_json()),
        "said": said,
        "stands": stands(board),
        "stacks": [{"space": space, "camels": stack} for space, stack in board.stacks.items()],
        "crossed": board.crossed,
        "tiles": [tile._asdict() for tile in board.tiles],
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
        "final": _final(game),
    }


def roll(game: Game, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The game after the player to move has revealed a die; the leg, if over, is not scored yet."""
    die, number = text_of(asked, "die"), number_of(asked, "number")
    move = game.board.move(die, number)
    return position(game.apply("reveal", (die, number), score=False), rolled(die, number, move))


def begin_leg(game: Game) -> dict[str, Any]:
    """The game at the start of the next leg, this one scored."""
    after = game.next_leg()
    money = [f"{name} {after.players[name].money - player.money:+d}" for name, player in game.players.items()]
    return position(after, f"A new leg. {'Scored: ' + ', '.join(money) + '.' if money else ''}".strip())


def act(game: Game, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The game after an action of the player to move that reveals no die."""
    action = text_of(asked, "action")
    return position(game.apply(action, score=False), f"{label(action)}: done.")


def leg(game: Game) -> dict[str, Any]:
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


def race(game: Game) -> dict[str, Any]:
    """The odds of the race, from a table that is at hand or simulated."""
    limits.check_leg(game.board)
    odds = race_odds(game.board)
    return {
        "camels": [
            {"camel": camel, "wins": float(wins), "loses": float(loses)}
            for camel, wins, loses in zip(game.rules.racing, odds.wins, odds.losses, strict=True)
        ],
        "legs": odds.legs,
        "method": odds.method,
        "error": odds.error if odds.stderr is None else odds.stderr,
        "note": odds.note,
    }


def actions(game: Game, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What every action of a player is worth, best first, each with a sentence why."""
    player = text_of(asked, "player") if asked.get("player") is not None else None
    limits.check_actions(game, player)
    rows = action_table(game, player, support=game.rules.spicy)
    return {
        "actions": [
            {
                "action": row.action,
                "kind": row.kind,
                "label": label(row.action),
                "why": why(row),
                **{name: getattr(row, name) for name in ("ev", "error", "sd", "p_gain", "worst", "best", "others")},
                "reply": row.reply,
            }
            for row in rows
        ]
    }


def _edition(name: str, rules: Rules) -> dict[str, Any]:
    return {
        "name": name,
        "title": TITLES[name],
        "racing": rules.racing,
        "crazy": rules.crazy,
        "track": rules.track,
        "dice": list(rules.dice),
        "tickets": list(rules.tickets),
        "money": rules.money,
        "most_players": rules.players[1],
        "official": rules.official,
    }


def _rolls(board: Board) -> list[dict[str, Any]]:
    """What the next reveal can show, die by die."""
    shows: dict[str, list[dict[str, Any]]] = {}
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
