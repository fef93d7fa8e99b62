"""A game's state: all that a game is made of, as one value that every question about a game is asked of.

Players are numbers in seating order. Nothing is checked here: states come from a `Game`, which is checked when it comes
from outside, or from another state by what the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from camelodds.position.bits import full_pyramid
from camelodds.position.board import Board
from camelodds.rules import Rules

PARTNERS_FROM: Final = 6
"""Fewest players for partnerships."""
POSITION_PLACES: Final = (2, 3, 4, 5)
"""The places that the position tiles are printed with."""
NOBODY: Final = -1

Card = tuple[str, str | None]
"""Who placed a finish card, and its colour; None: face down, not known."""


class Holding(NamedTuple):
    """What a player has that this leg's scoring pays.

    tickets : such as "r5"     positions : place tiles and the tickets they cover     pyramid : pyramid tickets
    """

    tickets: tuple[str, ...] = ()
    positions: tuple[tuple[int, str], ...] = ()
    pyramid: int = 0

    def covered(self, place: int, ticket: str) -> Holding:
        """The same with a place tile on one of the tickets."""
        return self._replace(positions=tuple(sorted((*self.positions, (place, ticket)))))


class State(NamedTuple):
    """A game in progress.

    board : with the tiles and their owners     names : of the players, in seating order
    money, holdings : of each player     partner : of each player, or NOBODY
    camera : its space and who holds it     winner, loser : the decks of finish cards, in the order placed
    used_support : colours whose support die is out until the next leg
    taken : tickets that are gone without anybody knowing who has them     mover : whose turn it is, or NOBODY
    """

    board: Board
    names: tuple[str, ...]
    money: tuple[int, ...]
    holdings: tuple[Holding, ...]
    partner: tuple[int, ...]
    camera: tuple[int, int] | None
    winner: tuple[Card, ...]
    loser: tuple[Card, ...]
    used_support: frozenset[str]
    taken: tuple[str, ...]
    mover: int = NOBODY

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.board.rules

    @property
    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The values of the leg tickets left on each colour's stack, best first."""
        return ticket_stacks(self.rules, (holding.tickets for holding in self.holdings), self.taken)

    def top(self, colour: str) -> int | None:
        """The value of the best ticket left of a colour, None if there is none."""
        left = self.stacks[colour]
        return left[0] if left else None

    def holds(self, player: int, holding: Holding) -> State:
        """The same with another holding of one player."""
        return self._replace(holdings=(*self.holdings[:player], holding, *self.holdings[player + 1 :]))

    def receives(self, player: int, pounds: int) -> State:
        """The same with more money for one player."""
        money = self.money
        return self._replace(money=(*money[:player], money[player] + pounds, *money[player + 1 :]))

    def gets_pyramid(self, player: int, more: int) -> State:
        """The same with more pyramid tickets for one player."""
        holding = self.holdings[player]
        return self.holds(player, holding._replace(pyramid=holding.pyramid + more))

    def partner_of(self, player: int) -> Holding | None:
        """What a player's partner holds, None for no partner."""
        return self.holdings[self.partner[player]] if self.partner[player] >= 0 else None

    def cards_of(self, player: int) -> list[str | None]:
        """The colours of the finish cards that a player has placed, None for one face down."""
        return [colour for owner, colour in (*self.winner, *self.loser) if owner == self.names[player]]

    def face_down(self) -> list[tuple[str, int, str]]:
        """The finish cards that nobody has shown: the deck "winner" or "loser", the card's number from 1, its owner."""
        return [
            (name, number, owner)
            for name, deck in (("winner", self.winner), ("loser", self.loser))
            for number, (owner, colour) in enumerate(deck, 1)
            if colour is None
        ]

    def whose_turn(self) -> int:
        """Who is to move, as far as that is known: the only player always is; NOBODY if it is not known."""
        return 0 if self.mover == NOBODY and len(self.names) == 1 else self.mover


def ticket_stacks(rules: Rules, held: Iterable[Iterable[str]], taken: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The values left on each colour's stack, best first, when these tickets are gone."""
    left = {letter: list(rules.tickets) for letter in rules.racing}
    for tickets in (*held, taken):
        for ticket in tickets:
            left[ticket[0]].remove(int(ticket[1:]))
    return {letter: tuple(values) for letter, values in left.items()}


def dice_revealed(board: Board) -> int:
    """Pyramid tickets that can be with the players: dice of a leg's start less those still in the pyramid."""
    return max(0, full_pyramid(board.word, board.rules).bit_count() - board.pyramid.bit_count())
