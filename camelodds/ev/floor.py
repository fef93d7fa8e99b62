"""Expected money where nobody drops below 0 (docs/rules.md, section 7).

The floor acts on this leg's netted scoring, after what tiles and the photo brought, and then on the player's finish
cards one by one, winner deck first, as if no money came in between. Where a player can pay all that they may lose it
changes nothing; otherwise every board in which the leg ends is looked at. In the 1st edition who wins the race and who
comes last is known together. Elsewhere the two are taken as independent, given the board at the leg's end: where a
player has cards in both decks and may be short of money between them this is not exact, and the error has a bound of
what it can be off.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import GameError
from camelodds.ev.expectation import Worth, Worths
from camelodds.ev.finish_cards import Beliefs, Prior
from camelodds.game.payoffs import card_pays, scoring
from camelodds.game.state import State
from camelodds.odds.counting import total_ways, watched_ends
from camelodds.odds.policy import QUICK_STARTS, races_are_simulated
from camelodds.odds.race_course import Course
from camelodds.odds.race_places import joint_is_solved, winners_and_losers
from camelodds.position.boards import Boards

MARK = 56
"""First bit of the byte in which `watched_ends` leaves what was seen."""

ROUNDING = 1e-9
TINY = 1e-15
"""Chances below this are what is left of 0 after subtractions."""
NO_TABLE = (
    "with finish cards a floor needs the table of the race; without one, races are simulated: "
    "`camelodds race-table build` makes it where it can be made"
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class TableNeededError(GameError):
    """A floor with finish cards where no table of the race is at hand."""


class FlooredWorths(Worths):
    """Expected money at the end, of each player in each state, when the floor at zero holds."""

    def __init__(self, start: State, prior: Prior = "odds") -> None:
        super().__init__(start, prior)
        self._row_of: dict[int, int] = {}
        self._rows = np.zeros((0, 3, len(self.rules.racing)))

    def gain(self, after: State, player: int, before: State | None = None) -> Worth:
        """How much more a player expects in one state than before, by default at the start."""
        before = self.start if before is None else before
        if self._can_pay(after, player) and self._can_pay(before, player):
            return super().gain(after, player, before)
        return self.final(after, player).plus(self.final(before, player), -1)

    def final(self, state: State, player: int) -> Worth:
        """A player's expected money at the end: after this leg, and what finish cards change then."""
        if self._can_pay(state, player):
            return Worth(self.leg(state, player), *self.cards(state, player))
        from camelodds.core.ranking import rankings_of

        word, earned, weights = _ends(state, player)
        bets = scoring(self.rules.racing, state.holdings[player], state.partner_of(player))
        money = np.maximum(0, state.money[player] + earned + bets[rankings_of(word, len(self.rules.racing))])
        total = total_ways(state.board)
        leg = Fraction(int(money @ weights), total)
        if not len(state.cards_of(player)):
            return Worth(leg)
        if races_are_simulated(self.rules):
            raise TableNeededError(NO_TABLE)
        win, lose, error = self._chances(word)
        after = self._after_cards(state, player, int(money.max()))
        stakes = sum(self.stakes(state, player))
        share = weights / total
        course = Course.of(self.rules)
        if len(self.rules.racing) > 1 and course.starts <= QUICK_STARTS and joint_is_solved(course):
            together, off = winners_and_losers(course, word), 0.0
        else:
            together, off = win[:, :, None] * lose[:, None, :], _dependence(after, money, win, lose, share)
        more = np.einsum("ewl,ewl->e", together, after[money]) - money
        return Worth(leg, float(more @ share), float((error @ stakes) @ share) + off)

    def _can_pay(self, state: State, player: int) -> bool:
        """Whether a player has enough for whatever they may lose."""
        bets = scoring(self.rules.racing, state.holdings[player], state.partner_of(player))
        return state.money[player] + min(0, int(bets.min())) >= len(state.cards_of(player))

    def _chances(self, words: Ints) -> tuple[Floats, Floats, Floats]:
        """The race's chances after each end of the leg: float64 (E, C), to win, to lose, and the errors."""
        new = np.array([word for word in set(words.tolist()) if word not in self._row_of], np.int64)
        if len(new):
            none = np.zeros(len(new), np.int64)
            inside = (1 << self.rules.undrawn) - 1
            found = self.races.many(Boards(self.rules, new.view(np.uint64), none + inside, none, none))
            self._row_of |= zip(new.tolist(), range(len(self._rows), len(self._rows) + len(new)), strict=True)
            self._rows = np.concatenate([self._rows, np.array(found)])
        chances = self._rows[[self._row_of[word] for word in words.tolist()]]
        return chances[:, 0], chances[:, 1], chances[:, 2]

    # Axes: M amounts of money from 0, C winners, C losers.
    def _after_cards(self, state: State, player: int, most: int) -> Floats:
        """Expected money after all cards: float64 (M, C, C), by money before, winner and loser."""
        beliefs, name, camels = self.beliefs_of(state), state.names[player], len(self.rules.racing)
        seats = [[number for number, (owner, _) in enumerate(deck) if owner == name] for deck in beliefs.decks]
        others = [_cards_of(beliefs, owner) for owner in beliefs.owners if owner != name]
        own, alone = beliefs.together(name), beliefs.colours
        found = np.zeros((most + 1, camels, camels))
        for winner, loser in product(range(camels), repeat=2):
            right = own[:, winner, :, loser][np.ix_(*seats)]
            chances = np.zeros((len(seats[0]) + 1, len(seats[1]) + 1))
            chances[:-1, :-1] = right
            chances[:-1, -1] = alone[0][seats[0], winner] - right.sum(axis=1)
            chances[-1, :-1] = alone[1][seats[1], loser] - right.sum(axis=0)
            chances[-1, -1] = 1 - chances.sum()
            for one, other in zip(*np.nonzero(chances > TINY), strict=True):
                cards = [*seats[0], len(state.winner)][one], [*seats[1], len(state.loser)][other]
                ranks = _ranks(others, winner, loser, cards)
                for (rank, later_rank), chance in np.ndenumerate(ranks):
                    if chance:
                        money = self._paid(np.arange(most + 1), len(seats[0]), one, rank)
                        money = self._paid(money, len(seats[1]), other, later_rank)
                        found[:, winner, loser] += chances[one, other] * chance * money
        return found

    def _paid(self, money: Ints, cards: int, right: int, rank: int) -> Ints:
        """Money after a deck in which one of so many cards is right, with so many right ones under it; or none is."""
        for card in range(cards):
            money = money + card_pays(self.rules, rank) if card == right else np.maximum(0, money - 1)
        return money


