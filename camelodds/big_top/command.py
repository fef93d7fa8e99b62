"""The command `camelodds big-top`: what it says about a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from camelodds.big_top.components import CIRCUS_TILES
from camelodds.big_top.distribution import Distribution
from camelodds.big_top.state import State
from camelodds.big_top.tent_questions import Meeples
from camelodds.big_top.text import read_meeples


def read_state(text: str) -> State:
    """The state of a text or a JSON text. Raises NotationError or GameError."""
    return State.from_json(text) if text.lstrip().startswith("{") else State.parse(" ".join(text.splitlines()))


def read_then(texts: Sequence[str], state: State) -> list[Meeples]:
    """Meeples at further scorings from texts such as "ana=1 ben=2". Raises NotationError or GameError."""
    then = [read_meeples(text) for text in texts]
    for player in state.players:
        state.points(player.name, then)  # says what is wrong with them
    return [*then]


def document(state: State, exact: bool = False, then: Sequence[Meeples] = ()) -> dict[str, Any]:
    """Every answer about a state, ready for JSON."""
    put: Callable[[Fraction], Any] = str if exact else float

    def told(answer: Distribution) -> dict[str, Any]:
        chances = {str(number): put(answer.p(number)) for number, _ in answer.ways}
        return {"mean": put(answer.mean), "variance": put(answer.variance), "chances": chances}

    moves = one_more = None
    draws = range(1, (state.stack or 0) + 1) if state.circus else range(0)
    if draws:
        until = state.draws_until_tent_moves()
        moves = {
            "mean": put(until.mean),
            "at_draw": {str(draw): put(chance) for draw in draws if (chance := until.p(draw))},
            "within": {str(draw): put(state.tent_moves_within(draw)) for draw in draws},
            "moved_by": {name: put(p) for name, p in state.tent_moved_by().items()} if state.to_move else None,
        }
    if state.circus != CIRCUS_TILES:
        one_more = {
            "stays": put(state.one_more_meeple().mean),
            "leaves_after": {str(draw): put(state.one_more_meeple(draw).mean) for draw in draws},
        }
    players: dict[str, Any] = {}
    for player in state.players:
        players[player.name] = {"points": told(state.points(player.name, then))}
        if len(state.players) > 1:
            lead = state.lead(player.name, then=then)
            players[player.name] |= {"lead": told(lead), "ahead": put(lead.more_than(0)), "level": put(lead.p(0))}
    return {
        "state": str(state),
        "token": told(state.token()),
        "tent_moves": moves,
        "players": players,
        "one_more_meeple": one_more,
    }
