"""What finish cards lying face down may be, and what cards are worth by it (docs/rules.md, section 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import GameError
from camelodds.game.payoffs import card_pays
from camelodds.game.state import Card
from camelodds.rules import Rules

Prior = str | Mapping[str, float] | Mapping[str, Mapping[str, float]]
"""What is believed of unknown cards: "odds", "none", "all", or probabilities by colour, for both decks or by deck."""


# Axes: D cards of a deck in the order placed, C racing camels.
def card_colours(
    rules: Rules, deck: Sequence[Card], deck_name: str, played: Sequence[Card], prior: Prior, odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """float64 (D, C): the probability that each card of a deck is of each colour.

    deck_name : "winner" or "loser"     played : the known and unknown cards of both decks
    odds : each colour's chance to be right in this deck, used by the prior "odds": float64 (C,), or a row per card
    """
    colours = np.zeros((len(deck), len(rules.racing)))
    for card, (owner, colour) in enumerate(deck):
        if colour is not None:
            colours[card, rules.racing.index(colour)] = 1
            continue
        known = {shown for player, shown in played if player == owner and shown is not None}
        colours[card] = _believed(rules, deck_name, known, prior, odds if odds.ndim == 1 else odds[card])
    return colours


def _believed(
    rules: Rules, deck_name: str, known: set[str], prior: Prior, odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    held: NDArray[np.bool_] = np.array([letter not in known for letter in rules.racing])
    if prior == "none":
        return np.zeros(len(held))
    if prior == "all":
        return held.astype(float)
    if prior == "odds":
        likely: NDArray[np.float64] = held * odds if (held * odds).sum() > 0 else held.astype(float)
        return likely / max(float(likely.sum()), 1e-300)
    own: Mapping[str, Any] = {} if isinstance(prior, str) else prior
    own = own.get(deck_name, {}) if set(own) <= {"winner", "loser"} else own
    return np.where(held, [own.get(letter, 0.0) for letter in rules.racing], 0.0)


def check_prior(rules: Rules, prior: Prior) -> None:
    """Raise GameError for a prior that is none: see `Prior`."""
    if isinstance(prior, str) and prior in ("odds", "none", "all"):
        return
    if not isinstance(prior, Mapping):
        raise GameError(f'no prior is called {prior!r}: expected "odds", "none", "all" or probabilities by colour')
    for own in prior.values() if set(prior) <= {"winner", "loser"} else [prior]:
        if not isinstance(own, Mapping) or not set(own) <= set(rules.racing):
            raise GameError(f"a prior names the colours {' '.join(rules.racing)}, or winner and loser, not {own!r}")
        if not all(isinstance(value, (int, float)) and 0 <= value <= 1 for value in own.values()):
            raise GameError(f"a prior gives each colour a probability from 0 to 1, not {dict(own)!r}")


def right_before(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64 (D + 1, C, D + 1): the probability that k cards before each one, and before a next one, are of a colour.

    colours : float64 (D, C), see `card_colours`; cards are independent
    """
    cards, camels = colours.shape
    chances = np.zeros((cards + 1, camels, cards + 1))
    chances[0, :, 0] = 1
    for card in range(cards):
        here = colours[card][:, None]
        chances[card + 1] = chances[card] * (1 - here)
        chances[card + 1, :, 1:] += chances[card, :, :-1] * here
    return chances


def card_payouts(rules: Rules, colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64 (D + 1, C): expected pounds of each card, and of one placed next, if it is of a colour and that is right.

    A card in the deck is then worth sum over colours of P(right) x P(its colour) x (payout + 1), less 1.
    """
    pays = np.array([card_pays(rules, rank) for rank in range(len(colours) + 1)], float)
    payouts: NDArray[np.float64] = right_before(colours) @ pays
    return payouts
