"""The expected money of each player in a state: the leg rolled to its end, nobody acting (docs/rules.md, section 7)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.ev.counts import NOTHING, LegCounts, RaceChances
from camelodds.ev.finish_cards import Beliefs, Prior, check_prior
from camelodds.game.payoffs import scoring
from camelodds.game.state import Card, State
from camelodds.odds.policy import races_are_simulated
from camelodds.position.board import Board
from camelodds.position.notation import Tile

DeckOdds = tuple[NDArray[np.float64], NDArray[np.float64]]
"""For each card of the winner and of the loser deck, the race odds by which its colour is believed: float64 (D, C)."""


class Worth(NamedTuple):
    """Expected pounds: the leg's part exact, the finish cards' part a float with its error."""

    leg: Fraction
    cards: float = 0.0
    error: float = 0.0

    def plus(self, other: Worth, times: Fraction | int = 1) -> Worth:
        """The sum; errors add up."""
        share = float(times)
        return Worth(
            self.leg + times * other.leg, self.cards + share * other.cards, self.error + abs(share) * other.error
        )

    @property
    def value(self) -> Fraction | float:
        """Both parts together: a fraction where no finish card takes part."""
        return self.leg + self.cards if self.cards or self.error else self.leg


class Worths:
    """Expected money at the end, of each player in each state that follows from one start.

    prior : what is believed of unknown finish cards, by the race odds of the start
    odds : the race odds behind that prior, if they are others: see `remembered`
    legs, races : the counters, to share counts with others; own ones by default
    """

    def __init__(
        self,
        start: State,
        prior: Prior = "odds",
        odds: DeckOdds | None = None,
        legs: LegCounts | None = None,
        races: RaceChances | None = None,
    ) -> None:
        self.start, self.prior = start, prior
        self.rules = start.rules
        check_prior(self.rules, prior)
        self.odds = odds
        self.legs = LegCounts(self.rules) if legs is None else legs
        self.races = RaceChances() if races is None else races
        self._at_start: dict[int, tuple[int, int]] = {}
        self._alike: dict[tuple[Tile, ...], bool] = {}
        self._stakes: dict[tuple[Any, ...], tuple[NDArray[np.float64], NDArray[np.float64]]] = {}

    def prepare(self, states: Iterable[State], watched: Iterable[tuple[Board, int]] = ()) -> None:
        """Count, in one batch, the legs that these states need, and `watched` ones."""
        states = list(states)
        self.legs.count([*watched, *((each.board, NOTHING) for each in states), *map(_photo_of, states)])
        boards = {each.board for each in states if (each.winner or each.loser) and not self._runs_alike(each.board)}
        if boards:
            self.races.find([self.start.board])  # alone, so that its chances are those that `race_odds` finds
            if not races_are_simulated(self.rules):
                self.races.find(boards)

    def gain(self, after: State, player: int, before: State | None = None) -> Worth:
        """How much more a player expects in one state than before, by default at the start."""
        before = self.start if before is None else before
        same_board = after.board == before.board
        leg = Fraction(0)
        if not (same_board and _own(after, player) == _own(before, player)):
            now, now_total = self._pounds(after, player)
            then, then_total = self._pounds(before, player)
            leg = Fraction(now * then_total - then * now_total, now_total * then_total)
        if same_board:
            return Worth(leg, *self._more_cards(after, before, player))
        return Worth(leg, *self._moved_cards(after, before, player))

    def leg(self, state: State, player: int) -> Fraction:
        """A player's expected money after this leg."""
        return Fraction(*self._pounds(state, player))

    def _pounds(self, state: State, player: int) -> tuple[int, int]:
        """Ways x pounds that a player has after this leg, and all ways."""
        if state is self.start and player in self._at_start:
            return self._at_start[player]
        board = state.board
        count = self.legs.leg(board)
        bets = scoring(self.rules.racing, state.holdings[player], state.partner_of(player))
        pounds = state.money[player] * count.total + int(count.rankings @ bets)
        for tile in board.tiles:
            if tile.owner == state.names[player]:
                pounds += int(count.landings[tile.space])
        if state.camera and state.camera[1] == player:
            marks = self.legs.leg(board, -state.camera[0]).marks
            pounds += int(marks @ np.arange(len(marks)))
        if state is self.start:
            self._at_start[player] = pounds, count.total
        return pounds, count.total

    @cached_property
    def beliefs(self) -> Beliefs:
        """What is believed of the start's finish cards."""
        return self.beliefs_of(self.start)

    def beliefs_of(self, state: State) -> Beliefs:
        """What is believed of a state's finish cards; of those that the start has, the same."""
        if self.odds is not None:
            odds = self.odds
        elif self.prior == "odds" and any(colour is None for _, colour in (*state.winner, *state.loser)):
            odds = self.races.of(self.start.board)[:2]
        else:
            odds = np.zeros(len(self.rules.racing)), np.zeros(len(self.rules.racing))
        return Beliefs(self.rules, state.winner, state.loser, self.prior, odds)

    def _runs_alike(self, board: Board) -> bool:
        """Whether the leg runs as at the start, whatever is rolled: at most tiles differ on which nothing lands."""
        start = self.start.board
        if (board.word, board.pyramid) != (start.word, start.pyramid):
            return False
        if board.tiles not in self._alike:
            here, there = ({(tile.space, tile.side) for tile in each.tiles} for each in (board, start))
            new, gone = self.legs.leg(board).landings, self.legs.leg(start).landings
            landed = [new[space] for space, _ in here - there] + [gone[space] for space, _ in there - here]
            self._alike[board.tiles] = not any(landed)
        return self._alike[board.tiles]

    def stakes(self, state: State, player: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a player's cards bring more than their -1 each, by the camel that wins, and that loses: float64 (C,)."""
        key = state.winner, state.loser, state.names[player]
        if key not in self._stakes:
            self._stakes[key] = self._stakes_of(*key)
        return self._stakes[key]

    def _stakes_of(
        self, winner: tuple[Card, ...], loser: tuple[Card, ...], name: str
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        racing = self.rules.racing
        stakes = []
        beliefs = self.beliefs
        for deck, colours, payouts in zip((winner, loser), beliefs.colours, beliefs.payouts, strict=True):
            stake = np.zeros(len(racing))
            for card, (owner, colour) in enumerate(deck):
                if owner == name and card < len(colours):
                    stake += colours[card] * (payouts[card] + 1)
                elif owner == name and colour is not None:
                    stake[racing.index(colour)] += payouts[card][racing.index(colour)] + 1
            stakes.append(stake)
        return stakes[0], stakes[1]

    def cards(self, state: State, player: int) -> tuple[float, float]:
        """What a player's finish cards are worth, and the error of that."""
        count = len(state.cards_of(player))
        if not count:
            return 0.0, 0.0
        win, lose, error = self.races.of(state.board)
        winner, loser = self.stakes(state, player)
        return float(winner @ win + loser @ lose) - count, float((winner + loser) @ error)

    def _moved_cards(self, after: State, before: State, player: int) -> tuple[float, float]:
        """How much more cards are worth on another board, and the error; simulated races see the same dice on both."""
        placed, placed_before = len(after.cards_of(player)), len(before.cards_of(player))
        if not placed and not placed_before:
            return 0.0, 0.0
        if placed == placed_before and self._runs_alike(after.board) and self._runs_alike(before.board):
            return 0.0, 0.0
        stakes = self.stakes(after, player), self.stakes(before, player)
        paired = self.races.paired(after.board, stakes[0], before.board, stakes[1])
        if paired is not None:
            return paired[0] - (placed - placed_before), paired[1]
        cards, error = self.cards(after, player)
        cards_before, error_before = self.cards(before, player)
        return cards - cards_before, error + error_before

    def _more_cards(self, after: State, before: State, player: int) -> tuple[float, float]:
        """What cards placed since then are worth on the same board."""
        count = len(after.cards_of(player)) - len(before.cards_of(player))
        if not count:
            return 0.0, 0.0
        win, lose, error = self.races.of(after.board)
        winner, loser = (
            now - then for now, then in zip(self.stakes(after, player), self.stakes(before, player), strict=True)
        )
        return float(winner @ win + loser @ lose) - count, float((winner + loser) @ error)


def _own(state: State, player: int) -> tuple[object, ...]:
    """What a player's expectation of the leg depends on, the board apart."""
    camera = state.camera if state.camera and state.camera[1] == player else None
    return state.money[player], state.holdings[player], state.partner_of(player), camera


def _photo_of(state: State) -> tuple[Board, int]:
    return state.board, -state.camera[0] if state.camera else NOTHING
