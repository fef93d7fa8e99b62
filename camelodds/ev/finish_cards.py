"""What finish cards lying face down may be, and what cards pay by it (docs/rules.md, section 7).

An owner's cards are of different colours, in both decks together; owners are independent of each other. Each way to
give different colours to an owner's unknown cards weighs the product of what is believed of each card alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import GameError
from camelodds.game.payoffs import card_pays
from camelodds.game.state import Card
from camelodds.rules import Rules

Prior = str | Mapping[str, float] | Mapping[str, Mapping[str, float]]
"""What is believed of unknown cards: "odds", "none", "all", or probabilities by colour, for both decks or by deck."""
DECKS: Final = ("winner", "loser")
TINY: Final = 1e-30
"""Weight of a colour that is never right, where an owner holds too few others: all of those are alike then."""

Floats = NDArray[np.float64]


class Seat(NamedTuple):
    """A card's deck, 0 the winner's and 1 the loser's, and its number in it from 0."""

    deck: int
    number: int


# Axes: D cards of a deck in the order placed, C racing camels.
class Beliefs:
    """What is believed of the cards of both decks.

    winner, loser : the decks     prior : of cards face down, see `Prior`
    odds : each colour's chance to be right in each deck, used by the prior "odds": float64 (C,), or a row per card
    """

    def __init__(
        self, rules: Rules, winner: tuple[Card, ...], loser: tuple[Card, ...], prior: Prior, odds: tuple[Floats, Floats]
    ) -> None:
        self.rules, self.decks, self._prior, self._odds = rules, (winner, loser), prior, odds
        self.owners: dict[str, list[Seat]] = {}
        for deck, cards in enumerate(self.decks):
            for number, (owner, _) in enumerate(cards):
                self.owners.setdefault(owner, []).append(Seat(deck, number))

    @cached_property
    def colours(self) -> tuple[Floats, Floats]:
        """The probability that each card is of each colour, by deck: float64 (D, C)."""
        found = tuple(np.zeros((len(deck), len(self.rules.racing))) for deck in self.decks)
        for owner, seats in self.owners.items():
            weights, hits = self.believed(owner)
            for seat, chances in zip(seats, np.tensordot(weights, hits, 1), strict=True):
                found[seat.deck][seat.number] = chances
        return found[0], found[1]

    def together(self, owner: str) -> Floats:
        """float64 (D, C, D, C): the probability that an owner's winner card and loser card are of two colours."""
        camels = len(self.rules.racing)
        found = np.zeros((len(self.decks[0]), camels, len(self.decks[1]), camels))
        seats = self.owners.get(owner, [])
        if seats:
            weights, hits = self.believed(owner)
            for one, other in product(range(len(seats)), repeat=2):
                if seats[one].deck == 0 and seats[other].deck == 1:
                    both = np.einsum("w,wc,wd->cd", weights, hits[:, one], hits[:, other])
                    found[seats[one].number, :, seats[other].number] = both
        return found

    def right_before(self, deck: int) -> Floats:
        """float64 (D + 1, C, D + 1): the chance that k right cards lie before each one, and before a next one.

        For a card of the deck, given that it is of that colour itself: its owner then has no other one of it.
        """
        colours = self.colours[deck]
        cards, camels = colours.shape
        found = np.zeros((cards + 1, camels, cards + 1))
        for card in range(cards + 1):
            own = self.decks[deck][card][0] if card < cards else None
            found[card, :, 0] = 1
            for owner in dict.fromkeys(name for name, _ in self.decks[deck][:card]):
                if owner != own:
                    rows = [number for number in range(card) if self.decks[deck][number][0] == owner]
                    has = colours[rows].sum(axis=0)[:, None]
                    found[card, :, 1:] = found[card, :, 1:] * (1 - has) + found[card, :, :-1] * has
                    found[card, :, :1] *= 1 - has
        return found

    @cached_property
    def payouts(self) -> tuple[Floats, Floats]:
        """Expected pounds of each card, and of a next one, if it is of a colour and that is right: float64 (D + 1, C).

        A card in the deck is then worth sum over colours of P(right) x P(its colour) x (payout + 1), less 1.
        """
        pays = np.array([card_pays(self.rules, rank) for rank in range(max(map(len, self.decks)) + 1)], float)
        winner, loser = (self.right_before(deck) for deck in range(2))
        return winner @ pays[: winner.shape[2]], loser @ pays[: loser.shape[2]]

    def believed(self, owner: str) -> tuple[Floats, Floats]:
        """Ways to turn up an owner's cards: float64 (W,), their chances, and (W, cards, C), 1 where a card is right."""
        racing, seats = self.rules.racing, self.owners[owner]
        shown = [self.decks[seat.deck][seat.number][1] for seat in seats]
        free = np.array([float(letter not in shown) for letter in racing])
        unknown = [index for index, colour in enumerate(shown) if colour is None]
        if self._prior == "all":
            # At most one of an owner's cards in a deck is right: the first.
            first = {seats[index].deck: index for index in reversed(unknown)}
            alone = np.array([[float(letter == colour) for letter in racing] for colour in shown])
            alone[list(first.values())] = free
            return np.ones(1), alone[None]
        ways = _ways(len(unknown), len(racing))
        weights = self._weights([seats[index] for index in unknown], free, ways)
        numbers = np.array([[-1 if colour is None else racing.index(colour) for colour in shown]] * len(ways))
        numbers[:, unknown] = ways
        return weights, (numbers[:, :, None] == np.arange(len(racing))).astype(float)

    def _weights(self, seats: list[Seat], free: Floats, ways: NDArray[np.int64]) -> Floats:
        """float64 (W,): how likely each way is to give colours to an owner's unknown cards."""
        alone = [self._alone(seat, free) for seat in seats]
        weights = _product(alone, ways)
        if not weights.any():
            weights = _product([chances + np.append(free, 0) * TINY for chances in alone], ways)
        found: Floats = weights / weights.sum()
        return found

    def _alone(self, seat: Seat, free: Floats) -> Floats:
        """float64 (C + 1,): what is believed of one card, the others left out of account; last, that it is wrong."""
        if self._prior == "none":
            return np.append(np.zeros_like(free), 1.0)
        if self._prior == "odds":
            odds = self._odds[seat.deck]
            likely = free * (odds if odds.ndim == 1 else odds[seat.number])
            return np.append(likely, 0.0)
        own: Mapping[str, Any] = {} if isinstance(self._prior, str) else self._prior
        own = own.get(DECKS[seat.deck], {}) if set(own) <= set(DECKS) else own
        likely = free * np.array([own.get(letter, 0.0) for letter in self.rules.racing])
        return np.append(likely, max(0.0, 1 - likely.sum()))


