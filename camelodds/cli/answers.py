"""What the commands that answer do: odds, race, actions, ticket. They show answers and know none themselves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from camelodds.cli.given import given_board, given_game, given_rules
from camelodds.cli.output import print_csv, print_json, say_when_compiling
from camelodds.errors import GameError

if TYPE_CHECKING:
    from camelodds.odds.leg import LegOdds
    from camelodds.odds.race import RaceOdds
    from camelodds.odds.race_course import Course
    from camelodds.position.board import Board
    from camelodds.rules import Rules

Options = argparse.Namespace

ACTION_COLUMNS: Final = (
    "action", "kind", "ev", "sd", "p_gain", "worst", "best", "others", "reply", "error", "lead", "rule"
)  # fmt: skip
AHEAD_COLUMNS: Final = ("ahead", "ahead_others")


def odds(options: Options) -> int:
    """Odds of the leg; in a table also those of the race, where they take no time."""
    from camelodds.odds.leg import leg_odds

    rules, known = given_rules(options), None
    say_when_compiling()
    leg: LegOdds
    if options.partly:
        from camelodds.odds.partly import leg_odds_of

        leg = known = leg_odds_of(options.board, rules)
    else:
        leg = leg_odds(given_board(options.board, rules))
    board, rules = leg.board, leg.board.rules
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
        print_json(
            edition=board.edition,
            board=known.known.text if known else str(board),
            total=leg.total,
            race_ends=number(leg.race_ends),
            camels=camels,
            landings=landings,
        )
    elif options.csv:
        rows = ([camel, *map(number, [*chances[camel], values[camel]])] for camel in rules.racing)
        print_csv(["camel", *(f"p{place}" for place in places), "ticket_ev"], rows)
    else:
        from camelodds.show.terminal import show

        table = leg.table(options.exact)
        with_tickets = [(camel, [*row, number(values[camel])]) for camel, row in table.rows]
        columns = [*table.columns, (f"ticket {rules.tickets[0]}", "pounds")]
        show(replace(table, columns=columns, rows=with_tickets))
        if known is None and (found := race_at_hand(board)):
            show(replace(found.table(), title="\nThe race"))
    return 0


def race(options: Options) -> int:
    """Odds of the race, by its table or by simulation."""
    from camelodds.odds.race import race_odds
    from camelodds.show.terminal import show

    board = given_board(options.board, given_rules(options))
    say_when_compiling()
    if options.build:
        _build_unless_there(board.edition, board)
    found = race_odds(board, games=options.games, stderr=options.stderr, seed=options.seed)
    pairs = dict(zip(board.rules.racing, zip(found.wins.tolist(), found.losses.tolist(), strict=True), strict=True))
    if options.json:
        print_json(
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
        print_csv(["camel", "wins", "last"], ([camel, *pair] for camel, pair in pairs.items()))
    else:
        show(found.table())
    return 0


def actions(options: Options) -> int:
    """What every action is worth."""
    from camelodds.ev.actions import action_table, actions_table
    from camelodds.show.terminal import show

    game = given_game(options, given_rules(options))
    say_when_compiling()
    rows = action_table(
        game,
        options.player,
        prior=options.prior,
        floor=options.floor,
        support=options.support,
        legal=not options.all,
        exact=options.exact,
        ahead=options.ahead,
    )
    number: Callable[[Any], Any] = lambda value: str(value) if isinstance(value, Fraction) else value  # noqa: E731
    columns = [*ACTION_COLUMNS, *(AHEAD_COLUMNS if options.ahead else ())]
    if options.json:
        listed = [{name: number(getattr(row, name)) for name in columns} for row in rows]
        print_json(edition=game.board.edition, game=str(game), actions=listed)
    elif options.csv:
        print_csv(columns, ([number(getattr(row, name)) for name in columns] for row in rows))
    else:
        show(actions_table(str(game), rows, every_tile=options.all or options.all_tiles, exact=options.exact))
    return 0


def ticket(options: Options) -> int:
    """Whether a leg ticket pays, and whether it beats a reveal."""
    from camelodds.cli.given import read_game
    from camelodds.game.payoffs import ticket_pays
    from camelodds.odds.leg import leg_odds
    from camelodds.rules import COLOURS

    rules = given_rules(options)
    left = None
    if "|" in options.board or options.board.lstrip().startswith("{"):
        game = read_game(options.board, rules)
        board, left = game.board, game.stacks
    else:
        board = given_board(options.board, rules)
    colour, value = _ticket(board.rules, "".join("".join(options.ticket).split()), left)
    say_when_compiling()
    ev = leg_odds(board).mean(ticket_pays(board.rules.racing, f"{colour}{value}"))
    if options.json:
        print_json(
            edition=board.edition,
            board=str(board),
            ticket=f"{colour}{value}",
            ev=str(ev) if options.exact else float(ev),
            pays=ev > 0,
            beats_reveal=ev > 1,
        )
        return 0
    pays = "it pays" if ev > 0 else "it does not pay"
    beats = "beats" if ev > 1 else "does not beat"
    shown = str(ev) if options.exact else f"{float(ev):+.4f}"
    print(f"ticket {colour}{value} ({COLOURS.get(colour, colour)}): {shown}; {pays}, and {beats} a reveal (+1)")
    return 0


def _ticket(rules: Rules, text: str, left: dict[str, tuple[int, ...]] | None) -> tuple[str, int]:
    """The colour and value that a ticket's name means, such as "g3", "G3", "green5" or "g" for the top one.

    left : the values on each stack where a game is known, else any ticket that is printed is good
    """
    from camelodds.cli.words import colour_of

    word = text.rstrip("0123456789")
    colour, digits = colour_of(rules, word), text[len(word) :]
    values = {str(value): value for value in rules.tickets}
    if colour not in rules.racing or len(colour) != 1 or (digits and digits not in values):
        shown = " ".join(dict.fromkeys(values))
        raise GameError(
            f"no ticket is called {text!r}: expected a colour of {' '.join(rules.racing)} and one of {shown}"
        )
    stack = rules.tickets if left is None else left[colour]
    if not stack:
        raise GameError(f"no ticket of {colour} is left")
    value = values[digits] if digits else stack[0]
    if left is not None and value != stack[0]:
        taken = f"is under {colour}{stack[0]}" if value in stack else "is taken"
        raise GameError(f"ticket {colour}{value} {taken}")
    return colour, value


def race_at_hand(board: Board) -> RaceOdds | None:
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
        build_table_of(course, edition)


def build_table_of(course: Course, edition: str) -> None:
    """Build the table of an edition's races, with a bar on standard error."""
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
