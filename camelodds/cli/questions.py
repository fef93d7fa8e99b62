"""Commands for questions that players ask besides odds and actions. They show answers and know none themselves."""

from __future__ import annotations

import argparse

from camelodds.cli.given import given_board, given_rules
from camelodds.cli.output import print_json, say_when_compiling

Options = argparse.Namespace


def spaces(options: Options) -> int:
    """Where a camel ends the leg, and how far it moves."""
    from camelodds.odds.leg import leg_odds
    from camelodds.show.terminal import show

    board = given_board(options.board, given_rules(options))
    say_when_compiling()
    leg = leg_odds(board)
    found = leg.moved(options.camel) if options.moved else leg.spaces(options.camel)
    if options.json:
        number = str if options.exact else float
        print_json(
            edition=leg.board.edition,
            board=str(leg.board),
            camel=options.camel,
            asks="moved" if options.moved else "space",
            mean=number(found.mean),
            variance=number(found.variance),
            chances={str(space): number(share) for space, share in found.items()},
        )
    else:
        show(found.table(options.exact))
    return 0
