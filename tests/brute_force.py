"""What every action is worth, by playing it out: plain Python from docs/rules.md, sections 6 to 8.

A slow, obvious twin of camelodds.actions on top of tests/reference.py. It shares no code with the package and never
imports it. A game is a `Table`; every number is a Fraction but for finish cards, whose race odds are handed in.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from reference import (
    BOOING,
    CHEERING,
    EDITIONS,
    GREY,
    Rules,
    State,
    children,
    courses,
    follow,
    full_pyramid,
    leg_over,
    random_position,
    random_stacks,
    ranking,
    read,
    total_weight,
    write,
)

TICKETS = {"first": [5, 3, 2], "second": [5, 3, 2, 2], "supercup": [5, 3, 2, 2], "supercup-second": [5, 3, 2, 2]}
MOST_PLAYERS = {"first": 8, "second": 8, "supercup": 10, "supercup-second": 10}
Odds = Callable[[State], tuple[dict[str, float], dict[str, float]]]


@dataclass
class Seat:
    """A player: tickets as colour and value, each with the place tile that covers it or None."""

    money: int = 3
    tickets: list[tuple[str, int, int | None]] = field(default_factory=list)
    pyramid: int = 0


@dataclass
class Table:
    """A game in progress."""

    edition: str
    state: State
    seats: dict[str, Seat]
    owners: dict[int, str | None] = field(default_factory=dict)
    camera: tuple[str, int] | None = None
    partners: list[tuple[str, str]] = field(default_factory=list)
    spicy: bool = False
    used: set[str] = field(default_factory=set)
    taken: list[tuple[str, int]] = field(default_factory=list)
    winner: list[tuple[str, str]] = field(default_factory=list)
    loser: list[tuple[str, str]] = field(default_factory=list)

    @property
    def rules(self) -> Rules:
        return EDITIONS[self.edition]

    @property
    def supercup(self) -> bool:
        return self.edition.startswith("supercup")

    def stack(self, colour: str) -> list[int]:
        """The tickets of a colour that nobody has, best first."""
        left = list(TICKETS[self.edition])
        for camel, value in [*self.taken, *((t[0], t[1]) for seat in self.seats.values() for t in seat.tickets)]:
            if camel == colour:
                left.remove(value)
        return left

    def partner(self, name: str) -> str | None:
        for one, other in self.partners:
            if name in (one, other):
                return other if name == one else one
        return None

    def with_seat(self, name: str, **changes: Any) -> Table:
        return replace(self, seats=self.seats | {name: replace(self.seats[name], **changes)})


# ---- what things pay ---------------------------------------------------------------------------


def reward(ticket: tuple[str, int, int | None], order: str) -> int:
    """Pounds for a leg ticket or for the position tile on it."""
    camel, value, tile = ticket
    place = order.index(camel) + 1
    if tile is not None:
        return 3 if place == tile else -1
    return value if place == 1 else 1 if place == 2 else -1


def leg_scoring(table: Table, name: str, order: str) -> int:
    """A player's netted scoring of a leg that ended in this order."""
    seat = table.seats[name]
    pounds = sum(reward(ticket, order) for ticket in seat.tickets) + seat.pyramid
    partner = table.partner(name)
    if partner:
        other = table.seats[partner]
        rewards = [reward(ticket, order) for ticket in other.tickets] + [1] * other.pyramid
        pounds += max([0, *rewards])
    return pounds


def card_reward(rank: int) -> int:
    """Pounds for a right finish card with `rank` right ones under it."""
    return [8, 5, 3, 2][rank] if rank < 4 else 1


# ---- playing a leg out -------------------------------------------------------------------------


def endings(table: Table, merged: bool = False) -> dict[tuple[Any, ...], int]:
    """{(landings by tile, camels in the photo, ranking): weight} over all orders of dice and faces."""
    return endings_of(table.state, table.rules, table.camera[1] if table.camera else None, merged)


