"""The circus tile just drawn: here or there?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from camelodds.big_top.distribution import Distribution
from camelodds.errors import GameError

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Table


@dataclass(frozen=True, slots=True)
class Site:
    """A place for the circus tile, by the meeples that count there; acrobats among them if the ruling says so.

    Parameters
    ----------
    then : mapping of str to int
        By player, meeples beside the tent on this place when it is scored there.
    now : mapping of str to int, optional
        By player, meeples beside the old site when it is scored now, after features that the tile completes are
        scored and their meeples are home. By default those of the state.
    """

    then: Mapping[str, int]
    now: Mapping[str, int] | None = None


@dataclass(frozen=True, repr=False)
class CircusTile:
    """What each place for a circus tile is worth to a player over both scorings, the one now and the next.

    Parameters
    ----------
    player : str
        Whose points and lead these are.
    places : tuple of (str, Distribution, Distribution or None)
        Each place with the points and, if there are others, the lead; the best first.
    """

    player: str
    places: tuple[tuple[str, Distribution, Distribution | None], ...]

    @property
    def best(self) -> str:
        """The place with the best mean lead; alone, with the best mean points."""
        return self.places[0][0]

    def points(self, place: str) -> Distribution:
        """The player's points of both scorings."""
        return self._of(place)[1]

    def lead(self, place: str) -> Distribution:
        """The player's lead over the best of the others after both scorings."""
        lead = self._of(place)[2]
        if lead is None:
            raise GameError(f"a lead takes a second player: the state has {self.player} alone")
        return lead

    def _of(self, place: str) -> tuple[str, Distribution, Distribution | None]:
        for each in self.places:
            if each[0] == place:
                return each
        raise GameError(f"no place is called {place!r}: expected {', '.join(name for name, _, _ in self.places)}")

    @property
    def frame(self) -> pd.DataFrame:
        """Places by name: points, sd, and with others lead, sd lead, ahead, level."""
        from camelodds.big_top.tables import frame_of

        return frame_of(self.table())

    def table(self, exact: bool = False) -> Table:
        """The places as a table, the best first."""
        from camelodds.big_top.tables import of_circus_tile

        return of_circus_tile(self, exact)

    def __repr__(self) -> str:
        from camelodds.show.table import plain

        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())
