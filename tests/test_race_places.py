"""The race by every place: against exact fractions on short tracks, published figures, simulation, and its own sums."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import reference
from test_race import all_starts, board_of, by_rank, is_over, leg_from, own, progress, slow_rules, start_state

from camelodds.errors import RulesError
from camelodds.odds import race_places
from camelodds.odds.race import RaceOdds, race_odds, simulated_race
from camelodds.odds.race_course import Course
from camelodds.odds.race_places import can_solve, winners_and_losers
from camelodds.position.board import Board
from camelodds.position.rankings import ranking_names
from camelodds.rules import EDITIONS, FIRST, SECOND, SUPERCUP

End = tuple[str, int]
"""How a race ends: the ranking, first to last, and the number of legs to come."""


# ---- the race played out in fractions -------------------------------------------------------------


@cache
def slow_ends(stacks: tuple[str, ...], rules: reference.Rules) -> dict[End, Fraction]:
    """Every end of the race from the start of a leg with its probability; no crazy camels, so that all moves go up."""
    renamed, last_first = by_rank(stacks, rules)
    if renamed != stacks:
        back = str.maketrans(rules.racing, last_first)
        return {(ranking.translate(back), legs): p for (ranking, legs), p in slow_ends(renamed, rules).items()}
    return later_ends(leg_from(start_state(stacks, rules), rules), rules, 1)


def later_ends(leg: dict[tuple[str, ...], Fraction], rules: reference.Rules, under_way: int) -> dict[End, Fraction]:
    ends: Counter[End] = Counter()
    for after, chance in leg.items():
        if is_over(after):
            ends["".join(reference.rank(after, rules)), under_way] += chance
            continue
        for (ranking, legs), p in slow_ends(after, rules).items():
            ends[ranking, legs + under_way] += chance * p
    return dict(ends)


def check_ends(odds: RaceOdds, ends: dict[End, Fraction]) -> None:
    racing = odds.board.rules.racing
    names = ranking_names(racing)
    rankings, places = np.zeros(len(names)), np.zeros((len(racing), len(racing)))
    both, legs = np.zeros_like(places), np.zeros(1 + max(number for _, number in ends))
    for (ranking, number), fraction in ends.items():
        p = float(fraction)
        rankings[names.index(ranking)] += p
        for place, camel in enumerate(ranking):
            places[racing.index(camel), place] += p
        both[racing.index(ranking[0]), racing.index(ranking[-1])] += p
        legs[number] += p
    finish = odds.finish
    for found, expected in (
        (finish.rankings, rankings), (finish.places, places), (finish.winner_and_loser, both), (finish.legs, legs),
    ):  # fmt: skip
        assert (found.method, found.games, found.stderr) == ("table", 0, None) and 0 <= found.error < 1e-9
        np.testing.assert_allclose(found.p, expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(odds.places, places, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    "rules",
    [
        own(FIRST, 4, 1), own(FIRST, 4, 2), own(FIRST, 5, 3), own(FIRST, 6, 2, undrawn=1), own(FIRST, 4, 3, undrawn=2),
        own(SUPERCUP, 4, 2), own(SUPERCUP, 4, 3), own(FIRST, 3, 3),
    ],
    ids=lambda rules: f"{rules.name}-{rules.track}-{len(rules.racing)}-{rules.undrawn}",
)  # fmt: skip
def test_short_tracks_end_as_exact_fractions_say(rules):
    slow = slow_rules(rules)
    for stacks in sorted(all_starts(slow), key=progress, reverse=True):
        check_ends(race_odds(board_of(stacks, rules)), slow_ends(stacks, slow))


@pytest.mark.parametrize("rules", [own(FIRST, 5, 3), own(SUPERCUP, 5, 3)], ids=lambda rules: rules.name)
def test_the_middle_of_a_leg_ends_as_exact_fractions_say(rules):
    slow = slow_rules(rules)
    rng = random.Random(8)
    for _ in range(25):
        state = reference.random_position(rng, slow)
        under_way = 0 if reference.leg_over(state, slow) else 1
        ends = later_ends(leg_from(state, slow), slow, under_way)
        check_ends(race_odds(Board.parse(reference.write(state), rules)), ends)


def test_with_less_memory_places_are_solved_one_by_one_and_rankings_simulated(monkeypatch):
    rules = own(SUPERCUP, 4, 4)
    course = Course.of(rules)
    whole = race_odds("1:ab 2:cd", rules).finish
    monkeypatch.setattr(race_places, "MOST_BYTES", 8 * course.starts * course.dice_sets * 12)
    assert can_solve(course, 12) and not can_solve(course, 24)
    small = race_odds("1:ab 2:cd", rules)
    np.testing.assert_allclose(small.finish.places.p, whole.places.p, rtol=0, atol=1e-14)
    np.testing.assert_allclose(small.finish.winner_and_loser.p, whole.winner_and_loser.p, rtol=0, atol=1e-14)
    assert (small.finish.places.method, small.finish.winner_and_loser.method) == ("table", "table")
    played = small.finish.rankings
    assert played.method == "simulation" and played.games > 0
    check_simulated(played.p, whole.rankings.p, played.games)


# ---- crazy camels: simulated ----------------------------------------------------------------------


def check_simulated(found: np.ndarray, exact: np.ndarray, games: int) -> None:
    assert found.shape == exact.shape
    assert (np.abs(found - exact) <= 5 * np.sqrt(exact * (1 - exact) / games) + 5 / games).all()


def ends_with_crazy(rules: reference.Rules, start: tuple[str, ...]) -> dict[End, float]:
    """The first legs one after the other; what goes on after a dozen of them is left out, less than a thousandth."""
    now, ends = {start: 1.0}, Counter()
    for number in range(1, 13):
        after: Counter[tuple[str, ...]] = Counter()
        for stacks, chance in now.items():
            for later, p in leg_of(stacks, rules).items():
                if is_over(later):
                    ends["".join(reference.rank(later, rules)), number] += chance * p
                else:
                    after[later] += chance * p
        now = after
    assert sum(now.values()) < 1e-3
    return dict(ends)


@cache
def leg_of(stacks: tuple[str, ...], rules: reference.Rules) -> dict[tuple[str, ...], float]:
    return {later: float(p) for later, p in leg_from(start_state(stacks, rules), rules).items()}


@pytest.mark.parametrize("rules", [own(SECOND, 4, 2), own(SECOND, 3, 3)], ids=lambda rules: f"{len(rules.racing)}")
def test_with_crazy_camels_all_is_within_five_standard_errors(rules):
    slow = slow_rules(rules)
    text = {2: "1:a 2:bK 3:W", 3: "1:ab 2:cK 3:W"}[len(rules.racing)]
    board = Board.parse(text, rules)
    stacks = {2: ("", "a", "bK", "W", "", ""), 3: ("", "ab", "cK", "W", "")}[len(rules.racing)]
    ends = ends_with_crazy(slow, stacks)
    odds = race_odds(board)
    assert odds.method == "table" and odds.finish.rankings.method == "simulation"
    names, games = ranking_names(rules.racing), odds.finish.rankings.games
    rankings = np.zeros(len(names))
    legs = np.zeros(13)
    for (ranking, number), p in ends.items():
        rankings[names.index(ranking)] += p
        legs[number] += p
    found = odds.finish.rankings.p
    assert (np.abs(found - rankings) <= 5 * np.sqrt(rankings / games) + 1e-3).all()
    played = np.zeros(max(13, len(odds.finish.legs.p)))
    played[: len(odds.finish.legs.p)] = odds.finish.legs.p
    assert (np.abs(played[:13] - legs) <= 5 * np.sqrt(legs / games) + 1e-3).all()
    check_simulated(odds.finish.places.p[:, 0], odds.wins, games)
    check_simulated(odds.finish.places.p[:, -1], odds.losses, games)
    assert odds.places[:, 0].tolist() == odds.wins.tolist() and odds.places[:, -1].tolist() == odds.losses.tolist()


@pytest.mark.parametrize("edition", ["second", "supercup-second"])
def test_a_simulated_race_is_one_simulation_in_all_its_parts(edition):
    odds = simulated_race(Board.parse("1:rb 2:g 3:yp 14:K 15:W +7 / rgb#", edition), games=30_000, seed=3)
    finish = odds.finish
    parts = finish.rankings, finish.places, finish.winner_and_loser, finish.legs
    for part in parts:
        assert (part.method, part.games, part.error) == ("simulation", 30_000, None) and 0 < part.stderr < 0.003
        assert part.p.sum() == pytest.approx(part.p.shape[0] if part is finish.places else 1, abs=1e-12)
    check_sums(odds, 1e-12)
    assert np.arange(len(finish.legs.p)) @ finish.legs.p == pytest.approx(odds.legs, abs=1e-12)


# ---- the editions ---------------------------------------------------------------------------------


def check_sums(odds: RaceOdds, atol: float) -> None:
    finish, close = odds.finish, dict(rtol=0, atol=atol)
    camels = len(odds.wins)
    np.testing.assert_allclose(odds.places.sum(axis=0), np.ones(camels), **close)
    np.testing.assert_allclose(odds.places.sum(axis=1), np.ones(camels), **close)
    np.testing.assert_allclose(finish.places.p[:, 0], odds.wins, **close)
    np.testing.assert_allclose(finish.places.p[:, -1], odds.losses, **close)
    np.testing.assert_allclose(finish.winner_and_loser.p.sum(axis=1), odds.wins, **close)
    np.testing.assert_allclose(finish.winner_and_loser.p.sum(axis=0), odds.losses, **close)
    assert not finish.winner_and_loser.p.diagonal().any()
    assert finish.rankings.p.sum() == pytest.approx(1, abs=max(atol, 1e-12))


@pytest.mark.parametrize("text", ["1:bg 2:wy 3:o", "2:b 3:g 5:w 9:yo +7 -12 / wyo", "3:bg 5:w 9:yo / -"])
@pytest.mark.parametrize("edition", ["first", "supercup"])
def test_the_sums_that_must_hold(edition, text):
    odds = race_odds(text, edition)
    finish = odds.finish
    for part in (finish.places, finish.winner_and_loser, finish.legs):
        assert part.method == "table" and part.error <= 1e-9
    assert np.arange(len(finish.legs.p)) @ finish.legs.p == pytest.approx(odds.legs, abs=1e-11)
    np.testing.assert_allclose(odds.places.sum(axis=0), np.ones(5), rtol=0, atol=1e-12)
    np.testing.assert_allclose(odds.places.sum(axis=1), np.ones(5), rtol=0, atol=1e-12)
    if edition == "first":
        check_sums(odds, 1e-12)
    else:
        np.testing.assert_allclose(finish.winner_and_loser.p.sum(axis=1), odds.wins, rtol=0, atol=1e-12)
        np.testing.assert_allclose(finish.winner_and_loser.p.sum(axis=0), odds.losses, rtol=0, atol=1e-12)
        assert finish.rankings.method == "simulation"


def test_simulation_agrees_with_the_table_of_the_first_edition():
    for text in ("1:bg 2:wy 3:o", "2:b 3:g 5:w 9:yo +7 -12 / wyo"):
        exact = race_odds(text, "first").finish
        played = simulated_race(Board.parse(text, "first"), games=100_000, seed=5).finish
        for name in ("rankings", "places", "winner_and_loser"):
            check_simulated(getattr(played, name).p, getattr(exact, name).p, 100_000)
        legs = exact.legs.p[: len(played.legs.p)]
        check_simulated(played.legs.p, legs, 100_000)


def test_the_number_of_legs_of_a_first_edition_race_over_all_set_ups():
    """Each camel starts on space 1, 2 or 3, as its die shows, and the order of the dice stacks them."""
    from collections.abc import Iterator

    from camelodds.odds.race_places import _legs_table
    from camelodds.odds.race_solver import solve

    def set_ups() -> Iterator[tuple[int, ...]]:
        for code in range(3**5):
            yield tuple(sorted(1 + code // 3**camel % 3 for camel in range(5)))

    course = Course.of(FIRST)
    from camelodds.core.starts import names, starts_of_words

    boards = [Board.of({n: "bgoyw"[spaces.index(n) :][: spaces.count(n)] for n in set(spaces)}, edition="first")
              for spaces in set_ups()]  # fmt: skip
    starts = np.empty((len(boards), 3), np.int64)
    words = np.array([board.word for board in boards])
    starts_of_words(words, False, 16, *names(5, 16)[:3], starts)
    chances = _legs_table(course)[starts[:, 0]].mean(axis=0)
    np.testing.assert_allclose(chances[2:8], [0.0006, 0.038, 0.328, 0.509, 0.121, 0.004], atol=5e-4)
    assert np.arange(len(chances)) @ chances == pytest.approx(4.722847407, abs=5e-10)
    assert solve(course).table[starts[:, 0], 0, -1].mean() == pytest.approx(4.722847407, abs=5e-10)


# ---- the faces of it ------------------------------------------------------------------------------


def test_frames_carry_letters_places_and_legs():
    odds = race_odds("1:bg 2:wy 3:o", "first")
    assert odds.frame.index.tolist() == list("bgoyw") and odds.frame.columns.tolist() == [1, 2, 3, 4, 5]
    for camel in "bgoyw":
        for place in range(1, 6):
            assert odds.p(camel, place) == odds.frame.loc[camel, place]
    assert odds.rankings["probability"].is_monotonic_decreasing and len(odds.rankings) == 120
    pick = odds.rankings[odds.rankings.ranking.str.startswith("o") & odds.rankings.ranking.str.endswith("b")]
    assert pick.probability.sum() == pytest.approx(odds.winner_and_loser.loc["o", "b"], abs=1e-12)
    assert odds.legs_distribution.sum() == pytest.approx(1, abs=1e-12)


def test_the_end_of_a_race_that_is_over_is_certain():
    odds = race_odds("5:r 9:K 12:W 15:by finish:gp / rb#", "second")
    assert odds.rankings.to_dict("records") == [{"ranking": "pgybr", "probability": 1.0}]
    assert odds.p("y", 3) == 1 and odds.winner_and_loser.loc["p", "r"] == 1
    assert odds.legs_distribution.to_dict() == {0: 1.0}


@pytest.mark.parametrize(("camel", "place"), [("K", 1), ("x", 1), ("rb", 1), ("r", 0), ("r", 6), ("r", 1.5), (1, 1)])
def test_what_is_no_camel_or_place_is_refused(camel, place):
    with pytest.raises(RulesError):
        race_odds("5:r 9:K 12:W 15:by finish:gp / rb#", "second").p(camel, place)


def test_winner_and_loser_together_sum_to_what_the_table_says_of_each_board():
    rng = random.Random(6)
    boards = [Board.parse(reference.write(reference.random_position(rng, slow_rules(FIRST))), FIRST) for _ in range(40)]
    boards = [board for board in boards if not board.race_over]
    both = winners_and_losers(Course.of(FIRST), np.array([board.word for board in boards]))
    for board, joint in zip(boards, both, strict=True):
        text = str(board).split(" /")[0].split(" +")[0].split(" -")[0]
        odds = race_odds(f"{text} / -", EDITIONS["first"])
        np.testing.assert_allclose(joint.sum(axis=1), odds.wins, rtol=0, atol=1e-12)
        np.testing.assert_allclose(joint.sum(axis=0), odds.losses, rtol=0, atol=1e-12)
