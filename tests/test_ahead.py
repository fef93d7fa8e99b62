"""The look-ahead against plain recursion in fractions, and what must hold for every position."""

from __future__ import annotations

import doctest
import json
import os
import pickle
import random
from fractions import Fraction
from itertools import pairwise
from math import prod
from pathlib import Path

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_ahead import LookAhead as Recursion
from reference_ahead import Play, Stacks

import camelodds as co
from camelodds.ev import ahead
from camelodds.ev import plan as planning
from camelodds.ev.ahead import LookAhead, look_ahead
from camelodds.ev.plan import Others, plan
from camelodds.testing import boards

CASES = json.loads((Path(__file__).parent / "data" / "ahead.json").read_text())
MODELS: tuple[Others, ...] = ("best", "greedy")
HEAVY = 300
USUAL = 12
START = "1:rb 2:g 3:yp 14:K 15:W | ana | ben | cat | to_move ben"


def values_of(board: co.Board, stacks: Stacks, players: int, others: Others) -> dict[str, tuple[Fraction, ...]]:
    """What each act brings each player, counted from the one to move."""
    found = plan(board, stacks, players, others)
    values = {"reveal": tuple(Fraction(gain, found.total) for gain in found.reveal)}
    for lane, gains in found.tickets.items():
        ticket = f"ticket {board.rules.racing[lane]}{stacks[lane][0]}"
        values[ticket] = tuple(Fraction(gain, found.total) for gain in gains)
    return values


def agree(state: reference.State, edition: str, stacks: Stacks, players: int, others: Others) -> None:
    board = co.Board.parse(reference.write(state), edition)
    known = Recursion(reference.EDITIONS[edition], players, others).acts(state, stacks)
    values = values_of(board, stacks, players, others)
    assert values == {act: play.gains for act, play in known.items()}
    for act, play in known.items():
        assert sum(values[act]) == play.reveals + play.tickets


def random_case(rng: random.Random, edition: str, most: int) -> tuple[reference.State, Stacks, int]:
    """A position with one to three reveals left, tickets gone, 2 to 8 players; few states for the recursion."""
    rules, tickets = reference.EDITIONS[edition], co.EDITIONS[edition].tickets
    while True:
        state = reference.random_position(rng, rules)
        if not 1 <= reference.reveals_left(state, rules) <= 3:
            continue
        distinct = 1 + sum(reference.leg(state, rules).distinct[:-1])
        stacks = []
        for _ in rules.racing:
            gone = rng.randint(0, len(tickets))
            bottom = rng.random() < 0.1 and gone < len(tickets)  # under a position tile
            stacks.append(tickets[gone : len(tickets) - bottom])
        if distinct * prod(len(stack) + 1 for stack in stacks) <= most:
            return state, tuple(stacks), rng.randint(2, 8)


@pytest.mark.parametrize("others", MODELS)
@pytest.mark.parametrize("case", CASES, ids=[f"{case['edition']} {case['board']}" for case in CASES])
def test_known_values(case: dict, others: Others) -> None:
    board = co.Board.parse(case["board"], case["edition"])
    stacks = tuple(board.rules.tickets[gone:] for gone in case["gone"])
    values = values_of(board, stacks, case["players"], others)
    known = {act: tuple(map(Fraction, gains)) for act, gains in case[others].items()}
    assert values.keys() == known.keys()
    for act, gains in known.items():
        # What the others get in the model "greedy" was found for other questions: there each is the one who asks.
        assert values[act] == gains if others == "best" else values[act][0] == gains[0]


@pytest.mark.parametrize("others", MODELS)
@pytest.mark.parametrize("edition", reference.EDITIONS)
def test_random_positions_equal_the_recursion(edition: str, others: Others) -> None:
    rng = random.Random(f"usual {edition}")
    for _ in range(USUAL):
        state, stacks, players = random_case(rng, edition, 600)
        agree(state, edition, stacks, players, others)


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("others", MODELS)
@pytest.mark.parametrize("edition", reference.EDITIONS)
def test_many_random_positions_equal_the_recursion(edition: str, others: Others, part: int) -> None:
    rng = random.Random(f"heavy {edition} {part}")
    for _ in range(max(1, round(HEAVY / 10 * float(os.environ.get("CAMELODDS_HEAVY", "1"))))):
        state, stacks, players = random_case(rng, edition, 1000)
        agree(state, edition, stacks, players, others)


