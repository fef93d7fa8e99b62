"""The reference against what docs/rules.md and tests/data/legs.json say, and against itself."""

import ast
import json
import random
import sys
from collections import Counter
from fractions import Fraction
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from reference import (
    EDITIONS,
    Child,
    Rules,
    State,
    all_dice,
    applicable_hits,
    children,
    courses,
    crazy_camel,
    landing_counts,
    leg,
    leg_by_tree,
    leg_over,
    perft,
    photo,
    race_over,
    random_position,
    ranking,
    read,
    reveals_left,
    space_of,
    total_weight,
    write,
)

HERE = Path(__file__).parent
LEGS = json.loads((HERE / "data" / "legs.json").read_text(encoding="utf-8"))
OWN_RULES = {
    "one camel": Rules(4, "r"),
    "short track": Rules(4, "rb"),
    "short and crazy": Rules(5, "rb", "WK", undrawn=1),
    "one camel, both crazy": Rules(6, "g", "WK", undrawn=1),
    "crazy, all dice out": Rules(6, "rbg", "WK"),
    "four camels, long track": Rules(28, "rbgy", "WK", undrawn=1),
    "support on a short track": Rules(5, "bgo", support=True),
    "support, crazy, long track": Rules(28, "rbg", "WK", undrawn=1, support=True),
}
ALL_RULES = EDITIONS | OWN_RULES


# ---- docs/rules.md, section 9 ------------------------------------------------------------------


COLOUR = "the colour decides"
CARRIES = "only one crazy camel carries"
UPPER = "one crazy camel directly on the other"
CARRIED = "racing unit carries a crazy camel"

# number | before | roll | after | owner paid | race over: how the ranking begins
SECTION_9 = """
1          | 5:rbg 7:y              | b2      | 5:r 7:ybg                 |      |
2          | 5:rb 8:y +7            | r2      | 8:yrb                     | paid |
3          | 5:rb 6:yg -7           | r2      | 6:rbyg                    | paid |
4          | 5:rbg -6               | b1      | 5:bgr                     | paid |
5          | 5:rb -6                | r1      | 5:rb                      | paid |
6          | 10:Wr 8:b 14:K         | white 2 | 8:bWr 14:K                |      |
7          | 10:Wr 14:K             | black 3 | 7:Wr 14:K                 |      |
8          | 10:WK                  | white 1 | 10:W 9:K                  |      |
9          | 10:WKr                 | white 1 | 10:W 9:Kr                 |      |
10         | 10:WrK                 | black 2 | 8:WrK                     |      |
11 black   | 10:WrKb                | black 2 | 10:Wr 8:Kb                |      |
11 white   | 10:WrKb                | white 2 | 8:WrKb                    |      |
12         | 10:Wr 12:Kb            | black 1 | 10:Wr 11:Kb               |      |
13         | 10:rW 12:bK            | white 1 | 10:r 9:W 12:bK            |      |
14         | 10:Wr 12:bK            | black 1 | 9:Wr 12:bK                |      |
15         | 10:Wr 14:K 7:b +8      | white 2 | 7:bWr 14:K                | paid |
16         | 10:Wr 14:K 9:b -8      | white 2 | 9:Wrb 14:K                | paid |
17         | 10:rWb 14:K -9         | white 1 | 10:Wbr 14:K               | paid |
18         | 5:rW 6:b -7            | r2      | 6:rWb                     | paid |
19         | 15:r                   | r1      | 16:r                      |      |
20         | 14:rb +16              | r2      | finish:rb                 | paid | over: br
21         | 15:rWb 9:g             | r2      | finish:rWb 9:g            |      | over: brg
22         | 2:W 9:K 5:r            | white 1 | 1:W 9:K 5:r               |      |
23         | 2:W 9:K 5:r            | white 2 | back:W 9:K 5:r            |      | over:
24         | 1:Wrb 3:g 5:y 6:p 12:K | black 1 | back:Wrb 3:g 5:y 6:p 12:K |      | over: pygbr
25         | 2:Wrbgyp 9:K           | black 3 | back:Wrbgyp 9:K           |      | over: pygbr
26         | 1:W 9:K +16            | white 1 | back:W 9:K                |      | over:
27 stays   | 19:r                   | r1      | 20:r                      |      |
27 crosses | 19:r                   | r2      | finish:r                  |      | over: r
"""

