"""Under the Big Top: exact values worked out by hand, a brute force over all orders, and what can be typed.

The numbered values and the rules are those of docs/guide/big-top.md.
"""

from __future__ import annotations

import doctest
import json
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import big_top_brute_force as brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import camelodds as co
from camelodds import big_top
from camelodds.big_top import Distribution, Player, Site, State
from camelodds.cli.parser import main

PACKAGE = Path(big_top.__file__).parent
TEXT = "tokens 7 6 4 seen | stack 40 circus 6 acrobat 3 | ana tent=3 score=41 | ben tent=1 score=45 | to_move ana"


def chances(answer: Distribution) -> dict[int, Fraction]:
    return {number: answer.p(number) for number in answer.counts}


# Exact values


def test_1_a_fresh_token() -> None:
    token = State().token()
    assert (token.mean, token.variance) == (Fraction(67, 16), Fraction(519, 256))


def test_2_the_token_after_7_6_6() -> None:
    assert State.parse("tokens 7 6 6 seen").token().mean == Fraction(48, 13)


def test_3_the_token_after_7_6_4() -> None:
    token = State([7, 6, 4]).token()
    assert (token.at_least(5), token.mean) == (Fraction(4, 13), Fraction(50, 13))


def test_4_three_meeples_at_this_scoring_and_two_at_the_next() -> None:
    points = State(players=[Player("ana", tent=3)]).points("ana", then={"ana": 2})
    assert (points.mean, points.variance, points.at_least(25)) == (
        Fraction(335, 16),
        Fraction(31659, 1280),
        Fraction(9, 40),
    )
    drawn = State(players=[Player("ana", tent=3)]).circus_tile("ana", {"here": Site({"ana": 2})})
    assert drawn.points("here") == points


def test_5_the_tent_moves_within_four_draws_and_a_meeple_stays_for_three() -> None:
    state = State(stack=40, circus=6)
    assert state.tent_moves_within(4) == Fraction(22507, 45695)
    assert state.one_more_meeple(draws=3).mean == Fraction(32629, 19760)


def test_6_draws_until_the_tent_moves() -> None:
    assert State(stack=60, circus=7).draws_until_tent_moves().mean == Fraction(61, 8)


def test_7_by_whose_hand_the_tent_moves() -> None:
    state = State(stack=12, circus=2, players=[Player("ana"), Player("ben"), Player("cid")], to_move="ben")
    assert state.tent_moved_by_seat(3) == (Fraction(13, 33), Fraction(1, 3), Fraction(3, 11))
    assert state.tent_moved_by() == {"ben": Fraction(13, 33), "cid": Fraction(1, 3), "ana": Fraction(3, 11)}


def test_8_all_tokens_of_a_full_game() -> None:
    for state in (State(stack=91, circus=12), State(stack=90, circus=11)):
        assert state.scorings_left == 12
        total = state.token_total()
        assert (total.mean, total.variance) == (Fraction(201, 4), Fraction(519, 80))
    assert State().token_total(12).mean == Fraction(201, 4)


def test_9_two_scorings_left_and_four_points_behind() -> None:
    state = State(players=[Player("ana", tent=3, score=0), Player("ben", tent=1, score=4)])
    then = {"ana": 1, "ben": 2}
    assert state.ahead("ana", then=then) == Fraction(11, 24)
    assert state.level("ana", then=then) == Fraction(13, 120)
    assert state.lead("ana", then=then).mean == Fraction(3, 16)


def test_10_a_ringmaster() -> None:
    points = State(stack=50, circus=6, acrobat=5).ringmaster(special=2, empty=3)
    assert (points.mean, points.at_least(8)) == (Fraction(133, 25), Fraction(33, 280))


def test_11_no_circus_tile_among_the_last_ten() -> None:
    assert State(stack=30, circus=4).tent_stays_for_last(10) == Fraction(323, 1827)


# Against every order of the tokens and of the tiles


