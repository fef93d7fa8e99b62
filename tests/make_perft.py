"""Write tests/perft/*.jsonl, one file per edition, from the reference: python tests/make_perft.py

A line is one position with everything that the reference says of the rest of its leg:

text       the position in the notation; without `/` the pyramid is full
edition    "first", "second", "supercup" or "supercup-second"
total      the weight of all courses: ways to draw the dice left, times six faces for each reveal
nodes      moves of the unmerged tree at depth 1, 2, ...: the grey die has six children, every
           other die one per distinct face; nothing follows the race's end
distinct   distinct (board, dice left) at depth 1, 2, ..., white and black told apart
ends       distinct boards in which the leg or the race ends, whatever dice are left
places     camel: weight of ending 1st, 2nd, ...
rankings   first to last: weight; with "!" after it the race is over
landings   tile's space: weights times the units that land there, summed
photo      for one camera space: camels in the first unit that ends its move there (0: none): weight
hits       rule: how many moves out of distinct (board, dice left) meet it

The positions are those of docs/rules.md, sections 9 and 10, and random ones. Half of the random
ones are taken as they come; the others must meet a rule that few positions have met so far.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import (
    EDITIONS,
    Rules,
    State,
    all_dice,
    applicable_hits,
    full_pyramid,
    perft,
    photo,
    random_position,
    read,
    reveals_left,
    write,
)
from test_reference import ROWS, VALUES, Row, die_of, positions_of

FOLDER = Path(__file__).parent / "perft"
POSITIONS = 200
FULL_LEGS = 25
AS_THEY_COME = 110
RARE = 20  # a rule that fewer positions than this meet is looked for
MOST_REVEALS = 4


def write_file(edition: str) -> None:
    """Write one edition's file; the same positions every time."""
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{edition}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for line in lines(edition):
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def lines(edition: str) -> Iterator[dict[str, Any]]:
    """The lines of one edition: given positions, random full legs, random smaller ones."""
    rules, rng = EDITIONS[edition], random.Random(f"perft {edition}")
    texts = given(edition) + full_legs(edition, rng)
    met: Counter = Counter()
    for number in range(POSITIONS):
        if number < len(texts):
            line = line_of(texts[number], edition, rng)
        else:
            rare = {name for name in applicable_hits(rules) if met[name] < RARE}
            wanted = rare if number >= AS_THEY_COME else set()
            line = random_line(edition, wanted, rng)
        met.update(line["hits"].keys())
        yield line


def line_of(text: str, edition: str, rng: random.Random) -> dict[str, Any]:
    """All that the reference says of a position, with one photo."""
    rules = EDITIONS[edition]
    state = read(text, rules)
    space = camera_space(state, rules, rng)
    counts = {str(camels): weight for camels, weight in sorted(photo(state, rules, space).items())}
    line = {"text": text, "edition": edition, **perft(state, rules)}
    hits = line.pop("hits")
    return {**line, "photo": {"space": space, "counts": counts}, "hits": hits}


def random_line(edition: str, wanted: set[str], rng: random.Random) -> dict[str, Any]:
    """A random position with few reveals left that meets a wanted rule, if any is wanted."""
    rules = EDITIONS[edition]
    while True:
        state = random_position(rng, rules)
        if 1 <= reveals_left(state, rules) <= MOST_REVEALS:
            line = line_of(write(state), edition, rng)
            if not wanted or wanted & line["hits"].keys():
                return line


def camera_space(state: State, rules: Rules, rng: random.Random) -> int:
    """An empty space without a tile, as the camera needs, if possible one soon reached."""
    tiles = {space for space, _ in state.tiles}
    track = range(1, rules.track + 1)
    empty = [space for space in track if not state.stacks[space] and space not in tiles]
    near = [space for space in empty if soon_reached(space, state.stacks, rules)]
    return rng.choice(near or empty)


def soon_reached(space: int, stacks: tuple[str, ...], rules: Rules) -> bool:
    """Whether a racing camel stands up to three spaces before, or a crazy camel behind."""
    before, behind = "".join(stacks[max(space - 3, 1) : space]), "".join(stacks[space : space + 4])
    return any(camel in before for camel in rules.racing) or any(camel in behind for camel in rules.crazy)


def given(edition: str) -> list[str]:
    """The positions of docs/rules.md, sections 9 and 10, that fit the edition."""
    rules = EDITIONS[edition]
    rows = [row for row in ROWS if fits(row, rules)]
    values = [value.text for value in VALUES if value.edition == edition]
    return list(dict.fromkeys(write(row_position(row, rules)) for row in rows)) + values


def fits(row: Row, rules: Rules) -> bool:
    """Whether a row's track and crazy camels are those of the edition."""
    crazy = set(row.before) & {"W", "K"}
    return EDITIONS[row.edition].track <= rules.track and bool(rules.crazy or not crazy)


def row_position(row: Row, rules: Rules) -> State:
    """A row's board in the edition's colours, with the rolled die and its two neighbours left."""
    second = EDITIONS["second"]
    before, _ = positions_of(row, second._replace(track=rules.track))
    colours = str.maketrans(second.racing, rules.racing, "" if rules.crazy else second.crazy)
    dice = all_dice(rules)
    rolled = dice.index(die_of(row.roll).translate(colours))
    left = {dice[(rolled + step) % len(dice)] for step in (-1, 0, 1)}
    return State(
        tuple(stack.translate(colours) for stack in before.stacks),
        tuple(die for die in dice if die in left),
        before.tiles,
    )


def full_legs(edition: str, rng: random.Random) -> list[str]:
    """Random boards at the start of their leg, written without dice."""
    rules = EDITIONS[edition]
    wanted = FULL_LEGS - sum(value.edition == edition for value in VALUES)
    states = [random_position(rng, rules) for _ in range(wanted)]
    full = [state._replace(dice=full_pyramid(state.stacks, rules)) for state in states]
    return [write(state).partition(" /")[0] for state in full]


if __name__ == "__main__":
    for name in EDITIONS:
        write_file(name)