# The rules that each of these moves meets.
SECTION_9_HITS = {
    "1": {"on a stack"},
    "2": {"cheering", "on a stack"},
    "3": {"booing", "under another stack"},
    "4": {"booing", "under its own stack"},
    "5": {"booing"},
    "6": {CARRIES, "crazy: on a stack"},
    "7": {CARRIES},
    "8": {UPPER},
    "9": {UPPER},
    "10": {CARRIES},
    "11 black": {COLOUR},
    "11 white": {COLOUR},
    "12": {COLOUR},
    "13": {COLOUR},
    "14": {CARRIES},
    "15": {CARRIES, "crazy: cheering", "crazy: on a stack"},
    "16": {CARRIES, "crazy: booing", "crazy: under another stack"},
    "17": {CARRIES, "crazy: booing", "crazy: under its own stack"},
    "18": {CARRIED, "booing", "under another stack"},
    "19": {"landing on the last space"},
    "20": {"cheering", "cheering on the last space", "crossing"},
    "21": {CARRIED, "crossing"},
    "22": {COLOUR},
    "23": {COLOUR, "crazy: crossing without riders"},
    "24": {CARRIES, "crazy: crossing with riders"},
    "25": {CARRIES, "crazy: crossing with riders"},
    "26": {COLOUR, "crazy: crossing without riders"},
    "27 stays": {"landing on the last space"},
    "27 crosses": {"crossing"},
}


class Row(NamedTuple):
    """A row of docs/rules.md, section 9.

    ranked: how the ranking begins when the race is over, None when it goes on.
    """

    number: str
    before: str
    roll: str
    after: str
    paid: bool
    ranked: str | None

    @classmethod
    def of(cls, line: str) -> "Row":
        """A line of the table above."""
        number, before, roll, after, paid, over = map(str.strip, line.split("|"))
        ranked = over.removeprefix("over:").strip() if over else None
        return cls(number, before, roll, after, bool(paid), ranked)

    @property
    def edition(self) -> str:
        """Row 27 is on the longer track of the Supercup."""
        return "supercup-second" if self.number.startswith("27") else "second"


ROWS = tuple(map(Row.of, SECTION_9.strip().splitlines()))


def die_of(roll: str) -> str:
    """The die that shows a roll such as "r2", "r+1" or "white 3"."""
    return "#" if " " in roll else roll[:-1]


def missing_camels(row: Row, rules: Rules) -> str:
    """Stacks of one for the camels that a row leaves out, on spaces that it does not name.

    Racing camels stand low, and no ranking of section 9 has one of them first.
    """
    named = {word.lstrip("+-").partition(":")[0] for word in f"{row.before} {row.after}".split()}
    free = [space for space in range(1, rules.track + 1) if str(space) not in named]
    racing = [camel for camel in rules.racing if camel not in row.before]
    crazy = [camel for camel in rules.crazy if camel not in row.before]
    placed = [*zip(free, racing, strict=False), *zip(reversed(free), crazy, strict=False)]
    return " ".join(f"{space}:{camel}" for space, camel in placed)


def positions_of(row: Row, rules: Rules) -> tuple[State, State]:
    """The boards before and after a row's roll, completed; all dice are in the pyramid before."""
    others = missing_camels(row, rules)
    tiles = " ".join(word for word in row.before.split() if word[0] in "+-")
    dice = all_dice(rules)
    left = "".join(die for die in dice if die != die_of(row.roll))
    before = read(f"{row.before} {others} / {''.join(dice)}", rules)
    return before, read(f"{row.after} {others} {tiles} / {left}", rules)


def child_of(state: State, roll: str, rules: Rules) -> Child:
    """What one roll does; every sign is there once."""
    (child,) = (child for child in children(state, rules) if child.roll == roll)
    return child


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_rows_of_section_9(row: Row):
    rules = EDITIONS[row.edition]
    before, after = positions_of(row, rules)
    child = child_of(before, row.roll, rules)
    assert write(child.state) == write(after)
    assert child.landed == (before.tiles[0][0] if row.paid else None)
    assert child.space == (None if row.ranked is not None else space_of(child.unit[0], after.stacks))
    assert child.unit in after.stacks[space_of(child.unit[0], after.stacks)]
    assert child.unit == before.stacks[space_of(child.unit[0], before.stacks)][-len(child.unit) :]
    assert child.hits == SECTION_9_HITS[row.number]
    assert race_over(child.state) == (not children(child.state, rules)) == (row.ranked is not None)
    assert ranking(child.state, rules).startswith(row.ranked or "")
    if not set(child.unit) & set(rules.racing):
        assert ranking(child.state, rules) == ranking(before, rules)


