"""What the commands of the command line do. They show answers and know none themselves."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from camelodds.errors import GameError, RulesError
from camelodds.position.board import Board
from camelodds.rules import Rules, rules_of

if TYPE_CHECKING:
    from camelodds.game.game import Game
    from camelodds.odds.race import RaceOdds
    from camelodds.odds.race_course import Course

Options = argparse.Namespace

EXAMPLE = "1:rb 2:g 3:yp 14:K 15:W"
ACTION_COLUMNS = ("action", "kind", "ev", "sd", "p_gain", "worst", "best", "others", "reply", "error", "rule")


def odds(options: Options) -> int:
    """Odds of the leg; in a table also those of the race, where they take no time."""
    from camelodds.odds.leg import leg_odds

    board = Board.parse(options.board, _rules(options))
    _say_when_compiling()
    leg = leg_odds(board)
    rules = board.rules
    places = range(1, len(rules.racing) + 1)
    chances = {camel: [leg.p(camel, place) for place in places] for camel in rules.racing}
    values = {camel: leg.ticket(camel) for camel in rules.racing}
    number: Callable[[Fraction], Any] = str if options.exact else float
    if options.json:
        camels = {
            camel: {"places": [number(p) for p in chances[camel]], "ticket_ev": number(values[camel])}
            for camel in rules.racing
        }
        landings = {str(tile.space): number(leg.landing(tile.space)) for tile in board.tiles}
        _print_json(
            edition=board.edition,
            board=str(board),
            total=leg.total,
            race_ends=number(leg.race_ends),
            camels=camels,
            landings=landings,
        )
    elif options.csv:
        rows = ([camel, *map(number, [*chances[camel], values[camel]])] for camel in rules.racing)
        _print_csv(["camel", *(f"p{place}" for place in places), "ticket_ev"], rows)
    else:
        from camelodds.show.terminal import show

        table = leg.table(options.exact)
        with_tickets = [(camel, [*row, number(values[camel])]) for camel, row in table.rows]
        columns = [*table.columns, (f"ticket {rules.tickets[0]}", "pounds")]
        show(replace(table, columns=columns, rows=with_tickets))
        if found := _race_at_hand(board):
            show(replace(found.table(), title="\nThe race"))
    return 0


def race(options: Options) -> int:
    """Odds of the race, by its table or by simulation."""
    from camelodds.odds.race import race_odds
    from camelodds.show.terminal import show

    board = Board.parse(options.board, _rules(options))
    _say_when_compiling()
    if options.build:
        _build_unless_there(board.edition, board)
    found = race_odds(board, games=options.games, stderr=options.stderr, seed=options.seed)
    pairs = dict(zip(board.rules.racing, zip(found.wins.tolist(), found.losses.tolist(), strict=True), strict=True))
    if options.json:
        _print_json(
            edition=board.edition,
            board=str(board),
            method=found.method,
            error=found.error,
            games=found.games,
            stderr=found.stderr,
            legs=found.legs,
            camels={camel: {"wins": wins, "last": last} for camel, (wins, last) in pairs.items()},
        )
    elif options.csv:
        _print_csv(["camel", "wins", "last"], ([camel, *pair] for camel, pair in pairs.items()))
    else:
        show(found.table())
    return 0


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
        _build(course, options.edition)
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


def actions(options: Options) -> int:
    """What every action is worth."""
    from camelodds.ev.actions import action_table, actions_table
    from camelodds.show.terminal import show

    game = _read_game(options)
    _say_when_compiling()
    rows = action_table(
        game,
        options.player,
        prior=options.prior,
        floor=options.floor,
        support=options.support,
        legal=not options.all,
        exact=options.exact,
    )
    number: Callable[[Any], Any] = lambda value: str(value) if isinstance(value, Fraction) else value  # noqa: E731
    if options.json:
        listed = [{name: number(getattr(row, name)) for name in ACTION_COLUMNS} for row in rows]
        _print_json(edition=game.board.edition, game=str(game), actions=listed)
    elif options.csv:
        _print_csv(ACTION_COLUMNS, ([number(getattr(row, name)) for name in ACTION_COLUMNS] for row in rows))
    else:
        show(actions_table(str(game), rows))
    return 0


def ticket(options: Options) -> int:
    """Whether a leg ticket pays, and whether it beats a reveal."""
    from camelodds.ev.actions import action
    from camelodds.game.game import Game
    from camelodds.game.player import Player
    from camelodds.rules import COLOURS

    board = Board.parse(options.board, options.edition)
    colour, value = options.ticket[:1], options.ticket[1:]
    worth = {str(each): each for each in board.rules.tickets}.get(value)
    better = [f"{colour}{other}" for other in board.rules.tickets if worth and other > worth]
    game = Game(board, {"you": Player()}, to_move="you", taken=better if colour in board.rules.racing else ())
    _say_when_compiling()
    ev = action(game, f"ticket {options.ticket}", exact=True).ev
    assert isinstance(ev, Fraction)
    pays = "it pays" if ev > 0 else "it does not pay"
    beats = "beats" if ev > 1 else "does not beat"
    shown = str(ev) if options.exact else f"{float(ev):+.4f}"
    print(f"ticket {options.ticket} ({COLOURS.get(colour, colour)}): {shown}; {pays}, and {beats} a reveal (+1)")
    return 0


def play(options: Options) -> int:
    """Follow a game by short commands."""
    from camelodds.cli.companion import run

    rules = _rules(options)
    game = None if options.game is None else _read_game(options)
    lines = _standard_input()
    _say_when_compiling()
    return run(lines, sys.stdout, game, "> " if lines.isatty() else "", rules)


def serve(options: Options) -> int:
    """Serve the page until interrupted."""
    try:
        from camelodds.web.server import serve as run
    except ModuleNotFoundError as error:
        raise ImportError(f'the page needs {error.name}: pip install "camelodds[web]"') from None

    _say_when_compiling()
    run(options.host, options.port)
    return 0


def tournament(options: Options) -> int:
    """Let bots play and show how they did."""
    from camelodds.play.tournament import tournament as hold
    from camelodds.show.terminal import show

    rules = rules_of(options.edition)
    _say_when_compiling()
    result = hold(options.bots, options.games, options.seed, edition=rules, workers=options.workers, progress=True)
    if options.json:
        _print_json(**asdict(result))
    else:
        show(result.table())
    return 0


def big_top(options: Options) -> int:
    """Under the Big Top, a game of its own: everything about a state."""
    from camelodds.big_top.command import document, read_state, read_then
    from camelodds.show.terminal import show

    words = any(mark in options.state for mark in " |{=") and not os.path.isfile(options.state)
    state = read_state(options.state if words else _game_text(options.state))
    then = read_then(options.then, state)
    if options.json:
        _print_json(**document(state, options.exact, then))
        return 0
    for index, table in enumerate(state.tables(options.exact, then)):
        show(replace(table, title="\n" * (index > 0) + table.title))
    return 0


def perft(options: Options) -> int:
    """Check the core against a file."""
    from camelodds.perft import check_file

    _say_when_compiling()
    checked, difference = check_file(options.file)
    if difference:
        print(difference)
        return 1
    print(f"{checked} positions, no difference")
    return 0


def warmup(options: Options) -> int:
    """Compile what the commands need."""
    from camelodds.ev.actions import action_table
    from camelodds.game.game import Game
    from camelodds.game.player import Player
    from camelodds.odds.leg import leg_odds
    from camelodds.odds.race import race_odds, simulated_race

    _say_when_compiling()
    board = Board.parse(EXAMPLE + " / rg#")
    leg_odds(board).board.roll("r", 1)
    simulated_race(board, games=1)
    _race_at_hand(board)
    first = Board.parse("1:bg 2:wy 3:o / bg", "first")
    race_odds(first)
    action_table(Game(first, {"ana": Player(), "ben": Player()}, to_move="ana"))
    print("ready")
    return 0


def _rules(options: Options) -> Rules:
    """The edition that was asked for, spicy if that was. Raises RulesError."""
    rules = rules_of(options.edition)
    if not options.spicy:
        return rules
    if not rules.support:
        raise RulesError(f"--spicy: edition {rules.name} has no support dice: expected supercup or supercup-second")
    return rules.as_spicy()


def _race_at_hand(board: Board) -> RaceOdds | None:
    """The exact odds of the race where they take no time: a table was built, or is small. Warns of one not usable."""
    from camelodds.odds.policy import race_is_quick
    from camelodds.odds.race import race_odds
    from camelodds.odds.race_table import TableError

    try:
        return race_odds(board) if race_is_quick(board) else None
    except TableError as error:
        print(f"camelodds: no odds of the race: {error}", file=sys.stderr)
        return None


def _build_unless_there(edition: str, board: Board) -> None:
    from camelodds.odds.race_course import Course
    from camelodds.odds.race_table import solved_on_use, table_at_hand

    course = Course.of(board.rules)
    if course.solvable and not solved_on_use(course) and table_at_hand(course) is None:
        _build(course, edition)


def _build(course: Course, edition: str) -> None:
    from camelodds.odds.race_table import build_table, megabytes
    from camelodds.progress import bar

    print(
        f"The race table of edition {edition}: {course.starts:,} leg starts. Building takes some minutes,\n"
        f"{megabytes(course.peak_bytes)} of memory, and {megabytes(course.table_bytes)} on disk; once.",
        file=sys.stderr,
    )
    with bar("solving") as tell:
        table = build_table(course, tell)
    print(f"{table.path}: every value within {table.error:.1e} of the exact one")


def _read_game(options: Options) -> Game:
    """A game from standard input, a file or the text itself; JSON or text. Raises GameError and what a game raises."""
    from camelodds.game.game import Game

    rules = _rules(options)
    text = _game_text(options.game).strip()
    if not text:
        raise GameError(f'no game there: expected a file, "-" or a text such as "{EXAMPLE} | ana | ben | to_move ana"')
    if not text.startswith("{"):
        return Game.parse(" ".join(text.split("\n")), rules)
    game = Game.from_json(text)
    if rules.spicy and not game.rules.spicy:
        raise GameError(f"--spicy: the game names rules of its own, edition {game.rules.name}")
    return game


def _game_text(given: str) -> str:
    """What was given, or what is in the file that it names. Raises GameError."""
    if not given.strip() or any(mark in given for mark in ":|{"):
        return given
    name = "standard input" if given == "-" else given
    source = nullcontext(_standard_input()) if given == "-" else None
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


MOST_LETTERS = 1_000_000
"""Of a game that is read."""


def _standard_input() -> TextIO:
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin


def _print_json(**document: Any) -> None:
    print(json.dumps(document, indent=2))


def _print_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)


def _say_when_compiling() -> None:
    """Have it said, once, when something is compiled: it takes seconds."""
    from camelodds.core import kernel

    def say(name: str) -> None:
        kernel.compiling = None
        print("camelodds: compiling, once on this machine; takes some ten seconds ...", file=sys.stderr, flush=True)

    kernel.compiling = say
