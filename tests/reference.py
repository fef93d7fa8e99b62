"""A slow, obvious twin of the package: the rules of docs/rules.md in plain Python.

It is the judge of the package's numbers, so it shares no code with it and never imports it. All
weights are integers: every die counts six equal faces and every order of drawing counts once, so
a leg with n dice in the pyramid and r reveals to come has a total of n!/(n-r)! * 6**r.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from math import perm
from typing import Any, NamedTuple

CHEERING, BOOING = 1, -1
GREY = "#"

# The rules that a move can meet, as named in Child.hits and counted in the perft files.
MOVE_HITS = (
    "cheering",
    "booing",
    "under its own stack",
    "under another stack",
    "on a stack",
    "crossing",
    "cheering on the last space",
    "landing on the last space",
)
CRAZY_HITS = (
    "only one crazy camel carries",
    "one crazy camel directly on the other",
    "the colour decides",
    "crazy: cheering",
    "crazy: booing",
    "crazy: under its own stack",
    "crazy: under another stack",
    "crazy: on a stack",
    "crazy: crossing with riders",
    "crazy: crossing without riders",
    "racing unit carries a crazy camel",
)
SUPPORT_HITS = ("support die before its own die", "support die after its own die")
UNDRAWN_HITS = ("one die stays inside",)


class Rules(NamedTuple):
    """What differs between editions (docs/rules.md, sections 1 to 3)."""

    track: int  # the last space, N
    racing: str  # letters of the racing camels, in the edition's order
    crazy: str = ""  # "WK", white and black, or none
    undrawn: int = 0  # dice that stay in the pyramid at the leg's end
    support: bool = False  # the last camel's support die goes into a full pyramid


EDITIONS = {
    "first": Rules(16, "bgoyw"),
    "second": Rules(16, "rbgyp", "WK", undrawn=1),
    "supercup": Rules(20, "bgoyw", support=True),
    "supercup-second": Rules(20, "rbgyp", "WK", undrawn=1, support=True),
}


class State(NamedTuple):
    """A position inside a leg.

    stacks[s] is the stack on space s, bottom to top; stacks[0] was carried over the line
    backwards and stacks[track + 1] crossed it.
    """

    stacks: tuple[str, ...]
    dice: tuple[str, ...]  # in the pyramid: "r", "#", "r+"; racing, then grey, then support
    tiles: tuple[tuple[int, int], ...]  # (space, CHEERING or BOOING) by space


class Child(NamedTuple):
    """One roll from a state and what it does."""

    weight: int  # how many of the die's six faces show it
    roll: str  # "r2", "r+1", "white 2", "black 3"
    state: State
    landed: int | None  # the space of the tile whose owner is paid
    space: int | None  # where the unit ends its move; None when it is over the line
    unit: str  # bottom to top
    hits: frozenset[str]  # the rules met, from the names above


class Leg(NamedTuple):
    """All courses of a leg together; every weight is out of `total`."""

    total: int
    rankings: dict[tuple[str, bool], int]  # (first to last, race over): weight
    places: dict[str, list[int]]  # camel: weight of being 1st, 2nd, ...
    landings: dict[int, int]  # tile's space: weights times landings, summed
    ends: dict[str, int]  # the board at the end, without tiles and dice: weight
    race_ends: int
    nodes: list[int]  # unmerged nodes at depth 1, 2, ...
    distinct: list[int]  # distinct (board, dice left) at depth 1, 2, ...
    hits: dict[str, int]  # rule: how many moves out of distinct (board, dice left) meet it


# ---- the notation ------------------------------------------------------------------------------


def read(text: str, rules: Rules) -> State:
    """The state of a text such as `1:rb 2:gyp 14:K 15:W +5@ana -9 / rg#`; owners are dropped.

    Without `/` the pyramid is full. Over the line is `finish:rb`, backwards `back:Kr`.
    """
    board, slash, dice_text = text.partition("/")
    stacks = [""] * (rules.track + 2)
    tiles = {}
    for word in board.replace(",", " ").split():
        if word[0] in "+-":
            tiles[int(word[1:].partition("@")[0])] = CHEERING if word[0] == "+" else BOOING
        else:
            place, _, stack = word.partition(":")
            space = read_space(place, rules)
            assert stack and not stacks[space]
            stacks[space] = stack
    assert sorted("".join(stacks)) == sorted(rules.racing + rules.crazy), "every camel once"
    assert all(2 <= space <= rules.track and not stacks[space] for space in tiles)
    if slash:
        found = re.findall(r"[a-z]\+?|#", dice_text)
        dice = tuple(die for die in all_dice(rules) if die in found)
        assert len(dice) == len(found) >= rules.undrawn, "every die once"
    else:
        dice = full_pyramid(tuple(stacks), rules)
    return State(tuple(stacks), dice, tuple(sorted(tiles.items())))


def read_space(place: str, rules: Rules) -> int:
    """The index into State.stacks of `7`, `finish` or `back`."""
    if place in ("back", "finish"):
        return 0 if place == "back" else rules.track + 1
    assert 1 <= int(place) <= rules.track, "on the track"
    return int(place)


def write(state: State) -> str:
    """The state as text that `read` understands, always with its dice."""
    tiles = [f"{'+' if tile == CHEERING else '-'}{space}" for space, tile in state.tiles]
    return " ".join([write_stacks(state.stacks), *tiles, "/", "".join(state.dice) or "-"])


def write_stacks(stacks: tuple[str, ...]) -> str:
    """The stacks alone as text, low to high."""
    names = ["back", *map(str, range(1, len(stacks) - 1)), "finish"]
    return " ".join(f"{name}:{stack}" for name, stack in zip(names, stacks, strict=True) if stack)


# ---- dice (docs/rules.md, section 3) -----------------------------------------------------------


def all_dice(rules: Rules) -> tuple[str, ...]:
    """Every die of the game in the order of the notation."""
    grey = (GREY,) if rules.crazy else ()
    support = tuple(camel + "+" for camel in rules.racing) if rules.support else ()
    return (*rules.racing, *grey, *support)


def full_pyramid(stacks: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    """The dice at the leg's start: with support also the support die of the camel then last."""
    outside = {camel + "+" for camel in rank(stacks, rules)[:-1]}
    return tuple(die for die in all_dice(rules) if die not in outside)