@st.composite
def states(draw: st.DrawFn, *, playable: bool = True) -> State:
    """States with a tent; `playable` ones are so near to the end that every game can be played."""
    circus = draw(st.integers(0, 3 if playable else 11))
    stack = draw(st.integers(circus, (7, 7, 7, 5)[circus] if playable else 91))
    least = {2: 6, 3: 8}.get(circus, 0) if playable else 0
    seen = draw(st.permutations(brute.BOX))[: draw(st.integers(least, 11 - circus))]
    names = draw(st.permutations(["ana", "ben", "cid", "dia", "Zoë"]))[: draw(st.integers(2 * playable, 4))]
    figures = st.integers(0, 4)
    return State(
        seen,
        stack=stack,
        circus=circus,
        acrobat=draw(st.integers(0, min(8, stack - circus))),
        players=[Player(name, draw(figures), draw(figures), draw(st.integers(0, 30))) for name in names],
        to_move=draw(st.sampled_from(names)) if names else None,
        acrobats_count=draw(st.booleans()),
    )


def games(state: State) -> list[list[brute.Scoring]]:
    assert state.stack is not None and state.circus is not None
    return brute.games(state.seen, state.stack, state.circus, len(state.players))


def beside(state: State) -> dict[str, int]:
    return {each.name: each.tent + (each.acrobats if state.acrobats_count else 0) for each in state.players}


def places(state: State, rows: list[dict[str, int]]) -> dict[str, list[int]]:
    """Meeples by player, one number for each site."""
    return {each.name: [row.get(each.name, 0) for row in rows] for each in state.players}


@settings(max_examples=40)
@given(states())
def test_when_the_tent_moves_and_by_whose_hand(state: State) -> None:
    played, stack = games(state), state.stack
    first = brute.chances(scorings[0].draw for scorings in played)
    for draws in range(stack + 1):
        assert state.tent_moves_within(draws) == sum(p for draw, p in first.items() if draw and draw <= draws)
    names = [each.name for each in state.players]
    order = names[names.index(state.to_move) :] + names[: names.index(state.to_move)]
    hands = brute.chances(scorings[0].seat for scorings in played)
    assert list(state.tent_moved_by()) == order
    assert list(state.tent_moved_by().values()) == [hands.get(seat, 0) for seat in range(len(order))]
    last = brute.chances(max((draw for draw, _, _ in scorings if draw), default=0) for scorings in played)
    for tiles in range(stack + 1):
        assert state.tent_stays_for_last(tiles) == sum(p for draw, p in last.items() if draw <= stack - tiles)
    if state.circus:
        assert chances(state.draws_until_tent_moves()) == first
    else:
        with pytest.raises(co.GameError, match="stays where it is to the end"):
            state.draws_until_tent_moves()


@settings(max_examples=40)
@given(states())
def test_the_token_and_the_sums_of_those_to_come(state: State) -> None:
    played = games(state)
    assert chances(state.token()) == brute.chances(scorings[0].token for scorings in played)
    assert state.scorings_left == len(played[0])
    for many in range(1, state.scorings_left + 1):
        wanted = brute.chances(sum(scoring.token for scoring in scorings[:many]) for scorings in played)
        assert chances(state.token_total(many)) == wanted
    assert state.token_total() == state.token_total(state.scorings_left)


@settings(max_examples=40)
@given(states())
def test_one_more_meeple_that_stays_or_leaves(state: State) -> None:
    played = games(state)
    for leaves_after in (None, *range(state.stack + 1)):
        wanted = brute.chances(brute.one_more_meeple(scorings, leaves_after) for scorings in played)
        assert chances(state.one_more_meeple(leaves_after)) == wanted
        with_five = {number + 5: p for number, p in wanted.items()} if state.acrobats_count else {5: Fraction(1)}
        assert chances(state.one_more_acrobat(leaves_after)) == with_five


@settings(max_examples=15)
@given(states(), st.data())
def test_points_and_leads_over_several_scorings(state: State, data: st.DataObject) -> None:
    names = [each.name for each in state.players]
    counts = st.dictionaries(st.sampled_from(names), st.integers(0, 4))
    then = data.draw(st.lists(counts, max_size=state.circus))
    sites = places(state, [beside(state), *then])
    scores = {each.name: each.score for each in state.players}
    played = games(state)
    for name in names:
        wanted = brute.chances(brute.points(scorings, sites[name]) for scorings in played)
        assert chances(state.points(name, then)) == wanted
        order = [name, *(other for other in names if other != name)]
        for others in ([None], order[1:]):
            for over in others:
                rivals = order if over is None else [name, over]
                wanted = brute.chances(
                    brute.lead(scorings, [scores[each] for each in rivals], [sites[each] for each in rivals])
                    for scorings in played
                )
                assert chances(state.lead(name, over, then)) == wanted
                assert state.ahead(name, over, then) == sum(p for lead, p in wanted.items() if lead > 0)
                assert state.level(name, over, then) == wanted.get(0, 0)