@lru_cache(maxsize=256)
def endings_of(state: State, rules: Rules, camera: int | None, merged: bool) -> dict[tuple[Any, ...], int]:
    """Played out course by course, or with equal states merged, which is still slow and plain but bearable."""
    spaces = [space for space, _ in state.tiles]

    def remember(memory: tuple[Any, ...], child: Any) -> tuple[Any, ...]:
        landings, photo, _ = memory
        landings = tuple(n + (space == child.landed) for n, space in zip(landings, spaces, strict=True))
        if photo == 0 and child.space == camera:
            photo = len(child.unit)
        return landings, photo, ranking(child.state, rules)

    start = (0,) * len(spaces), 0, ranking(state, rules)
    if merged:
        return follow(state, rules, start, remember)
    found: Counter[tuple[Any, ...]] = Counter()
    for weight, course in courses(state, rules):
        memory = start
        for child in course:
            memory = remember(memory, child)
        found[memory] += weight
    return found


def money_after(table: Table, floor: bool, merged: bool = False) -> dict[str, Fraction]:
    """Each player's expected money after the leg's scoring."""
    total = total_weight(table.state, table.rules)
    expected = dict.fromkeys(table.seats, Fraction(0))
    for (landings, photo, order), weight in endings(table, merged).items():
        for name, seat in table.seats.items():
            pounds = seat.money
            for (space, _), count in zip(table.state.tiles, landings, strict=True):
                pounds += count if table.owners.get(space) == name else 0
            if table.camera and table.camera[0] == name:
                pounds += photo
            pounds += leg_scoring(table, name, order)
            expected[name] += Fraction(weight * (max(0, pounds) if floor else pounds), total)
    return expected


def floored_money(table: Table, odds: Odds) -> dict[str, float]:
    """Each player's expected money after the leg and the finish cards, never below 0 on the way."""
    expected = dict.fromkeys(table.seats, 0.0)
    spaces = [space for space, _ in table.state.tiles]
    for weight, course in courses(table.state, table.rules):
        end = course[-1].state
        shots = [len(child.unit) for child in course if table.camera and child.space == table.camera[1]]
        win, lose = odds(end)
        for name, seat in table.seats.items():
            mine = [space for space in spaces if table.owners.get(space) == name]
            pounds = seat.money + sum(child.landed in mine for child in course)
            pounds += shots[0] if shots and table.camera and table.camera[0] == name else 0
            pounds = max(0, pounds + leg_scoring(table, name, ranking(end, table.rules)))
            for (first, p), (last, q) in product(win.items(), lose.items()):
                after = pounds
                for deck, right in ((table.winner, first), (table.loser, last)):
                    for index, (owner, colour) in enumerate(deck):
                        if owner == name:
                            rank = sum(other == right for _, other in deck[:index])
                            after = max(0, after + (card_reward(rank) if colour == right else -1))
                expected[name] += after * p * q * weight / total_weight(table.state, table.rules)
    return expected


def card_money(table: Table, odds: Odds) -> dict[str, float]:
    """What each player's finish cards, all of them known, are worth by the race odds of the position."""
    worth = dict.fromkeys(table.seats, 0.0)
    for deck, chances in zip((table.winner, table.loser), odds(table.state), strict=True):
        for camel, chance in chances.items():
            rank = 0
            for name, colour in deck:
                if colour == camel:
                    worth[name] += chance * card_reward(rank)
                    rank += 1
                else:
                    worth[name] -= chance
    return worth


# ---- actions -----------------------------------------------------------------------------------


def tile_allowed(table: Table, me: str, space: int) -> bool:
    """Section 6."""
    if space == 1 or table.state.stacks[space] or (table.camera and table.camera[1] == space):
        return False
    for other, _ in table.state.tiles:
        if table.owners.get(other) == me:
            if other == space:
                return False
        elif abs(other - space) <= 1:
            return False
    return True


