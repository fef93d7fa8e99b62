"""The average over all set-ups of an edition: how a game begins, before anybody knows how the dice have placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import RulesError
from camelodds.ev.finish_cards import DECKS
from camelodds.ev.turn import Turn
from camelodds.game.game import Game
from camelodds.game.player import Player
from camelodds.odds.leg import LegOdds
from camelodds.odds.policy import races_are_simulated
from camelodds.odds.race import race_odds
from camelodds.position.board import Board
from camelodds.position.partly import PartlyKnown
from camelodds.rules import Rules, rules_of
from camelodds.show.table import Table, ordinal, plain

if TYPE_CHECKING:
    import pandas as pd

PLAYERS = ("ana", "ben", "cid", "dan")


class FirstAction(NamedTuple):
    """A best first action: its name, the share of set-ups in which it is best, and its mean EV in those."""

    action: str
    share: Fraction
    ev: Fraction


# Axes: S places at the start, from the first, P places at the end.
@dataclass(frozen=True)
class OpeningOdds:
    """Averages over all set-ups, weighed by the set-up dice.

    known : the set-ups and their weights
    order : how camels on one space are stacked
    first_actions : what is best for the first of four players, the commonest on top; without the race's table nothing
        of finish cards
    leg : Fractions [start][place], the chance that who starts in a place ends the first leg in another
    race : float64 (S, 2), who starts in a place wins the race, comes last in it; None where no table is at hand
    legs : mean number of legs of the race, None where no table is at hand     error : of both, at most
    """

    known: PartlyKnown
    order: str
    leg: tuple[tuple[Fraction, ...], ...]
    race: NDArray[np.float64] | None
    legs: float | None
    error: float | None
    first_actions: tuple[FirstAction, ...]

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    @property
    def frame(self) -> pd.DataFrame:
        """By place at the start: chances of each place after the first leg, and of winner and loser of the race."""
        import pandas as pd

        places = range(1, len(self.leg) + 1)
        frame = pd.DataFrame([list(map(float, row)) for row in self.leg], columns=list(places))
        frame.index = pd.Index(places, name="start")
        if self.race is not None:
            frame["winner"], frame["loser"] = self.race[:, 0], self.race[:, 1]
        return frame

    def table(self, exact: bool = False) -> Table:
        """A row for each place at the start, and what is best to begin with in the notes."""
        number: Any = str if exact else float
        places = range(len(self.leg))
        columns = [(ordinal(place + 1), "share") for place in places]
        rows = [(f"starts {ordinal(start + 1)}", [number(share) for share in self.leg[start]]) for start in places]
        notes = [f"{len(self.known.boards):,} set-ups; camels on one space: {self.order}"]
        if self.race is not None:
            columns += [("wins race", "share"), ("last in it", "share")]
            rows = [(label, [*row, *pair]) for (label, row), pair in zip(rows, self.race.tolist(), strict=True)]
            notes.append(f"Legs of a race: {self.legs:.6f}")
        else:
            notes.append("Nothing of the race and its cards: no table of it is at hand, see `camelodds race-table`")
        for best in self.first_actions:
            share = best.share if exact else f"{float(best.share):.2%}"
            ev = best.ev if exact else f"{float(best.ev):+.4f}"
            notes.append(f"Best to begin with: {best.action}, in {share} of the set-ups, worth {ev} there")
        return Table(
            title=f"All set-ups   ({self.known.rules.title})",
            label="first leg",
            columns=columns,  # type: ignore[arg-type]
            rows=rows,
            notes=notes,
            camels=False,
        )


def opening_odds(edition: str | Rules = "second", order: str = "any") -> OpeningOdds:
    """Averages over all set-ups of an edition, each as likely as the set-up dice make it (docs/rules.md, section 2).

    Parameters
    ----------
    edition : str or Rules
        "first", "second", "supercup", "supercup-second", or own rules.
    order : str
        How camels on one space are stacked: "any", every order equally likely, which is also what stacking in the order
        of the draws comes to; or the racing camels bottom to top, such as "rbgyp".

    Returns
    -------
    OpeningOdds
        The leg exactly; the race by its table, where one is at hand. Of single camels, where their order is given,
        `leg_odds_of` tells: ``co.leg_odds_of(opening.known)``.

    Raises
    ------
    RulesError
        For an unknown edition or order.

    Examples
    --------
    >>> opening = opening_odds("first")
    >>> opening.leg[0][0], round(opening.legs, 6)
    (Fraction(160129, 590490), 4.722847)
    """
    rules = rules_of(edition)
    known = set_ups(rules, order)
    alike: dict[Board, int] = {}
    for board, weight in zip(known.boards, known.weights, strict=True):
        named = by_rank(board)
        alike[named] = alike.get(named, 0) + weight
    boards, weights = list(alike), list(alike.values())
    total, size = sum(weights), len(rules.racing)
    leg = np.zeros((size, size), object)
    for odds, weight in zip(LegOdds.of_many(boards), weights, strict=True):
        leg += np.array([[weight * odds.p(camel, place + 1) for place in range(size)] for camel in rules.racing])
    quick = not races_are_simulated(rules)
    race: NDArray[np.float64] | None = None
    legs = error = None
    if quick:
        found = [race_odds(board) for board in boards]
        share = np.array(weights) / total
        race = np.tensordot(share, np.array([[each.wins, each.losses] for each in found]), 1).T
        legs = float(share @ np.array([each.legs for each in found]))
        error = max(each.error or 0.0 for each in found)
    return OpeningOdds(
        known,
        "in any order" if order in ANY else f"in the order {order} from the bottom",
        tuple(tuple(Fraction(ways) / total for ways in row) for row in leg),
        race,
        legs,
        error,
        _first_actions(boards, weights, quick),
    )


ANY = ("any", "drawn")
"""Orders that come to the same: draws of equal dice stack the camels of a space in each order equally likely."""


def set_ups(rules: Rules, order: str = "any") -> PartlyKnown:
    """All set-ups with their weights; parameters as for `opening_odds`.

    Examples
    --------
    >>> from camelodds.rules import FIRST
    >>> len(set_ups(FIRST).boards), len(set_ups(FIRST, "bgoyw").boards)
    (2520, 243)
    """
    known = PartlyKnown.parse("", rules)
    if order in ANY:
        return known
    if not isinstance(order, str) or sorted(order) != sorted(rules.racing):
        raise RulesError(f'no order is called {order!r}: expected "any" or all of {rules.racing} from the bottom')
    given = []
    for board, weight in zip(known.boards, known.weights, strict=True):
        racing = [[camel for camel in stack if camel in rules.racing] for stack in board.stacks.values()]
        if all(stack == sorted(stack, key=order.index) for stack in racing):
            given.append((board, weight * prod(factorial(len(stack)) for stack in racing)))
    return PartlyKnown.of([board for board, _ in given], [weight for _, weight in given], f"in the order {order}")


def by_rank(board: Board) -> Board:
    """The board with its camels named by rank: the first of the rules' racing camels is first, and so on.

    All that is asked of places depends on nothing else; the crazy camels are alike.

    Examples
    --------
    >>> str(by_rank(Board.parse("1:bg 2:wy 3:o", "first")))
    '1:wy 2:og 3:b'
    """
    rules = board.rules
    crazy = sorted(rules.crazy, key=lambda camel: (board.space(camel), board.level(camel)))
    names = str.maketrans(board.ranking + "".join(crazy), rules.racing + rules.crazy)
    return Board.of({space: stack.translate(names) for space, stack in board.stacks.items()}, edition=rules)


def _first_actions(boards: Sequence[Board], weights: Sequence[int], quick: bool) -> tuple[FirstAction, ...]:
    """What is best for the first player, colours told by the place at the start; without finish cards if not quick."""
    total = sum(weights)
    found: dict[str, tuple[int, Fraction]] = {}
    for board, weight in zip(boards, weights, strict=True):
        game = Game(board, {name: Player() for name in PLAYERS}, to_move=PLAYERS[0])
        turn = Turn(game, None, "odds", "none", exact=True)
        options = [each for each in turn.options(False) if not each.rule and (quick or each.kind not in DECKS)]
        best = max(turn.rows(options), key=lambda row: -1e9 if row.ev is None else row.ev)
        name, ev = _by_place(best.action, board.rules), Fraction(best.ev or 0)
        share, sum_of = found.get(name, (0, Fraction(0)))
        found[name] = share + weight, sum_of + weight * ev
    rows = [FirstAction(name, Fraction(share, total), sum_of / share) for name, (share, sum_of) in found.items()]
    return tuple(sorted(rows, key=lambda row: row.share, reverse=True))


def _by_place(action: str, rules: Rules) -> str:
    """An action with its colour told by the place at the start, such as "ticket 5 on the 1st"."""
    kind, _, item = action.partition(" ")
    if item[:1] not in rules.racing or not item:
        return action
    return " ".join(filter(None, [kind, item[1:], "on the", ordinal(rules.racing.index(item[0]) + 1)]))