def reveals_left(state: State, rules: Rules) -> int:
    """How many dice are still to be revealed in this leg."""
    return len(state.dice) - rules.undrawn


def total_weight(state: State, rules: Rules) -> int:
    """The ways to draw the rest of the leg's dice, times six faces for each."""
    reveals = reveals_left(state, rules)
    faces: int = 6**reveals
    return perm(len(state.dice), reveals) * faces


class Roll(NamedTuple):
    """A die, what it shows, and the camel that it therefore moves."""

    die: str
    weight: int
    sign: str
    camel: str
    spaces: int
    hits: set[str]


def rolls(state: State, rules: Rules) -> Iterator[Roll]:
    """Every face of every die in the pyramid (docs/rules.md, section 3).

    The grey die has six different faces, a racing die 1 1 2 2 3 3, a support die 1 1 1 2 2 2.
    """
    for die in state.dice:
        if die == GREY:
            for colour, shown in zip(("white", "black"), rules.crazy, strict=True):
                camel, reason = crazy_camel(state.stacks, shown, rules)
                for spaces in (1, 2, 3):
                    yield Roll(die, 1, f"{colour} {spaces}", camel, spaces, {reason})
        elif die.endswith("+"):
            order = "before" if die[0] in state.dice else "after"
            for spaces in (1, 2):
                hits = {f"support die {order} its own die"}
                yield Roll(die, 3, f"{die}{spaces}", die[0], spaces, hits)
        else:
            for spaces in (1, 2, 3):
                yield Roll(die, 2, f"{die}{spaces}", die, spaces, set())


def crazy_camel(stacks: tuple[str, ...], shown: str, rules: Rules) -> tuple[str, str]:
    """The crazy camel that moves when the grey die shows `shown`, and the rule that says so.

    docs/rules.md, section 4: the only one that carries a racing camel; else the upper one if one
    sits directly on the other; else the colour decides.
    """
    carriers = [crazy for crazy in rules.crazy if carries_racing(crazy, stacks, rules)]
    if len(carriers) == 1:
        return carriers[0], "only one crazy camel carries"
    for pair in (rules.crazy, rules.crazy[::-1]):
        if any(pair in stack for stack in stacks):
            return pair[1], "one crazy camel directly on the other"
    return shown, "the colour decides"