@pytest.mark.parametrize("others", MODELS)
@pytest.mark.parametrize(
    ("racing", "crazy", "undrawn"), [("r", "", 0), ("rb", "", 0), ("rbg", "", 0), ("rbg", "", 2), ("rb", "WK", 1)]
)
def test_small_games_equal_the_recursion(racing: str, crazy: str, undrawn: int, others: Others) -> None:
    rules = co.Rules("small", racing=racing, crazy=crazy, track=6, undrawn=undrawn, tickets=(4, 1))
    slow = reference.Rules(6, racing, crazy, undrawn)
    rng = random.Random(racing)
    for _ in range(20):
        state = reference.random_position(rng, slow)
        if reference.leg_over(state, slow):
            continue
        stacks = tuple(rules.tickets[rng.randint(0, 2) :] for _ in racing)
        board = co.Board.parse(reference.write(state), rules)
        known = Recursion(slow, 3, others).acts(state, stacks)
        assert values_of(board, stacks, 3, others) == {act: play.gains for act, play in known.items()}


@st.composite
def games(draw: st.DrawFn, max_reveals: int = 3, most_left: int = 4) -> co.Game:
    """Games in which the leg goes on, with tickets held or taken, and whose turn it is.

    most_left : tickets of each colour that are left at most
    """
    board = draw(boards(min_reveals=1, max_reveals=max_reveals))
    names = ["ana", "ben", "cat", "dan", "eva", "fay", "gus", "hal"][: draw(st.integers(1, 8))]
    held: dict[str, list[str]] = {name: [] for name in names}
    taken = []
    for colour in board.rules.racing:
        printed = len(board.rules.tickets)
        for value in board.rules.tickets[: draw(st.integers(max(0, printed - most_left), printed))]:
            owner = draw(st.sampled_from([*names, None]))
            (taken if owner is None else held[owner]).append(f"{colour}{value}")
    players = {name: co.Player(money=draw(st.integers(0, 9)), tickets=held[name]) for name in names}
    return co.Game(board, players, taken=taken, to_move=draw(st.sampled_from(names)))


@pytest.mark.parametrize("others", MODELS)
@given(game=games())
@settings(max_examples=30)
def test_what_is_held_changes_nothing(others: Others, game: co.Game) -> None:
    tickets = [*game.taken, *(ticket for player in game.players.values() for ticket in player.tickets)]
    bare = co.Game(game.board, dict.fromkeys(game.players, co.Player()), taken=tickets, to_move=game.to_move)
    assert look_ahead(game, others).values == look_ahead(bare, others).values


@given(game=games())
@settings(max_examples=30)
def test_renamed_seats_rename_the_answer(game: co.Game) -> None:
    """Only the order round the table counts, from the player to move."""
    names = list(game.players)
    turned = co.Game(
        game.board, {name: game.players[name] for name in names[1:] + names[:1]}, taken=game.taken, to_move=game.to_move
    )
    assert look_ahead(game).values == look_ahead(turned).values


def after(game: co.Game, act: str) -> list[tuple[Fraction, co.Game | None]]:
    """What an act leads to, None where the leg is over, and how likely that is."""
    if act != "reveal":
        return [(Fraction(1), game.apply(act))]
    outcomes: list[tuple[Fraction, co.Game | None]] = []
    names = list(game.players)
    following = names[(names.index(game.to_move or "") + 1) % len(names)]
    for (die, number), chance in game.chance_outcomes():
        board = game.board.roll(die, number)
        then = co.Game(board, game.players, taken=game.taken, to_move=following)
        outcomes.append((chance, None if board.leg_over else then))
    return outcomes


def one_step_further(game: co.Game) -> dict[str, dict[str, Fraction]]:
    """The values of all acts from those of the positions that they lead to."""
    me = game.to_move or ""
    leg = co.leg_odds(game.board)
    values = {}
    for act in look_ahead(game).values:
        gains = dict.fromkeys(game.players, Fraction(0))
        gains[me] += 1 if act == "reveal" else own_worth(leg, act)
        for chance, then in after(game, act):
            if then is not None:
                further = look_ahead(then)
                for name, gain in further.values[further.best].items():
                    gains[name] += chance * gain
        values[act] = gains
    return values


