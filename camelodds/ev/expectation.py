"""What a situation is worth to each player: expected money at the end (docs/rules.md, sections 7 and 8).

The leg's part is a fraction: rankings, landings and photos by their exact weights. Equal boards are enumerated once,
all in one batch. The finish cards' part is a float, by the race odds of the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.game.payoffs import Card, Holding, Prior, card_colours, card_payouts, check_prior, scoring
from camelodds.odds.leg import count_legs
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.rules import Rules

Key = tuple[int, int, tuple[tuple[int, int], ...]]
DeckOdds = tuple[NDArray[np.float64], NDArray[np.float64]]
"""For each card of the winner and of the loser deck, the race odds by which its colour is believed: float64 (D, C)."""
FEWEST_GAMES = 50_000
"""Races that are played at least for each board, where they are simulated."""
NOTHING = 0
"""What is watched where only rankings and expected landings are asked for: see `leg_rankings`."""


class Situation(NamedTuple):
    """What players' expectations depend on; players are numbers in seating order.

    camera : its space and who holds it     partner : of each player, or -1
    used_support : colours whose support die is out until the next leg
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

    def holds(self, player: int, holding: Holding) -> Situation:
        """The same with another holding of one player."""
        return self._replace(holdings=(*self.holdings[:player], holding, *self.holdings[player + 1 :]))

    def receives(self, player: int, pounds: int) -> Situation:
        """The same with more money for one player."""
        money = self.money
        return self._replace(money=(*money[:player], money[player] + pounds, *money[player + 1 :]))

    def partner_of(self, player: int) -> Holding | None:
        """What a player's partner holds, None for no partner."""
        return self.holdings[self.partner[player]] if self.partner[player] >= 0 else None


def situation_of(game: Game) -> Situation:
    """The situation of a game. Raises GameError for what is no Game."""
    if not isinstance(game, Game):
        raise GameError(f"expected a Game, not {type(game).__name__}: see Game.parse")
    names = tuple(game.players)
    partner = [-1] * len(names)
    for one, other in game.partners:
        partner[names.index(one)], partner[names.index(other)] = names.index(other), names.index(one)
    players = game.players.values()
    return Situation(
        board=game.board,
        names=names,
        money=tuple(player.money for player in players),
        holdings=tuple(
            Holding(tuple(player.tickets), tuple(player.positions.items()), player.pyramid) for player in players
        ),
        partner=tuple(partner),
        camera=(game.photographer[1], names.index(game.photographer[0])) if game.photographer else None,
        winner=tuple(game.winner_cards),
        loser=tuple(game.loser_cards),
        used_support=frozenset(game.used_support),
        taken=tuple(game.taken),
    )


class Worth(NamedTuple):
    """Expected pounds: the leg's part exact, the finish cards' part a float with its error."""

    leg: Fraction
    cards: float = 0.0
    error: float = 0.0

    def plus(self, other: Worth, times: Fraction | int = 1) -> Worth:
        """The sum; errors add up."""
        share = float(times)
        return Worth(
            self.leg + times * other.leg, self.cards + share * other.cards, self.error + abs(share) * other.error
        )

    @property
    def value(self) -> Fraction | float:
        """Both parts together: a fraction where no finish card takes part."""
        return self.leg + self.cards if self.cards or self.error else self.leg


class LegCount(NamedTuple):
    """One leg counted: ways by ranking int64 (R,), ways x landings by space int64 (32,), ways by mark int64 (16,)."""

    rankings: NDArray[np.int64]
    landings: NDArray[np.int64]
    marks: NDArray[np.int64]
    total: int


