"""Finish cards that are turned up, as people say it."""

from __future__ import annotations

from typing import Final

from camelodds.cli.words import colour_of, player_of
from camelodds.errors import GameError
from camelodds.play.history import History

DECKS: Final = ("winner", "loser")
EXPECTED: Final = "expected such as cards ben=g, cards loser ben=g, or cards ben=gy for two"


def turned_up(history: History, text: str) -> History:
    """The record with cards turned up that lay face down.

    Parameters
    ----------
    history : History
    text : str
        Whose they are and their colours, such as "ben=g ana=ry"; several of one player in the order of the
        decks, winner deck first. After "winner" or "loser" only cards of that deck are meant.

    Returns
    -------
    History

    Raises
    ------
    GameError
        For a card that is not there, or that its owner cannot have placed.
    """
    deck = None
    words = text.replace(",", "").split()
    if not words:
        raise GameError(f"which cards? {EXPECTED}")
    for word in words:
        if word.lower() in DECKS:
            deck = word.lower()
            continue
        name, equals, colours = word.partition("=")
        if not (name and equals and colours):
            raise GameError(f"{word!r} is not understood: {EXPECTED}")
        owner = player_of(history.game, name)
        rules = history.game.rules
        letter = colour_of(rules, colours)
        letters = [letter] if len(letter) == 1 else [colour_of(rules, each) for each in colours]
        for each in letters:
            if each not in rules.racing:
                raise GameError(f"{each!r} is no colour: expected {' '.join(rules.racing)}")
            hidden = [card for card in history.game.face_down if card[2] == owner and deck in (None, card[0])]
            if not hidden:
                raise GameError(f"{owner} has no more cards face down" + (f" on the {deck} deck" if deck else ""))
            history = history.turn_up(hidden[0][0], hidden[0][1], each)
    return history