def carries_racing(camel: str, stacks: tuple[str, ...], rules: Rules) -> bool:
    """Whether a racing camel sits anywhere above `camel` in its stack."""
    stack = stacks[space_of(camel, stacks)]
    above = stack[stack.index(camel) + 1 :]
    return any(rider in rules.racing for rider in above)


def space_of(camel: str, stacks: tuple[str, ...]) -> int:
    """The space on which a camel stands."""
    return next(space for space, stack in enumerate(stacks) if camel in stack)


# ---- moves (docs/rules.md, section 5) ----------------------------------------------------------


def race_over(state: State) -> bool:
    """Whether a unit is over the line, one way or the other."""
    return bool(state.stacks[0] or state.stacks[-1])


def leg_over(state: State, rules: Rules) -> bool:
    """Whether nothing is left to reveal in this leg; the end of the race ends it too."""
    return race_over(state) or reveals_left(state, rules) <= 0


def children(state: State, rules: Rules) -> list[Child]:
    """Every roll of every die in the pyramid; none when the leg or the race is over."""
    if leg_over(state, rules):
        return []
    return [move(state, roll, rules) for roll in rolls(state, rules)]


def move(state: State, roll: Roll, rules: Rules) -> Child:
    """Take the rolled die out and move its unit (docs/rules.md, section 5)."""
    stacks = list(state.stacks)
    start = space_of(roll.camel, state.stacks)
    level = stacks[start].index(roll.camel)
    stacks[start], unit = stacks[start][:level], stacks[start][level:]

    step = 1 if roll.camel in rules.racing else -1
    reached = start + step * roll.spaces
    tile = dict(state.tiles).get(reached, 0)
    # A cheering tile sends the unit one space on, a booing tile one back; past the line is over.
    end = min(max(reached + step * tile, 0), rules.track + 1)
    there = stacks[end]
    stacks[end] = unit + there if tile == BOOING else there + unit

    dice = tuple(die for die in state.dice if die != roll.die)
    after = State(tuple(stacks), dice, state.tiles)
    hits = roll.hits | (
        racing_hits(start, reached, end, tile, there, unit, rules)
        if step == 1
        else crazy_hits(start, end, tile, there, unit)
    )
    if rules.undrawn and leg_over(after, rules) and not race_over(after):
        hits = hits | {"one die stays inside"}
    landed = reached if tile else None
    space = None if race_over(after) else end
    return Child(roll.weight, roll.sign, after, landed, space, unit, frozenset(hits))


def racing_hits(start: int, reached: int, end: int, tile: int, there: str, unit: str, rules: Rules) -> set[str]:
    """The rules that the move of a racing-led unit meets; `there` is what it found at the end."""
    met = {
        "cheering": tile == CHEERING,
        "booing": tile == BOOING,
        "under its own stack": tile == BOOING and there and end == start,
        "under another stack": tile == BOOING and there and end != start,
        "on a stack": tile != BOOING and there,
        "crossing": end == rules.track + 1,
        "cheering on the last space": tile == CHEERING and reached == rules.track,
        "landing on the last space": end == rules.track,
        "racing unit carries a crazy camel": any(rider in rules.crazy for rider in unit),
    }
    return {name for name, hit in met.items() if hit}


def crazy_hits(start: int, end: int, tile: int, there: str, unit: str) -> set[str]:
    """The rules that the move of a crazy-led unit meets."""
    met = {
        "crazy: cheering": tile == CHEERING,
        "crazy: booing": tile == BOOING,
        "crazy: under its own stack": tile == BOOING and there and end == start,
        "crazy: under another stack": tile == BOOING and there and end != start,
        "crazy: on a stack": tile != BOOING and there,
        "crazy: crossing with riders": end == 0 and len(unit) > 1,
        "crazy: crossing without riders": end == 0 and len(unit) == 1,
    }
    return {name for name, hit in met.items() if hit}


def applicable_hits(rules: Rules) -> tuple[str, ...]:
    """The names of the rules that these editions' moves can meet."""
    return (
        MOVE_HITS
        + (CRAZY_HITS if rules.crazy else ())
        + (SUPPORT_HITS if rules.support else ())
        + (UNDRAWN_HITS if rules.undrawn else ())
    )


# ---- the ranking (docs/rules.md, sections 1 and 5) ---------------------------------------------


def ranking(state: State, rules: Rules) -> str:
    """The racing camels, first to last: farther along is ahead, in a stack higher is ahead."""
    return rank(state.stacks, rules)


