"""Answers in plain sentences: why an action is worth what it is worth, what a roll did, how things stand."""

from __future__ import annotations

from camelodds.ev.turn import Action
from camelodds.position.board import Board, Move
from camelodds.show.palette import spoken
from camelodds.show.table import ordinal


def label(action: str) -> str:
    """An action's name as people say it, such as "Take red 5" for "ticket r5"."""
    plain, _, support = action.partition(" + support")
    kind, *words = plain.split()
    also = f", add {spoken(support.strip())}'s support die" if support.strip() else ", add a support die if it pays"
    return _label(kind, words) + (also if "+ support" in action else "")


def why(row: Action) -> str:
    """One sentence on what an action's own item pays."""
    kind, *words = row.action.partition(" + support")[0].split()
    chance, best = float(row.p_gain or 0), row.best or 0
    if kind == "reveal":
        return "The pyramid ticket pays 1, whatever the die shows."
    if kind == "tile":
        often = f", up to {best} times" if best > 1 else ""
        return f"Camels land on it in {out_of(chance)} endings{often}." if chance else "No camel can land on it."
    if kind == "camera":
        return f"There is a photo in {out_of(chance)} endings, of up to {best} camels." if chance else "No photo."
    if kind in ("winner", "loser"):
        does = "wins" if kind == "winner" else "is last"
        pays = f"pays up to {best}, else costs 1" if best > 0 else "it costs 1"
        return f"{_name(words[0])} {does} in {out_of(chance)} races; {pays}."
    if kind == "partner":
        return f"A copy of {words[0]}'s best reward pays in {out_of(chance)} endings, up to {best}."
    if chance in (0, 1):
        return "Every ending pays." if chance else "No ending pays; it costs 1."
    return f"{out_of(chance).capitalize()} endings pay, up to {best}; the others cost 1."


def out_of(chance: float) -> str:
    """A probability as people say it: "8 of 10", "3 of 100", "all", "no"."""
    if chance <= 0:
        return "no"
    if chance >= 1:
        return "all"
    for whole in (10, 100, 1000):
        parts = round(chance * whole)
        if 0 < parts < whole and abs(parts / whole - chance) <= 0.1 * min(chance, 1 - chance):
            return f"{parts} of {whole}"
    return "nearly no" if chance < 0.5 else "nearly all"


def rolled(die: str, number: int, move: Move) -> str:
    """What a roll did."""
    riders = len(move.unit) - 1
    said = f"{_die(die)} shows {number}: {spoken(move.unit[0])}{f' with {riders} on top' if riders else ''}"
    if move.tile:
        pays = f", which pays {move.tile.owner} 1," if move.tile.owner else ""
        said += f" lands on the {'+1' if move.tile.side > 0 else '-1'} tile on {move.tile.space}{pays} and"
    return f"{said} crosses the line. {stands(move.board)}" if move.space is None else f"{said} moves to {move.space}."


def stands(board: Board) -> str:
    """How the leg or the race stands."""
    ranking = board.ranking
    if board.race_over:
        return f"The race is over: {spoken(ranking[0])} wins, {spoken(ranking[-1])} comes last."
    if board.leg_over:
        second = f", {spoken(ranking[1])} is second" if len(ranking) > 1 else ""
        return f"The leg is over: {spoken(ranking[0])} is first{second}."
    return f"{board.reveals} reveal{'s' if board.reveals > 1 else ''} left."


def _label(kind: str, words: list[str]) -> str:
    if kind == "reveal":
        return "Reveal a die"
    if kind == "ticket":
        return f"Take {spoken(words[0][0])} {words[0][1:]}"
    if kind == "tile":
        return f"Tile {'+1' if words[0][0] == '+' else '-1'} on {words[0][1:]}"
    if kind in ("winner", "loser"):
        return f"Bet {spoken(words[0])} {'wins' if kind == 'winner' else 'is last'}"
    if kind == "camera":
        return f"Camera on {words[0]}"
    if kind == "partner":
        return f"Partner with {words[0]}"
    ticket = f"bottom {spoken(words[3])} ticket" if words[2] == "bottom" else f"{spoken(words[2][0])} {words[2][1:]}"
    return f"{ordinal(int(words[0]))}-place tile on the {ticket}"


def _die(die: str) -> str:
    if die in ("white", "black"):
        return f"The grey die in {die}"
    return f"The {spoken(die[0])} {'support ' if die.endswith('+') else ''}die"


def _name(letter: str) -> str:
    return spoken(letter).capitalize()
