"""The command line: `camelodds odds`, `perft`, `warmup`. It shows answers and knows none itself."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from camelodds import __version__
from camelodds.board import Board
from camelodds.rules import EDITIONS

EXAMPLE = "1:rb 2:g 3:yp 14:K 15:W"
ODDS_KEYS = """\
keys of --json:
  edition, board   the rules and the position in the notation
  total            ways to draw and roll the dice that are left
  race_ends        chance that the race ends in this leg
  camels           by letter: places, chances of 1st, 2nd, ...; ticket_ev, what the top leg ticket is worth in pounds
                   while none of its colour is taken
  landings         by space of each tile: expected landings, what it brings its owner in pounds
columns of --csv: camel, p1, p2, ..., ticket_ev
Chances are floats; with --exact they are fractions such as "1/3".
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command: 0 if all went well, 1 where a check failed, 2 for bad input, 130 when interrupted."""
    options = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        status = run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError) as error:
        print(f"camelodds: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="camelodds", description="Exact odds for the board game Camel Up: does this bet pay?"
    )
    parser.add_argument("--version", action="version", version=f"camelodds {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    odds = commands.add_parser(
        "odds",
        help="odds of a leg",
        description="Exact odds of the rest of the leg.",
        epilog=ODDS_KEYS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _position(odds)
    form = odds.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON document")
    form.add_argument("--csv", action="store_true", help="print comma-separated values")
    odds.add_argument("--exact", action="store_true", help="fractions instead of rounded numbers")
    odds.set_defaults(run=_odds)

    perft = commands.add_parser(
        "perft",
        help="check the core against a file of known counts",
        description="Check every position of a perft file; print the first difference and its divide.",
    )
    perft.add_argument("file", help="JSON lines as in tests/perft")
    perft.set_defaults(run=_perft)

    warmup = commands.add_parser(
        "warmup",
        help="compile the core now",
        description="Compile all kernels and keep them, so that the first question is answered at once.",
    )
    warmup.set_defaults(run=_warmup)
    return parser


def _position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", help=f'a position, stacks bottom to top, such as "{EXAMPLE} +5 -9 / rgyp#"')
    parser.add_argument(
        "-e",
        "--edition",
        default="second",
        metavar="EDITION",
        help=f"{', '.join(EDITIONS)} (default: second)",
    )


def _odds(options: argparse.Namespace) -> int:
    from camelodds.bets import ticket_pays
    from camelodds.leg import leg_odds

    board = Board.parse(options.board, options.edition)
    _say_when_compiling()
    leg = leg_odds(board)
    rules = board.rules
    places = range(1, len(rules.racing) + 1)
    chances = {camel: [leg.p(camel, place) for place in places] for camel in rules.racing}
    values = {camel: leg.mean(ticket_pays(rules.racing, f"{camel}{rules.tickets[0]}")) for camel in rules.racing}
    number: Callable[[Fraction], Any] = str if options.exact else float
    if options.json:
        document = {
            "edition": board.edition,
            "board": str(board),
            "total": leg.total,
            "race_ends": number(leg.race_ends),
            "camels": {
                camel: {"places": [number(p) for p in chances[camel]], "ticket_ev": number(values[camel])}
                for camel in rules.racing
            },
            "landings": {str(tile.space): number(leg.landing(tile.space)) for tile in board.tiles},
        }
        print(json.dumps(document, indent=2))
    elif options.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["camel", *(f"p{place}" for place in places), "ticket_ev"])
        for camel in rules.racing:
            writer.writerow([camel, *(number(p) for p in chances[camel]), number(values[camel])])
    else:
        from camelodds.tables import of_leg
        from camelodds.terminal import show

        table = of_leg(leg, exact=options.exact)
        rows = [(camel, [*row, number(values[camel])]) for camel, row in table.rows]
        show(replace(table, columns=[*table.columns, (f"ticket {rules.tickets[0]}", "pounds")], rows=rows))
    return 0


def _perft(options: argparse.Namespace) -> int:
    from camelodds.perft import check_file

    _say_when_compiling()
    checked, difference = check_file(options.file)
    if difference:
        print(difference)
        return 1
    print(f"{checked} positions, no difference")
    return 0


def _warmup(options: argparse.Namespace) -> int:
    from camelodds.leg import leg_odds

    _say_when_compiling()
    leg = leg_odds(Board.parse(EXAMPLE))
    assert leg.ends
    leg.board.roll("r", 1)
    print("ready")
    return 0


def _say_when_compiling() -> None:
    """Have it said, once, when something is compiled: it takes seconds."""
    from camelodds.core import kernel

    def say(name: str) -> None:
        kernel.compiling = None
        print("camelodds: compiling, once on this machine; takes about ten seconds ...", file=sys.stderr, flush=True)

    kernel.compiling = say
