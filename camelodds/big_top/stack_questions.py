"""What a player may ask about the stack: when the tent moves and by whose hand, and what a ringmaster will see."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from camelodds.big_top.chances import first_draws, none_drawn, special_drawn
from camelodds.big_top.checks import MOST_MEEPLES, whole
from camelodds.big_top.components import CIRCUS_TILES, RINGMASTER_POINTS, SITE
from camelodds.big_top.distribution import Distribution
from camelodds.errors import GameError

if TYPE_CHECKING:
    from camelodds.big_top.state import Player


class StackQuestions:
    """The questions about a `State` that its stack answers. Every order of the tiles is equally likely."""

    __slots__ = ()

    stack: int | None
    circus: int | None
    acrobat: int | None
    players: Sequence[Player]
    to_move: str | None

    @property
    def scorings_left(self) -> int:
        """How often the tent will be scored: by each circus tile left but the first of the game, and at the end."""
        return min(self._circus + 1, CIRCUS_TILES)

    def tent_moves_within(self, draws: int) -> Fraction:
        """The chance that one of the next draws is a circus tile, so that the tent is scored and moves.

        Parameters
        ----------
        draws : int
            How many tiles are drawn, whoever draws them.

        Returns
        -------
        Fraction

        Raises
        ------
        GameError
            If the stack is not known, or has fewer tiles.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State(stack=40, circus=6).tent_moves_within(4)
        Fraction(22507, 45695)
        """
        return 1 - none_drawn(self._stack, self._circus, self._draws(draws))

    def draws_until_tent_moves(self) -> Distribution:
        """Which of the draws to come is the next circus tile, 1 the next draw.

        Returns
        -------
        Distribution

        Raises
        ------
        GameError
            If the stack is not known, or has no circus tile: then the tent stays to the end.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State(stack=60, circus=7).draws_until_tent_moves().mean
        Fraction(61, 8)
        """
        if not self._circus:
            raise GameError("no circus tile is left in the stack: the tent stays where it is to the end")
        return Distribution.of(first_draws(self._stack, self._circus), "draw that moves the tent")

    def tent_moved_by_seat(self, seats: int) -> tuple[Fraction, ...]:
        """The chance of each seat to draw the next circus tile; the first seat draws next, turns go around.

        Parameters
        ----------
        seats : int
            How many players there are.

        Returns
        -------
        tuple of Fraction
            They sum to 1, or to 0 if no circus tile is left.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State(stack=12, circus=2).tent_moved_by_seat(3)
        (Fraction(13, 33), Fraction(1, 3), Fraction(3, 11))
        """
        seats = whole(seats, "the number of seats", MOST_MEEPLES, least=1)
        ways = first_draws(self._stack, self._circus)
        return tuple(
            Fraction(sum(many for draw, many in ways.items() if (draw - 1) % seats == seat), sum(ways.values()) or 1)
            for seat in range(seats)
        )

    def tent_moved_by(self) -> dict[str, Fraction]:
        """The chance of each player to draw the next circus tile, by name, who is to move first.

        Returns
        -------
        dict of str to Fraction

        Raises
        ------
        GameError
            If the stack is not known, or who is to move.
        """
        if self.to_move is None:
            raise GameError('by whose hand the tent moves takes who is to move: expected such as "to_move ana"')
        names = [player.name for player in self.players]
        first = names.index(self.to_move)
        order = names[first:] + names[:first]
        return dict(zip(order, self.tent_moved_by_seat(len(order)), strict=True))

    def tent_stays_for_last(self, tiles: int) -> Fraction:
        """The chance that none of the last tiles of the stack is a circus tile: then the tent stands on its last site.

        Parameters
        ----------
        tiles : int
            How many tiles, counted from the bottom of the stack.

        Returns
        -------
        Fraction

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State(stack=30, circus=4).tent_stays_for_last(10)
        Fraction(323, 1827)
        """
        return none_drawn(self._stack, self._circus, self._draws(tiles))

    def ringmaster(self, special: int, empty: int) -> Distribution:
        """What a ringmaster earns once `empty` more cells around it are filled: 2 for each special tile it sees.

        Parameters
        ----------
        special : int
            Circus and acrobat tiles among its own tile and the eight around.
        empty : int
            Cells around it that will be filled from the stack before it is scored. The tiles in them are taken as
            random ones of the stack: who places tiles with care for it, or against it, is not modelled.

        Returns
        -------
        Distribution

        Raises
        ------
        GameError
            If the stack is not known with its circus and acrobat tiles, or there are more cells than around a tile.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> ringmaster = State(stack=50, circus=6, acrobat=5).ringmaster(special=2, empty=3)
        >>> ringmaster.mean, ringmaster.at_least(8)
        (Fraction(133, 25), Fraction(33, 280))
        """
        special = whole(special, "the number of circus and acrobat tiles there", SITE)
        empty = whole(empty, "the number of empty cells there", SITE - max(special, 1))
        if self.acrobat is None:
            raise GameError(
                'the ringmaster takes the acrobat tiles left: expected such as "stack 50 circus 6 acrobat 5"'
            )
        left = self._circus + self.acrobat
        filled = Distribution.of(special_drawn(self._stack, left, self._draws(empty)))
        return filled.times(RINGMASTER_POINTS, RINGMASTER_POINTS * special, "points of the ringmaster")

    @property
    def _stack(self) -> int:
        if self.stack is None:
            raise GameError('this question takes the stack: expected such as "stack 40 circus 6"')
        return self.stack

    @property
    def _circus(self) -> int:
        if self.circus is None:
            raise GameError('this question takes the circus tiles left: expected such as "stack 40 circus 6"')
        return self.circus

    def _draws(self, draws: int) -> int:
        return whole(draws, "a number of tiles drawn from this stack", self._stack)
