"""How a game begins."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.game.player import Player
from camelodds.game.step import opening_stacks
from camelodds.position.board import Board
from camelodds.rules import Rules, rules_of


def opening(edition: str | Rules, players: Iterable[str], rng: Random) -> Game:
    """A game at its start: camels on the spaces that their dice show, stacked in the order of a random draw.

    Parameters
    ----------
    edition : str or Rules
        The rules in force.
    players : iterable of str
        Names in seating order; the first moves first, all have the money of the rules.
    rng : random.Random
        Where the dice come from.

    Returns
    -------
    Game

    Raises
    ------
    GameError
        For players that cannot be, or too few of them (docs/rules.md, section 2).

    Examples
    --------
    >>> from random import Random
    >>> import camelodds as co
    >>> co.opening("first", ["ana", "ben"], Random(1)).to_move
    'ana'
    """
    rules = rules_of(edition)
    names = list(players)
    if len(names) < rules.players[0]:
        raise GameError(f"{len(names)} players: edition {rules.name} is for at least {rules.players[0]}")
    board = Board.of(opening_stacks(rules, rng), edition=rules)
    return Game(board, {name: Player(rules.money) for name in names}, to_move=names[0])
