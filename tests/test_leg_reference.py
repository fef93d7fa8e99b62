"""The core against the independent reference, with == on integers (docs/design of trust: README, "Why trust it")."""

from __future__ import annotations

import json
import os
import random
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
import reference
from cases import LEGS, MID_LEG, Case

import camelodds as co
from camelodds.perft import check_file
from camelodds.position.rankings import ranking_names

HERE = Path(__file__).parent
CASES = json.loads((HERE / "data" / "legs.json").read_text())
HEAVY = {"first": 20_000, "second": 20_000, "supercup": 2_000, "supercup-second": 2_000}


def agree(board: co.Board, known: reference.Leg) -> None:
    """Everything that the reference knows of a leg, compared with ==."""
    leg = co.leg_odds(board)
    scale = known.total // leg.total if board.race_over else 1  # a race that is over has one way here
    assert leg.total * scale == known.total
    names = ranking_names(board.rules.racing)
    over, index = np.nonzero(leg.joint)
    rankings = {(names[i], bool(o)): int(leg.joint[o, i]) * scale for o, i in zip(over, index, strict=True)}
    assert rankings == {key: weight for key, weight in known.rankings.items() if weight}
    assert {camel: (leg.counts[lane] * scale).tolist() for lane, camel in enumerate(board.rules.racing)} == {
        camel: list(weights) for camel, weights in known.places.items()
    }
    landings = {tile.space: int(leg.landing_weights[tile.space]) for tile in board.tiles}
    assert landings == {tile.space: known.landings.get(tile.space, 0) for tile in board.tiles}
    ends = {str(end).partition(" /")[0]: int(weight) * scale for end, weight in zip(*leg.ends, strict=True)}
    assert ends == known.ends


def bridge(state: reference.State, edition: str | co.Rules) -> co.Board:
    return co.Board.parse(reference.write(state), edition)


@pytest.mark.parametrize("edition", reference.EDITIONS)
def test_perft_file(edition: str) -> None:
    assert check_file(HERE / "perft" / f"{edition}.jsonl") == (200, None)


@pytest.mark.parametrize("case", [*LEGS, *MID_LEG], ids=lambda case: case.name)
def test_what_is_measured_is_right(case: Case) -> None:
    agree(case.board, case.by_reference())


def test_every_edition_has_its_perft_file() -> None:
    assert {path.stem for path in (HERE / "perft").glob("*.jsonl")} == set(co.EDITIONS)


@pytest.mark.parametrize("edition", reference.EDITIONS)
def test_random_positions(edition: str) -> None:
    rules, rng = reference.EDITIONS[edition], random.Random(f"usual {edition}")
    compared = 0
    while compared < 150:
        state = reference.random_position(rng, rules)
        if reference.reveals_left(state, rules) <= 3:
            agree(bridge(state, edition), reference.leg(state, rules))
            compared += 1


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(20))
@pytest.mark.parametrize("edition", reference.EDITIONS)
def test_many_random_positions(edition: str, part: int) -> None:
    """A uniform number of dice left; full pyramids are those that the edition starts a leg with.

    CAMELODDS_HEAVY=0.01 compares a hundredth of the positions.
    """
    rules, rng = reference.EDITIONS[edition], random.Random(f"heavy {edition} {part}")
    most = len(rules.racing) + bool(rules.crazy) + rules.support - rules.undrawn
    positions = max(1, round(HEAVY[edition] / 20 * float(os.environ.get("CAMELODDS_HEAVY", "1"))))
    for number in range(positions):
        wanted = (number + part) % (most + 1)
        while True:
            state = reference.random_position(rng, rules)
            support = sum(die.endswith("+") for die in state.dice)
            if reference.reveals_left(state, rules) == wanted and support <= 1:
                break
        agree(bridge(state, edition), reference.leg(state, rules))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict) -> None:
    leg = co.leg_odds(case["text"], case["edition"])
    for place, chances in case["expect"].items():
        assert {camel: leg.p(camel, int(place)) for camel in chances} == {c: Fraction(p) for c, p in chances.items()}
    for space, landings in case.get("landings", {}).items():
        assert leg.landing(int(space)) == Fraction(landings)
    if "race_ends" in case:
        assert leg.race_ends == Fraction(case["race_ends"])


