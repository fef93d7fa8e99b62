"""When everybody plays on: exact look-ahead to the leg's end.

The expected values of `actions` suppose that nobody else acts, so that a reveal is always worth exactly 1. Here players
go on in turn until the leg's last reveal, and each act - to reveal, or to take the top leg ticket of a colour - is worth
what the player then still gains until the leg's end. Tiles, cards and the other actions of the game are not played on;
what is held already changes no choice, since the money of a leg adds up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, get_args

from camelodds.game.legal import stacks
from camelodds.errors import GameError, whole_number
from camelodds.ev.plan import Others, Plan, Progress, plan
from camelodds.game.game import Game
from camelodds.game.step import mover
from camelodds.ev.expectation import situation_of

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Table

SHOWN_ACTS = 6
"""Acts of the likeliest course that a table shows."""


class Step(NamedTuple):
    """One act of a course.

    player : who acts
    act : "reveal", or a ticket such as "ticket r5"
    chance : how likely it is that everything comes so up to this act
    """

    player: str
    act: str
    chance: Fraction


@dataclass(frozen=True, eq=False)
class LookAhead:
    """What each act of the player to move is worth when everybody plays on to the leg's end.

    game : the game that was asked about
    others : how the others play, "best" or "greedy"
    values : by act, the best first: what each player, the one to move first, is expected to gain until the leg's end by
        tickets and pyramid tickets, in pounds, exact
    """

    game: Game
    others: Others
    values: Mapping[str, Mapping[str, Fraction]]
    _plan: Plan = field(repr=False)

    def __repr__(self) -> str:
        from camelodds.show.table import plain

        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    @property
    def player(self) -> str:
        """Who is to move."""
        return next(iter(self.values["reveal"]))

    @property
    def best(self) -> str:
        """The act that brings the player to move the most; of equal ones a reveal, then the camel farther ahead."""
        return next(iter(self.values))

    @property
    def frame(self) -> pd.DataFrame:
        """The values as floats: acts, best first, by players, the one to move first."""
        import pandas as pd

        rows = [[float(gain) for gain in gains.values()] for gains in self.values.values()]
        players = pd.Index(list(self.values["reveal"]), name="player")
        return pd.DataFrame(rows, index=pd.Index(list(self.values), name="act"), columns=players)

    def table(self) -> Table:
        """The values of the acts, best first, by player, and how it is likely to go on."""
        from camelodds.show.table import Table, edition

        board = self.game.board
        line = self.line()
        course = ", ".join(f"{step.player} {step.act}" for step in line)
        return Table(
            title=f"{board}   ({edition(board.edition, board.rules.official)})",
            label="act",
            columns=[(name, "pounds") for name in self.values["reveal"]],
            rows=[(act, [float(gain) for gain in gains.values()]) for act, gains in self.values.items()],
            notes=[
                f"Pounds until the leg's end, {_HOW[self.others]}",
                f"Likeliest ({float(line[-1].chance):.0%}): {course}",
            ],
            camels=False,
        )

    def line(self, acts: int = SHOWN_ACTS) -> list[Step]:
        """The likeliest course of play: each player's act in turn, whatever the dice show in between.

        Parameters
        ----------
        acts : int
            How many acts, at least 1. A course in which the leg ends before is shorter.

        Returns
        -------
        list of Step
            No other course of so many acts is likelier; it begins with the best act.

        Raises
        ------
        RulesError
            For what is no whole number, or less than 1.
        """
        wanted = whole_number(acts, "the number of acts")
        if wanted < 1:
            raise GameError(f"a course has at least one act, not {wanted}")
        players = list(self.values["reveal"])
        course = likeliest(self._plan, wanted)
        racing, tickets = self.game.rules.racing, stacks(situation_of(self.game))
        taken = dict.fromkeys(racing, 0)
        steps = []
        for number, (lane, chance) in enumerate(course):
            act = "reveal"
            if lane is not None:
                colour = racing[lane]
                act = f"ticket {colour}{tickets[colour][taken[colour]]}"
                taken[colour] += 1
            steps.append(Step(players[number % len(players)], act, chance))
        return steps


_HOW = {
    "best": "all playing on as is best for each",
    "greedy": "the others taking the best ticket if it is worth more than 1 alone, or else revealing",
}


def look_ahead(game: Game, others: Others = "best", *, progress: Progress | None = None) -> LookAhead:
    """What each act of the player to move is worth when everybody plays on to the leg's end, exactly.

    Parameters
    ----------
    game : Game
        With all players in seating order, and whose turn it is.
    others : {"best", "greedy"}
        How the others play. "best": each does what is best for them, knowing that everybody does. "greedy": they take
        the ticket that is worth the most if nobody else acts, if that is more than 1, and else reveal; the player to
        move answers that best, at every later turn too.
    progress : callable, optional
        Called with the states that are done and the states in all; may raise to end the work.

    Returns
    -------
    LookAhead

    Raises
    ------
    GameError
        When the leg or the race is over, nobody is to move, or `others` is neither of the two.
    RulesError
        When there are too many states for the memory, with their number, before the long part of the work.

    Notes
    -----
    Equal acts: a reveal first, then the ticket of the camel that is farther ahead now. Partners' copies, position tiles,
    the extra step of the spicy Supercup and the floor at zero are not part of it.

    Examples
    --------
    >>> import camelodds as co
    >>> game = co.Game.parse("2:rb 4:g 5:yp 13:KW +7 / rg# | ana | ben r5 | cat b5 p5 | to_move ana")
    >>> ahead = look_ahead(game)
    >>> ahead.best
    'reveal'
    >>> ahead.values["reveal"]["ana"]
    Fraction(0, 1)
    """
    start = situation_of(game)
    if others not in get_args(Others):
        raise GameError(f'the others play "best" or "greedy", not {others!r}')
    me = mover(game)
    players = [*start.names[me:], *start.names[:me]]
    left = stacks(start)
    found = plan(start.board, list(left.values()), len(players), others, progress)
    gains = {"reveal": found.reveal}
    for lane, after in found.tickets.items():
        colour = start.board.rules.racing[lane]
        gains[f"ticket {colour}{left[colour][0]}"] = after
    best_first = sorted(gains, key=lambda act: -gains[act][0])
    values = {
        act: {name: Fraction(gain, found.total) for name, gain in zip(players, gains[act], strict=True)}
        for act in best_first
    }
    return LookAhead(game, others, values, found)


Course = tuple[tuple[int | None, Fraction], ...]
"""Acts, None a reveal or a ticket's lane, each with the chance that all comes so up to it."""