def own_worth(leg: co.LegOdds, act: str) -> Fraction:
    """What a ticket is worth if nobody acts any more (docs/rules.md, section 7)."""
    camel, value = act.removeprefix("ticket ")[0], int(act.removeprefix("ticket ")[1:])
    first = leg.p(camel, 1)
    second = leg.p(camel, 2) if len(leg.board.rules.racing) > 1 else 0
    return value * first + second - (1 - first - second)


@given(game=games(max_reveals=2))
@settings(max_examples=8)
def test_one_act_further_is_the_same_play(game: co.Game) -> None:
    assert {act: dict(gains) for act, gains in look_ahead(game).values.items()} == one_step_further(game)


@pytest.mark.parametrize(
    "text", ["1:bg 2:o 3:yw | a | b | c | d | to_move a", "1:b 2:gw 3:yo +4 -6 | a | b | to_move b"]
)
def test_one_act_further_is_the_same_play_in_a_whole_leg(text: str) -> None:
    game = co.Game.parse(text, "first")
    assert {act: dict(gains) for act, gains in look_ahead(game).values.items()} == one_step_further(game)


@pytest.mark.parametrize("others", MODELS)
@pytest.mark.parametrize("edition", ["first", "second"])
def test_alone_one_waits_and_takes_what_is_good_at_the_last_reveal(edition: str, others: Others) -> None:
    """Where nobody takes anything away, waiting is free. If the race cannot end, the best order of acts is to take,
    before the last reveal, of each colour as many tickets as bring the most."""
    rules, rng = reference.EDITIONS[edition], random.Random(edition)
    tickets = co.EDITIONS[edition].tickets
    recursion = Recursion(rules, 1)
    compared = 0
    while compared < 10:
        state = reference.random_position(rng, rules)
        reveals = reference.reveals_left(state, rules)
        if not 1 <= reveals <= 3 or reference.leg(state, rules).race_ends:
            continue
        layer = {state: Fraction(1)}
        for _ in range(reveals - 1):
            following: dict[reference.State, Fraction] = {}
            for before, chance in layer.items():
                for child in reference.children(before, rules):
                    share = chance * Fraction(child.weight, 6 * len(before.dice))
                    following[child.state] = following.get(child.state, Fraction(0)) + share
            layer = following
        expected = Fraction(reveals)
        for before, chance in layer.items():
            for camel in rules.racing:
                gains = [recursion.ticket(before, camel, value) for value in tickets]
                expected += chance * max(sum(gains[:count]) for count in range(len(tickets) + 1))
        board = co.Board.parse(reference.write(state), edition)
        values = values_of(board, (tickets,) * 5, 1, others)
        assert max(gains[0] for gains in values.values()) == expected
        compared += 1


def test_values_best_first_by_name() -> None:
    found = look_ahead(co.Game.parse("5:b 7:g 8:oyw / oyw | ana | ben y5 | cat w5 w3 | dan | to_move ben", "first"))
    assert found.players == ("ben", "cat", "dan", "ana")
    gains = [values["ben"] for values in found.values.values()]
    assert gains == sorted(gains, reverse=True)
    assert found.best == next(iter(found.values))
    assert set(found.values) == {"reveal", "ticket b5", "ticket g5", "ticket o5", "ticket y3", "ticket w2"}
    assert all(list(values) == ["ben", "cat", "dan", "ana"] for values in found.values.values())


def test_equal_acts_a_reveal_first() -> None:
    """One camel alone, one die left, two tickets of 1: whatever an act is, it brings 1."""
    rules = co.Rules("one", racing="r", track=9, tickets=(1, 1), players=(1, 8))
    found = look_ahead(co.Game(co.Board.parse("1:r", rules), {"ana": co.Player(), "ben": co.Player()}, to_move="ana"))
    # After a ticket of ana, ben may as well take the other one; a reveal is preferred, and the leg is over.
    assert found.values == {"reveal": {"ana": 1, "ben": 0}, "ticket r1": {"ana": 1, "ben": 1}}
    assert found.best == "reveal"
    assert [step.act for step in found.line()] == ["reveal"]