@settings(max_examples=40)
@given(states(), st.data())
def test_a_circus_tile_here_or_there(state: State, data: st.DataObject) -> None:
    names = [each.name for each in state.players]
    counts = st.dictionaries(st.sampled_from(names), st.integers(0, 4))
    sites = data.draw(st.dictionaries(st.sampled_from("ABC"), st.builds(Site, counts, st.none() | counts), min_size=1))
    scores = [each.score for each in state.players]
    answer = state.circus_tile(names[0], sites)
    means = {}
    for name, site in sites.items():
        rows = [beside(state) if site.now is None else site.now, site.then]
        meeples = list(places(state, rows).values())
        # The tile was drawn: its scoring is the first, and the second comes in any case.
        both = [
            [brute.Scoring(1, 0, now), brute.Scoring(None, None, new)] for now, new in brute.token_orders(state.seen, 2)
        ]
        assert chances(answer.points(name)) == brute.chances(brute.points(each, meeples[0]) for each in both)
        wanted = brute.chances(brute.lead(each, scores, meeples) for each in both)
        assert chances(answer.lead(name)) == wanted
        means[name] = sum(lead * p for lead, p in wanted.items())
    assert means[answer.best] == max(means.values())
    assert [name for name, _, _ in answer.places] == sorted(means, key=lambda name: -means[name])


@settings(max_examples=40)
@given(states(), st.data())
def test_a_ringmaster_sees_random_tiles(state: State, data: st.DataObject) -> None:
    special = data.draw(st.integers(0, 4))
    filled = data.draw(st.permutations(range(state.stack)))[: data.draw(st.integers(0, 5))]
    wanted = brute.special_tiles(state.stack, state.circus, state.acrobat, filled)
    points = state.ringmaster(special, empty=len(filled))
    assert chances(points) == {2 * (special + more): p for more, p in wanted.items()}


@settings(max_examples=40)
@given(states())
def test_a_question_is_the_mean_of_itself_after_the_next_draw(state: State) -> None:
    """The law of total probability: the next tile is a circus tile or is not."""
    if not state.stack:
        return
    circus = Fraction(state.circus, state.stack)
    tail = State(state.seen, stack=state.stack - 1, circus=min(state.circus, state.stack - 1))
    for draws in range(1, state.stack + 1):
        after = tail.tent_moves_within(draws - 1) if circus < 1 else 0
        assert state.tent_moves_within(draws) == circus + (1 - circus) * after


def test_before_the_first_circus_tile_no_tent_is_scored() -> None:
    state = State(stack=91, circus=12, acrobat=8, players=[Player("ana", score=3), Player("ben")], to_move="ana")
    assert state.points("ana") == Distribution.of({0: 1})
    assert state.lead("ana") == Distribution.of({3: 1})
    assert state.tent_moves_within(80) == 1
    assert state.points("ana", then=[{"ana": 1}] * 12).mean == Fraction(201, 4)
    with pytest.raises(co.GameError, match="no tent stands yet"):
        state.one_more_meeple()
    with pytest.raises(co.GameError, match="none of the 12 circus tiles was drawn"):
        state.circus_tile("ana", {"here": Site({"ana": 1})})


def test_the_first_circus_tile_in_hand_is_worth_its_new_site_alone() -> None:
    state = State(stack=90, circus=11, players=[Player("ana"), Player("ben")])
    tile = state.circus_tile("ana", {"here": Site({"ana": 2}), "there": Site({"ben": 1})})
    assert tile.best == "here"
    assert tile.points("here") == State().token().times(2)
    assert tile.lead("there") == State().token().times(-1)


