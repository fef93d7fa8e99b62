"""One player's turn: every action that there is, and what each is worth (docs/rules.md, sections 6 to 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Final, Literal, NamedTuple

from camelodds.errors import GameError
from camelodds.ev.counts import NOTHING
from camelodds.ev.expectation import Worth, Worths
from camelodds.ev.finish_cards import DECKS, Prior
from camelodds.ev.floor import FlooredWorths, TableNeededError
from camelodds.ev.lead import Lead
from camelodds.ev.onward import HOW, Onward
from camelodds.ev.plan import Others
from camelodds.game.act import BOTTOM, REVEAL, Act
from camelodds.game.game import Game, state_of
from camelodds.game.legal import judged, rule_against_support
from camelodds.game.payoffs import card_pays, copied, position_pays, ticket_pays
from camelodds.game.state import NOBODY, State
from camelodds.game.step import acted, reveals, support_options, with_support
from camelodds.position.board import Board

Number = Fraction | float
Floor = Literal["none", "zero"]


@dataclass(frozen=True, slots=True)
class Action:
    """What one action of a player is worth, in pounds.

    action : its name, such as "ticket r3"     kind : the first word of it, or "support" with that extra step
    ev : the change of the player's expected money
    error : of ev, its bound, or standard error where races are simulated; 0.0 where no race odds take part
    sd, p_gain, worst, best : of what the action's own item will pay; p_gain is the chance of more than 0
    others : the summed change of all other players' expected money     by_player : of each of them
    lead : the chance of the player to have most money after this leg's scoring, a tie shared; what tiles and the photo
        bring until then is not in it
    reply : the best expected ticket that the next player then finds, over the rolls after which the leg goes on, floor
        or not; None if there is no ticket or the leg is over
    ahead : the ev and what the player still gains when the turn passes on and everybody plays on to the leg's end;
        ahead_by_player : the same of each other player. None where it is not asked for, or would take too long
    rule : what forbids the action, or why it has no numbers; all of them are None then
    """

    action: str
    kind: str
    ev: Number | None = None
    sd: float | None = None
    p_gain: Number | None = None
    worst: int | None = None
    best: int | None = None
    others: Number | None = None
    reply: Number | None = None
    lead: Number | None = None
    error: float | None = None
    by_player: dict[str, Number] | None = None
    rule: str | None = None
    ahead: Number | None = None
    ahead_by_player: dict[str, Number] | None = None

    @property
    def ahead_others(self) -> Number | None:
        """What all others together expect until the leg's end when everybody plays on."""
        return None if self.ahead_by_player is None else _sum(self.ahead_by_player.values())


class Option(NamedTuple):
    """An action, what it leads to with the leg yet to be rolled, or the rule that forbids it."""

    name: str
    act: Act
    after: State | None
    rule: str | None = None

    @property
    def kind(self) -> str:
        return "support" if self.act.support else self.act.kind


SOLVED_ROWS: Final = 5
"""Rows looked ahead from at most where each needs a solve of its own and all of them would take more than a second."""
BEST_SUPPORT: Final = Act("reveal", support="*")
"""A reveal with whichever support die is best when the roll is known, or none."""