class LegCounts:
    """Exact counts of many legs under the same rules, each board counted once for each thing watched."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._rankings = factorial(len(rules.racing))
        self._found: dict[tuple[Key, int], LegCount] = {}

    def count(self, wanted: Iterable[tuple[Board, int]]) -> None:
        """Count these boards with what is watched, as in `core.leg.leg_rankings`, as far as they are new."""
        asked = {(_key(board), watch): board for board, watch in wanted}
        watched = {key for key, watch in (*asked, *self._found) if watch}
        new = {
            (key, watch): board
            for (key, watch), board in asked.items()
            if (key, watch) not in self._found and (watch or key not in watched)
        }
        if not new:
            return
        counted = count_legs(Boards.of(new.values()), np.array([watch for _, watch in new]))
        rankings = counted.rankings.reshape(len(new), 2, -1)[:, :, : self._rankings].sum(axis=1)
        totals = rankings.sum(axis=1).tolist()
        for row, *found in zip(new, rankings, counted.landings, counted.marks, totals, strict=True):
            self._found[row] = self._found[row[0], NOTHING] = LegCount(*found)

    def leg(self, board: Board, watch: int = NOTHING) -> LegCount:
        """A board's leg, with what is watched."""
        row = _key(board), watch
        if row not in self._found:
            self.count([(board, watch)])
        return self._found[row]

    def marks(self, board: Board, watch: int) -> dict[int, int]:
        """Ways by landings on the tile on space `watch`, or by camels in the photo on space `-watch`."""
        marks = self.leg(board, watch).marks
        return {int(number): int(marks[number]) for number in np.flatnonzero(marks)}


Chances = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""A board's chances of each camel to win and to lose the race, and the error of each: float64 (C,)."""


class RaceChances:
    """Chances of the race by board, each board's found once."""

    def __init__(self) -> None:
        self._rows: dict[Key, Chances] = {}

    def find(self, boards: Iterable[Board]) -> None:
        """Find the chances of these boards, as far as they are new."""
        new = {_key(board): board for board in boards}
        new = {key: board for key, board in new.items() if key not in self._rows}
        if new:
            self._rows |= zip(new, self.many(list(new.values())), strict=True)

    def many(self, boards: Boards | list[Board]) -> list[Chances]:
        """The chances of boards that are all different."""
        return race_chances(boards)

    def of(self, board: Board) -> Chances:
        """The chances of one board."""
        if _key(board) not in self._rows:
            self.find([board])
        return self._rows[_key(board)]


