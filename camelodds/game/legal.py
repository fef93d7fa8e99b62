"""Every action that a player may think of, the rule that forbids it or what it leads to (docs/rules.md, 6 to 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from camelodds.ev.expectation import Situation
from camelodds.game.game import PARTNERS_FROM, no_camera_because, no_tile_because, ticket_stacks
from camelodds.game.payoffs import POSITION_PLACES, Holding
from camelodds.position.board import Board, Roll
from camelodds.rules import SUPPORT

KINDS: Final = ("reveal", "ticket", "tile", "winner", "loser", "camera", "position", "partner", "support")


class Choice(NamedTuple):
    """An action by name.

    item : the space, ticket, colour, place or player that it is about
    after : what it leads to, the leg yet to be rolled; None if it is not allowed     rule : what forbids it, or None
    """

    name: str
    kind: str
    item: tuple[str | int, ...]
    after: Situation | None
    rule: str | None = None


def choices(now: Situation, me: int) -> Iterator[Choice]:
    """Every action of a player in a situation in which the leg goes on, allowed or not, extra steps apart."""
    modules = now.board.rules.modules
    yield Choice("reveal", "reveal", (), _with_pyramid(now, me, 1))
    yield from _tickets(now, me)
    yield from _tiles(now, me)
    yield from _cards(now, me)
    if "photographer" in modules:
        yield from _cameras(now, me)
    if "positions" in modules:
        yield from _positions(now, me)
    if "partners" in modules:
        yield from _partners(now, me)


def support_steps(choice: Choice, me: int) -> Iterator[Choice]:
    """The action with each support die as the extra step after it (section 8, module 1, spicy); `reveal` apart."""
    for colour in choice.after.board.rules.racing if choice.after else "":
        assert choice.after is not None
        because = no_support_because(choice.after, me, colour)
        after = None if because else with_support(choice.after, me, colour)
        yield Choice(f"{choice.name} + support {colour}", "support", (*choice.item, colour), after, because)


def no_support_because(now: Situation, me: int, colour: str) -> str | None:
    """What keeps a player from putting a support die in after his action, or None."""
    if not now.holdings[me].pyramid:
        return "no pyramid ticket to give back"
    if now.board.leg_over:
        return "the last pyramid ticket was just taken"
    if now.board.pyramid & _support_bit(now.board, colour):
        return f"{colour}'s support die is in the pyramid"
    if colour in now.used_support:
        return f"{colour}'s support die was used in this leg"
    if now.board.ranking[0] == colour:
        return f"{colour} is the leader"
    return None


def with_support(now: Situation, me: int, colour: str) -> Situation:
    """The situation after a player has paid a pyramid ticket for a support die."""
    board = now.board
    more = Board(board.rules, board.word, board.pyramid | _support_bit(board, colour), board.tiles)
    return _with_pyramid(now, me, -1)._replace(board=more)


def with_any_support(now: Situation, me: int) -> list[Situation]:
    """The situations after each support die that a player may put in after his action."""
    colours = [colour for colour in now.board.rules.racing if not no_support_because(now, me, colour)]
    return [with_support(now, me, colour) for colour in colours]


def reveals(now: Situation, me: int) -> Iterator[tuple[int, Situation]]:
    """Each roll's weight, of 6 x dice in the pyramid, and what a player's reveal that goes so leads to."""
    for roll in now.board.rolls():
        yield roll.weight, revealed(now, me, roll)


def revealed(now: Situation, me: int, roll: Roll) -> Situation:
    """The situation after a reveal: its pyramid ticket, the tile's and the photo's money, the die out."""
    board, unit, space, tile = now.board.move(roll.shows if roll.die == "#" else roll.die, roll.number)
    after = _with_pyramid(now, me, 1)._replace(board=board)
    if tile and tile.owner in now.names:
        after = after.receives(now.names.index(tile.owner), 1)
    if now.camera and space == now.camera[0]:
        after = after.receives(now.camera[1], len(unit))._replace(camera=None)
    if roll.die.endswith("+"):
        after = after._replace(used_support=now.used_support | {roll.die[0]})
    return after


def stacks(now: Situation) -> dict[str, tuple[int, ...]]:
    """The leg tickets left by colour, best first."""
    return ticket_stacks(now.board.rules, (holding.tickets for holding in now.holdings), now.taken)


def misspelt(wanted: str, names: Sequence[str]) -> str:
    """What to say of an action that has none of these names."""
    close = get_close_matches(wanted, names, n=3, cutoff=0.5)
    kinds = list(dict.fromkeys(name.partition(" ")[0] for name in names))
    expected = f"did you mean {' or '.join(close)}?" if close else f"expected one that begins with {', '.join(kinds)}"
    if wanted.partition(" ")[0] in KINDS and wanted.partition(" ")[0] not in kinds:
        return f"no action {wanted!r} in this edition"
    return f"no action is called {wanted!r}: {expected}"


def _with_pyramid(now: Situation, me: int, more: int) -> Situation:
    holding = now.holdings[me]
    return now.holds(me, holding._replace(pyramid=holding.pyramid + more))


def _support_bit(board: Board, colour: str) -> int:
    return 1 << SUPPORT + board.rules.racing.index(colour)


def _tickets(now: Situation, me: int) -> Iterator[Choice]:
    holding = now.holdings[me]
    for colour, left in stacks(now).items():
        for value in sorted(set(now.board.rules.tickets), reverse=True):
            ticket = f"{colour}{value}"
            because = None
            if value not in left:
                because = f"{ticket} is taken"
            elif value != left[0]:
                because = f"{ticket} is under {colour}{left[0]}"
            after = None if because else now.holds(me, holding._replace(tickets=(*holding.tickets, ticket)))
            yield Choice(f"ticket {ticket}", "ticket", (ticket,), after, because)


def _tiles(now: Situation, me: int) -> Iterator[Choice]:
    name, board = now.names[me], now.board
    mine = next((tile for tile in board.tiles if tile.owner == name), None)
    stands = board.stacks
    rest = board.without_tile(mine.space) if mine else board
    for space in range(1, board.rules.track + 1):
        because = no_tile_because(board, stands, space, name, now.camera[0] if now.camera else None)
        for side in (1, -1):
            after = None if because else now._replace(board=rest.with_tile(side * space, owner=name))
            yield Choice(f"tile {side * space:+d}", "tile", (space,), after, because)


def _cards(now: Situation, me: int) -> Iterator[Choice]:
    name = now.names[me]
    placed = [colour for owner, colour in (*now.winner, *now.loser) if owner == name]
    none_left = f"{name} has placed all {len(placed)} cards" if len(placed) >= len(now.board.rules.racing) else None
    for deck in ("winner", "loser"):
        for colour in now.board.rules.racing:
            because = f"{name} has placed the card of {colour}" if colour in placed else none_left
            more = (*(now.winner if deck == "winner" else now.loser), (name, colour))
            after = now._replace(winner=more) if deck == "winner" else now._replace(loser=more)
            yield Choice(f"{deck} {colour}", deck, (colour,), None if because else after, because)


def _cameras(now: Situation, me: int) -> Iterator[Choice]:
    stands = now.board.stacks
    for space in range(1, now.board.rules.track + 1):
        if now.camera and now.camera[1] != me:
            because: str | None = f"{now.names[now.camera[1]]} is the photographer"
        elif now.camera and now.camera[0] == space:
            because = "the camera moves to a different space"
        else:
            because = no_camera_because(now.board, stands, space)
        after = None if because else now._replace(camera=(space, me))
        yield Choice(f"camera {space}", "camera", (space,), after, because)


def _positions(now: Situation, me: int) -> Iterator[Choice]:
    holding, left = now.holdings[me], stacks(now)
    covered = [ticket for _, ticket in holding.positions]
    used = {place: now.names[who] for who, held in enumerate(now.holdings) for place, _ in held.positions}
    for place in POSITION_PLACES[: len(now.board.rules.racing) - 1]:
        gone = f"position tile {place} lies on a ticket of {used[place]}" if place in used else None
        for ticket in dict.fromkeys(holding.tickets):
            full = covered.count(ticket) == holding.tickets.count(ticket)
            because = gone or (f"{ticket} is covered" if full else None)
            after = None if because else now.holds(me, _cover(holding, place, ticket))
            yield Choice(f"position {place} on {ticket}", "position", (place, ticket[0]), after, because)
        for colour, values in left.items():
            because = gone or (None if values else f"no ticket of {colour} is left")
            after = None
            if not because:
                bottom = f"{colour}{values[-1]}"
                more = holding._replace(tickets=(*holding.tickets, bottom))
                after = now.holds(me, _cover(more, place, bottom))
            yield Choice(f"position {place} on bottom {colour}", "position", (place, colour), after, because)


def _cover(holding: Holding, place: int, ticket: str) -> Holding:
    return holding._replace(positions=tuple(sorted((*holding.positions, (place, ticket)))))


def _partners(now: Situation, me: int) -> Iterator[Choice]:
    few = len(now.names) < PARTNERS_FROM
    for who, name in enumerate(now.names):
        because = None
        if who == me:
            because = "nobody is his own partner"
        elif few:
            because = f"partnerships need {PARTNERS_FROM} players or more"
        elif now.partner[me] >= 0:
            because = f"{now.names[me]} has a partner"
        elif now.partner[who] >= 0:
            because = f"{name} has a partner"
        partner = list(now.partner)
        partner[me], partner[who] = who, me
        after = None if because else now._replace(partner=tuple(partner))
        yield Choice(f"partner {name}", "partner", (who,), after, because)