def test_the_tickets_left_when_the_bottom_one_is_gone() -> None:
    game = co.Game.parse("18:bg 19:o 20:yw / b | ana w5 w2 position2=w2 | ben | to_move ben", "supercup")
    assert "ticket w3" in look_ahead(game).values
    stacks = ((5, 3, 2, 2),) * 4 + ((3, 2),)
    state = reference.read("18:bg 19:o 20:yw / b", reference.EDITIONS["supercup"])
    known = Recursion(reference.EDITIONS["supercup"], 2).acts(state, stacks)
    assert {a: tuple(v.values()) for a, v in look_ahead(game).values.items()} == {a: p.gains for a, p in known.items()}


@pytest.mark.parametrize("others", MODELS)
@given(game=games(max_reveals=2, most_left=1), acts=st.integers(1, 6))
@settings(max_examples=20)
def test_no_course_is_likelier_than_the_line(others: Others, game: co.Game, acts: int) -> None:
    found = look_ahead(game, others)
    line = found.line(acts)
    assert line[0].act == found.best
    assert line[0].chance == 1
    assert all(before.chance >= now.chance for before, now in pairwise(line))
    names = list(game.players)
    first = names.index(game.to_move or "")
    assert [step.player for step in line] == [names[(first + k) % len(names)] for k in range(len(line))]
    courses = all_courses(game, others, acts)
    assert sum(courses.values()) == 1
    mine = tuple(step.act for step in line)
    assert courses[mine] == max(courses.values())
    if len(line) == acts:
        assert line[-1].chance == courses[mine]


def all_courses(game: co.Game, others: Others, acts: int) -> dict[tuple[str, ...], Fraction]:
    """The chance of each course of so many acts, or of fewer where the leg ends before, by plain recursion."""
    rules = reference.EDITIONS[game.rules.name]
    state = reference.read(str(game.board), rules)
    recursion = Recursion(rules, len(game.players), others)
    found: dict[tuple[str, ...], Fraction] = {}

    def go(state: reference.State, stacks: Stacks, asker: int, course: tuple[str, ...], chance: Fraction) -> None:
        if len(course) == acts or reference.leg_over(state, rules):
            found[course] = found.get(course, Fraction(0)) + chance
            return
        act = recursion.chosen(state, stacks, asker).act
        course, asker = (*course, act), recursion.next_asker(asker)
        if act == "reveal" and len(course) < acts:
            for child in reference.children(state, rules):
                go(child.state, stacks, asker, course, chance * Fraction(child.weight, 6 * len(state.dice)))
        elif act == "reveal":
            go(state, stacks, asker, course, chance)
        else:
            colour = rules.racing.index(act.removeprefix("ticket ")[0])
            go(state, (*stacks[:colour], stacks[colour][1:], *stacks[colour + 1 :]), asker, course, chance)

    go(state, tuple(game.stacks.values()), 0, (), Fraction(1))
    return found


def test_the_recursion_by_hand() -> None:
    """The referee itself, on a leg of one die: 1st edition, only white's die left, white and yellow lead together."""
    rules = reference.EDITIONS["first"]
    state = reference.read("1:bgo 8:w 9:y / w", rules)
    # White ends first by 1 (on top of yellow), 2 or 3: surely. Yellow is then second.
    acts = Recursion(rules, 2).acts(state, ((), (), (), (5,), (5, 3)))
    assert acts["reveal"] == Play((Fraction(1), Fraction(0)), Fraction(1), Fraction(0))
    # w5, then w3, then yellow's ticket is worth 1 as a reveal is: the reveal is preferred.
    assert acts["ticket w5"] == Play((Fraction(6), Fraction(3)), Fraction(1), Fraction(8))


def test_a_table_and_a_notebook_show_the_acts() -> None:
    found = look_ahead(co.Game.parse(START))
    text = repr(found)
    assert text.splitlines()[0].startswith("1:rb 2:g 3:yp 14:K 15:W")
    assert "ticket p5" in text and "Likeliest course" in text and "ben" in text
    assert found._repr_html_().count("<tr>") >= 6
    assert found.frame.loc["reveal", "ben"] == float(found.values["reveal"]["ben"])
    assert list(found.frame.columns) == ["ben", "cat", "ana"]
    again = pickle.loads(pickle.dumps(found))
    assert again.values == found.values and again.line() == found.line()


def test_the_example_of_the_docstring() -> None:
    failed, tried = doctest.testmod(ahead)
    assert (failed, tried > 0) == (0, True)


