"""Hypothesis strategies of positions, for tests of code that builds on this package. Needs hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from camelodds.position.board import Board
from camelodds.position.notation import Tile
from camelodds.rules import EDITIONS, Rules, rules_of

__all__ = ["boards", "editions", "rolls"]


def editions() -> st.SearchStrategy[Rules]:
    """The rules of one of the presets."""
    return st.sampled_from(list(EDITIONS.values()))


@st.composite
def boards(
    draw: st.DrawFn,
    edition: str | Rules | None = None,
    *,
    min_reveals: int = 0,
    max_reveals: int | None = None,
    tiles: bool = True,
    lowest: int = 1,
    highest: int | None = None,
) -> Board:
    """Positions: spread or crowded, tiles where they may lie, any dice left. No race is over.

    Parameters
    ----------
    edition : str or Rules, optional
        Any of the presets by default.
    min_reveals : int
        Fewest reveals to go.
    max_reveals : int, optional
        Most reveals to go; Supercup pyramids hold one support die at most.
    tiles : bool
        Whether tiles may lie.
    lowest : int
        The first space on which camels stand.
    highest : int, optional
        The last one; the end of the track by default.

    Returns
    -------
    SearchStrategy of Board
    """
    rules = draw(editions()) if edition is None else rules_of(edition)
    spaces = st.integers(lowest, highest or rules.track)
    stacks: dict[int, str] = {}
    for camel in draw(st.permutations(rules.camels)):
        space = draw(spaces)
        stacks[space] = stacks.get(space, "") + camel
    plain = [sign for sign in rules.dice if not sign.endswith("+")]
    most = len(plain) + rules.support - rules.undrawn
    upper = most if max_reveals is None else min(max_reveals, most)
    inside = draw(st.integers(min_reveals, upper)) + rules.undrawn
    support = draw(st.sampled_from([f"{camel}+" for camel in rules.racing])) if rules.support else None
    dice = draw(st.permutations([*plain, support] if support else plain))[:inside]
    free = [space for space in range(2, rules.track + 1) if space not in stacks]
    out: list[Tile] = []
    for space in draw(st.lists(st.sampled_from(free), unique=True, max_size=4)) if tiles and free else []:
        if all(abs(space - other.space) > 1 for other in out):
            out.append(Tile(space, draw(st.sampled_from([1, -1]))))
    return Board.of(stacks, dice=dice, tiles=out, edition=rules)


@st.composite
def rolls(draw: st.DrawFn, board: Board) -> tuple[str, int]:
    """Arguments of `Board.roll` that are possible on a board.

    Parameters
    ----------
    board : Board
        Its leg must not be over.

    Returns
    -------
    SearchStrategy of (str, int)
        The die and what it shows.
    """
    roll = draw(st.sampled_from(list(board.rolls())))
    return roll.shows, roll.number
