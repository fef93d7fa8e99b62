"""Commands for questions that players ask besides odds and actions. They show answers and know none themselves."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from camelodds.cli.given import given_board, given_game, given_rules, standard_input
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


def compare(options: Options) -> int:
    """Two actions side by side."""
    from camelodds.ev.compare import compare as compared
    from camelodds.show.terminal import show

    game = given_game(options, given_rules(options))
    say_when_compiling()
    found = compared(game, options.first, options.second, options.player)
    if not options.json:
        show(found.table(options.exact))
        return 0
    number: Callable[[Any], Any] = str if options.exact else float
    values = ("chance", "first", "second", "difference")
    print_json(
        edition=game.board.edition,
        game=str(game),
        player=found.player,
        actions=list(found.actions),
        evs=list(map(number, found.evs)),
        difference=number(found.difference),
        first_is_better=number(found.first_is_better),
        second_is_better=number(found.second_is_better),
        rolls=[
            {"die": roll.die, "number": roll.number} | {name: number(getattr(roll, name)) for name in values}
            for roll in found.rolls
        ],
        error=found.error,
    )
    return 0


def tree(options: Options) -> int:
    """The next reveals as a tree."""
    from camelodds.odds.leg import leg_odds
    from camelodds.show.terminal import show

    board = given_board(options.board, given_rules(options))
    say_when_compiling()
    found = leg_odds(board).tree(options.depth)
    if not options.json:
        show(found.table(options.exact))
        return 0
    number: Callable[[Any], Any] = str if options.exact else float
    print_json(
        edition=board.edition,
        board=str(board),
        branches=[
            {
                "rolls": [[roll.shows, roll.number] for roll in branch.rolls],
                "chance": number(branch.chance),
                "board": str(branch.board),
                "first": {camel: number(chance) for camel, chance in branch.leg.firsts().items()},
            }
            for branch in found.branches
        ],
    )
    return 0


def opening(options: Options) -> int:
    """Averages over all set-ups."""
    from camelodds.ev.opening import opening_odds
    from camelodds.show.terminal import show

    say_when_compiling()
    found = opening_odds(given_rules(options), options.order)
    if not options.json:
        show(found.table(options.exact))
        return 0
    number: Callable[[Any], Any] = str if options.exact else float
    print_json(
        edition=found.known.rules.name,
        order=options.order,
        set_ups=len(found.known.boards),
        leg_by_start=[list(map(number, row)) for row in found.leg],
        race_by_start=None if found.race is None else found.race.tolist(),
        legs=found.legs,
        error=found.error,
        first_actions=[
            {"action": each.action, "share": number(each.share), "ev": number(each.ev)} for each in found.first_actions
        ],
    )
    return 0


def puzzle(options: Options) -> int:
    """A random position: guess the best action."""
    from random import randrange

    from camelodds.play.puzzle import puzzle as posed
    from camelodds.show.terminal import show

    say_when_compiling()
    seed = randrange(1_000_000) if options.seed is None else options.seed
    asked = posed(seed, given_rules(options))
    guess = " ".join((options.guess or "").split())
    if options.json:
        print_json(
            edition=asked.game.board.edition,
            seed=seed,
            game=str(asked.game),
            guess=guess or None,
            gives_away=float(asked.loss(guess)) if guess else None,
            answers=[{"action": each.action, "ev": float(each.ev or 0)} for each in asked.answers],
        )
        return 0
    if not guess:
        print(f"{asked}\nThe guess: ", end="", flush=True)
        guess = " ".join(standard_input().readline().split())
    asked.loss(guess or "nothing")
    show(asked.table(guess))
    print(f"The same again: --seed {seed}")
    return 0


def win(options: Options) -> int:
    """Everyone's chance to win the game."""
    from camelodds.play.win_chances import win_chances
    from camelodds.show.terminal import show

    game = given_game(options, given_rules(options))
    say_when_compiling()
    found = win_chances(
        game, _bots(options.bots), options.games, options.seed, options.action, progress=not options.json
    )
    if not options.json:
        show(found.table())
        return 0
    print_json(
        edition=game.board.edition,
        game=str(game),
        bots=dict(zip(found.players, found.bots, strict=True)),
        games=found.games,
        seed=found.seed,
        chances=[
            {name: None if value != value else value for name, value in row.items()}
            for row in found.frame.reset_index().to_dict("records")
        ],
    )
    return 0


def _bots(text: str) -> str | dict[str, str]:
    """The bots that were named: one for all, or by player."""
    if "=" not in text:
        return text.strip()
    pairs = [each.partition("=") for each in text.split(",")]
    return {name.strip(): bot.strip() for name, _, bot in pairs}