def test_progress_counts_to_the_end_and_may_stop_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "VALUES_A_CALL", 50)
    game = co.Game.parse("2:rb 4:g 5:yp 13:KW / rg# | ana | ben | to_move ana | taken r5 r3 b5 b3 g5 y5 p5 p3")
    told: list[tuple[int, int]] = []
    whole = look_ahead(game, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told) and told[-1][0] == told[-1][1] == told[0][1] and len(told) > 10
    monkeypatch.undo()
    assert look_ahead(game).values == whole.values

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look_ahead(game, progress=stop)


def test_too_large_is_said_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = co.Game.parse("2:rb 4:g 5:yp 13:KW / rby# | ana | ben | to_move ana")

    def never(done: int, total: int) -> None:
        raise AssertionError

    monkeypatch.setattr(planning, "MOST_BYTES", 300_000)
    with pytest.raises(co.RulesError, match=r"\d+ different boards x 3,125 states of the tickets x 2 players, and"):
        look_ahead(game, progress=never)
    monkeypatch.setattr(planning, "MOST_BOARDS", 20)
    with pytest.raises(co.RulesError, match=r"more than 20 boards x 3,125 states of the tickets: .* r b y #"):
        look_ahead(game, progress=never)


def test_beyond_the_integers_is_refused() -> None:
    rules = co.EDITIONS["supercup-second"].with_changes(tickets=(1000,) * 4)
    board = co.Board.parse("1:rb 2:g 3:yp 19:K 20:W / rbgyp#r+b+g+y+p+", rules)
    with pytest.raises(co.RulesError, match="beyond 64 bits"):
        look_ahead(co.Game(board, {"ana": co.Player()}))
    many = co.EDITIONS["first"].with_changes(tickets=(1,) * 60)
    with pytest.raises(co.RulesError, match="844,596,301 states of the tickets"):
        look_ahead(co.Game(co.Board.parse("1:bg 2:o 3:yw / b", many), {"ana": co.Player()}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2:rb 4:g 5:yp 13:KW / r | ana | to_move ana", "the leg is over"),
        ("2:r 4:g 5:yp 13:KW finish:b / rg# | ana", "the race is over"),
        ("2:rb 4:g 5:yp 13:KW / rg# | ana | ben", "whose turn"),
        ("2:rb 4:g 5:yp 13:KW / rg#", "no player is named"),
    ],
)
def test_positions_without_a_move_are_refused(text: str, message: str) -> None:
    with pytest.raises(co.GameError, match=message):
        look_ahead(co.Game.parse(text))


def test_wrong_arguments_are_named() -> None:
    game = co.Game.parse("2:rb 4:g 5:yp 13:KW / rg# | ana | taken r5 r3 b5 b3 g5 y5 p5 p3")
    for wrong in ("kind", None, ["best"], 1):
        with pytest.raises(co.GameError, match='the others play "best" or "greedy", not'):
            look_ahead(game, wrong)  # type: ignore[arg-type]
    with pytest.raises(co.GameError, match="expected a Game, not str"):
        look_ahead(str(game))  # type: ignore[arg-type]
    found = look_ahead(game)
    assert isinstance(found, LookAhead)
    for number in (0, -1, 1.5, "3", True):
        with pytest.raises(co.RulesError, match="the number of acts is"):
            found.line(number)  # type: ignore[arg-type]


def test_ten_players_and_support_dice() -> None:
    """The largest table, in the middle of a leg with several support dice."""
    names = [f"p{seat}" for seat in range(10)]
    rules = co.EDITIONS["supercup"]
    board = co.Board.parse("1:bg 2:o 3:yw +5 / gwb+g+", rules)
    state = reference.read("1:bg 2:o 3:yw +5 / gwb+g+", reference.EDITIONS["supercup"])
    taken = [f"{colour}{value}" for colour in "bgo" for value in rules.tickets] + ["y5", "y3", "y2", "w5", "w3", "w2"]
    game = co.Game(board, dict.fromkeys(names, co.Player()), taken=taken, to_move="p0")
    for others in MODELS:
        known = Recursion(reference.EDITIONS["supercup"], 10, others).acts(state, ((), (), (), (2,), (2,)))
        values = {act: tuple(gains.values()) for act, gains in look_ahead(game, others).values.items()}
        assert values == {act: play.gains for act, play in known.items()}
