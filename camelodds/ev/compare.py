"""What if: two actions side by side, by what the next reveal shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from camelodds.errors import GameError
from camelodds.ev.finish_cards import Prior
from camelodds.ev.turn import Floor, Number, Option, Turn
from camelodds.game.act import REVEAL, misspelt
from camelodds.game.game import Game
from camelodds.game.state import State
from camelodds.game.step import revealed
from camelodds.show.table import Table, plain

if TYPE_CHECKING:
    import pandas as pd


class RollCompared(NamedTuple):
    """What two actions are worth if the next reveal goes one way.

    die, number : what it shows     chance : of that
    first, second : what the player's expected money then has gained since before the action, in pounds
    """

    die: str
    number: int
    chance: Fraction
    first: Number
    second: Number

    @property
    def difference(self) -> Number:
        """By how much the first action is better."""
        return self.first - self.second


@dataclass(frozen=True)
class Comparison:
    """Two actions of a player side by side, by what the next reveal shows, whoever makes it.

    The chances of the rolls times these values give the EVs of the actions, as `actions` has them. The reveal is the
    player's own only where the action is "reveal"; else its pyramid ticket counts for nobody.

    game, player : whose actions     actions : the names of both     rolls : every way the next reveal can go
    error : of every value, how far it can be off; 0.0 where no race odds take part
    """

    game: Game
    player: str
    actions: tuple[str, str]
    rolls: tuple[RollCompared, ...]
    error: float = 0.0

    def __repr__(self) -> str:
        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    @property
    def evs(self) -> tuple[Number, Number]:
        """The EV of each action, in pounds."""
        return _sum(roll.chance * roll.first for roll in self.rolls), _sum(
            roll.chance * roll.second for roll in self.rolls
        )

    @property
    def difference(self) -> Number:
        """By how much the first action's EV is higher, in pounds."""
        first, second = self.evs
        return first - second

    @property
    def first_is_better(self) -> Fraction:
        """The chance of a roll after which the first action turns out better."""
        return sum((roll.chance for roll in self.rolls if roll.difference > 0), Fraction(0))

    @property
    def second_is_better(self) -> Fraction:
        """The chance of a roll after which the second action turns out better."""
        return sum((roll.chance for roll in self.rolls if roll.difference < 0), Fraction(0))

    @property
    def frame(self) -> pd.DataFrame:
        """The rolls as a DataFrame: die, number, chance, a column for each action, difference."""
        import pandas as pd

        first, second = self.actions
        return pd.DataFrame(
            [
                (roll.die, roll.number, *map(float, (roll.chance, roll.first, roll.second, roll.difference)))
                for roll in self.rolls
            ],
            columns=["die", "number", "chance", first, second, "difference"],
        )

    def table(self, exact: bool = False) -> Table:
        """A row a roll, where the first action is best by most on top."""

        def shown(value: Number) -> str | float:
            return str(value) if exact else float(value)

        (first, second), evs = self.actions, self.evs
        rolls = sorted(self.rolls, key=lambda roll: roll.difference, reverse=True)
        values = [
            (f"{roll.die} {roll.number}", (roll.chance, roll.first, roll.second, roll.difference)) for roll in rolls
        ]
        better = [f"{name} is better: {shown(chance) if exact else f'{float(chance):.2%}'}" for name, chance in (
            (first, self.first_is_better), (second, self.second_is_better)
        )]  # fmt: skip
        return Table(
            title=f"{self.game}   ({self.game.rules.title})",
            label="next reveal",
            columns=[("chance", "share"), (first, "pounds"), (second, "pounds"), ("difference", "pounds")],
            rows=[
                (name, [shown(value) for value in row])
                for name, row in [*values, ("all", (Fraction(1), *evs, self.difference))]
            ],
            notes=[
                f"For {self.player}, chance of a roll after which {'; '.join(better)}",
                *([f"Race odds take part: values are within {self.error:.1e}"] if self.error else []),
            ],
            camels=False,
        )


def compare(
    game: Game,
    first: str,
    second: str,
    player: str | None = None,
    *,
    prior: Prior = "odds",
    floor: Floor = "none",
) -> Comparison:
    """Two actions side by side: after which rolls is one better than the other, and by how much?

    Parameters
    ----------
    game : Game
        The position, what the players hold, and whose turn it is.
    first, second : str
        Names of actions, such as "tile +7", "ticket g3", "reveal".
    player : str, optional
        Whose actions; by default who is to move.
    prior, floor
        As for `actions`.

    Returns
    -------
    Comparison
        Fractions where no race odds take part, else floats.

    Raises
    ------
    GameError
        For an action that is not allowed, or that puts in a support die: the next reveal is not the same then.

    Examples
    --------
    >>> import camelodds as co
    >>> game = co.Game.parse("2:rb 4:g 5:yp 13:KW / rg# | ana | ben | cid | to_move ana")
    >>> compared = compare(game, "ticket g5", "tile +7")
    >>> compared.evs, compared.first_is_better
    ((Fraction(23, 9), Fraction(2, 9)), Fraction(8, 9))
    """
    turn = Turn(game, player, prior, floor, exact=True)
    options = {option.name: option for option in turn.options(support=False)}
    chosen = [_allowed(turn, options, name) for name in (first, second)]
    after = [_by_roll(turn, option) for option in chosen]
    turn.worths.prepare([turn.start, *(state for states in after for state in states.values())])
    ways = 6 * len(game.board.dice)
    rolls, error = [], 0.0
    for roll in game.board.rolls():
        worths = [turn.worths.gain(states[roll.shows, roll.number], turn.player) for states in after]
        error = max([error, *(worth.error for worth in worths)])
        first_value, second_value = (worth.value for worth in worths)
        rolls.append(RollCompared(roll.shows, roll.number, Fraction(roll.weight, ways), first_value, second_value))
    names = chosen[0].name, chosen[1].name
    return Comparison(game, turn.start.names[turn.player], names, tuple(rolls), error)


def _allowed(turn: Turn, options: dict[str, Option], name: str) -> Option:
    wanted = " ".join(name.split())
    if "+ support" in wanted:
        raise GameError(f"{wanted} changes what the next reveal can show: compare it by its EV, see actions")
    if wanted not in options:
        raise GameError(misspelt(wanted, list(options)))
    option = options[wanted]
    if rule := option.rule:
        raise GameError(f"{wanted} is not allowed: {rule}")
    if turn.hidden:
        raise GameError(
            f"{wanted} has no numbers by roll: finish cards of {turn.start.names[turn.player]} are face down"
        )
    return option


def _by_roll(turn: Turn, option: Option) -> dict[tuple[str, int], State]:
    """The state after an action and each roll that can follow; the reveal's ticket is the player's for "reveal"."""
    start = turn.start if option.act == REVEAL else option.after
    assert start is not None
    found = {}
    for roll in start.board.rolls():
        state = revealed(start, turn.player, roll)
        found[roll.shows, roll.number] = state if option.act == REVEAL else state.gets_pyramid(turn.player, -1)
    return found


def _sum(values: Iterable[Number]) -> Number:
    total: Number = Fraction(0)
    for value in values:
        total = total + value
    return total
