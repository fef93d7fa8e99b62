"""What a player may do, and the rule that forbids the rest (docs/rules.md, sections 6 to 8).

For each kind of act there is a judge, made once for a state and a player: asked for an item, it answers with the rule
that forbids it, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from camelodds.game.act import BOTTOM, FACE_DOWN, REVEAL, Act, acts
from camelodds.game.description import no_camera_because
from camelodds.game.state import NOBODY, PARTNERS_FROM, State
from camelodds.position import bits
from camelodds.position.board import Board
from camelodds.rules import SUPPORT

Judge = Callable[[Any], str | None]


def judged(state: State, player: int) -> Iterator[tuple[Act, str | None]]:
    """Every act of a player while the leg goes on, and the rule that forbids it or None; extra steps apart."""
    judges: dict[str, Judge] = {}
    for act in acts(state, player):
        judge = judges.get(act.kind)
        if judge is None:
            judge = judges[act.kind] = _JUDGES[act.kind](state, player)
        yield act, judge(act.item)


def legal_acts(state: State, player: int) -> list[Act]:
    """What a player may do while the leg goes on; extra steps and cards face down apart."""
    return [act for act, rule in judged(state, player) if rule is None]


def rule_against(state: State, player: int, act: Act) -> str | None:
    """The rule that forbids an act, the extra step after it apart, or None."""
    return _JUDGES[act.kind](state, player)(act.item)


def rule_against_support(state: State, player: int, colour: str) -> str | None:
    """What keeps a player from putting a support die in after an act (section 8, module 1, spicy), or None."""
    board = state.board
    if not state.holdings[player].pyramid:
        return "no pyramid ticket to give back"
    if board.leg_over:
        return "the last pyramid ticket was just taken"
    if board.pyramid & support_die(board, colour):
        return f"{colour}'s support die is in the pyramid"
    if colour in state.used_support:
        return f"{colour}'s support die was used in this leg"
    if board.ranking[0] == colour:
        return f"{colour} is the leader"
    return None


def support_colours(state: State, player: int) -> list[str]:
    """The colours of the support dice that a player may put in after an act; none where the rules are not spicy."""
    if not state.rules.spicy:
        return []
    return [colour for colour in state.rules.racing if not rule_against_support(state, player, colour)]


def support_die(board: Board, colour: str) -> int:
    """The bit of a support die in a set of dice."""
    return 1 << SUPPORT + board.rules.racing.index(colour)


def no_tile_because(board: Board, space: int, owner: str | None, camera: int | None) -> str | None:
    """The rule that keeps a player from placing a tile on a space (docs/rules.md, section 6), or None.

    owner : the player, None for somebody without a tile on the board     camera : the space of the camera
    """
    if space == 1:
        return "no tile on space 1"
    if bits.stands(board.word, board.rules) >> space & 1:
        return f"camels stand on space {space}"
    if space == camera:
        return f"the camera stands on space {space}"
    for tile in board.tiles:
        whose = f"{tile.owner}'s tile" if tile.owner else "a tile"
        if owner is not None and tile.owner == owner:
            if tile.space == space:
                return "a tile moves to a different space"
        elif tile.space == space:
            return f"{whose} lies on space {space}"
        elif abs(tile.space - space) == 1:
            return f"{whose} lies next to it, on space {tile.space}"
    return None


def tile_spaces(board: Board, owner: str | None, camera: int | None) -> int:
    """The spaces, as bits, on which `no_tile_because` has nothing against a tile."""
    own = sum([1 << tile.space for tile in board.tiles if owner is not None and tile.owner == owner])
    stands, others = bits.stands(board.word, board.rules), (board.cheering | board.booing) & ~own
    free = bits.tile_spaces(stands, others, board.rules.track) & ~own
    return free if camera is None else free & ~(1 << camera)


def _reveal(state: State, player: int) -> Judge:
    return lambda item: None


def _ticket(state: State, player: int) -> Judge:
    stacks = state.stacks

    def judge(ticket: str) -> str | None:
        left, value = stacks[ticket[0]], int(ticket[1:])
        if value not in left:
            return f"{ticket} is taken"
        return None if value == left[0] else f"{ticket} is under {ticket[0]}{left[0]}"

    return judge


def _tile(state: State, player: int) -> Judge:
    board, name = state.board, state.names[player]
    camera = state.camera[0] if state.camera else None
    free = tile_spaces(board, name, camera)
    return lambda tile: None if free >> abs(tile) & 1 else no_tile_because(board, abs(tile), name, camera)


def _card(state: State, player: int) -> Judge:
    name, placed = state.names[player], state.cards_of(player)
    none_left = f"{name} has placed all {len(placed)} cards" if len(placed) >= len(state.rules.racing) else None

    def judge(colour: str) -> str | None:
        if colour != FACE_DOWN and colour in placed:
            return f"{name} has placed the card of {colour}"
        return none_left

    return judge


def _camera(state: State, player: int) -> Judge:
    def judge(space: int) -> str | None:
        if state.camera and state.camera[1] != player:
            return f"{state.names[state.camera[1]]} is the photographer"
        if state.camera and state.camera[0] == space:
            return "the camera moves to a different space"
        return no_camera_because(state.board, space)

    return judge


def _position(state: State, player: int) -> Judge:
    holding, stacks = state.holdings[player], state.stacks
    covered = [ticket for _, ticket in holding.positions]
    used = {place: state.names[who] for who, held in enumerate(state.holdings) for place, _ in held.positions}

    def judge(item: tuple[int, str]) -> str | None:
        place, ticket = item
        if place in used:
            return f"position tile {place} lies on a ticket of {used[place]}"
        if ticket.startswith(BOTTOM):
            return None if stacks[ticket[-1]] else f"no ticket of {ticket[-1]} is left"
        return f"{ticket} is covered" if covered.count(ticket) == holding.tickets.count(ticket) else None

    return judge


def _partner(state: State, player: int) -> Judge:
    def judge(name: str) -> str | None:
        other = state.names.index(name)
        if other == player:
            return "nobody can be their own partner"
        if len(state.names) < PARTNERS_FROM:
            return f"partnerships need {PARTNERS_FROM} players or more"
        if state.partner[player] != NOBODY:
            return f"{state.names[player]} has a partner"
        return f"{name} has a partner" if state.partner[other] != NOBODY else None

    return judge


_JUDGES: Final[dict[str, Callable[[State, int], Judge]]] = {
    REVEAL.kind: _reveal,
    "ticket": _ticket,
    "tile": _tile,
    "winner": _card,
    "loser": _card,
    "camera": _camera,
    "position": _position,
    "partner": _partner,
}
