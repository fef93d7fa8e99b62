"""What the race from the start of a leg depends on, and how large the question is (docs/rules.md, section 2)."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from camelodds.rules import Rules


class Course(NamedTuple):
    """The part of the rules that the race from a leg's start depends on.

    track : spaces     racing : number of racing camels     crazy : whether there are the two crazy camels
    undrawn : dice that stay in the pyramid     support : whether the last camel's support die goes in
    """

    track: int
    racing: int
    crazy: bool = False
    undrawn: int = 0
    support: bool = False

    @classmethod
    def of(cls, rules: Rules) -> Course:
        """The course of these rules. Spicy ones are taken as if nobody ever paid for one more support die."""
        return cls(rules.track, len(rules.racing), bool(rules.crazy), rules.undrawn, rules.support)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Squads, pairs of perches of the crazy camels, and values of each leg start: see `core.starts`."""
        squads = comb(self.track + self.racing - 1, self.racing)
        pairs = comb(self.track + self.racing + 1, 2) if self.crazy else 1
        return squads, pairs, 2 * self.racing + 1

    @property
    def dice_sets(self) -> int:
        """Sets of dice in the pyramid without a grey one: of the racing dice, with no support die or that of a rank."""
        return (1 << self.racing) * (self.racing + 1 if self.support else 1)

    @property
    def starts(self) -> int:
        """How many leg starts there are, camels named by rank."""
        squads, pairs, _ = self.shape
        return squads * pairs

    @property
    def solvable(self) -> bool:
        """Whether there is a solver: not for support dice together with crazy camels."""
        return not (self.crazy and self.support)

    @property
    def table_bytes(self) -> int:
        """The size of the solution."""
        return 8 * self.starts * self.shape[2]

    @property
    def peak_bytes(self) -> int:
        """The memory that solving takes at its peak, above what the program takes anyway."""
        if self.crazy:
            layers = 2 * comb(self.racing, self.racing // 2) * 4 * self.racing
            missing, moves = 8 * self.racing, 2 * 6 + 4 * 6
            return self.table_bytes + self.starts * (layers + missing + moves)
        return self.table_bytes + 8 * self.starts * self.dice_sets * self.racing
