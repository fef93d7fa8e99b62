"""Race odds against exact fractions, direct solutions of the linear system, and published figures."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
import reference
from reference import State

from camelodds.errors import NotationError, RulesError
from camelodds.odds.race import race_odds, race_odds_many, simulated_race
from camelodds.odds.race_course import Course
from camelodds.odds.race_table import RaceTable, TableError, build_table, table_at_hand
from camelodds.position.board import Board
from camelodds.rules import EDITIONS, FIRST, SECOND, SUPERCUP, Rules

NAMES = "abcde"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path / "cache"))


def own(base: Rules, track: int, racing: int, **changes: object) -> Rules:
    return base.with_changes(track=track, racing=NAMES[:racing], **changes)


def slow_rules(rules: Rules) -> reference.Rules:
    return reference.Rules(rules.track, rules.racing, rules.crazy, rules.undrawn, rules.support)


# ---- the race as linear equations, made with the reference's moves --------------------------------


def all_starts(rules: reference.Rules) -> Iterator[tuple[str, ...]]:
    """Every arrangement of the camels with the racing ones in rank order, a last, and white before black."""
    order = rules.racing + rules.crazy
    for camels in permutations(order):
        letters = "".join(camels)
        in_rank = "".join(camel for camel in letters if camel in rules.racing) == rules.racing
        if not in_rank or "".join(camel for camel in letters if camel in rules.crazy) != rules.crazy:
            continue
        for spaces in combinations_with_replacement(range(1, rules.track + 1), len(letters)):
            stacks = [""] * (rules.track + 2)
            for camel, space in zip(letters, spaces, strict=True):
                stacks[space] += camel
            yield tuple(stacks)


def by_rank(stacks: tuple[str, ...], rules: reference.Rules) -> tuple[tuple[str, ...], str]:
    """The same arrangement with camels named as in `all_starts`, and the ranking that it had, last first."""
    last_first = reference.rank(stacks, rules)[::-1]
    crazy = "".join(camel for stack in stacks for camel in stack if camel in rules.crazy)
    new = str.maketrans(last_first + crazy, rules.racing + rules.crazy)
    return tuple(stack.translate(new) for stack in stacks), last_first


def leg_from(state: State, rules: reference.Rules) -> dict[tuple[str, ...], Fraction]:
    """How the leg can end: arrangements with their probabilities."""
    now = Counter({state: Fraction(1)})
    ends: Counter[tuple[str, ...]] = Counter()
    while now:
        after: Counter[State] = Counter()
        for here, chance in now.items():
            if reference.leg_over(here, rules):
                ends[here.stacks] += chance
                continue
            for child in reference.children(here, rules):
                after[child.state] += chance * Fraction(child.weight, 6 * len(here.dice))
        now = after
    return ends


def start_state(stacks: tuple[str, ...], rules: reference.Rules) -> State:
    return State(stacks, reference.full_pyramid(stacks, rules), ())


def equations(rules: reference.Rules) -> dict[tuple[str, ...], dict[tuple[str, ...], Fraction]]:
    return {start: leg_from(start_state(start, rules), rules) for start in all_starts(rules)}


def is_over(stacks: tuple[str, ...]) -> bool:
    return bool(stacks[0] or stacks[-1])


def exact_chances(rules: reference.Rules, place: int) -> dict[tuple[tuple[str, ...], str], Fraction]:
    """Solve the equations in fractions: the chance of each camel of each start to end in a place, -1 the last."""
    legs = equations(rules)
    rows: dict[tuple[tuple[str, ...], str], dict[tuple[tuple[str, ...], str] | None, Fraction]] = {}
    for start, ends in legs.items():
        for camel in rules.racing:
            row: Counter[tuple[tuple[str, ...], str] | None] = Counter()
            for stacks, chance in ends.items():
                if is_over(stacks):
                    row[None] += chance * (reference.rank(stacks, rules)[place] == camel)
                else:
                    renamed, last_first = by_rank(stacks, rules)
                    row[renamed, rules.racing[last_first.index(camel)]] += chance
            rows[start, camel] = row
    # Farther along first: what is solved is put into the rows that mention it, so few are left open at any time.
    for unknown in sorted(rows, key=lambda key: -progress(key[0])):
        row = rows[unknown]
        itself = 1 - row.pop(unknown, Fraction(0))
        rows[unknown] = row = {name: value / itself for name, value in row.items()}
        for other in rows.values():
            share = other.pop(unknown, None) if other is not row else None
            if share:
                for name, value in row.items():
                    other[name] = other.get(name, Fraction(0)) + share * value
    return {unknown: row.get(None, Fraction(0)) for unknown, row in rows.items()}


def progress(stacks: tuple[str, ...]) -> int:
    return sum(space * sum(camel in NAMES for camel in stack) for space, stack in enumerate(stacks))


@cache
def solved_chances(rules: reference.Rules) -> tuple[dict[tuple[str, ...], int], np.ndarray, np.ndarray]:
    """Solve the equations in floats: (number of each start, chances [start, camel, first or last], legs)."""
    from scipy.sparse import csc_matrix, identity
    from scipy.sparse.linalg import splu

    legs = equations(rules)
    number = {start: index for index, start in enumerate(legs)}
    racing = len(rules.racing)
    entries: Counter[tuple[int, int]] = Counter()
    known = np.zeros((len(number) * racing, 2))
    on: Counter[tuple[int, int]] = Counter()
    for start, ends in legs.items():
        for stacks, fraction in ends.items():
            chance = float(fraction)
            ranking = reference.rank(stacks, rules)
            if is_over(stacks):
                known[number[start] * racing + rules.racing.index(ranking[0]), 0] += chance
                known[number[start] * racing + rules.racing.index(ranking[-1]), 1] += chance
                continue
            renamed, last_first = by_rank(stacks, rules)
            on[number[start], number[renamed]] += chance
            for rank, camel in enumerate(last_first):
                row = number[start] * racing + rules.racing.index(camel)
                entries[row, number[renamed] * racing + rank] += chance

    def solve(entries: Counter[tuple[int, int]], known: np.ndarray) -> np.ndarray:
        rows, columns = zip(*entries, strict=True)
        matrix = csc_matrix((list(entries.values()), (rows, columns)), (len(known), len(known)))
        return splu((identity(len(known)) - matrix).tocsc()).solve(known)

    chances = solve(entries, known).reshape(len(number), racing, 2)
    return number, chances, solve(on, np.ones(len(number)))


def board_of(stacks: tuple[str, ...], rules: Rules, **more: object) -> Board:
    return Board.of({space: stack for space, stack in enumerate(stacks) if stack}, edition=rules, **more)


# ---- short tracks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        own(FIRST, 4, 2),
        own(FIRST, 4, 3),
        own(FIRST, 6, 2, undrawn=1),
        own(SUPERCUP, 4, 2),
        own(SUPERCUP, 3, 3),
        own(SECOND, 4, 1),
        own(SECOND, 3, 2),
        own(SECOND, 4, 2, undrawn=0),
        own(SECOND, 4, 2, undrawn=2),
        own(FIRST, 4, 3, undrawn=2),
        own(SECOND, 4, 2),
    ],
    ids=lambda rules: f"{rules.name}-{rules.track}-{len(rules.racing)}-{rules.undrawn}",
)
def test_short_tracks_agree_with_exact_fractions(rules):
    slow = slow_rules(rules)
    for place, kind in ((0, "wins"), (-1, "losses")):
        for (stacks, camel), chance in exact_chances(slow, place).items():
            found = getattr(race_odds(board_of(stacks, rules)), kind)[rules.racing.index(camel)]
            assert found == pytest.approx(float(chance), abs=1e-12), (stacks, camel)


@pytest.mark.parametrize(
    "rules",
    [own(FIRST, 5, 3), own(SECOND, 4, 3), own(SECOND, 6, 2), own(SUPERCUP, 5, 3)],
    ids=lambda rules: f"{rules.name}-{rules.track}-{len(rules.racing)}",
)
def test_short_tracks_agree_with_a_direct_solution(rules):
    number, chances, legs = solved_chances(slow_rules(rules))
    course = Course.of(rules)
    assert course.starts == len(number)
    for stacks, index in number.items():
        odds = race_odds(board_of(stacks, rules))
        assert odds.method == "table"
        np.testing.assert_allclose(np.stack([odds.wins, odds.losses], axis=1), chances[index], rtol=0, atol=1e-12)
        assert odds.legs == pytest.approx(legs[index], abs=1e-11)


@pytest.mark.heavy
@pytest.mark.parametrize("track", [5, 6])
def test_three_camels_and_both_crazy_ones_agree_with_a_direct_solution(track):
    test_short_tracks_agree_with_a_direct_solution(own(SECOND, track, 3))


@pytest.mark.parametrize("rules", [own(FIRST, 5, 3), own(SECOND, 4, 3), own(SUPERCUP, 5, 3)], ids=lambda r: r.name)
def test_the_middle_of_a_leg_weighs_the_starts_of_the_next(rules):
    slow = slow_rules(rules)
    number, chances, legs = solved_chances(slow)
    rng = random.Random(5)
    for _ in range(25):
        state = reference.random_position(rng, slow)
        expected, expected_legs = np.zeros((len(rules.racing), 2)), 0.0
        for stacks, chance in leg_from(state, slow).items():
            ranking = reference.rank(stacks, slow)
            if is_over(stacks):
                expected[rules.racing.index(ranking[0]), 0] += chance
                expected[rules.racing.index(ranking[-1]), 1] += chance
                continue
            renamed, last_first = by_rank(stacks, slow)
            for rank, camel in enumerate(last_first):
                expected[rules.racing.index(camel)] += float(chance) * chances[number[renamed], rank]
            expected_legs += float(chance) * legs[number[renamed]]
        odds = race_odds(Board.parse(reference.write(state), rules))
        np.testing.assert_allclose(np.stack([odds.wins, odds.losses], axis=1), expected, rtol=0, atol=1e-12)
        this_leg = 0 if reference.leg_over(state, slow) else 1
        assert odds.legs == pytest.approx(this_leg + expected_legs, abs=1e-11)


def test_the_error_is_a_bound_that_short_tracks_keep():
    rules = own(SECOND, 4, 3)
    number, chances, _ = solved_chances(slow_rules(rules))
    table = table_at_hand(Course.of(rules))
    assert 0 < table.error <= 1e-9
    off = max(
        np.abs(np.stack([odds.wins, odds.losses], axis=1) - chances[index]).max()
        for stacks, index in number.items()
        for odds in [race_odds(board_of(stacks, rules))]
    )
    assert off <= table.error + 1e-13


@pytest.mark.parametrize("rules", [own(FIRST, 6, 2), own(SECOND, 4, 2)], ids=lambda rules: rules.name)
def test_short_races_are_simulated_as_they_are_solved(rules):
    exact = race_odds(board_of(next(iter(equations(slow_rules(rules)))), rules))
    played = simulated_race(exact.board, games=1_000)
    assert np.abs(played.wins - exact.wins).max() <= 5 * played.stderr
    assert abs(played.legs - exact.legs) <= 5 * played.legs_stderr


# ---- the editions ---------------------------------------------------------------------------------


def test_first_edition_check_values():
    odds = race_odds("1:bg 2:wy 3:o", "first")
    order = [odds.board.rules.racing.index(camel) for camel in "bgwyo"]
    np.testing.assert_allclose(odds.wins[order], [0.184074, 0.202831, 0.198135, 0.209903, 0.205057], atol=5e-7)
    np.testing.assert_allclose(odds.losses[order], [0.257975, 0.189183, 0.208176, 0.167403, 0.177263], atol=5e-7)
    assert (odds.method, odds.stderr) == ("table", None) and odds.error <= 1e-9


@pytest.mark.heavy
def test_second_edition_check_values_and_the_law_of_total_probability():
    text = "1:rb 2:g 3:yp 14:K 15:W"
    odds = race_odds(text, build=True)
    np.testing.assert_allclose(odds.wins, [0.171426, 0.207489, 0.190057, 0.203000, 0.228028], atol=5e-7)
    np.testing.assert_allclose(odds.losses, [0.275230, 0.173692, 0.222159, 0.186708, 0.142212], atol=5e-7)
    assert odds.method == "table" and odds.error <= 1e-9
    table = table_at_hand(Course.of(SECOND))
    table.verify()
    rng = random.Random(11)
    for _ in range(50):
        state = reference.random_position(rng, slow_rules(SECOND))
        check_total_probability(Board.parse(reference.write(state)))
        check_simulation(Board.parse(reference.write(state)))


@pytest.mark.parametrize("edition", ["first", "supercup"])
def test_fifty_random_positions_agree_with_simulation(edition):
    rules = EDITIONS[edition]
    rng = random.Random(11)
    for _ in range(50):
        check_simulation(Board.parse(reference.write(reference.random_position(rng, slow_rules(rules))), rules))


@pytest.mark.parametrize("edition", ["first", "supercup"])
def test_the_next_roll_changes_no_expectation(edition):
    rules = EDITIONS[edition]
    rng = random.Random(3)
    for _ in range(10):
        check_total_probability(Board.parse(reference.write(reference.random_position(rng, slow_rules(rules))), rules))


def check_simulation(board: Board) -> None:
    exact, played = race_odds(board), simulated_race(board, games=20_000, seed=1)
    for chance, share in zip([*exact.wins, *exact.losses], [*played.wins, *played.losses], strict=True):
        assert abs(chance - share) <= 5 * (chance * (1 - chance) / played.games) ** 0.5 + 1e-9, str(board)
    assert abs(exact.legs - played.legs) <= 5 * played.legs_stderr + 1e-9, str(board)


def check_total_probability(board: Board) -> None:
    if board.leg_over:
        return
    here = race_odds(board)
    rolls = list(board.rolls())
    mean = sum(roll.weight * race_odds(board.roll(roll.shows, roll.number)).wins for roll in rolls)
    np.testing.assert_allclose(mean / sum(roll.weight for roll in rolls), here.wins, rtol=0, atol=1e-9)


@pytest.mark.parametrize("text", ["3:bg 5:w 9:yo", "3:bg 5:w 9:yo / bg", "2:b 3:g 5:w 9:yo +7 -12 / wyo"])
def test_renaming_colours_renames_the_odds(text):
    new = str.maketrans("bgwyo", "wobgy")
    one, other = race_odds(text, "first"), race_odds(text.translate(new), "first")
    for camel, chance in one.winner.items():
        assert other.winner[camel.translate(new)] == pytest.approx(chance, abs=1e-14)


def test_the_start_of_a_leg_and_the_end_of_the_one_before_have_the_same_odds():
    over, start = race_odds("3:bg 5:w 9:yo / -", "first"), race_odds("3:bg 5:w 9:yo", "first")
    assert over.wins.tolist() == start.wins.tolist() and over.legs == start.legs


def test_the_odds_of_a_race_that_is_over_are_certain():
    odds = race_odds("5:r 9:K 12:W 15:by finish:gp / rb#", "second")
    assert odds.winner.to_dict() == {"r": 0, "b": 0, "g": 0, "y": 0, "p": 1}
    assert odds.loser.to_dict() == {"r": 1, "b": 0, "g": 0, "y": 0, "p": 0}
    assert (odds.legs, odds.error) == (0, 0)


# ---- without a table ------------------------------------------------------------------------------


def test_without_a_table_the_second_edition_is_simulated_and_the_command_named():
    odds = race_odds("1:rb 2:g 3:yp 14:K 15:W", games=200_000)
    assert (odds.method, odds.error, odds.games) == ("simulation", None, 200_000)
    assert "camelodds race-table build" in odds.note and "3,581,424" in odds.note
    known = [0.171426, 0.207489, 0.190057, 0.203000, 0.228028]
    assert np.abs(odds.wins - known).max() <= 5 * odds.stderr


@pytest.mark.parametrize("edition", ["supercup-second", own(SECOND, 28, 5)], ids=str)
def test_what_has_no_table_or_too_large_a_one_is_simulated_and_says_why(edition):
    camels = (edition if isinstance(edition, Rules) else EDITIONS[edition]).racing
    odds = race_odds(f"1:{camels[:2]} 2:{camels[2]} 3:{camels[3:]} 14:K 15:W", edition, games=1000)
    assert odds.method == "simulation" and odds.note


def test_support_dice_with_crazy_camels_have_no_table_to_build():
    with pytest.raises(TableError, match="support dice together with crazy camels"):
        build_table(Course.of(EDITIONS["supercup-second"]))


def test_the_precision_asked_for_is_reached():
    odds = race_odds("1:rb 2:g 3:yp 14:K 15:W", stderr=0.004)
    assert odds.stderr <= 0.004 and odds.games < 20_000


@pytest.mark.parametrize("wrong", [{"games": 0}, {"stderr": 0.0}, {"games": 5, "stderr": 0.1}])
def test_a_precision_that_can_not_be_is_refused(wrong):
    with pytest.raises(RulesError):
        race_odds("1:rb 2:g 3:yp 14:K 15:W", **wrong)


def test_build_makes_the_table_that_is_used_from_then_on(monkeypatch):
    monkeypatch.setattr("camelodds.odds.race_table.SMALL_STARTS", 0)
    rules = own(SECOND, 4, 2)
    text = "1:ab 2:W 3:K"
    assert race_odds(text, rules, games=1000).method == "simulation"
    seen: list[float] = []
    built = race_odds(text, rules, build=True, progress=lambda done, total: seen.append(done / total))
    assert built.method == "table" and seen == sorted(seen) and seen[-1] == 1.0
    assert race_odds(text, rules).wins.tolist() == built.wins.tolist()


# ---- many -----------------------------------------------------------------------------------------


def test_many_are_the_same_as_one_by_one_whoever_does_the_work():
    rng = random.Random(2)
    texts = [reference.write(reference.random_position(rng, slow_rules(FIRST))) for _ in range(150)]
    many = race_odds_many(texts, "first")
    assert many.shape == (150, 5, 2)
    for text, odds in zip(texts, many, strict=True):
        one = race_odds(text, "first")
        assert odds[:, 0].tolist() == one.wins.tolist() and odds[:, 1].tolist() == one.losses.tolist()
    with ThreadPoolExecutor(1) as executor:
        assert np.array_equal(many, race_odds_many(texts, "first", executor=executor))


def test_no_board_gives_no_odds():
    assert race_odds_many([], "first").shape == (0, 5, 2)


def test_the_first_board_at_fault_is_named():
    with pytest.raises(NotationError, match="board 1"):
        race_odds_many(["1:bg 2:wy 3:o", "1:bg"], "first")


# ---- names of leg starts ----------------------------------------------------------------------------


@pytest.mark.parametrize(("track", "racing", "crazy"), [(16, 5, False), (6, 3, True), (4, 5, True), (28, 1, True)])
def test_every_start_has_one_number(track, racing, crazy):
    from camelodds.core.starts import names, starts_of_words, words_of_starts

    course = Course(track, racing, crazy)
    named = names(racing, track)
    words = np.empty(course.shape[:2], np.int64)
    words_of_starts(crazy, track, named.choose, words)
    starts = np.empty((words.size, 3), np.int64)
    starts_of_words(words.ravel(), crazy, track, *named[:3], starts)
    assert (starts[:, 0] * course.shape[1] + starts[:, 1] == np.arange(words.size)).all()
    assert len(np.unique(words)) == words.size


def test_the_counts_of_leg_starts():
    counted = {name: Course.of(rules).starts for name, rules in EDITIONS.items()}
    assert counted == {"first": 15_504, "second": 3_581_424, "supercup": 42_504, "supercup-second": 13_813_800}


def test_a_racing_move_does_not_depend_on_the_crazy_camels():
    from camelodds.core.move import move
    from camelodds.core.starts import NOWHERE, names, racing_moves, starts_of_words, words_of_starts

    track, racing = 4, 3
    course = Course(track, racing, True)
    named = names(racing, track)
    words = np.empty(course.shape[:2], np.int64)
    words_of_starts(True, track, named.choose, words)
    after, change = np.empty((len(words), racing, 3), np.int32), np.empty((len(words), racing, 3), np.uint8)
    racing_moves(track, *named[:3], after, change)
    start = np.empty((1, 3), np.int64)
    for (squad, pair), rank, face in product(np.ndindex(words.shape), range(racing), range(3)):
        moved = move(int(words[squad, pair]), rank, face + 1, track, 0, 0)[0]
        starts_of_words(np.array([moved]), True, track, *named[:3], start)
        expected = len(words) if start[0, 0] == NOWHERE else start[0, 0]
        assert (after[squad, rank, face], change[squad, rank, face]) == (expected, start[0, 2])


def test_a_solution_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        RaceTable.solved(Course(4, 2)).values[0] = 1


# ---- the sweeps in whole numbers ---------------------------------------------------------------------


@pytest.mark.parametrize("course", [Course(3, 5, True, 1), Course(3, 4, True, 0), Course(4, 3, True, 2)], ids=str)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sums_of_a_sweep_fit_into_four_bytes(course, sign):
    """All that is missing is as large as it may be: no sum can be larger, as all add the same numbers of ways."""
    from camelodds.odds.race_solver import MOST, _prospects, _Sweep, _Work

    with ThreadPoolExecutor(2) as pool:
        for prospect in _prospects(course.racing):
            sweep = _Sweep(_Work(course, pool), prospect)
            units = MOST // sweep.ways
            unit = sweep.unit(1.0)
            assert sweep.unit(units * unit) == unit and (units + 1) * sweep.ways > MOST
            sweep.missing[:] = sign * units * unit
            assert sweep.run(units * unit) == pytest.approx(units * unit, rel=1e-15)
            assert (sweep.with_grey[:, 0, :, :-1] == sign * units * sweep.ways).all()
            assert not sweep.with_grey[..., -1].any() and not sweep.without_grey[..., -1].any()


def test_a_unit_is_never_too_small_for_what_is_missing():
    from camelodds.odds.race_solver import MOST, _prospects, _Sweep, _Work

    with ThreadPoolExecutor(1) as pool:
        sweep = _Sweep(_Work(Course(2, 5, True, 1), pool), _prospects(5)[0])
    most = MOST // sweep.ways
    rng = random.Random(4)
    for power in range(0, -45, -1):
        edge = most * 2.0**power
        for missing in (edge, np.nextafter(edge, 0), np.nextafter(edge, 9e9), edge * rng.random(), edge * rng.random()):
            assert np.rint(missing / sweep.unit(missing)) <= most


@pytest.mark.parametrize("course", [Course(5, 3, True), Course(3, 5, True), Course(6, 2, True), Course(4, 1, True)])
def test_the_grey_die_leads_to_as_many_squads_and_orders_as_are_made_room_for(course):
    from camelodds.core.move import CRAZY, grey_choice, move
    from camelodds.core.starts import names, starts_of_words, words_of_starts
    from camelodds.odds.race_solver import _Work

    named = names(course.racing, course.track)
    words = np.empty(course.shape[:2], np.int64)
    words_of_starts(True, course.track, named.choose, words)
    with ThreadPoolExecutor(2) as pool:
        runs = _Work(course, pool).grey[2]
    most = 0
    for squad, row in enumerate(words):
        moved = np.array(
            [
                move(int(word), CRAZY + crazy, number, course.track, 0, 0)[0]
                for word in row
                for choice in [grey_choice(int(word))]
                for crazy in ((0, 1) if choice == 3 else (choice - 1,))
                for number in (1, 2, 3)
            ]
        )
        starts = np.empty((len(moved), 3), np.int64)
        starts_of_words(moved, True, course.track, *named[:3], starts)
        here = (squad, len(named.lane_of) - 1)
        targets = {(after if after >= 0 else len(words), ranking) for after, _, ranking in starts.tolist()} - {here}
        ends = runs[squad, :, 1]
        found = {
            (int(target) >> 7, int(target) & 127)
            for target, begin, end in zip(runs[squad, :, 0], [0, *ends[:-1]], ends, strict=True)
            if end > begin
        }
        assert found == targets
        most = max(most, len(targets))
    assert most <= runs.shape[1] == 3 * course.racing + 1
