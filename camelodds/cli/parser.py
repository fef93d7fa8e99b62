"""The command line: what can be typed. What the commands do is in `commands`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from camelodds import __version__
from camelodds.cli import answers, commands, questions
from camelodds.cli.given import EXAMPLE
from camelodds.cli.help import (
    ACTION_KEYS,
    BIG_TOP,
    COMPARE_KEYS,
    GAME,
    ODDS_KEYS,
    PARTLY,
    RACE_KEYS,
    SPACES_KEYS,
    WIN_KEYS,
)
from camelodds.errors import GameError, RulesError, shortened
from camelodds.rules import EDITIONS, MODULES

LONGEST = 1000
"""Letters of a message on a mistake: it repeats what was given, of any length."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command: 0 if all went well, 1 where a check failed, 2 for bad input, 130 when interrupted."""
    if sys.stderr is None:  # closed; what is said there must not go to standard output instead
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    options = _parser().parse_args(arguments)
    if sys.stdout is None:
        print("camelodds: standard output is closed", file=sys.stderr)
        return 2
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        status = run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (GameError, RulesError) as error:
        print(f"camelodds: {shortened(str(error), LONGEST)}", file=sys.stderr)
        return 2
    except (ValueError, OSError, ImportError) as error:
        print(f"camelodds: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("camelodds: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="camelodds", description="Exact odds for the board game Camel Up: does this bet pay?"
    )
    parser.add_argument("--version", action="version", version=f"camelodds {__version__}")
    found = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add = _Commands(found)

    odds = add("odds", answers.odds, "odds of the leg, and of the race where its table is at hand", ODDS_KEYS)
    _board(odds)
    _forms(odds)
    _spicy(odds)
    odds.add_argument("--partly", action="store_true", help=PARTLY)
    odds.add_argument("--exact", action="store_true", help="fractions instead of rounded numbers")

    race = add("race", answers.race, "odds of the race: who wins it and who comes last", RACE_KEYS)
    _board(race)
    _spicy(race)
    _forms(race)
    race.add_argument("--build", action="store_true", help="build the table first if there is none: minutes, once")
    precision = race.add_mutually_exclusive_group()
    precision.add_argument("--games", type=int, metavar="N", help="races that a simulation plays")
    precision.add_argument("--stderr", type=float, metavar="E", help="standard error that a simulation must reach")
    race.add_argument("--seed", type=int, default=0, metavar="S", help="of a simulation (default: 0)")

    table = add("race-table", commands.race_table, "the table that makes race odds exact: build it once")
    table.add_argument("what", choices=["build", "status", "verify", "remove"])
    _edition(table)

    actions = add("actions", answers.actions, "what every action of a player is worth", ACTION_KEYS)
    actions.add_argument("game", help="a game: file, text or -")
    _edition(actions)
    _spicy(actions)
    _forms(actions)
    actions.add_argument("-p", "--player", metavar="NAME", help="whose actions (default: who is to move)")
    actions.add_argument("--prior", default="odds", choices=["odds", "none", "all"], help="of unknown finish cards")
    actions.add_argument("--floor", default="none", choices=["none", "zero"], help="whether money ends at zero")
    actions.add_argument("--support", action="store_true", help="spicy Supercup: also with each support die after it")
    actions.add_argument("--all", action="store_true", help="also what is not allowed, and the rule that forbids it")
    actions.add_argument(
        "--ahead",
        nargs="?",
        const="best",
        choices=["best", "greedy"],
        help="what each is worth when everybody plays on, as is best for them or greedily",
    )
    actions.add_argument("--all-tiles", action="store_true", help="also each tile on which nothing can land")
    actions.add_argument("--exact", action="store_true", help="fractions where no race odds take part")

    ticket = add("ticket", answers.ticket, "does this leg ticket pay?")
    ticket.add_argument(
        "ticket", nargs="+", help="colour and value, such as r5 or green 5; without a value the top one"
    )
    _board(ticket)
    _spicy(ticket)
    ticket.add_argument("--json", action="store_true", help="print a JSON document")
    ticket.add_argument("--exact", action="store_true", help="a fraction instead of a rounded number")

    spaces = add("spaces", questions.spaces, "where a camel ends the leg, and how far it moves", SPACES_KEYS)
    spaces.add_argument("camel", help="its letter, such as g, racing or crazy")
    _board(spaces)
    _spicy(spaces)
    _one_answer(spaces)
    spaces.add_argument("--moved", action="store_true", help="how many spaces it moves, instead of where it ends")

    compare = add("compare", questions.compare, "two actions side by side, by what the next reveal shows", COMPARE_KEYS)
    compare.add_argument("game", help="a game: file, text or -")
    compare.add_argument("first", help='an action, such as "tile +7"')
    compare.add_argument("second", help='another one, such as "ticket g3"')
    _edition(compare)
    _spicy(compare)
    _one_answer(compare)
    compare.add_argument("-p", "--player", metavar="NAME", help="whose actions (default: who is to move)")

    tree = add("tree", questions.tree, "the next reveals as a tree: how likely each is, and the odds from there")
    _board(tree)
    _spicy(tree)
    _one_answer(tree)
    tree.add_argument("--depth", type=int, default=1, metavar="N", help="reveals that are looked at (default: 1)")

    opening = add(
        "opening", questions.opening, "averages over all set-ups of an edition, and what is best to begin with"
    )
    _edition(opening)
    _spicy(opening)
    _one_answer(opening)
    opening.add_argument("--order", default="any", help="of camels on one space, such as rbgyp (default: any)")

    puzzle = add("puzzle", questions.puzzle, "a random position: guess the best action and see what that gives away")
    puzzle.add_argument("guess", nargs="?", help="an action (default: it is asked for)")
    _edition(puzzle)
    _spicy(puzzle)
    puzzle.add_argument("--seed", type=int, metavar="S", help="the same puzzle for the same seed (default: any)")
    puzzle.add_argument("--json", action="store_true", help="print a JSON document, with all answers")

    play = add("play", commands.play, "follow a game at the table by short commands; `help` lists them", GAME)
    play.add_argument("game", nargs="?", help="a game: file, text or - (default: none; `new` begins one)")
    _edition(play)
    _spicy(play)

    play.add_argument("--resume", action="store_true", help="go on with the game that was kept last")

    serve = add("serve", commands.serve, "the page for phones and laptops, in any browser")
    serve.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for all on this network (default: this machine)")
    serve.add_argument("--port", type=int, default=8017, help="default: 8017")
    serve.add_argument("--tables", type=Path, metavar="DIR", help="where shared games are kept (default: user data)")

    tournament = add("tournament", commands.tournament, "let bots play against each other, the same dice in every seat")
    tournament.add_argument("bots", nargs="+", metavar="BOT", help="one for each seat: random, greedy, cautious")
    tournament.add_argument("-n", "--games", type=int, default=100, metavar="N", help="at least so many (default: 100)")
    tournament.add_argument("--seed", type=int, default=0, metavar="S", help="of the dice and openings (default: 0)")
    tournament.add_argument("--workers", type=int, metavar="N", help="processes (default: one per processor)")
    tournament.add_argument("--json", action="store_true", help="print a JSON document")
    _edition(tournament, default="first")

    win = add("win", questions.win, "everyone's chance to win the game, played out by bots", WIN_KEYS)
    win.add_argument("game", help="a game: file, text or -")
    _edition(win)
    _spicy(win)
    win.add_argument("--bots", default="greedy", metavar="NAMES", help="one for all, or as ana=greedy,ben=cautious")
    win.add_argument("-n", "--games", type=int, default=200, metavar="N", help="with each action (default: 200)")
    win.add_argument("--seed", type=int, default=0, metavar="S", help="of dice and cards face down (default: 0)")
    win.add_argument("--action", action="append", metavar="NAME", help="a first act to compare; may be repeated")
    win.add_argument("--json", action="store_true", help="print a JSON document")

    big_top = add("big-top", commands.big_top, "Carcassonne, Under the Big Top: is this worth it?", BIG_TOP)
    big_top.add_argument("state", help="a state: text, JSON, file or -")
    big_top.add_argument(
        "--then",
        action="append",
        default=[],
        metavar="MEEPLES",
        help='at a further scoring, such as "ana=1 ben=2"; may be repeated',
    )
    big_top.add_argument("--exact", action="store_true", help="fractions instead of rounded numbers")
    big_top.add_argument("--json", action="store_true", help="print a JSON document")

    perft = add("perft", commands.perft, "check the core against a file of known counts")
    perft.add_argument("file", help="JSON lines as in tests/perft")

    add("warmup", commands.warmup, "compile the core now, so that the first question is answered at once")
    return parser