class Turn:
    """One player's turn: all that its rows share."""

    def __init__(
        self, game: Game, player: str | None, prior: Prior, floor: str, exact: bool, ahead: Others | None = None
    ) -> None:
        self.start = state_of(game)
        if game.board.leg_over:
            over = "race" if game.board.race_over else "leg"
            raise GameError(f"the {over} is over: there is no action any more ({game.board})")
        if floor not in ("none", "zero"):
            raise GameError(f'no floor is called {floor!r}: expected "none" or "zero"')
        if ahead is not None and ahead not in tuple(HOW):  # a list is no key
            raise GameError(f'to look ahead the others play "best" or "greedy", not {ahead!r}')
        self.player = self.start.names.index(_whose(game, player))
        self.worths = (FlooredWorths if floor == "zero" else Worths)(self.start, prior)
        self.rules, self.exact = game.rules, exact
        self.lead = Lead(self.worths.legs, self.player, floor == "zero")
        self.onward = None if ahead is None else Onward(self.start, self.player, ahead)
        self.hidden = None in self.start.cards_of(self.player)

    def options(self, support: bool) -> list[Option]:
        """Every action, allowed or not, with the extra steps on request."""
        plain = [
            Option(act.name, act, None if rule else acted(self.start, self.player, act), rule)
            for act, rule in judged(self.start, self.player)
        ]
        if not (support and self.rules.spicy):
            return plain
        useless = all(len(states) == 1 for _, states in self.supported)
        rule = "no support die may be put in after any roll" if useless else None
        best = Option("reveal + support", BEST_SUPPORT, None if useless else self.start, rule)
        return [*plain, best, *(step for option in plain[1:] for step in self._support_steps(option))]

    def _support_steps(self, option: Option) -> Iterator[Option]:
        """An action with each support die as the extra step after it."""
        if option.after is None:
            return
        for colour in self.rules.racing:
            act = option.act._replace(support=colour)
            rule = rule_against_support(option.after, self.player, colour)
            yield Option(act.name, act, None if rule else with_support(option.after, self.player, colour), rule)

    def unknown(self, option: Option) -> str | None:
        """Why an allowed action has no numbers where the player's own cards are face down: it depends on them."""
        if not self.hidden or option.after is None:
            return None
        if option.kind not in DECKS and option.after.board == self.start.board and option.act != BEST_SUPPORT:
            return None
        return f"no numbers: finish cards of {self.start.names[self.player]} are face down"

    def row(self, option: Option) -> Action:
        """The row of one action."""
        self._prepare([option])
        return self._row(option)

    def rows(self, options: Sequence[Option]) -> list[Action]:
        """The rows of these actions; without numbers, with a rule, those that need what is not known.

        That is a table of the race for a floor, or the player's own finish cards that lie face down. Raises GameError
        if no action has numbers for want of a table.
        """
        rows, needed = [], None
        self._prepare(options)
        for option in options:
            if rule := self.unknown(option):
                rows.append(Action(option.name, option.kind, rule=rule))
                continue
            try:
                rows.append(self._row(option))
            except TableNeededError as error:
                needed = error
                rows.append(Action(option.name, option.kind, rule=f"no numbers: {error}"))
        if needed and all(row.ev is None for row in rows):
            raise needed
        return rows if self.onward is None else self._looked_ahead(self.onward, options, rows)

    def _looked_ahead(self, onward: Onward, options: Sequence[Option], rows: list[Action]) -> list[Action]:
        """The rows with what follows; where too many need solves of their own, of those only the best by ev."""
        known = [
            number for number, row in enumerate(rows) if row.ev is not None and options[number].act != BEST_SUPPORT
        ]
        costly = [each for each in known if onward.needs_a_solve(options[each].act, self._after(options[each]))]
        if len({_solve_of(self._after(options[each])) for each in costly}) > onward.solves_a_second:
            left_out = set(sorted(costly, key=lambda each: -(rows[each].ev or 0))[SOLVED_ROWS:])
            known = [each for each in known if each not in left_out]
        for number in known:
            rows[number] = self._with_ahead(onward, options[number], rows[number])
        return rows

    def _with_ahead(self, onward: Onward, option: Option, row: Action) -> Action:
        after = self._after(option)
        ahead = {
            name: self._shown(self.worths.gain(after, number).value + more)
            for number, (name, more) in enumerate(zip(self.start.names, onward.gains(option.act, after), strict=True))
        }
        return replace(row, ahead=ahead.pop(self.start.names[self.player]), ahead_by_player=ahead)

    @staticmethod
    def _after(option: Option) -> State:
        assert option.after is not None
        return option.after

    @cached_property
    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The leg tickets left before the action."""
        return self.start.stacks

    @cached_property
    def rolls(self) -> list[tuple[int, State]]:
        """Each roll's weight and what a reveal that goes so leads to."""
        return list(reveals(self.start, self.player))

    @cached_property
    def supported(self) -> list[tuple[int, list[State]]]:
        """Each roll's weight, and what may be made of it with no support die or one."""
        return [(weight, support_options(after, self.player)) for weight, after in self.rolls]

    def _prepare(self, options: Sequence[Option]) -> None:
        """Count in one batch what the rows of these actions need."""
        watched: list[tuple[Board, int]] = []
        states = [self.start]
        for act, after in ((option.act, option.after) for option in options):
            if act == BEST_SUPPORT:
                states += [state for _, supported in self.supported for state in supported]
            elif after:
                states.append(after)
            if act == REVEAL:
                watched += [(state.board, NOTHING) for _, state in self.rolls]
            if after and act.kind == "tile":
                watched.append((after.board, abs(act.item)))
        self.worths.prepare(states, watched)

    def _row(self, option: Option) -> Action:
        if option.after is None:
            return Action(option.name, option.kind, rule=option.rule)
        if option.act == BEST_SUPPORT:
            gains, reply, lead = self._best_supported()
        else:
            gains = [self.worths.gain(option.after, player) for player in range(len(self.start.names))]
            reply = self._reply(self.rolls if option.act == REVEAL else [(1, option.after)])
            lead = self.lead.of(option.after)
        others = {name: gain.value for name, gain in zip(self.start.names, gains, strict=True)}
        del others[self.start.names[self.player]]
        sd, p_gain, worst, best = _spread(self._pays(option.act, option.after))
        return Action(
            option.name,
            option.kind,
            ev=self._shown(gains[self.player].value),
            sd=sd,
            p_gain=self._shown(p_gain),
            worst=worst,
            best=best,
            others=self._shown(_sum(others.values())),
            reply=None if reply is None else self._shown(reply),
            lead=self._shown(lead),
            error=gains[self.player].error,
            by_player={name: self._shown(value) for name, value in others.items()},
        )

    def _shown(self, value: Number) -> Number:
        return value if self.exact else float(value)

    def _best_supported(self) -> tuple[list[Worth], Fraction | None, Fraction]:
        """Each player's gain, the reply, and the chance to lead, the best taken after every roll."""
        gains = [Worth(Fraction(0))] * len(self.start.names)
        taken = []
        ways = sum(weight for weight, _ in self.supported)
        for weight, states in self.supported:
            own = [self.worths.gain(state, self.player).value for state in states]
            best = states[own.index(max(own))]
            taken.append((weight, best))
            gains = [
                gain.plus(self.worths.gain(best, player), Fraction(weight, ways)) for player, gain in enumerate(gains)
            ]
        lead = sum((weight * self.lead.of(state) for weight, state in taken), Fraction(0)) / ways
        return gains, self._reply(taken), lead

    def _reply(self, after: Iterable[tuple[int, State]]) -> Fraction | None:
        """The best ticket's expectation, averaged over these states by weight as far as the leg goes on."""
        found = [(weight, self._best_ticket(state)) for weight, state in after if not state.board.leg_over]
        if not found or any(best is None for _, best in found):
            return None
        total: Fraction = sum((weight * best for weight, best in found if best is not None), Fraction(0))
        return total / sum(weight for weight, _ in found)

    def _best_ticket(self, state: State) -> Fraction | None:
        leg = self.worths.legs.leg(state.board)
        left = self.stacks if state.holdings is self.start.holdings else state.stacks
        tops = [f"{colour}{values[0]}" for colour, values in left.items() if values]
        best = max((int(leg.rankings @ ticket_pays(self.rules.racing, ticket)) for ticket in tops), default=None)
        return None if best is None else Fraction(best, leg.total)

    def _pays(self, act: Act, after: State) -> dict[int, Any]:
        """What the action's own item will pay: ways by pounds, or chances of a finish card."""
        racing = self.rules.racing
        if act.kind in ("winner", "loser"):
            return self._card_pays(act.kind, act.item, after.board)
        if act.kind == "tile":
            return self.worths.legs.marks(after.board, abs(act.item))
        if act.kind == "camera":
            return self.worths.legs.marks(after.board, -act.item)
        if act.kind == "ticket":
            pays = ticket_pays(racing, act.item)
        elif act.kind == "position":
            place, ticket = act.item
            pays = position_pays(racing, place, ticket.removeprefix(BOTTOM)[0])
        elif act.kind == "partner":
            pays = copied(racing, after.holdings[after.names.index(act.item)])
        else:
            return {1: 1}
        rankings = self.worths.legs.leg(after.board).rankings
        return {pounds: int(rankings[pays == pounds].sum()) for pounds in set(pays.tolist())}

    def _card_pays(self, deck: str, colour: str, board: Board) -> dict[int, Any]:
        """What a finish card placed next will pay; its rank among the right ones as the prior has it."""
        index = self.rules.racing.index(colour)
        win, lose, _ = self.worths.races.of(board)
        right = float((win if deck == "winner" else lose)[index])
        pays = {-1: 1 - right}
        for rank, chance in enumerate(self.worths.beliefs.right_before(DECKS.index(deck))[-1, index]):
            pounds = card_pays(self.rules, rank)
            pays[pounds] = pays.get(pounds, 0.0) + right * float(chance)
        return pays