# Axes: E ends of the leg, M amounts of money from 0, C winners, C losers.
def _dependence(after: Floats, money: Ints, win: Floats, lose: Floats, share: Floats) -> float:
    """How far the expected money after all cards can be from that with winner and loser taken as independent.

    The true joint chances have the same sums by winner and by loser, so the money may be reduced by any function of the
    winner and any of the loser: here what it is with one loser and with one winner, whichever pair bounds it best.
    Each joint chance is within Frechet's bounds, and nobody both wins and loses.
    """
    camels = range(after.shape[1])
    reduced = [
        after - after[:, [winner], :] - after[:, :, [loser]] + after[:, [winner], [loser]][:, :, None]
        for winner in camels
        for loser in camels
    ]
    if np.abs(reduced[0]).max() < ROUNDING:
        return 0.0
    apart = win[:, :, None] * lose[:, None, :]
    low = np.maximum(0, win[:, :, None] + lose[:, None, :] - 1) - apart
    high = np.minimum(win[:, :, None], lose[:, None, :]) - apart
    if len(camels) > 1:
        low[:, camels, camels] = high[:, camels, camels] = -apart[:, camels, camels]
    low, high = (each * share[:, None, None] for each in (low, high))
    # What an end adds depends on its money only: sums by money before anything is multiplied.
    low_by, high_by = np.zeros_like(after), np.zeros_like(after)
    np.add.at(low_by, money, low)
    np.add.at(high_by, money, high)
    bounds = []
    for mixed in reduced:
        most = np.maximum(high_by * mixed, low_by * mixed).sum()
        least = np.minimum(high_by * mixed, low_by * mixed).sum()
        bounds.append(max(float(most), -float(least)))
    return min(bounds)


class _Cards(NamedTuple):
    """Chances of one owner's cards: to be of two colours float64 (D, C, D, C), of one (D, C) in each deck."""

    both: Floats
    winner: Floats
    loser: Floats


def _cards_of(beliefs: Beliefs, owner: str) -> _Cards:
    masks = [np.array([name == owner for name, _ in deck])[:, None] for deck in beliefs.decks]
    alone = [
        np.where(mask, colours, 0) if len(mask) else colours
        for mask, colours in zip(masks, beliefs.colours, strict=True)
    ]
    return _Cards(beliefs.together(owner), alone[0], alone[1])


def _ranks(others: list[_Cards], winner: int, loser: int, cards: tuple[int, int]) -> Floats:
    """The chances of so many right winner cards before one, and so many right loser cards before another."""
    before, later = cards
    ranks = np.ones((1, 1))
    for each in others:
        both = each.both[:before, winner, :later, loser].sum()
        first, second = each.winner[:before, winner].sum(), each.loser[:later, loser].sum()
        more = np.zeros((ranks.shape[0] + 1, ranks.shape[1] + 1))
        more[:-1, :-1] += ranks * (1 - first - second + both)
        more[1:, :-1] += ranks * (first - both)
        more[:-1, 1:] += ranks * (second - both)
        more[1:, 1:] += ranks * both
        ranks = more
    return ranks


def _ends(state: State, player: int) -> tuple[Ints, Ints, Ints]:
    """How the leg can end: boards' words, what the player's tile and photo brought, and weights: int64 (E,) each."""
    board = state.board
    tile = next((tile.space for tile in board.tiles if tile.owner == state.names[player]), 0)
    camera = state.camera[0] if state.camera and state.camera[1] == player else 0
    word, weights = watched_ends(board, tile | camera << 5 if tile else -camera)
    seen = word >> MARK
    return word & (1 << MARK) - 1, (seen & 15) + (seen >> 4) if tile else seen, weights
