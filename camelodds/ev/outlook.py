"""What a turn's actions are worth to the player to move, quickly: for bots, and for recorded games.

The expected values are those of `actions`, without what others get and without their replies. Legs and races of the
boards around a position are counted once for all players in turn. Where no table of the race is at hand, races are
simulated, few of them, and what a tile does to finish cards is left out: it would drown in the error.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import sqrt

import numpy as np

from camelodds.ev.counts import Chances, LegCounts, RaceChances, race_chances
from camelodds.ev.expectation import DeckOdds, Worths
from camelodds.ev.finish_cards import Prior
from camelodds.ev.onward import Onward
from camelodds.game.payoffs import scoring
from camelodds.game.state import State
from camelodds.game.step import acted, reveals, support_options
from camelodds.game.turn import legal_turns, player_to_move
from camelodds.odds.policy import QUICK_GAMES, races_are_simulated
from camelodds.position.board import Board
from camelodds.position.boards import Boards
from camelodds.rules import Rules


class Outlook:
    """The turn of the player to move: `evs` of what they may do, `sd` of their bets after each action.

    prior : of finish cards face down, as in `actions`     odds : what stands behind it, as in `Worths`
    Raises GameError when nobody can move.
    """

    def __init__(self, start: State, prior: Prior = "odds", odds: DeckOdds | None = None) -> None:
        self.player = player_to_move(start)
        self.start = start
        self.worths = worths_of(start, prior, odds)

    @cached_property
    def outcomes(self) -> dict[str, State]:
        """What each action that the player may do leads to, by name; what follows a reveal's roll apart."""
        return {act.name: acted(self.start, self.player, act) for act in legal_turns(self.start, self.player)}

    @cached_property
    def evs(self) -> dict[str, float]:
        """The expected value of each action in pounds."""
        pairs = [self._comparable(after) for after in self.outcomes.values()]
        self.worths.prepare([self.start, *(after for after, _ in pairs)])
        return {
            name: float(self.worths.gain(after, self.player, before).value)
            for name, (after, before) in zip(self.outcomes, pairs, strict=True)
        }

    @cached_property
    def ahead(self) -> dict[str, float]:
        """What the player expects until the leg's end by each action when everybody plays on as is best for them.

        As the column `ahead` of `actions`, but after a tile, or a support die, all goes on as on the board before it:
        one solve a turn. Raises RulesError where there are too many states.
        """
        onward = Onward(self.start, self.player)
        found = {}
        for act in legal_turns(self.start, self.player):
            after, before = self._comparable(self.outcomes[act.name])
            gain = self.worths.gain(after, self.player, before).value if self.evs else 0
            played_on = onward.waiting() if onward.needs_a_solve(act, after) else onward.gains(act, after)
            found[act.name] = float(gain + played_on[self.player])
        return found

    @cached_property
    def sd(self) -> dict[str, float]:
        """After each action, the standard deviation of what the player's tickets and finish cards pay, in pounds.

        The leg's scoring, the winner deck and the loser deck are taken as independent; landings and photos are not in.
        """
        assert self.evs
        return {name: self._sd(self._comparable(after)[0]) for name, after in self.outcomes.items()}

    @cached_property
    def reveal(self) -> float:
        """The expected value of a reveal with the best that may follow it in the spicy Supercup, else 1.

        It is that of `reveal + support` in `actions`: the support die, or none, is chosen when the roll is known.
        """
        if not self.start.rules.spicy:
            return 1.0
        options = [
            (weight, [self._comparable(option) for option in support_options(after, self.player)])
            for weight, after in reveals(self.start, self.player)
        ]
        self.worths.prepare([self.start, *(after for _, pairs in options for after, _ in pairs)])
        best = [
            (weight, max(float(self.worths.gain(after, self.player, before).value) for after, before in pairs))
            for weight, pairs in options
        ]
        if not any(len(pairs) > 1 for _, pairs in options):
            return 1.0
        return sum(weight * gain for weight, gain in best) / sum(weight for weight, _ in best)

    def _comparable(self, after: State) -> tuple[State, State]:
        """A later state and the start, finish cards left out where they do not matter."""
        moved = after.board != self.start.board
        if moved and (races_are_simulated(self.start.board.rules) or not after.cards_of(self.player)):
            return _without_cards(after), _without_cards(self.start)
        return after, self.start

    def _sd(self, after: State) -> float:
        leg = self.worths.legs.leg(after.board)
        pays = scoring(after.board.rules.racing, after.holdings[self.player], after.partner_of(self.player))
        mean, square = (float(leg.rankings @ pays**power) / leg.total for power in (1, 2))
        variance = square - mean**2
        if after.cards_of(self.player):
            win, lose, _ = self.worths.races.of(after.board)
            for chances, stake in zip((win, lose), self.worths.stakes(after, self.player), strict=True):
                variance += float(chances @ stake**2 - (chances @ stake) ** 2)
        return sqrt(max(0.0, variance))


def expected(state: State, prior: Prior = "odds", odds: DeckOdds | None = None) -> list[float]:
    """Each player's expected final money as things stand: the leg rolled to its end, nobody acting, no floor."""
    worths = worths_of(state, prior, odds)
    worths.prepare([state])
    return [float(worths.leg(state, player)) + worths.cards(state, player)[0] for player in range(len(state.names))]


def remembered(state: State, so_far: DeckOdds | None = None) -> DeckOdds:
    """The race odds behind what is believed of each finish card: those of so_far, of later cards those of the state.

    Dice say nothing about a card that lies face down, so what is believed of it does not follow the board.
    """
    found = []
    for number, deck in enumerate((state.winner, state.loser)):
        odds = so_far[number] if so_far else np.zeros((0, len(state.rules.racing)))
        new = len(deck) - len(odds)
        if new > 0 and any(colour is None for _, colour in deck[-new:]):
            odds = np.vstack([odds, *[worths_of(state).races.of(state.board)[number]] * new])
        elif new > 0:
            odds = np.vstack([odds, np.zeros((new, odds.shape[1]))])
        found.append(odds)
    return found[0], found[1]


def worths_of(state: State, prior: Prior = "odds", odds: DeckOdds | None = None) -> Worths:
    """The worths of what follows a state, sharing counts with those of others on the same board."""
    board = state.board
    legs, races = _shared(board.rules, board.word, board.pyramid, board.cheering, board.booing)
    return Worths(state, prior, odds, legs, races)


class _FewRaces(RaceChances):
    """Chances for many boards in little time."""

    def many(self, boards: Boards | list[Board]) -> list[Chances]:
        boards = list(boards)
        if not races_are_simulated(boards[0].rules):
            return race_chances(boards)
        from camelodds.odds.race import race_odds

        found = [race_odds(board, games=QUICK_GAMES) for board in boards]
        return [(odds.wins, odds.losses, np.full(len(odds.wins), odds.stderr or 0.0)) for odds in found]


@lru_cache(maxsize=16)
def _shared(rules: Rules, word: int, pyramid: int, cheering: int, booing: int) -> tuple[LegCounts, RaceChances]:
    """The counts around one board."""
    return LegCounts(rules), _FewRaces()


def _without_cards(state: State) -> State:
    return state._replace(winner=(), loser=())