def test_many_scorings_with_many_players_are_counted_or_refused() -> None:
    players = [Player(name, tent=seat) for seat, name in enumerate("abcdef")]
    state = State(stack=90, circus=11, players=players)
    then = [{name: (seat * turn) % 7 for seat, name in enumerate("abcdef")} for turn in range(1, 12)]
    assert state.lead("a", "b", then).mean == sum(row["a"] - row["b"] for row in [{"a": 0, "b": 1}, *then]) * Fraction(
        67, 16
    )
    with pytest.raises(co.GameError, match="too many outcomes to count: expected fewer scorings"):
        state.lead("a", then=then)


# Text and JSON


@settings(max_examples=200)
@given(states(playable=False) | st.just(State()))
def test_a_state_is_its_text_and_its_json(state: State) -> None:
    assert State.parse(str(state)) == state
    assert str(State.parse(str(state))) == str(state)
    assert State.from_json(state.to_json()) == state
    assert pickle.loads(pickle.dumps(state)) == state
    assert eval(repr(state)) == state
    assert hash(State.parse(str(state))) == hash(state)


def test_whole_numbers_of_numpy_are_read() -> None:
    given = State(
        [np.int64(7)],
        stack=np.int64(40),
        circus=np.int8(6),
        acrobat=np.uint8(3),
        players=[Player("ana", np.int64(1), np.int64(2), np.int64(3))],
    )
    text = "tokens 7 seen | stack 40 circus 6 acrobat 3 | ana tent=1 acrobats=2 score=3"
    assert given == State.parse(text)
    assert State.from_json(given.to_json()) == given


def test_the_text_of_the_guide() -> None:
    state = State.parse(TEXT)
    assert str(state) == TEXT
    assert state == State(
        [7, 6, 4],
        stack=40,
        circus=6,
        acrobat=3,
        players=[Player("ana", tent=3, score=41), Player("ben", tent=1, score=45)],
        to_move="ana",
    )
    shuffled = "to_move  ana|ana score=41,tent=3 |ben score=45 tent=1| stack 40, acrobat 3 circus 6 |tokens 7,6 4 seen"
    assert State.parse(shuffled) == state
    assert State.parse("ana acrobats=2 | rulings acrobats=no") == State(
        players=[Player("ana", acrobats=2)], acrobats_count=False
    )
    assert State.parse("tokens seen") == State.parse("tokens none seen") == State()