# ---- docs/rules.md, section 10 -----------------------------------------------------------------


class Value(NamedTuple):
    """A full leg of docs/rules.md, section 10."""

    name: str
    edition: str
    text: str
    first: dict[str, str]
    last: dict[str, str] = {}
    landings: dict[int, str] = {}
    race_ends: str | None = None
    nodes: tuple[int, ...] = ()


VALUES = (
    Value(
        name="A",
        edition="first",
        text="1:bg 2:o 3:yw",
        first=dict(w="10487/29160", g="1469/5832", y="251/1458", o="857/7290", b="8/81"),
        last=dict(b="653/1620"),
        nodes=(15, 180, 1620, 9720, 29160),
    ),
    Value(
        name="A2",
        edition="first",
        text="1:bg 2:o 3:yw +4 -6",
        first=dict(g="1799/7290", b="2131/9720", y="529/2430", o="577/3240", w="403/2916"),
        landings={4: "4559/3240", 6: "1909/2430"},
    ),
    Value(
        name="B",
        edition="second",
        text="1:bg 2:r 3:yp 15:W 16:K",
        first=dict(p="69077/174960", g="1111/4374", y="1235/8748", r="11719/87480", b="887/11664"),
        last=dict(b="11929/29160"),
        nodes=(21, 360, 4860, 48600, 320760),
    ),
    Value(
        name="C",
        edition="second",
        text="8:rb 9:g 10:Wy 12:p 13:K +11 -7",
        first=dict(p="17509/58320", b="9155/34992", g="1991/11664", y="3935/23328", r="34561/349920"),
        last=dict(r="56023/174960"),
    ),
    Value(
        name="D",
        edition="second",
        text="1:Wr 13:bg 14:y 15:Kp +16",
        first=dict(p="5009/12960", g="115997/349920", y="9023/38880", b="17473/349920", r="0"),
        last=dict(r="1"),
        race_ends="67235/69984",
    ),
    Value(
        name="E",
        edition="supercup",
        text="1:bg 2:o 3:yw",
        first=dict(
            g="49909/174960",
            w="95113/349920",
            b="7597/34992",
            y="20789/174960",
            o="37441/349920",
        ),
    ),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.name)
def test_values_of_section_10(value: Value):
    rules = EDITIONS[value.edition]
    whole = leg(read(value.text, rules), rules)
    for place, expected in ((0, value.first), (-1, value.last)):
        for camel, probability in expected.items():
            assert Fraction(whole.places[camel][place], whole.total) == Fraction(probability)
    for space, expected in value.landings.items():
        assert Fraction(whole.landings[space], whole.total) == Fraction(expected)
    if value.race_ends is not None:
        assert Fraction(whole.race_ends, whole.total) == Fraction(value.race_ends)
    if value.nodes:
        assert tuple(whole.nodes) == value.nodes


def test_totals_are_draws_times_faces():
    totals = {"first": 933_120, "second": 5_598_720, "supercup": 33_592_320}
    for value in VALUES:
        rules = EDITIONS[value.edition]
        assert total_weight(read(value.text, rules), rules) == totals[value.edition]


# ---- tests/data/legs.json ----------------------------------------------------------------------


@pytest.mark.parametrize("case", LEGS, ids=lambda case: case["id"])
def test_cases_that_public_tools_got_wrong(case: dict):
    rules = EDITIONS[case["edition"]]
    whole = leg(read(case["text"], rules), rules)
    for place, expected in case["expect"].items():
        for camel, probability in expected.items():
            weight = whole.places[camel][int(place) - 1]
            assert Fraction(weight, whole.total) == Fraction(probability)
    for space, expected in case.get("landings", {}).items():
        assert Fraction(whole.landings[int(space)], whole.total) == Fraction(expected)
    if "race_ends" in case:
        assert Fraction(whole.race_ends, whole.total) == Fraction(case["race_ends"])


# ---- independence ------------------------------------------------------------------------------


