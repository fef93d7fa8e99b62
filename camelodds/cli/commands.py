"""What the commands that make, check and serve do. Those that answer a question are in `answers`."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from camelodds.cli.given import EXAMPLE, given_history, given_rules, given_text, hint, standard_input
from camelodds.cli.output import print_json, say_when_compiling
from camelodds.errors import GameError
from camelodds.rules import EDITIONS, rules_of

if TYPE_CHECKING:
    pass

Options = argparse.Namespace


def race_table(options: Options) -> int:
    """Build, describe, verify or remove the table of an edition."""
    from camelodds.odds.race_course import Course
    from camelodds.odds.race_table import megabytes, remove_table, solved_on_use, table_at_hand, table_path

    course = Course.of(rules_of(options.edition))
    path = table_path(course)
    size = f"{course.starts:,} leg starts, {megabytes(course.table_bytes)}"
    if not course.solvable:
        print(f"edition {options.edition}: no table is made for support dice together with crazy camels ({size});")
        print("its races are simulated")
        return 0
    if solved_on_use(course):
        print(f"edition {options.edition}: solved in memory when it is asked for ({size}), nothing is kept")
        return 0
    if options.what == "build":
        from camelodds.cli.answers import build_table_of

        build_table_of(course, options.edition)
        return 0
    if options.what == "remove":
        print(f"{'removed' if remove_table(course) else 'there was none'}: {path}")
        return 0
    table = table_at_hand(course)
    if table is None:
        print(f"edition {options.edition}: no table yet ({size}); make it with `camelodds race-table build`")
        return int(options.what == "verify")
    if options.what == "verify":
        table.verify()
    print(f"edition {options.edition}: {path} ({size})")
    print(f"every value within {table.error:.1e} of the exact one" + ("; sound" if options.what == "verify" else ""))
    return 0


def play(options: Options) -> int:
    """Follow a game by short commands."""
    from camelodds.cli.companion import run
    from camelodds.cli.keeping import Keeper

    rules = given_rules(options)
    if options.resume and options.game is not None:
        raise GameError("--resume goes on with the game that was kept: leave the other one out")
    lines = standard_input()
    history = None if options.game is None else given_history(options.game, rules)
    if history:
        hint(history.game)
    at_terminal = lines.isatty()
    keeper = Keeper.of_user() if at_terminal or options.resume else None
    say_when_compiling()
    return run(lines, sys.stdout, history, "> " if at_terminal else "", rules, keeper, options.resume)


MOST_PORT = 65_535


def serve(options: Options) -> int:
    """Serve the page until interrupted."""
    try:
        from camelodds.web.server import serve as run
    except ModuleNotFoundError as error:
        raise ImportError(f'the page needs {error.name}: pip install "camelodds[web]"') from None

    say_when_compiling()
    if not 0 <= options.port <= MOST_PORT:
        raise GameError(f"--port {options.port}: a port is a number from 0 to {MOST_PORT}")
    run(options.host, options.port, options.tables)
    return 0


def tournament(options: Options) -> int:
    """Let bots play and show how they did."""
    from camelodds.play.tournament import tournament as hold
    from camelodds.show.terminal import show

    rules = rules_of(options.edition)
    say_when_compiling()
    result = hold(options.bots, options.games, options.seed, edition=rules, workers=options.workers, progress=True)
    if options.json:
        print_json(**asdict(result))
    else:
        show(result.table())
    return 0


def big_top(options: Options) -> int:
    """Under the Big Top, a game of its own: everything about a state."""
    from camelodds.big_top.command import document, read_state, read_then
    from camelodds.show.terminal import show

    words = any(mark in options.state for mark in " |{=") and not os.path.isfile(options.state)
    state = read_state(options.state if words else given_text(options.state))
    then = read_then(options.then, state)
    if options.json:
        print_json(**document(state, options.exact, then))
        return 0
    for index, table in enumerate(state.tables(options.exact, then)):
        show(replace(table, title="\n" * (index > 0) + table.title))
    return 0


def perft(options: Options) -> int:
    """Check the core against a file."""
    from camelodds.perft import check_file

    say_when_compiling()
    checked, difference = check_file(options.file)
    if difference:
        print(difference)
        return 1
    print(f"{checked} positions, no difference")
    return 0


def warmup(options: Options) -> int:
    """Compile what the other commands need, so that none of them has to."""
    from camelodds.cli.answers import race_at_hand
    from camelodds.ev.actions import action_table
    from camelodds.game.game import Game
    from camelodds.odds.leg import leg_odds
    from camelodds.odds.race import race_odds, simulated_race

    say_when_compiling()
    held = " | ana r5 | ben | cem | winner ben=? ana=r | to_move ana"
    second = Game.parse(f"{EXAMPLE} +5@ana / rg#{held}")
    leg = leg_odds(second.board)
    leg.board.roll("r", 1)
    leg.photo(8)
    simulated_race(second.board, games=1)
    race_at_hand(second.board)
    race_odds("1:bg 2:wy 3:o / bg", "first")
    for edition in ("first", "supercup"):
        cards = held.replace("r5", "b5").replace("ana=r", "ana=b")
        action_table(Game.parse(f"1:bg 2:wy 3:o / bg{cards}", edition), support=EDITIONS[edition].spicy)
    if race_at_hand(second.board):
        action_table(second)
    print("ready")
    return 0
