"""Example bots. A bot is a function from a game and a random generator to the name of an action.

The game is that of the player to move, all finish cards face up; good bots do not look at those of others. In the
spicy Supercup a bot's reveal is never followed by a support die: that choice is made when the roll is known.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from camelodds.errors import RulesError
from camelodds.ev.outlook import Outlook
from camelodds.game.game import Game
from camelodds.game.state import Card
from camelodds.game.turn import player_to_move

Bot = Callable[[Game, Random], str]
"""From the game and a random generator to the name of an action."""
CAUTION: Final = 0.5
"""Pounds of expected value that a cautious bot gives for one pound of standard deviation less."""


def random_bot(game: Game, rng: Random) -> str:
    """Any kind of action that is allowed, all equally likely, and any action of that kind.

    Parameters
    ----------
    game : Game
        That of the player to move.
    rng : random.Random
        What chooses.

    Returns
    -------
    str
        The name of the action.
    """
    kinds: dict[str, list[str]] = {}
    for name in game.legal_actions():
        kinds.setdefault(name.partition(" ")[0], []).append(name)
    return rng.choice(kinds[rng.choice(list(kinds))])


def greedy_bot(game: Game, rng: Random) -> str:
    """The action with the highest expected value; a reveal, worth 1, where none is worth more.

    Parameters
    ----------
    game : Game
        That of the player to move.
    rng : random.Random
        Not used.

    Returns
    -------
    str
        The name of the action.
    """
    evs = Outlook(as_seen(game).state).evs
    return max(evs, key=evs.__getitem__)


def cautious_bot(game: Game, rng: Random) -> str:
    """The highest expected value less half a pound for each pound of standard deviation of all the player's bets.

    Parameters
    ----------
    game : Game
        That of the player to move.
    rng : random.Random
        Not used.

    Returns
    -------
    str
        The name of the action.
    """
    outlook = Outlook(as_seen(game).state)
    evs, sd = outlook.evs, outlook.sd
    return max(evs, key=lambda name: evs[name] - CAUTION * sd[name])


def ahead_bot(game: Game, rng: Random) -> str:
    """What is best when everybody plays on to the leg's end: the highest `ahead` of `actions`.

    Of tiles and cards, which nobody plays on in that model, it knows their expected value and what follows if the turn
    passes on. Where there are too many states to look ahead it is greedy.

    Parameters
    ----------
    game : Game
        That of the player to move.
    rng : random.Random
        Not used.

    Returns
    -------
    str
        The name of the action.
    """
    outlook = Outlook(as_seen(game).state)
    try:
        values = outlook.ahead
    except RulesError:
        values = outlook.evs
    return max(values, key=values.__getitem__)


def as_seen(game: Game) -> Game:
    """The game as the player to move sees it: the finish cards of all others face down."""
    state = game.state
    mover = state.names[player_to_move(state)]

    def hidden(deck: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple((owner, colour if owner == mover else None) for owner, colour in deck)

    return Game.of(state._replace(winner=hidden(state.winner), loser=hidden(state.loser)))


BOTS: Final[dict[str, Bot]] = {"random": random_bot, "greedy": greedy_bot, "cautious": cautious_bot, "ahead": ahead_bot}
"""Example bots by name."""
