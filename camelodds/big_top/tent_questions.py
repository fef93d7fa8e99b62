"""What a player may ask about the tent: the token under it, points, leads, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from camelodds.big_top.chances import scorings
from camelodds.big_top.checks import MOST_MEEPLES, whole
from camelodds.big_top.circus_tile import CircusTile, Site
from camelodds.big_top.components import ACROBAT_POINTS, CIRCUS_TILES, TOKENS
from camelodds.big_top.distribution import Distribution
from camelodds.big_top.stack_questions import StackQuestions
from camelodds.errors import GameError

Meeples = Mapping[str, int]
"""Meeples beside a tent by player's name; who is not named has none."""


class TentQuestions(StackQuestions):
    """The questions about a `State` that its tokens answer. All tokens not seen are equally likely."""

    __slots__ = ()

    seen: Sequence[int]
    acrobats_count: bool

    def token(self) -> Distribution:
        """The value of the token under the tent, or of the next to come: any token not seen, equally likely.

        Returns
        -------
        Distribution

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State().token().mean, State().token().variance
        (Fraction(67, 16), Fraction(519, 256))
        """
        return Distribution.of(self.unseen, "value of the token under the tent")

    def token_total(self, scorings_left: int | None = None) -> Distribution:
        """The sum of the tokens of several scorings to come: what a meeple earns that is always beside the tent.

        Parameters
        ----------
        scorings_left : int, optional
            How many, the next included; by default all that come.

        Returns
        -------
        Distribution

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> game = State(stack=91, circus=12).token_total()
        >>> game.mean, game.variance
        (Fraction(201, 4), Fraction(519, 80))
        """
        if scorings_left is None:
            scorings_left = self.scorings_left
        most = CIRCUS_TILES - len(self.seen) if self.circus is None else self.scorings_left
        many = whole(scorings_left, "the number of scorings to come", most, least=1)
        return self._total([(1,)] * many, f"sum of {many} token{'s' * (many > 1)}")

    def meeples(self, player: str) -> int:
        """How many figures of a player the tent counts at its next scoring, under the ruling on acrobats."""
        given = self.players[self._seat(player)]
        return given.tent + (given.acrobats if self.acrobats_count else 0)

    def points(self, player: str, then: Meeples | Sequence[Meeples] = ()) -> Distribution:
        """What a player earns at the next scoring of the tent, and at those after it that are named.

        Parameters
        ----------
        player : str
            Whose points.
        then : mapping of str to int, or a sequence of them
            Meeples beside the tent at each further scoring, by player. Its token is then another one.

        Returns
        -------
        Distribution

        Raises
        ------
        GameError
            For an unknown player, or more scorings than come.

        Examples
        --------
        >>> from camelodds.big_top import Player, State
        >>> two = State(players=[Player("ana", tent=3)]).points("ana", then={"ana": 2})
        >>> two.mean, two.variance, two.at_least(25)
        (Fraction(335, 16), Fraction(31659, 1280), Fraction(9, 40))
        """
        return self._points(player, self._rows(then))

    def lead(self, player: str, over: str | None = None, then: Meeples | Sequence[Meeples] = ()) -> Distribution:
        """How far ahead a player is after the next scoring, and those named after it; behind is below 0.

        Parameters
        ----------
        player : str
            Whose lead.
        over : str, optional
            Over whom; by default over the best of the others.
        then : mapping of str to int, or a sequence of them
            Meeples at each further scoring, as for `points`.

        Returns
        -------
        Distribution
            Of the score and the tent's points alone; nothing else that is scored meanwhile is in it.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> state = State.parse("ana tent=3 score=41 | ben tent=1 score=45")
        >>> lead = state.lead("ana", then={"ana": 1, "ben": 2})
        >>> lead.more_than(0), lead.p(0), lead.mean
        (Fraction(11, 24), Fraction(13, 120), Fraction(3, 16))
        """
        return self._lead(player, over, self._rows(then))

    def ahead(self, player: str, over: str | None = None, then: Meeples | Sequence[Meeples] = ()) -> Fraction:
        """The chance to be ahead from the tent's points alone: a `lead` of more than 0.

        Parameters
        ----------
        player, over, then
            As for `lead`.

        Returns
        -------
        Fraction
        """
        return self.lead(player, over, then).more_than(0)

    def level(self, player: str, over: str | None = None, then: Meeples | Sequence[Meeples] = ()) -> Fraction:
        """The chance to be level: a `lead` of exactly 0.

        Parameters
        ----------
        player, over, then
            As for `lead`.

        Returns
        -------
        Fraction
        """
        return self.lead(player, over, then).p(0)

    def one_more_meeple(self, draws: int | None = None) -> Distribution:
        """What one more meeple beside the tent earns at the next scoring.

        Parameters
        ----------
        draws : int, optional
            How many draws it stays for: it earns the token if one of them is a circus tile, and is gone afterwards. A
            meeple that the circus tile itself sends home is gone before the tent is scored, so that draw does not
            count. By default it stays until the tent is scored, at the latest at the end.

        Returns
        -------
        Distribution

        Raises
        ------
        GameError
            If no tent stands yet, or `draws` is given and the stack is not known.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State(stack=40, circus=6).one_more_meeple(draws=3).mean
        Fraction(32629, 19760)
        """
        if self.circus == CIRCUS_TILES:
            raise GameError(f"no tent stands yet: all {CIRCUS_TILES} circus tiles are in the stack")
        token = self.token()
        if draws is None:
            return Distribution.of(token.counts, "points of one more meeple that stays")
        moves = self.tent_moves_within(draws)
        counts = {value: ways * moves.numerator for value, ways in token.ways}
        counts[0] = token.total * (moves.denominator - moves.numerator)
        return Distribution.of(counts, f"points of one more meeple that leaves after {draws} draw{'s' * (draws != 1)}")

    def one_more_acrobat(self, draws: int | None = None) -> Distribution:
        """What one more acrobat beside the tent earns: 5 for the pyramid, complete or not, and the tent's points.

        Parameters
        ----------
        draws : int, optional
            How many draws the acrobat stays for, as for `one_more_meeple`: its pyramid is scored after them.

        Returns
        -------
        Distribution
            Under the ruling that acrobats do not count beside the tent, 5 for sure.

        Examples
        --------
        >>> from camelodds.big_top import State
        >>> State().one_more_acrobat().mean, State(acrobats_count=False).one_more_acrobat().mean
        (Fraction(147, 16), Fraction(5, 1))
        """
        what = "points of one more acrobat"
        if not self.acrobats_count:
            return Distribution.of({ACROBAT_POINTS: 1}, what)
        return self.one_more_meeple(draws).times(1, ACROBAT_POINTS, what)

    def circus_tile(self, player: str, sites: Mapping[str, Site]) -> CircusTile:
        """Where to place the circus tile just drawn: the old site is scored now, the new one at the next scoring.

        Parameters
        ----------
        player : str
            Whose points and lead are compared.
        sites : mapping of str to Site
            The places in question under any names. What each leads to is yours to say: which meeples are beside the
            new tent, and which are still beside the old one after completed features are scored.

        Returns
        -------
        CircusTile
            Points and lead for each place, the best mean lead first (alone, the best mean points).

        Examples
        --------
        >>> from camelodds.big_top import Site, State
        >>> state = State.parse("ana tent=3 score=41 | ben tent=1 score=45")
        >>> tile = state.circus_tile(
        ...     "ana", {"here": Site({"ana": 2, "ben": 1}), "there": Site({"ana": 3}, now={"ana": 2, "ben": 1})}
        ... )
        >>> tile.best, tile.points("here").mean, tile.lead("here").mean, tile.lead("there").mean
        ('there', Fraction(335, 16), Fraction(137, 16), Fraction(51, 4))
        """
        if self.circus == CIRCUS_TILES:
            raise GameError(f"none of the {CIRCUS_TILES} circus tiles was drawn: all are in the stack")
        if not isinstance(sites, Mapping) or not sites:
            raise GameError(f"places come by name, such as {{'here': Site({{'ana': 2}})}}, not {sites!r}")
        places: list[tuple[str, Distribution, Distribution | None]] = []
        for name, site in sites.items():
            if not isinstance(site, Site):
                raise GameError(f"place {name!r}: expected a Site such as Site({{'ana': 2}}), not {site!r}")
            rows = [self._standing() if site.now is None else self._row(site.now), self._row(site.then)]
            lead = self._lead(player, None, rows) if len(self.players) > 1 else None
            places.append((name, self._points(player, rows), lead))
        places.sort(key=lambda place: (place[2] or place[1]).mean, reverse=True)
        return CircusTile(player, tuple(places))

    @property
    def unseen(self) -> dict[int, int]:
        """How many tokens of each value may still come."""
        return {value: many - self.seen.count(value) for value, many in TOKENS.items()}

    def _seat(self, name: str) -> int:
        names = [player.name for player in self.players]
        if name not in names:
            known = f"the players are {', '.join(names)}" if names else "no player is named"
            raise GameError(f"{name!r} is not a player: {known}")
        return names.index(name)

    def _rows(self, then: Meeples | Sequence[Meeples]) -> list[tuple[int, ...]]:
        """Meeples by seat at each scoring, the next first."""
        further = [then] if isinstance(then, Mapping) else then
        if not isinstance(further, list | tuple):
            raise GameError(f"meeples at further scorings come as a list, not {then!r}")
        most = CIRCUS_TILES - 1 - len(self.seen) if self.circus is None else self.circus
        if len(further) > most:
            raise GameError(
                f"scorings after the next one: {len(further)}, expected at most {most}, as many as can come"
            )
        return [self._standing(), *(self._row(meeples) for meeples in further)]

    def _standing(self) -> tuple[int, ...]:
        """Meeples by seat beside the tent as it stands."""
        return tuple(self.meeples(player.name) for player in self.players)

    def _row(self, meeples: Meeples) -> tuple[int, ...]:
        if not isinstance(meeples, Mapping):
            raise GameError(f"meeples come by player, such as {{'ana': 2, 'ben': 1}}, not {meeples!r}")
        row = [0] * len(self.players)
        for name, many in meeples.items():
            row[self._seat(name)] = whole(many, f"the number of {name}'s meeples", MOST_MEEPLES)
        return tuple(row)

    def _points(self, player: str, rows: Sequence[tuple[int, ...]]) -> Distribution:
        seat = self._seat(player)
        return self._total([(row[seat],) for row in rows], f"points of {player}")

    def _lead(self, player: str, over: str | None, rows: Sequence[tuple[int, ...]]) -> Distribution:
        seat = self._seat(player)
        others = [other for other in range(len(self.players)) if other != seat]
        if over is not None:
            others = [self._seat(over)]
            if others == [seat]:
                raise GameError(f"a lead of {player} is over somebody else, not over {over}")
        if not others:
            raise GameError(f"a lead takes a second player: the state has {player} alone")
        rows = [tuple(row[seat] - row[other] for other in others) for row in rows]
        ahead = [self.players[seat].score - self.players[other].score for other in others]
        counts: dict[int, int] = {}
        for sums, ways in scorings(self.unseen, rows).items():
            lead = min(start + gain for start, gain in zip(ahead, sums, strict=True))
            counts[lead] = counts.get(lead, 0) + ways
        return Distribution.of(counts, f"lead of {player}" + (f" over {over}" if over else ""))

    def _total(self, rows: Sequence[tuple[int]], what: str) -> Distribution:
        return Distribution.of({sums[0]: ways for sums, ways in scorings(self.unseen, rows).items()}, what)