def rank(stacks: tuple[str, ...], rules: Rules) -> str:
    """The ranking of a board; those carried over the line backwards, on "space 0", are last."""
    back_to_front = "".join(stacks)
    return "".join(camel for camel in reversed(back_to_front) if camel in rules.racing)


def weigh_places(rankings: dict[tuple[str, bool], int], rules: Rules) -> dict[str, list[int]]:
    """How much weight puts each camel 1st, 2nd, ..."""
    places = {camel: [0] * len(rules.racing) for camel in rules.racing}
    for (order, _), weight in rankings.items():
        for place, camel in enumerate(order):
            places[camel][place] += weight
    return places


# ---- a whole leg, layer by layer ---------------------------------------------------------------


def leg(state: State, rules: Rules) -> Leg:
    """Every course of the leg, with equal (board, dice left) merged at each depth.

    A course that the race's end cuts short weighs as much as all that would have followed.
    """
    rankings: Counter[tuple[str, bool]] = Counter()
    ends: Counter[tuple[str, ...]] = Counter()
    hits: Counter[str] = Counter()
    landings = {space: 0 for space, _ in state.tiles}
    nodes, distinct = [], []
    layer = {state: (1, 1)}  # each state's weight and unmerged nodes
    for depth in range(reveals_left(state, rules) + 1):
        if depth:
            nodes.append(sum(count for _, count in layer.values()))
            distinct.append(len(layer))
        following: dict[State, tuple[int, int]] = {}
        for before, (weight, count) in layer.items():
            if leg_over(before, rules):
                whole = weight * total_weight(before, rules)
                rankings[ranking(before, rules), race_over(before)] += whole
                ends[before.stacks] += whole
            for child in children(before, rules):
                hits.update(child.hits)
                weight_after = weight * child.weight
                if child.landed:
                    landings[child.landed] += weight_after * total_weight(child.state, rules)
                known_weight, known_count = following.get(child.state, (0, 0))
                following[child.state] = known_weight + weight_after, known_count + count
        layer = following
    return Leg(
        total=total_weight(state, rules),
        rankings=dict(rankings),
        places=weigh_places(rankings, rules),
        landings=landings,
        ends={write_stacks(stacks): weight for stacks, weight in ends.items()},
        race_ends=sum(weight for (_, over), weight in rankings.items() if over),
        nodes=nodes,
        distinct=distinct,
        hits=dict(hits),
    )


def landing_counts(state: State, rules: Rules) -> dict[int, dict[int, int]]:
    """{tile's space: {number of units that land on it: weight}}."""

    def landings_on(space: int) -> dict[int, int]:
        return follow(state, rules, 0, lambda seen, child: seen + (child.landed == space))

    return {space: landings_on(space) for space, _ in state.tiles}


def photo(state: State, rules: Rules, space: int) -> dict[int, int]:
    """{camels in the first unit that ends its move on `space`, 0 if none does: weight}.

    docs/rules.md, section 8, module 2: where the unit stands after a tile, and only the camels
    of the moving unit, crazy ones included; a unit over the line is on no space.
    """

    def first(taken: int, child: Child) -> int:
        return taken or (len(child.unit) if child.space == space else 0)

    return follow(state, rules, 0, first)


def follow(state: State, rules: Rules, memory: Any, remember: Callable[[Any, Child], Any]) -> dict[Any, int]:
    """Weigh what a course of the leg leaves in `memory`, renewed by `remember` at every move."""
    memories: Counter[Any] = Counter()
    layer = Counter({(state, memory): 1})
    while layer:
        following: Counter[tuple[State, Any]] = Counter()
        for (before, known), weight in layer.items():
            if leg_over(before, rules):
                memories[known] += weight * total_weight(before, rules)
            for child in children(before, rules):
                following[child.state, remember(known, child)] += weight * child.weight
        layer = following
    return dict(memories)


def perft(state: State, rules: Rules) -> dict[str, Any]:
    """The leg as a line of a perft file: see tests/make_perft.py for the keys."""
    whole = leg(state, rules)
    return {
        "total": whole.total,
        "nodes": whole.nodes,
        "distinct": whole.distinct,
        "ends": len(whole.ends),
        "places": whole.places,
        "rankings": {order + "!" * over: weight for (order, over), weight in sorted(whole.rankings.items())},
        "landings": {str(space): weight for space, weight in whole.landings.items()},
        "hits": dict(sorted(whole.hits.items())),
    }


