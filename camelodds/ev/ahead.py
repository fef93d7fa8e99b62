"""When everybody plays on: exact look-ahead to the leg's end.

The expected values of `actions` suppose that nobody else acts, so that a reveal is always worth exactly 1. Here players
go on in turn until the leg's last reveal. Each acts by revealing a die or taking the top leg ticket of a colour, and an
act is worth all that a player still gains until the leg's end. Tiles, cards and the game's other actions are not played
on. What is held already changes no choice, since the money of a leg adds up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from camelodds.errors import GameError, RulesError, whole_number
from camelodds.ev.onward import HOW
from camelodds.ev.plan import Others, Plan, likeliest, plan
from camelodds.game.act import REVEAL, Act
from camelodds.game.game import Game, state_of
from camelodds.game.turn import player_to_move
from camelodds.progress import Progress, reporting

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Table

SHOWN_ACTS: Final = 6
"""Acts of the likeliest course that a table shows."""


class Step(NamedTuple):
    """One act of a course of play.

    Attributes
    ----------
    player : str
        Who acts.
    act : str
        "reveal", or a ticket such as "ticket r5".
    chance : Fraction
        How likely it is that everything comes as it does in the course, up to and with this act.
    """

    player: str
    act: str
    chance: Fraction


@dataclass(frozen=True, eq=False)
class LookAhead:
    """What each act of the player to move is worth when everybody plays on to the leg's end.

    Parameters
    ----------
    game : Game
        The game that was asked about.
    others : {"best", "greedy"}
        How the others play.
    values : mapping of str to mapping of str to Fraction
        By act, the best first, and by player, the one to move first: the pounds that the player is expected to gain
        until the leg's end by tickets and pyramid tickets, exact.
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
    def players(self) -> tuple[str, ...]:
        """The names of the players in the order of their turns, the one to move first."""
        return tuple(self.values[REVEAL.name])

    @property
    def best(self) -> str:
        """The act that brings the player to move the most.

        Of equal ones a reveal comes first, then the ticket of the camel that is farther ahead now.
        """
        return next(iter(self.values))

    @property
    def frame(self) -> pd.DataFrame:
        """The values as floats: a row for each act, best first, a column for each player, the one to move first."""
        import pandas as pd

        rows = [[float(gain) for gain in gains.values()] for gains in self.values.values()]
        acts = pd.Index(list(self.values), name="act")
        return pd.DataFrame(rows, index=acts, columns=pd.Index(self.players, name="player"))

    def table(self) -> Table:
        """The values of all acts, best first, and the likeliest course from here."""
        from camelodds.show.table import Table

        board, line = self.game.board, self.line()
        course = ", ".join(f"{step.player} {step.act}" for step in line)
        return Table(
            title=f"{board}   ({board.rules.title})",
            label="act",
            columns=[(name, "pounds") for name in self.players],
            rows=[(act, [float(gain) for gain in gains.values()]) for act, gains in self.values.items()],
            notes=[
                f"Gains until the leg's end, if {HOW[self.others]}.",
                f"Likeliest course ({float(line[-1].chance):.0%}): {course}",
            ],
            camels=False,
        )

    def line(self, acts: int = SHOWN_ACTS) -> list[Step]:
        """The likeliest course of play: each player's act in turn, whatever the dice show in between.

        Parameters
        ----------
        acts : int
            How many acts, at least 1. The course is shorter where it is the likeliest that the leg ends before.

        Returns
        -------
        list of Step
            The first is the best act. No other course of so many acts is likelier.

        Raises
        ------
        RulesError
            For what is no whole number, or less than 1.
        """
        if (wanted := whole_number(acts, "the number of acts")) < 1:
            raise RulesError(f"the number of acts is at least 1, not {wanted}")
        left = {colour: iter(values) for colour, values in self.game.state.stacks.items()}
        steps = []
        for number, (lane, chance) in enumerate(likeliest(self._plan, wanted)):
            act = REVEAL
            if lane is not None:
                colour = self.game.rules.racing[lane]
                act = Act("ticket", f"{colour}{next(left[colour])}")
            steps.append(Step(self.players[number % len(self.players)], act.name, chance))
        return steps


def look_ahead(game: Game, others: Others = "best", *, progress: Progress | bool | None = None) -> LookAhead:
    """What each act of the player to move is worth when everybody plays on to the leg's end, exactly.

    Parameters
    ----------
    game : Game
        With all players in seating order, and whose turn it is.
    others : {"best", "greedy"}
        How the others play. "best": each does what is best for them, knowing that everybody does. "greedy": they take
        the ticket that is worth the most if nobody acts any more, if that is more than 1, and else reveal; the player
        to move answers that best, at every later turn too.
    progress : callable or bool, optional
        Called with the states that are done and the states in all; may raise to end the work. True for a bar.

    Returns
    -------
    LookAhead
        The values by act and player, as fractions.

    Raises
    ------
    GameError
        When the leg or the race is over, when nobody is to move, or when `others` is neither of the two.
    RulesError
        When there are too many states for memory: it tells how many, before the long part of the work begins.

    Notes
    -----
    Equal acts: a reveal first, then the ticket of the camel that is farther ahead now. Copies of partners' rewards,
    position tiles, the extra step of the spicy Supercup and the floor at zero have no part in it.

    Examples
    --------
    If nobody else acted, the ticket would be worth less than a reveal. But a reveal helps those who follow:

    >>> import camelodds as co
    >>> text = "5:b 7:g 8:oyw / boyw | ana | ben | cat | dan | taken y5 w5 w3 | to_move ana"
    >>> ahead = look_ahead(co.Game.parse(text, edition="first"))
    >>> ahead.best
    'ticket w2'
    >>> ahead.values["ticket w2"]["ana"], ahead.values["reveal"]["ana"]
    (Fraction(2603, 972), Fraction(583, 243))
    """
    state = state_of(game)
    if others not in tuple(HOW):  # a list is no key
        raise GameError(f'the others play "best" or "greedy", not {others!r}')
    mover, stacks = player_to_move(state), state.stacks
    with reporting(progress, "looking ahead") as tell:
        found = plan(state.board, list(stacks.values()), len(state.names), others, tell)
    gains = {REVEAL.name: found.reveal}
    for lane, after in found.tickets.items():
        colour = state.rules.racing[lane]
        gains[Act("ticket", f"{colour}{stacks[colour][0]}").name] = after
    players = (*state.names[mover:], *state.names[:mover])
    values = {
        act: {name: Fraction(gain, found.total) for name, gain in zip(players, gains[act], strict=True)}
        for act in sorted(gains, key=lambda act: -gains[act][0])
    }
    return LookAhead(game, others, values, found)
