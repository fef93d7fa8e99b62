"""What a turn's actions are worth to the player to move, quickly: for bots, and for recorded games.

The expected values are those of `turn`, without what others get and without their replies. Legs and races of the
boards around a position are counted once for all players in turn. Where no table of the race is at hand, races are
simulated, few of them, and what a tile does to finish cards is left out: it would drown in the error.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import sqrt
from typing import Final

import numpy as np

from camelodds.ev.expectation import (
    Chances,
    DeckOdds,
    LegCounts,
    RaceChances,
    Situation,
    Worths,
    cards_of,
    race_chances,
    races_are_simulated,
    situation_of,
)
from camelodds.game.game import Game
from camelodds.game.legal import Choice, choices, reveals, support_steps, with_any_support
from camelodds.game.payoffs import Prior, scoring
from camelodds.game.step import mover
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.rules import Rules

SIMULATED_RACES: Final = 1 << 15
"""Races that are played for a board where no table is at hand: a standard error of 0.003 at most."""


class Outlook:
    """The turn of the player to move: `evs` of what he may do, `sd` of his bets after each action.

    prior : of finish cards face down, as in `actions`     odds : what stands behind it, as in `Worths`
    Raises GameError when nobody can move.
    """

    def __init__(self, game: Game, prior: Prior = "odds", odds: DeckOdds | None = None) -> None:
        self.me = mover(game)
        self.start = situation_of(game)
        self.worths = worths_of(self.start, prior, odds)

    @cached_property
    def choices(self) -> list[Choice]:
        """All that the player may do; what follows a reveal's roll apart."""
        plain = [choice for choice in choices(self.start, self.me) if choice.after]
        if not self.start.board.rules.spicy:
            return plain
        return plain + [step for choice in plain[1:] for step in support_steps(choice, self.me) if step.after]

    @cached_property
    def evs(self) -> dict[str, float]:
        """The expected value of each action in pounds."""
        pairs = [self._pair(choice) for choice in self.choices]
        self.worths.prepare([self.start, *(after for after, _ in pairs)])
        return {
            choice.name: float(self.worths.gain(after, self.me, before).value)
            for choice, (after, before) in zip(self.choices, pairs, strict=True)
        }

    @cached_property
    def sd(self) -> dict[str, float]:
        """After each action, the standard deviation of what the player's tickets and finish cards pay, in pounds.

        The leg's scoring, the winner deck and the loser deck are taken as independent; landings and photos are not in.
        """
        assert self.evs
        return {choice.name: self._sd(self._pair(choice)[0]) for choice in self.choices}

    @cached_property
    def reveal(self) -> float:
        """The expected value of a reveal with the best that may follow it in the spicy Supercup, else 1.

        It is that of `reveal + support` in `turn`: the support die, or none, is chosen when the roll is known.
        """
        if not self.start.board.rules.spicy:
            return 1.0
        options = [
            (weight, [self._comparable(each) for each in (after, *with_any_support(after, self.me))])
            for weight, after in reveals(self.start, self.me)
        ]
        self.worths.prepare([self.start, *(after for _, pairs in options for after, _ in pairs)])
        best = [
            (weight, max(float(self.worths.gain(after, self.me, before).value) for after, before in pairs))
            for weight, pairs in options
        ]
        if not any(len(pairs) > 1 for _, pairs in options):
            return 1.0
        return sum(weight * gain for weight, gain in best) / sum(weight for weight, _ in best)

    def _pair(self, choice: Choice) -> tuple[Situation, Situation]:
        """What an action leads to and what it is compared with."""
        assert choice.after is not None
        return self._comparable(choice.after)

    def _comparable(self, after: Situation) -> tuple[Situation, Situation]:
        """A later situation and the start, finish cards left out where they do not matter."""
        moved = after.board != self.start.board
        if moved and (races_are_simulated(self.start.board.rules) or not cards_of(after, self.me)):
            return _without_cards(after), _without_cards(self.start)
        return after, self.start

    def _sd(self, after: Situation) -> float:
        leg = self.worths.legs.leg(after.board)
        pays = scoring(after.board.rules.racing, after.holdings[self.me], after.partner_of(self.me))
        mean, square = (float(leg.rankings @ pays**power) / leg.total for power in (1, 2))
        variance = square - mean**2
        if cards_of(after, self.me):
            win, lose, _ = self.worths.races.of(after.board)
            for chances, stake in zip((win, lose), self.worths.stakes(after, self.me), strict=True):
                variance += float(chances @ stake**2 - (chances @ stake) ** 2)
        return sqrt(max(0.0, variance))


def expected(now: Situation, prior: Prior = "odds", odds: DeckOdds | None = None) -> list[float]:
    """Each player's expected final money as things stand: the leg rolled to its end, nobody acting, no floor."""
    worths = worths_of(now, prior, odds)
    worths.prepare([now])
    found = []
    for player in range(len(now.names)):
        cards, _ = worths.cards(now, player)
        found.append(float(worths.leg(now, player)) + cards)
    return found


def remembered(now: Situation, so_far: DeckOdds | None = None) -> DeckOdds:
    """The race odds behind what is believed of each finish card: those of so_far, and for later cards those of now.

    Dice say nothing about a card that lies face down, so what is believed of it does not follow the board.
    """
    found = []
    for number, deck in enumerate((now.winner, now.loser)):
        odds = so_far[number] if so_far else np.zeros((0, len(now.board.rules.racing)))
        new = len(deck) - len(odds)
        if new > 0 and any(colour is None for _, colour in deck[-new:]):
            odds = np.vstack([odds, *[worths_of(now).races.of(now.board)[number]] * new])
        elif new > 0:
            odds = np.vstack([odds, np.zeros((new, odds.shape[1]))])
        found.append(odds)
    return found[0], found[1]


def worths_of(now: Situation, prior: Prior = "odds", odds: DeckOdds | None = None) -> Worths:
    """The worths of what follows a situation, sharing counts with those of others on the same board."""
    worths = Worths(now, prior, odds)
    board = now.board
    worths.legs, worths.races = _shared(board.rules, board.word, board.pyramid, board.cheering, board.booing)
    return worths


class _FewRaces(RaceChances):
    """Chances for many boards in little time."""

    def many(self, boards: Boards | list[Board]) -> list[Chances]:
        boards = list(boards)
        if not races_are_simulated(boards[0].rules):
            return race_chances(boards)
        from camelodds.odds.race import race_odds

        found = [race_odds(board, games=SIMULATED_RACES) for board in boards]
        return [(odds.wins, odds.losses, np.full(len(odds.wins), odds.stderr or 0.0)) for odds in found]


@lru_cache(maxsize=16)
def _shared(rules: Rules, word: int, pyramid: int, cheering: int, booing: int) -> tuple[LegCounts, RaceChances]:
    """The counts around one board."""
    return LegCounts(rules), _FewRaces()


def _without_cards(now: Situation) -> Situation:
    return now._replace(winner=(), loser=())