BAD = [  # text, what is said, the text from the caret on
    ("", "nothing there", ""),
    ("   ", "nothing there", ""),
    ("tokens 7 seen |", "an empty part", ""),
    ("tokens 7 seen || ana", "an empty part", "| ana"),
    ("tokens 7 7 seen", "token 7 is seen too often: 1 of 16", "7 seen"),
    ("tokens 2 seen", "no token has the value 2: expected 1 3 4 5 6 7", "2 seen"),
    ("tokens x seen", "a token is a whole number", "x seen"),
    ("tokens 7 6", 'expected "seen" after the tokens', ""),
    ("tokens", 'expected "seen" after the tokens', ""),
    ("tokens 7 seen | tokens 6 seen", "'tokens' comes twice", "tokens 6 seen"),
    ("tokens 7 6 6 seen | stack 40 circus 9", "tokens seen: 3, expected at most 2", "6 seen"),
    ("tokens 1 3 3 3 3 4 4 4 4 4 5 5 seen", "12 are revealed in a game", "5 seen"),
    ("stack", "expected a number after stack", ""),
    ("stack x", "the number after stack is a whole number, not 'x'", "x"),
    ("stack -3", "a whole number, not '-3'", "-3"),
    ("stack 1000 circus 6", "a whole number from 0 to 999", "1000"),
    ("stack " + "9" * 5000, "larger than any here", "9"),
    ("stack 40 circus 13", "circus tiles is a whole number from 0 to 12", "13"),
    ("stack 40 acrobat 9", "acrobat tiles is a whole number from 0 to 8", "9"),
    ("stack 40 circus 6 circus 5", "circus comes twice", "circus 5"),
    ("stack 40 circuses 6", "'circuses' is not understood", "circuses"),
    ("stack 5 circus 6", "circus tiles: 6 do not fit into a stack of 5", "6"),
    ("stack 5 circus 3 acrobat 3", "acrobat tiles: 3 do not fit into a stack of 5, 3 circus tiles in it", "3"),
    ("stack 80 circus 12 | ana tent=1", "no tent stands yet", "1"),
    ("stack 80 circus 12 | ana acrobats=1", "no tent stands yet", "1"),
    ("ana tents=3", "'tents=3' is not understood; expected tent=3", "tents"),
    ("ana 3", "'3' is not understood", "3"),
    ("ana tent=", "ana: tent is a whole number, not ''", ""),
    ("ana tent=3.5", "ana: tent is a whole number, not '3.5'", "3.5"),
    ("ana tent=³", "ana: tent is a whole number", "³"),
    ("ana tent=100", "ana: tent is a whole number from 0 to 99", "100"),
    ("ana score=10000", "ana: score is a whole number from 0 to 9999", "10000"),
    ("ana tent=3 tent=3", "ana: tent comes twice", "tent=3"),
    ("ana | ben | ana", "'ana' comes twice", "ana"),
    ("a | b | c | d | e | f | g", "7 players, expected at most 6", "g"),
    ("ana=3", "a player's name is one word without a bar, a comma or =", "ana=3"),
    ("ana | to_move", "expected the name of one player", ""),
    ("ana | ben | to_move ana ben", "expected the name of one player", "ben"),
    ("ana | ben | to_move cid", "'cid' is not a player: the players are ana, ben", "cid"),
    ("to_move ana", "'ana' is not a player: no player is named", "ana"),
    ("rulings", "expected acrobats=yes or acrobats=no", ""),
    ("rulings acrobats=maybe", "no ruling is called 'acrobats=maybe'", "acrobats=maybe"),
    ("rulings acrobats=no acrobats=yes", "'acrobats' comes twice", "acrobats=yes"),
]