@pytest.mark.parametrize("edition", reference.EDITIONS)
def test_landing_distributions_and_photos(edition: str) -> None:
    rules, rng = reference.EDITIONS[edition], random.Random(f"marks {edition}")
    compared = 0
    while compared < 40:
        state = reference.random_position(rng, rules)
        if not 0 < reference.reveals_left(state, rules) <= 3 or reference.race_over(state):
            continue
        board = bridge(state, edition)
        leg = co.leg_odds(board)
        for space, known in reference.landing_counts(state, rules).items():
            counted = {n: int(p * leg.total) for n, p in leg.landing_distribution(space).items() if p}
            assert counted == {n: weight for n, weight in known.items() if weight}
            assert leg.landing(space) == sum(n * p for n, p in leg.landing_distribution(space).items())
        for camera in range(1, rules.track + 1):
            if all(tile.space != camera for tile in board.tiles):
                photo = {n: int(p * leg.total) for n, p in leg.photo(camera).items() if p}
                assert photo == reference.photo(state, rules, camera)
        compared += 1


def small_games() -> list[tuple[reference.Rules, co.Rules]]:
    """Up to three camels on a short track: racing ones alone, or with both crazy camels."""
    shapes = [("r", ""), ("rb", ""), ("rbg", ""), ("r", "WK")]
    return [
        (
            reference.Rules(4, racing, crazy, int(bool(crazy)), False),
            co.Rules("small", racing=racing, crazy=crazy, track=4, undrawn=int(bool(crazy))),
        )
        for racing, crazy in shapes
    ]


def arrangements(camels: str, track: int) -> list[dict[int, str]]:
    """Every way in which camels can stand on a track."""
    found = set()
    for order in permutations(camels):
        for spaces in product(range(1, track + 1), repeat=len(camels)):
            stacks: dict[int, str] = {}
            for camel, space in zip(order, spaces, strict=True):
                stacks[space] = stacks.get(space, "") + camel
            found.add(tuple(sorted(stacks.items())))
    return [dict(stacks) for stacks in sorted(found)]


@pytest.mark.parametrize(("slow", "rules"), small_games(), ids=lambda rules: getattr(rules, "racing", ""))
def test_every_small_position(slow: reference.Rules, rules: co.Rules) -> None:
    """Every arrangement, with every tile and every set of dice."""
    signs = list(rules.dice)
    pyramids = [[s for i, s in enumerate(signs) if mask >> i & 1] for mask in range(1 << len(signs))]
    for stacks in arrangements(rules.camels, rules.track):
        free = [space for space in range(2, rules.track + 1) if space not in stacks]
        for tiles in [(), *(((space, side),) for space in free for side in (1, -1))]:
            for dice in pyramids:
                if len(dice) > rules.undrawn:
                    board = co.Board.of(stacks, dice=dice, tiles=tiles, edition=rules)
                    agree(board, reference.leg(reference.read(str(board), slow), slow))


@pytest.mark.parametrize("seed", range(6))
def test_own_rules(seed: int) -> None:
    """Fewer camels, other tracks up to the longest, support dice with crazy camels."""
    rng = random.Random(seed)
    for _ in range(25):
        racing = "rbgyp"[: rng.randint(1, 5)]
        crazy = rng.choice(["", "WK"])
        support = rng.random() < 0.3
        undrawn = rng.randint(0, 1) if crazy else 0
        track = rng.choice([3, 4, 5, 8, 13, 20, 28])
        slow = reference.Rules(track, racing, crazy, undrawn, support)
        modules = frozenset({"support"} if support else ())
        rules = co.Rules("own", racing=racing, crazy=crazy, track=track, undrawn=undrawn, modules=modules)
        state = reference.random_position(rng, slow)
        if reference.reveals_left(state, slow) <= 3:
            agree(bridge(state, rules), reference.leg(state, slow))


def test_ten_dice_of_three_camels() -> None:
    """All support dice at once, on a game small enough for the reference."""
    slow = reference.Rules(12, "rbg", "", 0, True)
    rules = co.Rules("own", racing="rbg", track=12, modules=frozenset({"support"}))
    board = co.Board.parse("1:rb 2:g +5 -8 / rbgr+b+g+", rules)
    agree(board, reference.leg(reference.read(str(board), slow), slow))