def plain_actions(table: Table, me: str) -> Iterator[tuple[str, Table]]:
    """Every legal action but the extra step, and what it leads to with the leg yet to be rolled."""
    seat, state, racing = table.seats[me], table.state, table.rules.racing
    yield "reveal", table.with_seat(me, pyramid=seat.pyramid + 1)
    for colour in racing:
        for value in table.stack(colour)[:1]:
            yield f"ticket {colour}{value}", table.with_seat(me, tickets=[*seat.tickets, (colour, value, None)])
    for space in range(1, table.rules.track + 1):
        for sign, side in (("+", CHEERING), ("-", BOOING)):
            if tile_allowed(table, me, space):
                others = [tile for tile in state.tiles if table.owners.get(tile[0]) != me]
                after = state._replace(tiles=tuple(sorted([*others, (space, side)])))
                owners = {at: who for at, who in table.owners.items() if who != me} | {space: me}
                yield f"tile {sign}{space}", replace(table, state=after, owners=owners)
    placed = [colour for name, colour in table.winner + table.loser if name == me]
    for colour in racing:
        if colour not in placed:
            yield f"winner {colour}", replace(table, winner=[*table.winner, (me, colour)])
            yield f"loser {colour}", replace(table, loser=[*table.loser, (me, colour)])
    if table.supercup:
        yield from supercup_actions(table, me)
    if len(table.seats) >= 6 and table.edition != "first" and not table.partner(me):
        for name in table.seats:
            if name != me and not table.partner(name):
                yield f"partner {name}", replace(table, partners=[*table.partners, (me, name)])


def supercup_actions(table: Table, me: str) -> Iterator[tuple[str, Table]]:
    """Section 8, modules 2 and 3."""
    seat = table.seats[me]
    if table.camera is None or table.camera[0] == me:
        for space in range(1, table.rules.track + 1):
            taken = table.state.stacks[space] or space in dict(table.state.tiles)
            if not taken and table.camera != (me, space):
                yield f"camera {space}", replace(table, camera=(me, space))
    out = {tile for other in table.seats.values() for _, _, tile in other.tickets}
    for place in {2, 3, 4, 5} - out:
        for index, (colour, value, tile) in enumerate(seat.tickets):
            if tile is None:
                tickets = [*seat.tickets]
                tickets[index] = (colour, value, place)
                yield f"position {place} on {colour}{value}", table.with_seat(me, tickets=tickets)
        for colour in table.rules.racing:
            for value in table.stack(colour)[-1:]:
                tickets = [*seat.tickets, (colour, value, place)]
                yield f"position {place} on bottom {colour}", table.with_seat(me, tickets=tickets)


def support_actions(table: Table, me: str) -> Iterator[tuple[str, Table]]:
    """Section 8, module 1, spicy: each support die that may be put in now."""
    seat = table.seats[me]
    if not table.spicy or not seat.pyramid or leg_over(table.state, table.rules):
        return
    leader = ranking(table.state, table.rules)[0]
    for colour in table.rules.racing:
        die = colour + "+"
        if die not in table.state.dice and colour not in table.used and colour != leader:
            after = table.with_seat(me, pyramid=seat.pyramid - 1)
            yield colour, replace(after, state=table.state._replace(dice=(*table.state.dice, die)))


def reveal_actions(table: Table, me: str, shown: str | None = None) -> Iterator[tuple[int, Table]]:
    """Every roll of a reveal, or only one, and what it leads to: the pyramid ticket, the tile's and photo's money."""
    for child in children(table.state, table.rules):
        if shown not in (None, child.roll):
            continue
        after = replace(table, state=child.state)
        if table.owners.get(child.landed or 0):
            owner = after.seats[table.owners[child.landed]]
            after = after.with_seat(table.owners[child.landed], money=owner.money + 1)
        if table.camera and child.space == table.camera[1]:
            holder = after.seats[table.camera[0]]
            after = after.with_seat(table.camera[0], money=holder.money + len(child.unit))
            after = replace(after, camera=None)
        if table.spicy and child.roll[1:2] == "+":
            after = replace(after, used=table.used | {child.roll[0]})
        yield child.weight, after.with_seat(me, pyramid=after.seats[me].pyramid + 1)


def best_ticket(table: Table, merged: bool) -> Fraction | None:
    """The best expectation among the top tickets."""
    total = total_weight(table.state, table.rules)
    orders: Counter[str] = Counter()
    for (_, _, order), weight in endings(table, merged).items():
        orders[order] += weight
    tops = [(colour, value, None) for colour in table.rules.racing for value in table.stack(colour)[:1]]
    worth = [sum(Fraction(weight * reward(top, order), total) for order, weight in orders.items()) for top in tops]
    return max(worth, default=None)


