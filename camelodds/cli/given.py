"""What was given on the command line: rules, boards and games, from texts, files and standard input."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from camelodds.errors import GameError, RulesError
from camelodds.position.board import Board
from camelodds.rules import MODULES, Rules, rules_of

if TYPE_CHECKING:
    from camelodds.game.game import Game
    from camelodds.play.history import History

Options = argparse.Namespace

EXAMPLE: Final = "1:rb 2:g 3:yp 14:K 15:W"
MOST_LETTERS: Final = 1_000_000
"""Of a game that is read, its whole record included."""


def given_rules(options: Options) -> Rules:
    """The edition that was asked for, with its modules and spicy if that was.

    Raises
    ------
    RulesError
        For an edition, a module or a spice that there is not.
    """
    rules = rules_of(options.edition)
    if options.modules is not None:
        rules = with_modules(rules, options.modules)
    if not options.spicy:
        return rules
    if not rules.support:
        raise RulesError(f"--spicy: edition {rules.name} has no support dice: expected supercup or supercup-second")
    return rules.as_spicy()


def with_modules(rules: Rules, text: str) -> Rules:
    """An edition with these modules of the Supercup and no others (docs/rules.md, section 8).

    Parameters
    ----------
    rules : Rules
        The edition: first, second, or one of the Supercup's.
    text : str
        Names of modules between commas, or "none".

    Raises
    ------
    RulesError
        For a module that there is not.
    """
    names = {name.strip() for name in text.split(",")} - {"", "none"}
    if unknown := sorted(names - MODULES):
        raise RulesError(f"--modules: no module is called {unknown[0]!r}: expected {', '.join(sorted(MODULES))}")
    base = rules_of("second" if rules.crazy else "first")
    return base.with_modules(*(names | base.modules))


def given_board(text: str, rules: Rules) -> Board:
    """The board of a text: a position, or a whole game of which the rest is not looked at.

    Raises
    ------
    NotationError, RulesError, GameError
        For what is neither.
    """
    if "|" in text or text.lstrip().startswith("{"):
        return read_game(text, rules).board
    return Board.parse(text, rules)


def given_game(options: Options, rules: Rules) -> Game:
    """The game that was given as a file, as "-" for standard input, or as a text, and hints at what looks odd in it.

    Raises
    ------
    GameError, NotationError, RulesError
        For what is no game.
    """
    game = given_history(options.game, rules).game
    hint(game)
    return game


def given_history(given: str, rules: Rules) -> History:
    """The record of a game: of one that `play` saved, or one that begins with the game that was given.

    Raises
    ------
    GameError, NotationError, RulesError
        For what is no game.
    """
    from camelodds.play.history import History

    text = given_text(given).strip()
    if not text:
        raise GameError(f'no game there: expected a file, "-" or a text such as "{EXAMPLE} | ana | ben | to_move ana"')
    if not text.startswith("{"):
        return History(read_game(text, rules))
    if "\n{" in text:
        history = History.from_json_lines(text)
        _same_spice(history.game, rules)
        return history
    return History(read_game(text, rules))


def read_game(text: str, rules: Rules) -> Game:
    """The game of a text or of JSON.

    Raises
    ------
    GameError, NotationError, RulesError
        For what is no game.
    """
    from camelodds.game.game import Game

    if not text.lstrip().startswith("{"):
        return Game.parse(" ".join(text.split("\n")), rules)
    game = Game.from_json(text)
    _same_spice(game, rules)
    return game


def hint(game: Game) -> None:
    """Say on standard error what looks odd in a game that was described: that may be partial, a played one is not."""
    for line in odd_in(game):
        print(f"camelodds: {line}; a described game may be partial, a played one not", file=sys.stderr)


def odd_in(game: Game) -> list[str]:
    """What a game that is played cannot have, though one that is described may.

    Returns
    -------
    list of str
        A line for each.
    """
    from camelodds.game.state import dice_revealed

    state = game.state
    if not state.names:
        return []
    found = []
    revealed = dice_revealed(state.board)
    held = sum(holding.pyramid for holding in state.holdings)
    if held < revealed and not state.rules.spicy and not state.board.race_over:
        dice = "1 die is out" if revealed == 1 else f"{revealed} dice are out"
        tickets = {0: "no pyramid ticket is", 1: "1 pyramid ticket is"}.get(held, f"{held} pyramid tickets are")
        found.append(f"{dice}, but {tickets} held")
    fewest = state.rules.players[0]
    if 1 < len(state.names) < fewest:
        found.append(f"{len(state.names)} players, but edition {state.rules.name} is for {fewest} or more")
    return found


def standard_input() -> TextIO:
    """Standard input. Raises OSError if it is closed."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin


def _same_spice(game: Game, rules: Rules) -> None:
    if rules.spicy and not game.rules.spicy:
        raise GameError(f"--spicy: the game names rules of its own, edition {game.rules.name}")


def given_text(given: str) -> str:
    """What was given, or what is in the file that it names. Raises GameError."""
    if not given.strip() or any(mark in given for mark in ":|{"):
        return given
    name = "standard input" if given == "-" else given
    source = nullcontext(standard_input()) if given == "-" else None
    try:
        with source or Path(given).open(encoding="utf-8") as file:
            text = file.read(MOST_LETTERS + 1)
    except UnicodeDecodeError:
        raise GameError(f"{name} is no game: it is no text in UTF-8") from None
    except IsADirectoryError:
        raise GameError(f"{name} is a folder: expected a file with a game") from None
    except FileNotFoundError:
        raise GameError(f"{name} is neither a game nor a file") from None
    except OSError as error:
        raise GameError(f"{name} cannot be read: {error.strerror or error}") from None
    if len(text) > MOST_LETTERS:
        raise GameError(f"{name} is larger than any game: {MOST_LETTERS:,} letters at most")
    return text