@pytest.mark.parametrize(("text", "message", "rest"), BAD, ids=[text[:30] or "nothing" for text, _, _ in BAD])
def test_a_bad_text_is_named_and_shown(text: str, message: str, rest: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(co.NotationError) as caught:
        State.parse(text)
    error = caught.value
    assert message in error.message
    assert text[error.at :].startswith(rest) if rest else error.at == len(text)
    assert main(["big-top", text]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("camelodds: ") and "Traceback" not in shown.err


@settings(max_examples=300)
@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["tokens", "7", "6", "seen", "none", "|", "|", "stack", "circus", "ana", "tent=1", "to_move", "="]
        )
    ).map(" ".join)
)
def test_any_text_gives_a_state_or_its_error(text: str) -> None:
    try:
        state = State.parse(text)
    except co.NotationError as error:
        assert 0 <= error.at <= len(text)
    else:
        assert State.parse(str(state)) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[]", "the state: expected an object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"seen": [7], "seen": [6]}', "the name 'seen' comes twice"),
        ('{"tokens": []}', "the state has no field 'tokens'"),
        ('{"seen": 7}', "seen come as a list"),
        ('{"seen": [7.0]}', "no token has the value 7.0"),
        ('{"seen": [[7]]}', r"no token has the value \[7\]"),
        ('{"seen": [true]}', "no token has the value True"),
        ('{"stack": 40.5}', "the number of tiles in the stack is a whole number"),
        ('{"stack": ' + "9" * 5000 + "}", "larger than any here"),
        ('{"circus": 6}', "expected its size too"),
        ('{"players": {"ana": {}}}', "players come as a list"),
        ('{"players": [3]}', r"players\[0\]: expected an object"),
        ('{"players": [{"tent": 3}]}', r'players\[0\]: expected a "name"'),
        ('{"players": [{"name": 3}]}', "a player's name is a text"),
        ('{"players": [{"name": "a b"}]}', "a player's name is one word"),
        ('{"players": [{"name": "stack"}]}', "the word begins a part of the text"),
        ('{"players": [{"name": "ana", "tent": null}]}', "ana: tent is a whole number"),
        ('{"to_move": ["ana"]}', "is not a player"),
        ('{"acrobats_count": "no"}', "acrobats_count is True or False"),
    ],
)
def test_bad_json_is_named(text: str, message: str) -> None:
    with pytest.raises(co.GameError, match=message):
        State.from_json(text)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: State().tent_moves_within(3), "takes the stack"),
        (lambda: State(stack=40).tent_moves_within(3), "takes the circus tiles left"),
        (lambda: State(stack=40, circus=6).tent_moves_within(41), "whole number from 0 to 40, not 41"),
        (lambda: State(stack=40, circus=6).one_more_meeple(-1), "whole number from 0 to 40, not -1"),
        (lambda: State(stack=40, circus=6).tent_moved_by(), "takes who is to move"),
        (lambda: State(stack=40, circus=6).tent_moved_by_seat(0), "the number of seats is a whole number from 1"),
        (lambda: State(stack=40, circus=6).token_total(8), "from 1 to 7, not 8"),
        (lambda: State([7]).token_total(12), "from 1 to 11, not 12"),
        (lambda: State(stack=40, circus=6).ringmaster(2, 3), "takes the acrobat tiles left"),
        (lambda: State(stack=40, circus=6, acrobat=3).ringmaster(10, 0), "from 0 to 9, not 10"),
        (lambda: State(stack=40, circus=6, acrobat=3).ringmaster(0, 9), "from 0 to 8, not 9"),
        (lambda: State(stack=2, circus=1, acrobat=1).ringmaster(0, 3), "from 0 to 2, not 3"),
        (lambda: State().points("ana"), "'ana' is not a player: no player is named"),
        (lambda: State.parse("ana").lead("ana"), "takes a second player"),
        (lambda: State.parse("ana | ben").lead("ana", "ana"), "over somebody else"),
        (lambda: State.parse("ana").points("ana", {"ben": 1}), "'ben' is not a player"),
        (lambda: State.parse("ana").points("ana", {"ana": -1}), "ana's meeples is a whole number"),
        (lambda: State.parse("ana").points("ana", [3]), "meeples come by player"),
        (
            lambda: State.parse("ana | stack 9 circus 1").points("ana", [{}, {}]),
            "scorings after the next one: 2, expected at most 1",
        ),
        (lambda: State.parse("ana").circus_tile("ana", {}), "places come by name"),
        (lambda: State.parse("ana").circus_tile("ana", {"here": {"ana": 1}}), "expected a Site"),
        (
            lambda: State.parse("ana").circus_tile("ana", {"here": Site({})}).points("there"),
            "no place is called 'there'",
        ),
        (lambda: State.parse("ana").circus_tile("ana", {"here": Site({})}).lead("here"), "takes a second player"),
        (lambda: State(players=["ana"]), "a player is such as Player"),
        (lambda: State(seen="7"), "seen come as a list"),
    ],
)
def test_a_question_that_cannot_be_answered_says_what_it_takes(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(co.GameError, match=message):
        ask()


# Showing


def test_answers_are_tables_in_notebooks_and_frames() -> None:
    state = State.parse(TEXT.replace("ben", "Zoë"))
    tile = state.circus_tile("ana", {"<here>": Site({"ana": 2}), "there": Site({"ana": 1})})
    for answer in (state, state.token(), tile):
        assert answer._repr_html_().count("<table") == (4 if answer is state else 1)
    assert "&lt;here&gt;" in tile._repr_html_()
    assert "<here>" in repr(tile)
    assert "Mean 3.846, standard deviation 1.231" in repr(state.token())
    assert list(state.frame.index) == ["ana", "Zoë"]
    assert state.frame.loc["ana", "points"] == float(state.points("ana").mean)
    assert tile.frame.loc["there", "ahead"] == float(tile.lead("there").more_than(0))
    assert state.token().series[6] == float(Fraction(1, 13))
    alone = State.parse("ana tent=2")
    assert [table.title for table in alone.tables()] == [
        "tokens none seen | ana tent=2 score=0", "After the next scoring", "One more meeple beside the tent",
    ]  # fmt: skip
    assert "lead" not in alone.frame


def test_distributions() -> None:
    with pytest.raises(ValueError, match="not all of them 0"):
        Distribution.of({3: 0})
    with pytest.raises(ValueError, match="from 0"):
        Distribution.of({3: -1, 4: 2})
    assert Distribution.of({3: 2, 4: 4, 5: 0}) == Distribution.of({4: 2, 3: 1}, "another name")
    state = State(stack=50, circus=6, acrobat=5)
    total = state.token().plus(state.ringmaster(2, 3))
    assert total.mean == Fraction(67, 16) + Fraction(133, 25)
    assert total.variance == state.token().variance + state.ringmaster(2, 3).variance


# The command line


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["big-top", TEXT]) == 0
    out = capsys.readouterr().out
    assert out.startswith(TEXT + "\n")
    for shown in ("30.77%", "It takes 5.857 draws on average", "ben", "After the next scoring", "One more meeple"):
        assert shown in out
    assert main(["big-top", TEXT, "--exact"]) == 0
    out = capsys.readouterr().out
    assert "Mean 50/13" in out
    assert "22507/45695" in out