def play_out(
    table: Table, me: str, *, floor: bool = False, odds: Odds | None = None, merged: bool = False
) -> dict[str, dict[str, Any]]:
    """{action: its ev, others by name, reply, and the distribution `pays` of its own item}."""

    def worth(now: Table) -> dict[str, Any]:
        if odds is not None and floor and (now.winner or now.loser):
            return floored_money(now, odds)
        money = money_after(now, floor, merged)
        if odds is None or not (now.winner or now.loser):
            return money
        return {name: money[name] + pounds for name, pounds in card_money(now, odds).items()}

    before = worth(table)
    rolls = list(reveal_actions(table, me))
    found = {}
    steps = [
        (name, name, after, None)
        for name, after in plain_actions(table, me)
        if odds or name[:6] not in ("winner", "loser ")
    ]
    steps += [
        (f"{name} + support {colour}", name, more, colour)
        for name, _, after, _ in steps
        if name != "reveal"
        for colour, more in support_actions(after, me)
    ]
    for name, plain, after, _ in steps:
        now = worth(after)
        found[name] = row(table, me, before, now, item(plain, after, me, odds, merged))
        found[name]["reply"] = best_ticket(after, merged)
    found["reveal"]["reply"] = average(
        [(w, best_ticket(t, merged)) for w, t in rolls if not leg_over(t.state, t.rules)]
    )
    options = [(weight, [after, *(more for _, more in support_actions(after, me))]) for weight, after in rolls]
    if any(len(each) > 1 for _, each in options):
        chosen = []
        for weight, each in options:
            values = [(worth(option), option) for option in each]
            chosen.append((weight, *max(values, key=lambda pair: pair[0][me])))
        now = {name: average([(weight, money[name]) for weight, money, _ in chosen]) for name in table.seats}
        found["reveal + support"] = row(table, me, before, now, {1: Fraction(1)})
        goes_on = [(weight, after) for weight, _, after in chosen if not leg_over(after.state, after.rules)]
        found["reveal + support"]["reply"] = average([(w, best_ticket(after, merged)) for w, after in goes_on])
    return found


def average(weighted: list[tuple[int, Any]]) -> Any:
    """The mean, None for none or where one of them is none."""
    if not weighted or any(value is None for _, value in weighted):
        return None
    return sum(weight * value for weight, value in weighted) / Fraction(sum(weight for weight, _ in weighted))


def row(table: Table, me: str, before: dict[str, Any], now: dict[str, Any], pays: dict[int, Any]) -> dict[str, Any]:
    others = {name: now[name] - before[name] for name in table.seats if name != me}
    return {"ev": now[me] - before[me], "others": others, "pays": pays}


def item(name: str, after: Table, me: str, odds: Odds | None, merged: bool) -> dict[int, Any]:
    """{pounds: chance} of what the action's own item pays; `after` is what the action leads to."""
    kind, what = name.split()[:2] if " " in name else (name, "")
    if kind == "reveal":
        return {1: Fraction(1)}
    if kind in ("winner", "loser"):
        assert odds is not None
        deck = getattr(after, kind)
        chance = odds(after.state)[kind == "loser"][what]
        rank = sum(colour == what for _, colour in deck[:-1])
        return {card_reward(rank): chance, -1: 1 - chance}
    total = total_weight(after.state, after.rules)
    pays: Counter[int] = Counter()
    spaces = [space for space, _ in after.state.tiles]
    for (landings, photo, order), weight in endings(after, merged).items():
        if kind == "tile":
            pounds = landings[spaces.index(int(what[1:]))]
        elif kind == "camera":
            pounds = photo
        elif kind == "partner":
            seat = after.seats[what]
            pounds = max([0, *(reward(ticket, order) for ticket in seat.tickets), *[1] * seat.pyramid])
        elif kind == "ticket":
            pounds = reward((what[0], int(what[1:]), None), order)
        else:
            place = int(what)
            mine = next(ticket for ticket in after.seats[me].tickets if ticket[2] == place)
            pounds = reward(mine, order)
        pays[pounds] += weight
    return {pounds: Fraction(weight, total) for pounds, weight in pays.items()}


# ---- random games ------------------------------------------------------------------------------


