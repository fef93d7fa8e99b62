"""What one player has."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from camelodds.errors import GameError
from camelodds.game.state import Holding
from camelodds.rules import MOST_POUNDS


@dataclass(frozen=True)
class Player:
    """What one player has, as far as it is known.

    Parameters
    ----------
    money : int
        Pounds.
    tickets : sequence of str
        Leg tickets such as ``"r5"``.
    pyramid : int
        Pyramid tickets of this leg.
    positions : mapping of int to str
        Supercup: place tile (2 to 5) and the ticket that it covers, such as ``{3: "r5"}``.

    Raises
    ------
    GameError
        For amounts, tickets or positions of another kind.

    Examples
    --------
    >>> from camelodds import Player
    >>> Player(money=5, tickets=["r5", "g3"], pyramid=1)
    Player(money=5, tickets=('r5', 'g3'), pyramid=1, positions={})
    """

    money: int = 3
    tickets: Sequence[str] = ()
    pyramid: int = 0
    positions: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.tickets, str):
            raise GameError(f'tickets come as a list such as ["r5", "g3"], not as the text {self.tickets!r}')
        for name in ("money", "pyramid"):
            object.__setattr__(self, name, _amount(name, getattr(self, name)))
        positions = self.positions.items() if isinstance(self.positions, Mapping) else [(None, None)]
        if not all(isinstance(place, int) and isinstance(ticket, str) for place, ticket in positions):
            raise GameError(f'positions come as place and ticket, such as {{3: "r5"}}, not {self.positions!r}')
        object.__setattr__(self, "tickets", tuple(self.tickets))
        object.__setattr__(self, "positions", dict(sorted(self.positions.items())))

    def __hash__(self) -> int:
        return hash((self.money, self.tickets, self.pyramid, tuple(self.positions.items())))

    @property
    def holding(self) -> Holding:
        """What this leg's scoring pays."""
        return Holding(tuple(self.tickets), tuple(self.positions.items()), self.pyramid)


def _amount(name: str, value: Any) -> int:
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number <= MOST_POUNDS:
        raise GameError(f"{name} is a whole number from 0 to {MOST_POUNDS}, not {value!r}")
    return number