def _solve_of(after: State) -> tuple[object, ...]:
    """What a solve is for: rows that lead to the same need one."""
    return after.board, tuple(after.stacks.values())


def _whose(game: Game, player: str | None) -> str:
    names = game.state.names
    if player is None:
        if (number := game.state.whose_turn()) == NOBODY:
            none_named = "no player is named: add one, such as ` | me` after the board"
            raise GameError("whose action? name a player, or set to_move" if names else none_named)
        player = names[number]
    if player not in names:
        raise GameError(f"{player!r} is no player: the players are {', '.join(names)}")
    return player


def _sum(values: Iterable[Number]) -> Number:
    total: Number = Fraction(0)
    for value in values:
        total = total + value if value else total
    return total


def _spread(pays: dict[int, Any]) -> tuple[float, Number, int, int]:
    """(sd, chance of more than 0, worst, best) of pounds by ways or chances."""
    possible = {pounds: ways for pounds, ways in pays.items() if ways > 0}
    total = sum(possible.values())
    sum_of = sum(pounds * ways for pounds, ways in possible.items())
    squares = sum(pounds * pounds * ways for pounds, ways in possible.items())
    gains = sum(ways for pounds, ways in possible.items() if pounds > 0)
    p_gain = Fraction(gains, total) if isinstance(total, int) else gains / total
    return sqrt(max(0, squares * total - sum_of**2)) / total, p_gain, min(possible), max(possible)