def likeliest(found: Plan, acts: int) -> Course:
    """The likeliest course of so many acts, or of fewer if the leg ends before.

    Courses only get less likely as they get longer, so the first complete one that is the likeliest of all is it.
    """
    from camelodds.core.ahead import REVEAL

    groups = found.groups
    # Ways of a course, by the group in which it then is; None: the leg has ended.
    waiting: list[tuple[Fraction, int, Course, int, dict[int, int] | None]] = []
    heappush(waiting, (Fraction(-1), 0, (), 0, {len(groups.scale) - 1: 1}))
    pushed = 0
    while True:
        minus_chance, _, course, state, ways = heappop(waiting)
        if ways is None or len(course) == acts:
            return course
        taken = sum(lane is not None for lane, _ in course)
        by_act: dict[int, dict[int, int]] = {}
        for group, count in ways.items():
            by_act.setdefault(int(found.acts[taken][group, state]), {})[group] = count
        for act, acting in by_act.items():
            chance = Fraction(sum(count * int(groups.scale[group]) for group, count in acting.items()), found.total)
            longer = (*course, (None if act == REVEAL else act, chance))
            then: list[tuple[Fraction, dict[int, int] | None, int]] = []
            if act != REVEAL:
                then.append((chance, acting, int(found.layers[taken].one_more[state, act])))
            elif len(longer) == acts:
                then.append((chance, acting, state))
            else:
                after: dict[int, int] = {}
                for group, count in acting.items():
                    for move in range(groups.moves[group], groups.moves[group + 1]):
                        child = int(groups.child[move])
                        after[child] = after.get(child, 0) + count * int(groups.weight[move])
                goes_on = Fraction(sum(count * int(groups.scale[g]) for g, count in after.items()), found.total)
                then += [(goes_on, after, state)] if after else []
                then += [(chance - goes_on, None, state)] if chance > goes_on else []
            for share, where, next_state in then:
                pushed += 1
                heappush(waiting, (-share, pushed, longer, next_state, where))