def test_the_command_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["big-top", TEXT, "--json", "--exact"]) == 0
    found = json.loads(capsys.readouterr().out)
    state = State.parse(TEXT)
    assert found["state"] == TEXT
    assert found["token"]["mean"] == "50/13"
    assert found["token"]["chances"]["5"] == "3/13"
    assert found["tent_moves"]["within"]["4"] == "22507/45695"
    assert found["tent_moves"]["mean"] == "41/7"
    assert {name: Fraction(p) for name, p in found["tent_moves"]["moved_by"].items()} == state.tent_moved_by()
    assert found["players"]["ana"]["points"]["mean"] == "150/13"
    assert found["players"]["ana"]["ahead"] == str(state.ahead("ana"))
    assert found["one_more_meeple"]["leaves_after"]["3"] == str(state.one_more_meeple(3).mean)
    assert main(["big-top", "tokens 7 seen", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["tent_moves"] is None
    assert found["one_more_meeple"] == {"stays": 4.0, "leaves_after": {}}


def test_the_command_with_further_scorings(capsys: pytest.CaptureFixture[str]) -> None:
    text = "ana tent=3 | ben tent=1 score=4"
    assert main(["big-top", text, "--then", "ana=1 ben=2", "--json", "--exact"]) == 0
    ana = json.loads(capsys.readouterr().out)["players"]["ana"]
    assert (ana["ahead"], ana["level"], ana["lead"]["mean"]) == ("11/24", "13/120", "3/16")
    assert main(["big-top", text, "--then", "ana=1 ben=2"]) == 0
    assert "After the next 2 scorings" in capsys.readouterr().out
    for then, message in {
        "ana": "'ana' is not understood",
        "ana=1 ana=2": "comes twice",
        "ana=x": "not 'x'",
        "cid=1": "'cid' is not a player",
    }.items():
        assert main(["big-top", text, "--then", then]) == 2
        assert message in capsys.readouterr().err


def test_the_command_reads_files_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    state = State.parse(TEXT)
    (tmp_path / "state.json").write_text(state.to_json(), encoding="utf-8")
    (tmp_path / "state.txt").write_text(TEXT.replace(" | ", "\n| ") + "\n", encoding="utf-8")
    for text in (state.to_json(), str(tmp_path / "state.json"), str(tmp_path / "state.txt")):
        assert main(["big-top", text]) == 0
        assert capsys.readouterr().out.startswith(TEXT + "\n")


# A part of its own


def test_the_examples_of_its_docstrings() -> None:
    attempted = 0
    for module in pkgutil.iter_modules([str(PACKAGE)], "camelodds.big_top."):
        result = doctest.testmod(import_module(module.name))
        assert result.failed == 0
        attempted += result.attempted
    assert doctest.testmod(big_top).failed == 0
    assert attempted > 20


def test_nothing_else_knows_it_but_the_command_line() -> None:
    root = PACKAGE.parent
    knowing = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "big_top" in path.read_text(encoding="utf-8") and PACKAGE not in path.parents
    }
    assert knowing <= {"cli/parser.py", "cli/commands.py"}


def test_it_needs_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; from camelodds.big_top import State; State([7, 6]).token().mean;"
        "sys.exit(bool({'numpy', 'numba', 'pandas', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
