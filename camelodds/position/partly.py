"""Positions known in part: the order of a stack, camels not yet placed, or which dice are left is not known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial, gcd, lcm, prod
from typing import TYPE_CHECKING, Any, Final

from camelodds.errors import NotationError, RulesError
from camelodds.position.board import Board
from camelodds.rules import Rules, rules_of

if TYPE_CHECKING:
    import pandas as pd

MOST_BOARDS: Final = 100_000
"""Positions that may fit what is known: each takes a leg's time."""
MOST_ROWS: Final = 20
"""Positions that a table names."""

_TOKEN: Final = re.compile(r"(?:[^\s,{}]|\{[^{}]*\})+")
_PART: Final = re.compile(r"\{([^{}]*)\}|([^{}])")
_DICE: Final = re.compile(r"\?[0-9]*|[^\s,?]\+?")


@dataclass(frozen=True)
class PartlyKnown:
    """What is known of a position: all boards that fit, and how likely each is.

    Make one with `PartlyKnown.parse`, or of any boards and weights with `PartlyKnown.of`.

    Parameters
    ----------
    text : str
        What is known.
    boards : tuple of Board
        Those that fit, all of the same rules.
    weights : tuple of int
        One for each board, compared with the others.
    notes : tuple of str
        What is not known, in sentences.
    """

    text: str
    boards: tuple[Board, ...]
    weights: tuple[int, ...]
    notes: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def parse(
        cls,
        text: str,
        edition: str | Rules = "second",
        weights: Callable[[Board], int | Fraction] | None = None,
    ) -> PartlyKnown:
        """The positions that a text can mean.

        Parameters
        ----------
        text : str
            As for `Board.parse`, and besides: ``1:{r,b}`` a stack in any order, also a part of one, ``1:g{r,b}``;
            camels that stand nowhere are not yet placed: they come by the set-up dice, each with its own number
            (docs/rules.md, section 2), onto the stack that is there, in any order; after ``/`` ``?2`` two more dice
            of which nobody knows which they are, racing or grey.
        edition : str or Rules
            "first", "second", "supercup", "supercup-second", or own rules.
        weights : callable, optional
            How likely each board is compared with the others, instead of every order and every set of dice equally.

        Returns
        -------
        PartlyKnown

        Raises
        ------
        NotationError
            For a text that no position fits, as `Board.parse` says it.
        RulesError
            For an unknown edition, more than 100,000 positions, or weights that are less than 0 or all 0.

        Examples
        --------
        >>> known = PartlyKnown.parse("1:{r,b} 2:g 3:yp 14:K 15:W / rgb?1")
        >>> len(known.boards), str(known.boards[0])
        (6, '1:rb 2:g 3:yp 14:K 15:W / rbgy')
        >>> known.notes[0]
        'Not known: the order of r b on 1; which 1 of the dice y p # is left.'
        """
        rules = rules_of(edition)
        found, notes = _Reading(text, rules).boards()
        if weights is None:
            return cls(text, tuple(found), _whole(list(found.values())), (*notes, _fit(len(found), found.values())))
        note = f"{len(found)} {'position fits' if len(found) == 1 else 'positions fit'}, weighed as given."
        known = cls.of(found, [weights(board) for board in found], text)
        return cls(text, known.boards, known.weights, (*notes, note))

    @classmethod
    def of(cls, boards: Iterable[Board], weights: Sequence[int | Fraction], text: str = "") -> PartlyKnown:
        """These boards with these weights; those of weight 0 are left out.

        Parameters
        ----------
        boards : iterable of Board
            All of the same rules, each once.
        weights : sequence of int or Fraction
            One for each board, compared with the others.
        text : str
            What is known, as a heading.

        Returns
        -------
        PartlyKnown

        Raises
        ------
        RulesError
            For boards of several editions, or weights that are less than 0 or all 0.

        Examples
        --------
        >>> rb, br = (Board.parse(f"1:{stack} 2:g 3:yp 14:K 15:W") for stack in ("rb", "br"))
        >>> PartlyKnown.of([rb, br], [Fraction(1, 3), Fraction(2, 3)]).weights
        (1, 2)
        """
        given = list(zip(boards, weights, strict=True))
        if any(not isinstance(weight, (int, Fraction)) or weight < 0 for _, weight in given):
            raise RulesError("weights of positions are whole numbers or fractions, and not less than 0")
        given = [(board, weight) for board, weight in given if weight]
        if not given:
            raise RulesError("no position is left: expected one with a weight of more than 0")
        if len({board.rules for board, _ in given}) > 1:
            raise RulesError("positions of several editions: expected one")
        note = f"{len(given)} positions, weighed as given."
        return cls(text or note, tuple(board for board, _ in given), _whole([weight for _, weight in given]), (note,))

    def __repr__(self) -> str:
        from camelodds.show.table import plain

        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())

    @property
    def rules(self) -> Rules:
        """The rules of all boards."""
        return self.boards[0].rules

    @property
    def shares(self) -> dict[Board, Fraction]:
        """How likely each board is."""
        total = sum(self.weights)
        return {board: Fraction(weight, total) for board, weight in zip(self.boards, self.weights, strict=True)}

    @property
    def frame(self) -> pd.DataFrame:
        """The boards as a DataFrame: board (its text), share."""
        import pandas as pd

        shares = self.shares
        return pd.DataFrame({"board": list(map(str, shares)), "share": list(map(float, shares.values()))})

    def table(self, exact: bool = False) -> Any:
        """The boards and their shares, the first twenty.

        Parameters
        ----------
        exact : bool
            Whether shares are shown as fractions.

        Returns
        -------
        Table
        """
        from camelodds.show.table import Table

        number = str if exact else float
        rows = [(str(board), [number(share)]) for board, share in self.shares.items()]
        more = [f"... and {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else []
        return Table(
            title=f"{self.text or self.notes[0]}   ({self.rules.title})",
            label="position",
            columns=[("share", "share")],
            rows=rows[:MOST_ROWS],
            notes=[*more, *self.notes],
            camels=False,
        )


class _Reading:
    """Reads one text."""

    def __init__(self, text: str, rules: Rules) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a position is a text, not {type(text).__name__}")
        self.text, self.rules = text, rules
        body, self.slash, self.pyramid = text.partition("/")
        self.stacks: dict[str, list[str]] = {}
        self.others: list[str] = []
        self.notes: list[str] = []
        self._check_braces(body)
        for match in _TOKEN.finditer(body):
            place, colon, stack = match.group().partition(":")
            if colon and stack.strip("{ ,}") and place not in self.stacks and "{" not in place:
                self.stacks[place] = self._orders(stack, place)
            elif "{" in match.group():
                raise NotationError("braces hold camels of a stack, such as 1:{r,b}", text, match.start())
            else:
                self.others.append(match.group())
        placed = "".join(orders[0] for orders in self.stacks.values())
        self.missing = [camel for camel in rules.camels if camel not in placed]

    def boards(self) -> tuple[Counter[Board], list[str]]:
        """The boards that fit with their weights, and what is not known. Raises NotationError, RulesError."""
        dice = self._dice()
        orders = [list(dict.fromkeys(each)) for each in self.stacks.values()]
        arrivals = self._arrivals(prod(map(len, orders)) * len(dice))
        found: Counter[Board] = Counter()
        fault: NotationError | None = None
        for chosen in product(*orders):
            for arrived, weight in arrivals.items():
                stacks = dict(zip(self.stacks, chosen, strict=True))
                for space, camels in arrived:
                    stacks[space] = stacks.get(space, "") + camels
                body = " ".join([*(f"{place}:{stack}" for place, stack in stacks.items()), *self.others])
                for left in dice:
                    try:
                        found[Board.parse(body + left, self.rules)] += weight
                    except NotationError as error:  # such as a tile where this one would start
                        fault = fault or error
                if fault and not found:
                    raise fault
        return found, [f"Not known: {'; '.join(self.notes)}."] if self.notes else []

    def _check_braces(self, body: str) -> None:
        within = False
        for at, letter in enumerate(body):
            if letter in "{}":
                if within == (letter == "{"):
                    raise NotationError(f"a brace {letter} without its other", self.text, at)
                within = not within
        if within:
            raise NotationError("a brace { without its other", self.text, body.rindex("{"))

    def _orders(self, stack: str, place: str) -> list[str]:
        """All orders of a stack such as g{r,b}."""
        parts = []
        ways = 1
        for match in _PART.finditer(stack):
            loose, letter = match.groups()
            camels = letter or "".join(loose.replace(",", " ").split())
            ways *= factorial(len(camels)) if letter is None else 1
            self._bound(ways)
            parts.append([camels] if letter else ["".join(order) for order in permutations(camels)])
            if letter is None and len(camels) > 1:
                self.notes.append(f"the order of {' '.join(camels)} on {place}")
        return ["".join(chosen) for chosen in product(*parts)]

    def _dice(self) -> list[str]:
        """What can stand from the slash on."""
        if not self.slash:
            return [""]
        signs = _DICE.findall(self.pyramid)
        unknown = [sign for sign in signs if len(sign) > 1 and sign[0] == "?"]
        if not unknown:
            return [self.slash + self.pyramid]
        at = self.text.index("/") + 1 + self.pyramid.index(unknown[0])
        named = [sign for sign in signs if sign not in unknown]
        others = [sign for sign in self.rules.dice if not sign.endswith("+") and sign not in named]
        number = int(unknown[0][1:]) if len(unknown[0]) < 4 else len(others) + 1
        if len(unknown) > 1 or not 1 <= number <= len(others):
            raise NotationError(
                f"once ?1 to ?{len(others)}: dice of which it is not known which they are", self.text, at
            )
        if number < len(others):
            self.notes.append(f"which {number} of the dice {' '.join(others)} {'is' if number == 1 else 'are'} left")
        self._bound(comb(len(others), number))
        return [" / " + " ".join([*named, *more]) for more in combinations(others, number)]

    def _arrivals(self, ways: int) -> Counter[tuple[tuple[str, str], ...]]:
        """Where the camels that stand nowhere can come, by space those on top, bottom to top; with weights.

        Equal draws of the set-up dice in every order: those who share a space are in each order equally likely.
        """
        found: Counter[tuple[tuple[str, str], ...]] = Counter()
        if self.missing:
            racing = "each by its die, " if len(self.missing) > 1 else "by its die, "
            self.notes.append(f"where {' '.join(self.missing)} start: {racing}on top of who is there, in any order")
        starts = [set_up_spaces(self.rules, camel) for camel in self.missing]
        self._bound(ways * prod(len(each) for each in starts))
        for chosen in product(*starts):
            groups: dict[int, str] = {}
            for camel, (space, _) in zip(self.missing, chosen, strict=True):
                groups[space] = groups.get(space, "") + camel
            orders = prod(factorial(len(group)) for group in groups.values())
            weight = prod(faces for _, faces in chosen) * (factorial(len(self.missing)) // orders)
            for stacked in product(*(permutations(group) for group in groups.values())):
                found[tuple((str(space), "".join(stack)) for space, stack in zip(groups, stacked, strict=True))] += (
                    weight
                )
            self._bound(ways * len(found))
        return found

    def _bound(self, ways: int) -> None:
        if ways > MOST_BOARDS:
            raise RulesError(f"more than {MOST_BOARDS:,} positions fit what is known: say more of it")


def set_up_spaces(rules: Rules, camel: str) -> list[tuple[int, int]]:
    """The spaces on which a camel can start, and how many faces of its die put it there (docs/rules.md, section 2).

    Examples
    --------
    >>> from camelodds.rules import SECOND
    >>> set_up_spaces(SECOND, "r"), set_up_spaces(SECOND, "K")
    ([(1, 2), (2, 2), (3, 2)], [(16, 2), (15, 2), (14, 2)])
    """
    ways: Counter[int] = Counter()
    for face in rules.faces["#" if camel in rules.crazy else camel]:
        ways[rules.track + 1 - face.number if camel in rules.crazy else face.number] += face.weight
    return list(ways.items())


def _fit(number: int, weights: Collection[int]) -> str:
    if number == 1:
        return "One position fits."
    likely = "equally likely" if len(set(weights)) == 1 else "as likely as the set-up dice make them"
    return f"{number} positions fit, {likely}."


def _whole(weights: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Weights as the smallest whole numbers."""
    scale = lcm(*(Fraction(weight).denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights]
    most = gcd(*whole)
    return tuple(weight // most for weight in whole)