@lru_cache(maxsize=64)
def _ways(cards: int, camels: int) -> NDArray[np.int64]:
    """int64 (W, cards): each way to give different colours, or none (number `camels`), to so many cards."""
    ways: list[tuple[int, ...]] = [()]
    for _ in range(cards):
        ways = [(*way, colour) for way in ways for colour in range(camels + 1) if colour == camels or colour not in way]
    return np.array(ways, np.int64).reshape(len(ways), cards)


def _product(alone: list[Floats], ways: NDArray[np.int64]) -> Floats:
    weights = np.ones(len(ways))
    for column, chances in enumerate(alone):
        weights *= chances[ways[:, column]]
    return weights


def check_prior(rules: Rules, prior: Prior) -> None:
    """Raise GameError for a prior that is none: see `Prior`."""
    if isinstance(prior, str) and prior in ("odds", "none", "all"):
        return
    if not isinstance(prior, Mapping):
        raise GameError(f'no prior is called {prior!r}: expected "odds", "none", "all" or probabilities by colour')
    for own in prior.values() if set(prior) <= set(DECKS) else [prior]:
        if not isinstance(own, Mapping) or not set(own) <= set(rules.racing):
            raise GameError(f"a prior names the colours {' '.join(rules.racing)}, or winner and loser, not {own!r}")
        if not all(isinstance(value, (int, float)) and 0 <= value <= 1 for value in own.values()):
            raise GameError(f"a prior gives each colour a probability from 0 to 1, not {dict(own)!r}")