def random_table(rng: random.Random, edition: str, *, full: bool = False, cards: bool = False) -> Table:
    """A game within a leg that goes on, with at most three dice left or with all."""
    rules = EDITIONS[edition]
    while True:
        state = random_position(rng, rules)
        if full:
            stacks = random_stacks(rng, rules)
            tiles = tuple(tile for tile in state.tiles if not stacks[tile[0]])
            state = State(stacks, full_pyramid(stacks, rules), tiles)
        if not leg_over(state, rules) and (full or len(state.dice) <= 3):
            break
    names = [f"p{number}" for number in range(rng.randint(2, MOST_PLAYERS[edition] - 1))]
    table = Table(edition, state, {name: Seat(money=rng.randint(0, 4)) for name in names})
    whose = [*names, None, None]
    rng.shuffle(whose)
    table.owners = {space: owner for (space, _), owner in zip(state.tiles, whose, strict=False)}
    out = max(0, len(full_pyramid(state.stacks, rules)) - len(state.dice))
    for _ in range(rng.randint(0, out)):
        table.seats[rng.choice(names)].pyramid += 1
    for _ in range(rng.randint(0, 2 * len(names))):
        colour = rng.choice(rules.racing)
        left = table.stack(colour)
        if left:
            table.seats[rng.choice(names)].tickets.append((colour, left[0], None))
    for colour in rules.racing:
        if rng.random() < 0.2 and table.stack(colour):
            table.taken.append((colour, table.stack(colour)[0]))
    if edition != "first" and len(names) >= 6:
        pool = rng.sample(names, len(names))
        table.partners = [(pool[2 * pair], pool[2 * pair + 1]) for pair in range(rng.randint(0, len(pool) // 2))]
    if table.supercup:
        random_supercup(rng, table, names)
    if cards:
        for name, colour in rng.sample(list(product(names, rules.racing)), rng.randint(0, 6)):
            rng.choice((table.winner, table.loser)).append((name, colour))
    return table


def random_supercup(rng: random.Random, table: Table, names: list[str]) -> None:
    state = table.state
    for place in (2, 3, 4, 5):
        seat = table.seats[rng.choice(names)]
        bare = [index for index, ticket in enumerate(seat.tickets) if ticket[2] is None]
        if bare and rng.random() < 0.5:
            index = rng.choice(bare)
            seat.tickets[index] = (*seat.tickets[index][:2], place)
    empty = [s for s in range(1, table.rules.track + 1) if not state.stacks[s] and s not in dict(state.tiles)]
    if rng.random() < 0.6:
        table.camera = rng.choice(names), rng.choice(empty)
    table.spicy = rng.random() < 0.6
    if table.spicy:
        outside = [colour for colour in table.rules.racing if colour + "+" not in state.dice]
        table.used = set(rng.sample(outside, rng.randint(0, min(2, len(outside)))))


def as_text(table: Table) -> str:
    """The game in the notation of the package."""
    board, _, dice = write(table.state).partition("/")
    words = [
        f"{word}@{table.owners[int(word[1:])]}" if word[0] in "+-" and table.owners.get(int(word[1:])) else word
        for word in board.split()
    ]
    parts = [" ".join([*words, "/", dice.strip()])]
    for name, seat in table.seats.items():
        tickets = [f"{colour}{value}" for colour, value, _ in seat.tickets]
        positions = [f"position{tile}={colour}{value}" for colour, value, tile in seat.tickets if tile]
        parts.append(" ".join([name, f"money={seat.money}", f"pyramid={seat.pyramid}", *tickets, *positions]))
    for head, deck in (("winner", table.winner), ("loser", table.loser)):
        parts.append(" ".join([head, *(f"{name}={colour}" for name, colour in deck)]))
    if table.camera:
        parts.append("photographer {}={}".format(*table.camera))
    if table.used:
        parts.append(" ".join(["used", *sorted(table.used)]))
    parts.append(" ".join(["partners", *(f"{one}={other}" for one, other in table.partners)]))
    parts.append(" ".join(["taken", *(f"{colour}{value}" for colour, value in table.taken)]))
    return " | ".join(parts)


def from_text(edition: str, board: str, seats: dict[str, Seat], **fields: Any) -> Table:
    """A table with a board in the notation; tiles' owners are read from it."""
    words = [word.partition("@") for word in board.partition("/")[0].split() if word[0] in "+-"]
    owners = {int(word[1:]): owner or None for word, _, owner in words}
    return Table(edition, read(board, EDITIONS[edition]), seats, owners=owners, **fields)


__all__ = ["GREY", "Seat", "Table", "as_text", "from_text", "money_after", "play_out", "random_table"]
