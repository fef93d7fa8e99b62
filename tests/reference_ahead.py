"""A slow, obvious look-ahead to the leg's end: plain recursion in fractions.

Until the leg's last reveal players act in turn: each reveals a die or takes the top leg ticket of a colour. Nothing is
merged and nothing comes from the package; how dice fall and camels move is asked of tests/reference.py.

`others="best"`: each player does what brings them the most until the leg's end, if everybody plays so.
`others="greedy"`: the asker does; the others take the ticket that is worth the most if the leg is rolled to its end and
nobody acts, if that is more than 1, and else reveal.

Of equal acts a reveal comes first, then the ticket of the camel that is farther ahead now.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

import reference
from reference import Rules, State

Stacks = tuple[tuple[int, ...], ...]
"""The values left on each colour's stack, best first, colours in the rules' order."""


class Play(NamedTuple):
    """What is still gained until the leg's end: expected pounds by player, counted from the one to move."""

    gains: tuple[Fraction, ...]
    reveals: Fraction  # how many reveals are still made
    tickets: Fraction  # what the tickets that are still taken are worth, together


class Option(NamedTuple):
    act: str
    alone: Fraction  # what it is worth if nobody acts any more
    play: Play


class LookAhead:
    """The recursion of one edition, number of players and model; known plays are kept."""

    def __init__(self, rules: Rules, players: int, others: str = "best") -> None:
        assert players >= 1 and others in ("best", "greedy")
        self.rules, self.players, self.others = rules, players, others
        self.play = cache(self._play)
        self.places = cache(self._places)

    def acts(self, state: State, stacks: Stacks) -> dict[str, Play]:
        """What each act of the asker, who is to move, leads to."""
        return {option.act: option.play for option in self.options(state, stacks, 0)}

    def chosen(self, state: State, stacks: Stacks, asker: int = 0) -> Option:
        """What the player to move does; the asker sits `asker` seats after them."""
        best = None
        for option in self.options(state, stacks, asker):
            if best is None or self.wanted(option, asker) > self.wanted(best, asker):
                best = option
        assert best is not None
        return best

    def wanted(self, option: Option, asker: int) -> Fraction:
        """What the player to move wants most of."""
        return option.alone if self.others == "greedy" and asker != 0 else option.play.gains[0]

    def options(self, state: State, stacks: Stacks, asker: int) -> list[Option]:
        """Every act of the player to move, of equal ones first the one that is preferred."""
        found = [Option("reveal", Fraction(1), self.after_reveal(state, stacks, asker))]
        for camel in reference.ranking(state, self.rules):
            colour = self.rules.racing.index(camel)
            if stacks[colour]:
                value, *rest = stacks[colour]
                left = (*stacks[:colour], tuple(rest), *stacks[colour + 1 :])
                worth = self.ticket(state, camel, value)
                then = self.seen_from_before(self.play(state, left, self.next_asker(asker)))
                gains = (then.gains[0] + worth, *then.gains[1:])
                found.append(Option(f"ticket {camel}{value}", worth, Play(gains, then.reveals, then.tickets + worth)))
        return found

    def after_reveal(self, state: State, stacks: Stacks, asker: int) -> Play:
        """A reveal: its pound, and the mean of what follows."""
        gains = [Fraction(0)] * self.players
        gains[0] += 1
        reveals, tickets = Fraction(1), Fraction(0)
        for child in reference.children(state, self.rules):
            chance = Fraction(child.weight, 6 * len(state.dice))
            then = self.seen_from_before(self.play(child.state, stacks, self.next_asker(asker)))
            gains = [gain + chance * more for gain, more in zip(gains, then.gains, strict=True)]
            reveals += chance * then.reveals
            tickets += chance * then.tickets
        return Play(tuple(gains), reveals, tickets)

    def _play(self, state: State, stacks: Stacks, asker: int) -> Play:
        if reference.leg_over(state, self.rules):
            return Play((Fraction(0),) * self.players, Fraction(0), Fraction(0))
        return self.chosen(state, stacks, asker).play

    def ticket(self, state: State, camel: str, value: int) -> Fraction:
        """What a ticket is worth if the leg is rolled to its end (docs/rules.md, section 7)."""
        first, second = self.places(state)[camel]
        return value * first + second - (1 - first - second)

    def _places(self, state: State) -> dict[str, tuple[Fraction, Fraction]]:
        """Each camel's chances to be first and to be second in the end, from all courses one by one."""
        if reference.leg_over(state, self.rules):
            order = reference.ranking(state, self.rules)
            return {camel: (Fraction(camel == order[0]), Fraction(camel in order[1:2])) for camel in order}
        found = {camel: (Fraction(0), Fraction(0)) for camel in self.rules.racing}
        for child in reference.children(state, self.rules):
            chance = Fraction(child.weight, 6 * len(state.dice))
            for camel, (first, second) in self.places(child.state).items():
                found[camel] = (found[camel][0] + chance * first, found[camel][1] + chance * second)
        return found

    def next_asker(self, asker: int) -> int:
        """How far the asker sits from the player who moves next."""
        return (asker - 1) % self.players if self.others == "greedy" else 0

    @staticmethod
    def seen_from_before(play: Play) -> Play:
        """The gains counted from the player who has just acted: the next player's last is that player."""
        return play._replace(gains=(*play.gains[-1:], *play.gains[:-1]))