def race_chances(boards: Boards | list[Board]) -> list[Chances]:
    """Each board's chances; the error is the table's bound, or the standard error where races are simulated."""
    from camelodds.odds.race import GAMES, race_odds

    games = max(FEWEST_GAMES, GAMES // max(1, len(boards)))
    found = []
    for board in boards:
        odds = race_odds(board, games=games)
        error = odds.stderr if odds.error is None else odds.error
        found.append((odds.wins, odds.losses, np.full(len(odds.wins), error)))
    return found


def races_are_simulated(rules: Rules) -> bool:
    """Whether no table of the race is at hand."""
    from camelodds.odds.race_course import Course
    from camelodds.odds.race_table import table_at_hand

    course = Course.of(rules)
    return not course.solvable or table_at_hand(course) is None


class Worths:
    """Expected money at the end, of each player in each situation that follows from one start.

    prior : what is believed of unknown finish cards, by the race odds of the start
    odds : the race odds behind that prior, if they are others: see `remembered`
    """

    def __init__(self, start: Situation, prior: Prior = "odds", odds: DeckOdds | None = None) -> None:
        self.start, self.prior = start, prior
        self.rules = start.board.rules
        check_prior(self.rules, prior)
        self.odds = odds
        self.legs = LegCounts(self.rules)
        self.races = RaceChances()
        self._at_start: dict[int, tuple[int, int]] = {}

    def prepare(self, situations: Iterable[Situation], watched: Iterable[tuple[Board, int]] = ()) -> None:
        """Count, in one batch, the legs that these situations need, and `watched` ones."""
        situations = list(situations)
        self.legs.count([*watched, *((each.board, NOTHING) for each in situations), *map(_photo_of, situations)])
        boards = {each.board for each in situations if each.winner or each.loser}
        if len(boards) > 1:
            self.races.find(boards)

    def gain(self, after: Situation, player: int, before: Situation | None = None) -> Worth:
        """How much more a player expects in one situation than before, by default at the start."""
        before = self.start if before is None else before
        same_board = after.board == before.board
        leg = Fraction(0)
        if not (same_board and _own(after, player) == _own(before, player)):
            now, now_total = self._pounds(after, player)
            then, then_total = self._pounds(before, player)
            leg = Fraction(now * then_total - then * now_total, now_total * then_total)
        if same_board:
            return Worth(leg, *self._more_cards(after, before, player))
        cards, error = self.cards(after, player)
        cards_then, error_then = self.cards(before, player)
        return Worth(leg, cards - cards_then, error + error_then)

    def leg(self, situation: Situation, player: int) -> Fraction:
        """A player's expected money after this leg."""
        return Fraction(*self._pounds(situation, player))

    def _pounds(self, situation: Situation, player: int) -> tuple[int, int]:
        """Ways x pounds that a player has after this leg, and all ways."""
        if situation is self.start and player in self._at_start:
            return self._at_start[player]
        board = situation.board
        count = self.legs.leg(board)
        bets = scoring(self.rules.racing, situation.holdings[player], situation.partner_of(player))
        pounds = situation.money[player] * count.total + int(count.rankings @ bets)
        for tile in board.tiles:
            if tile.owner == situation.names[player]:
                pounds += int(count.landings[tile.space])
        if situation.camera and situation.camera[1] == player:
            marks = self.legs.leg(board, -situation.camera[0]).marks
            pounds += int(marks @ np.arange(len(marks)))
        if situation is self.start:
            self._at_start[player] = pounds, count.total
        return pounds, count.total

    @cached_property
    def colours(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The believed colours of the start's cards, winner and loser deck: float64 (D, C) each."""
        start = self.start
        played = (*start.winner, *start.loser)
        unknown = self.prior == "odds" and any(colour is None for _, colour in played)
        if self.odds is not None:
            win, lose = self.odds
        else:
            win, lose = self.races.of(start.board)[:2] if unknown else (np.zeros(len(self.rules.racing)),) * 2
        return (
            card_colours(self.rules, start.winner, "winner", played, self.prior, win),
            card_colours(self.rules, start.loser, "loser", played, self.prior, lose),
        )

    @cached_property
    def payouts(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What each card of the start, and one placed next, pays if it is right: see `card_payouts`."""
        winner, loser = self.colours
        return card_payouts(self.rules, winner), card_payouts(self.rules, loser)

    def stakes(self, situation: Situation, player: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a player's cards bring more than their -1 each, by the camel that wins, and that loses: float64 (C,)."""
        racing, name = self.rules.racing, situation.names[player]
        stakes = []
        for deck, colours, payouts in zip((situation.winner, situation.loser), self.colours, self.payouts, strict=True):
            stake = np.zeros(len(racing))
            for card, (owner, colour) in enumerate(deck):
                if owner == name and card < len(colours):
                    stake += colours[card] * (payouts[card] + 1)
                elif owner == name and colour is not None:
                    stake[racing.index(colour)] += payouts[card][racing.index(colour)] + 1
            stakes.append(stake)
        return stakes[0], stakes[1]

    def cards(self, situation: Situation, player: int) -> tuple[float, float]:
        """What a player's finish cards are worth, and the error of that."""
        count = cards_of(situation, player)
        if not count:
            return 0.0, 0.0
        win, lose, error = self.races.of(situation.board)
        winner, loser = self.stakes(situation, player)
        return float(winner @ win + loser @ lose) - count, float((winner + loser) @ error)

    def _more_cards(self, after: Situation, before: Situation, player: int) -> tuple[float, float]:
        """What cards placed since then are worth on the same board."""
        count = cards_of(after, player) - cards_of(before, player)
        if not count:
            return 0.0, 0.0
        win, lose, error = self.races.of(after.board)
        winner, loser = (
            now - then for now, then in zip(self.stakes(after, player), self.stakes(before, player), strict=True)
        )
        return float(winner @ win + loser @ lose) - count, float((winner + loser) @ error)


def _key(board: Board) -> Key:
    """What a board's odds depend on, under the same rules; the tiles' owners do not."""
    return board.word, board.pyramid, tuple([(tile.space, tile.side) for tile in board.tiles])


def _own(situation: Situation, player: int) -> tuple[object, ...]:
    """What a player's expectation of the leg depends on, the board apart."""
    camera = situation.camera if situation.camera and situation.camera[1] == player else None
    return situation.money[player], situation.holdings[player], situation.partner_of(player), camera


def cards_of(situation: Situation, player: int) -> int:
    """How many finish cards a player has placed."""
    return sum(owner == situation.names[player] for owner, _ in (*situation.winner, *situation.loser))


def _photo_of(situation: Situation) -> tuple[Board, int]:
    return situation.board, -situation.camera[0] if situation.camera else NOTHING