class _Commands:
    """Adds commands to a parser."""

    def __init__(self, found: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        self._found = found

    def __call__(
        self, name: str, run: Callable[[argparse.Namespace], int], purpose: str, epilog: str | None = None
    ) -> argparse.ArgumentParser:
        parser = self._found.add_parser(
            name,
            help=purpose,
            description=purpose[0].upper() + purpose[1:] + ("" if purpose.endswith("?") else "."),
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=run)
        return parser


def _board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", help=f'stacks bottom to top, such as "{EXAMPLE} +5 -9 / rgyp#"; or a game')
    _edition(parser)


def _edition(parser: argparse.ArgumentParser, default: str = "second") -> None:
    editions = f"{', '.join(EDITIONS)} (default: {default})"
    parser.add_argument("-e", "--edition", default=default, metavar="EDITION", help=editions)


def _one_answer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--exact", action="store_true", help="fractions instead of rounded numbers")
    parser.add_argument("--json", action="store_true", help="print a JSON document")


def _spicy(parser: argparse.ArgumentParser) -> None:
    names = "modules of the Supercup that are played: " + ",".join(sorted(MODULES))
    parser.add_argument("--modules", metavar="NAMES", help=names)
    parser.add_argument("--spicy", action="store_true", help="Supercup: a player may pay for one more support die")


def _forms(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON document")
    form.add_argument("--csv", action="store_true", help="print comma-separated values")
