"""The work that a request would make, estimated before it is done and refused where it is too much."""

from __future__ import annotations

from typing import Final

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.game.legal import legal_acts
from camelodds.game.step import acted
from camelodds.odds.policy import leg_moves
from camelodds.position.board import Board

LEG_MOVES: Final = 60_000_000
"""Merged moves that one leg may take: about two seconds."""
ACTION_MOVES: Final = 250_000_000
"""Merged moves that the legs after all actions may take together: about eight seconds."""


def check_leg(board: Board) -> None:
    """Refuse a leg that would take too long. Raises GameError."""
    if not board.leg_over:
        dice = board.pyramid.bit_count()
        _check(leg_moves(board.rules, dice), LEG_MOVES, dice, "the odds of this leg take")


def check_actions(game: Game, player: str | None) -> None:
    """Refuse a table of actions that would take too long. Raises GameError."""
    state, board = game.state, game.state.board
    if board.leg_over or not state.names:
        return
    number = state.names.index(player) if player in state.names else 0
    legs = {acted(state, number, act).board for act in legal_acts(state, number)}
    dice = board.pyramid.bit_count()
    rolls = 6 * dice
    moves = len(legs) * leg_moves(board.rules, dice) + rolls * leg_moves(board.rules, dice - 1)
    _check(moves, ACTION_MOVES, dice, "to find what every action is worth takes")


def _check(moves: int, most: int, dice: int, what: str) -> None:
    if moves > most:
        raise GameError(
            f"too much work for this server: with {dice} dice in the pyramid {what} about {moves / 1e6:,.0f} million "
            f"moves; it makes {most / 1e6:,.0f} million. The library has no such limit"
        )