# ---- the same by brute force -------------------------------------------------------------------


def courses(state: State, rules: Rules) -> Iterator[tuple[int, list[Child]]]:
    """Every course of the leg, one by one: its weight and its moves."""
    if leg_over(state, rules):
        yield total_weight(state, rules), []
    for child in children(state, rules):
        for weight, rest in courses(child.state, rules):
            yield child.weight * weight, [child, *rest]


def leg_by_tree(state: State, rules: Rules) -> Leg:
    """What `leg` says, from all courses one by one without merging: only for few dice."""
    total = 0
    rankings: Counter[tuple[str, bool]] = Counter()
    ends: Counter[str] = Counter()
    landings = {space: 0 for space, _ in state.tiles}
    reveals = reveals_left(state, rules)
    nodes: list[set[tuple[str, ...]]] = [set() for _ in range(reveals)]
    distinct: list[set[State]] = [set() for _ in range(reveals)]
    moves = {}
    for weight, course in courses(state, rules):
        path = [state, *(child.state for child in course)]
        total += weight
        rankings[ranking(path[-1], rules), race_over(path[-1])] += weight
        ends[write_stacks(path[-1].stacks)] += weight
        for depth, child in enumerate(course):
            nodes[depth].add(tuple(before.roll for before in course[: depth + 1]))
            distinct[depth].add(child.state)
            moves[path[depth], child.roll] = child.hits
            if child.landed:
                landings[child.landed] += weight
    return Leg(
        total=total,
        rankings=dict(rankings),
        places=weigh_places(rankings, rules),
        landings=landings,
        ends=dict(ends),
        race_ends=sum(weight for (_, over), weight in rankings.items() if over),
        nodes=[len(paths) for paths in nodes],
        distinct=[len(states) for states in distinct],
        hits=dict(Counter(name for names in moves.values() for name in names)),
    )


# ---- random positions --------------------------------------------------------------------------


def random_position(rng: random.Random, rules: Rules) -> State:
    """A legal position inside a leg: crowded or spread, anywhere on the track, tiles, any dice."""
    stacks = random_stacks(rng, rules)
    return State(stacks, random_dice(rng, rules), random_tiles(rng, stacks, rules))


def random_stacks(rng: random.Random, rules: Rules) -> tuple[str, ...]:
    """Racing camels within a window of the track; crazy camels in the window or anywhere."""
    width = min(rng.choice((1, 2, 3, 4, 6, rules.track)), rules.track)
    low = rng.choice((1, rng.randint(1, rules.track - width + 1), rules.track - width + 1))
    window = range(low, low + width)
    stacks = [""] * (rules.track + 2)
    camels = list(rules.racing + rules.crazy)
    rng.shuffle(camels)
    for camel in camels:
        anywhere = camel in rules.crazy and rng.random() < 0.5
        stacks[rng.choice(range(1, rules.track + 1) if anywhere else window)] += camel
    return tuple(stacks)


def random_tiles(rng: random.Random, stacks: tuple[str, ...], rules: Rules) -> tuple[tuple[int, int], ...]:
    """Tiles as docs/rules.md, section 6, allows them, half the time close to the camels."""
    spaces = [space for space in range(2, rules.track + 1) if not stacks[space]]
    if rng.random() < 0.5:
        spaces = [space for space in spaces if any(stacks[max(space - 3, 1) : space + 4])]
    rng.shuffle(spaces)
    wanted = rng.randint(0, 5)
    tiles: dict[int, int] = {}
    for space in spaces:
        if len(tiles) < wanted and not {space - 1, space + 1} & tiles.keys():
            tiles[space] = rng.choice((CHEERING, BOOING))
    return tuple(sorted(tiles.items()))


def random_dice(rng: random.Random, rules: Rules) -> tuple[str, ...]:
    """Any number of dice from a leg that is over to all, and usually few support dice."""
    dice = all_dice(rules)
    support = [die for die in dice if die.endswith("+")]
    others = [die for die in dice if not die.endswith("+")]
    wanted = rng.choice((0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 5))
    found = rng.sample(support, min(wanted, len(support)))
    found += rng.sample(others, rng.randint(max(rules.undrawn - len(found), 0), len(others)))
    return tuple(die for die in dice if die in found)
