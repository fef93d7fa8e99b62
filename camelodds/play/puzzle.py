"""Puzzles: a random position of a game, and what every action in it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Final

from camelodds.errors import GameError, whole_number
from camelodds.ev.finish_cards import DECKS
from camelodds.ev.turn import Action, Turn
from camelodds.game.act import misspelt
from camelodds.game.game import Game
from camelodds.game.opening import opening
from camelodds.play.bots import random_bot
from camelodds.rules import Rules, rules_of
from camelodds.show.table import Table

PLAYERS: Final = ("ana", "ben", "cid")
MOST_TURNS: Final = 14
"""Turns that are played at random before the position, at most."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which the best action is to be found. Finish cards are left out: all numbers are exact.

    game : with who is to move     seed : from which it was made
    """

    game: Game
    seed: int

    def __repr__(self) -> str:
        return f"{self.game}\nWhat is best for {self.game.to_move}?"

    def _repr_html_(self) -> str:
        return f"{self.game.board.svg()}<p>{self.game}<br>What is best for {self.game.to_move}?</p>"

    @cached_property
    def answers(self) -> tuple[Action, ...]:
        """What every allowed action is worth, the best first."""
        turn = Turn(self.game, None, "none", "none", exact=True)
        rows = turn.rows([each for each in turn.options(False) if not each.rule and each.kind not in DECKS])
        return tuple(sorted(rows, key=_ev, reverse=True))

    @property
    def best(self) -> Action:
        """The best action, the first of equals."""
        return self.answers[0]

    def loss(self, guess: str) -> Fraction:
        """How many pounds a guess gives away against the best action.

        Parameters
        ----------
        guess : str
            The name of an action, such as "ticket g5".

        Returns
        -------
        Fraction
            0 for the best.

        Raises
        ------
        GameError
            For what is no action here.
        """
        wanted = " ".join(guess.split())
        found = {action.action: _ev(action) for action in self.answers}
        if wanted not in found:
            raise GameError(misspelt(wanted, list(found)))
        return _ev(self.best) - found[wanted]

    def table(self, guess: str = "") -> Table:
        """The ten best answers, what each gives away, and the guess."""
        rows = [
            (action.action, [float(_ev(action)), float(_ev(self.best) - _ev(action))])
            for rank, action in enumerate(self.answers)
            if rank < 10 or action.action == guess
        ]
        notes = [f"{guess} gives away {float(self.loss(guess)):.4f} pounds"] if guess else []
        columns: list[tuple[str, str]] = [("ev", "pounds"), ("gives away", "pounds")]
        return Table(str(self.game), "action", columns, rows, notes, camels=False)  # type: ignore[arg-type]


def puzzle(seed: int, edition: str | Rules = "second") -> Puzzle:
    """A random position of a game of three, the same for the same seed, edition and version.

    Some turns are played at random from a random set-up, without finish cards.

    Parameters
    ----------
    seed : int
        A whole number.
    edition : str or Rules
        "first", "second", "supercup", "supercup-second", or own rules.

    Returns
    -------
    Puzzle

    Raises
    ------
    RulesError
        For an unknown edition, or a seed that is no whole number.

    Examples
    --------
    >>> asked = puzzle(7, "first")
    >>> asked.loss(asked.best.action), asked.loss("reveal") >= 0
    (Fraction(0, 1), True)
    """
    rules, rng = rules_of(edition), Random(whole_number(seed, "a seed"))
    while True:
        game = opening(rules, PLAYERS, rng)
        for _ in range(rng.randrange(1, MOST_TURNS)):
            name = random_bot(game, rng)
            if name.partition(" ")[0] in DECKS:
                name = "reveal"
            shown = None
            if name == "reveal":
                outcomes = game.chance_outcomes()
                (shown,) = rng.choices([each for each, _ in outcomes], [float(chance) for _, chance in outcomes])
            game = game.apply(name, shown)
            if game.board.race_over:
                break
        else:
            return Puzzle(game, seed)


def _ev(action: Action) -> Fraction:
    return Fraction(action.ev or 0)