def test_the_reference_needs_nothing_but_the_standard_library():
    """docs/rules.md alone stands behind it: what the package gets wrong cannot get in."""
    nodes = list(ast.walk(ast.parse((HERE / "reference.py").read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


# ---- the notation, the dice and small rules ----------------------------------------------------


@pytest.mark.parametrize("name", ALL_RULES)
def test_what_is_written_reads_back(name: str):
    rules, rng = ALL_RULES[name], random.Random(name)
    for _ in range(50):
        state = random_position(rng, rules)
        for child in [None, *children(state, rules)]:
            reached = child.state if child else state
            assert read(write(reached), rules) == reached


def test_notation_is_read_in_any_order_and_without_owners():
    rules = EDITIONS["second"]
    loose = read("-9@ana,14:K 3:yp,1:rb 15:W 2:g +5@b-1 / #yg p r", rules)
    assert write(loose) == "1:rb 2:g 3:yp 14:K 15:W +5 -9 / rgyp#"
    assert write(read("1:rb 2:g 3:yp 14:K 15:W / #", rules)).endswith("15:W / #")
    assert write(read("1:bgoyw / -", EDITIONS["first"])) == "1:bgoyw / -"


def test_full_pyramid():
    boards = {
        "first": ("1:bg 2:o 3:yw", "bgoyw"),
        "second": ("1:rb 2:g 3:yp 14:K 15:W", "rbgyp#"),
        "supercup": ("1:go 2:b 3:yw", "bgoywg+"),
        "supercup-second": ("1:Wyb 2:rK 3:pg", "rbgyp#y+"),
    }
    for edition, (board, dice) in boards.items():
        rules = EDITIONS[edition]
        assert read(board, rules) == read(f"{board} / {dice}", rules)


def test_faces_of_every_die():
    rules = EDITIONS["supercup-second"]
    state = read("5:rbgyp 10:W 12:K / r#r+", rules)
    faces = [(child.roll, child.weight) for child in children(state, rules)]
    grey = [(f"{colour} {spaces}", 1) for colour in ("white", "black") for spaces in (1, 2, 3)]
    assert faces == [("r1", 2), ("r2", 2), ("r3", 2), *grey, ("r+1", 3), ("r+2", 3)]


def test_rules_1_and_2_for_the_grey_die_never_meet():
    """docs/rules.md, section 4: a crazy camel directly on the other carries what both carry."""
    rules, rng = EDITIONS["second"], random.Random(4)
    for _ in range(2000):
        stacks = random_position(rng, rules).stacks
        if any("WK" in stack or "KW" in stack for stack in stacks):
            upper = "K" if any("WK" in stack for stack in stacks) else "W"
            assert crazy_camel(stacks, "W", rules) == crazy_camel(stacks, "K", rules)
            assert crazy_camel(stacks, "W", rules) == (upper, UPPER)


@pytest.mark.parametrize("name", ALL_RULES)
def test_random_positions_are_legal_and_varied(name: str):
    rules, rng = ALL_RULES[name], random.Random(name)
    left = Counter()
    for _ in range(300):
        state = random_position(rng, rules)
        spaces = [space for space, _ in state.tiles]
        assert sorted("".join(state.stacks)) == sorted(rules.racing + rules.crazy)
        assert not race_over(state)
        assert all(2 <= space <= rules.track and not state.stacks[space] for space in spaces)
        assert all(high - low > 1 for low, high in pairwise(spaces))
        assert reveals_left(state, rules) >= 0
        left[len(state.dice)] += 1
    assert set(range(rules.undrawn, len(rules.racing + rules.crazy[:1]) + 1)) <= set(left)


# ---- the merged leg against the unmerged tree --------------------------------------------------


def small_positions(name: str, wanted: int) -> list[State]:
    """Random positions with up to three reveals to come."""
    rules, rng = ALL_RULES[name], random.Random(name)
    drawn = (random_position(rng, rules) for _ in count())
    small = (state for state in drawn if reveals_left(state, rules) <= 3)
    return [next(small) for _ in range(wanted)]


@pytest.mark.parametrize("name", ALL_RULES)
def test_merging_changes_nothing(name: str):
    rules = ALL_RULES[name]
    for state in small_positions(name, 20):
        assert leg(state, rules) == leg_by_tree(state, rules)


@pytest.mark.parametrize("name", ALL_RULES)
def test_landings_and_photos_are_those_of_the_courses(name: str):
    rules = ALL_RULES[name]
    for state in small_positions(name, 5):
        tree = list(courses(state, rules))
        for space in range(1, rules.track + 1):
            taken = Counter()
            for weight, course in tree:
                taken[next((len(move.unit) for move in course if move.space == space), 0)] += weight
            assert photo(state, rules, space) == taken
        for space, counts in landing_counts(state, rules).items():
            landed = Counter()
            for weight, course in tree:
                landed[sum(move.landed == space for move in course)] += weight
            assert counts == landed


@pytest.mark.parametrize("name", ALL_RULES)
def test_weights_add_up_to_the_total(name: str):
    rules = ALL_RULES[name]
    for state in small_positions(name, 20):
        whole = leg(state, rules)
        counts = landing_counts(state, rules)
        assert sum(whole.rankings.values()) == sum(whole.ends.values()) == whole.total
        assert all(sum(row) == whole.total for row in whole.places.values())
        assert all(sum(column) == whole.total for column in zip(*whole.places.values(), strict=True))
        assert whole.landings == {
            space: sum(number * weight for number, weight in numbers.items()) for space, numbers in counts.items()
        }
        assert all(sum(numbers.values()) == whole.total for numbers in counts.values())


@pytest.mark.parametrize(
    ("rules", "text", "space", "expected"),
    [
        (Rules(16, "rby"), "5:rb 8:y +7 / r", 6, {2: 2, 0: 4}),
        (Rules(16, "rby"), "5:rb 8:y +7 / r", 7, {0: 6}),
        (Rules(16, "rby"), "5:rb 8:y +7 / r", 8, {2: 4, 0: 2}),
        (Rules(16, "rbg"), "5:rbg -6 / b", 5, {2: 2, 0: 4}),
        (Rules(16, "rb"), "15:rb / r", 16, {2: 2, 0: 4}),
        (Rules(16, "r", "WK"), "10:Wr 14:K / #", 9, {2: 2, 0: 4}),
        (Rules(16, "rb"), "5:rb / rb", 6, {2: 12, 1: 20, 0: 40}),
    ],
)
def test_photos_by_hand(rules: Rules, text: str, space: int, expected: dict[int, int]):
    """docs/rules.md, section 8: after the tile, the first unit only, never one over the line."""
    assert photo(read(text, rules), rules, space) == expected


def test_a_leg_or_race_that_is_over_is_certain():
    for edition, text, over in (
        ("first", "1:bg 2:o 3:yw / -", False),
        ("second", "1:bg 2:r 3:yp 15:W 16:K / #", False),
        ("second", "back:Wrb 3:g 5:y 6:p 12:K / rb", True),
        ("first", "9:oyw finish:bg", True),
    ):
        rules = EDITIONS[edition]
        state = read(text, rules)
        whole = leg(state, rules)
        assert leg_over(state, rules) and not children(state, rules)
        assert whole.rankings == {(ranking(state, rules), over): whole.total}
        assert whole.nodes == [0] * reveals_left(state, rules)


# ---- tests/perft: written by make_perft.py -----------------------------------------------------


@pytest.fixture(scope="module", params=EDITIONS)
def perft_lines(request: pytest.FixtureRequest) -> list[dict]:
    """All lines of an edition's perft file."""
    file = HERE / "perft" / f"{request.param}.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["edition"] for line in lines} == {request.param}
    return lines


def test_every_rule_is_met_by_ten_perft_positions(perft_lines: list[dict]):
    met = Counter(name for line in perft_lines for name in line["hits"])
    names = applicable_hits(EDITIONS[perft_lines[0]["edition"]])
    assert {name: met[name] for name in names if met[name] < 10} == {}
    assert set(met) == set(names)


def test_perft_files_are_what_the_reference_says(perft_lines: list[dict]):
    """The smaller lines again: the files have not fallen behind the reference."""
    rules = EDITIONS[perft_lines[0]["edition"]]
    for line in perft_lines:
        if len(line["nodes"]) <= 3:
            state = read(line["text"], rules)
            counts = photo(state, rules, line["photo"]["space"])
            again = {"text": line["text"], "edition": line["edition"], **perft(state, rules)}
            assert line.pop("photo")["counts"] == {str(n): w for n, w in counts.items()}
            assert line == again
