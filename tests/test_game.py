"""A game's text and JSON, and the states that cannot be."""

import json
import random
from dataclasses import fields
from importlib.resources import files

import numpy as np
import pytest
from brute_force import as_text, random_table
from hypothesis import given
from hypothesis import strategies as st

from camelodds.errors import GameError, RulesError
from camelodds.game.game import Game
from camelodds.game.player import Player
from camelodds.position.board import Board
from camelodds.rules import EDITIONS, Rules

START = "1:rb 2:g 3:yp 14:K 15:W"
TEXT = f"{START} +5@ana / rgyp# | ana money=3 r5 g3 pyramid=1 | ben money=3 r3 | winner ana=r ben=? | taken g5"
SIX = " | ".join(["", "ana", "ben", "cy", "dan", "eve", "flo"])
CUP = "1:bg 2:wy 3:o"


def test_the_design_s_game_in_three_forms():
    made = Game(
        board=Board.parse(f"{START} +5@ana / rgyp#"),
        players={"ana": Player(money=3, tickets=["r5", "g3"], pyramid=1), "ben": Player(tickets=["r3"])},
        winner_cards=[("ana", "r"), ("ben", None)],
        loser_cards=[],
        taken=["g5"],
    )
    assert made == Game.parse(TEXT) == Game.parse(TEXT + " | loser") == Game.from_json(made.to_json())
    assert str(made) == TEXT
    assert made.stacks == {"r": (2, 2), "b": (5, 3, 2, 2), "g": (2, 2), "y": (5, 3, 2, 2), "p": (5, 3, 2, 2)}
    assert made.hand("ana") == "bgyp"
    assert made.hand("ben") is None


@pytest.mark.parametrize(
    ("players", "edition", "missing"),
    [
        ("ana p3 | ben | cem", "second", "p5"),
        ("ana b2 | ben", "first", "b5 b3"),
        ("ana r2 r2 | ben | cem", "second", "r5 r3"),
        ("ana r5 | ben r2 | cem", "second", "r3"),
        ("ana b3 | ben", "supercup", "b5"),
        ("ana b2 | ben", "supercup", "b5 b3"),
        ("ana | ben | taken b2", "first", "b5 b3"),
    ],
)
def test_what_is_out_of_a_ticket_stack_is_a_run_from_its_top(players: str, edition: str, missing: str):
    """docs/rules.md, section 7; with what is missing taken too, the game is good."""
    board = START if edition == "second" else CUP
    with pytest.raises(GameError, match="taken from the top") as error:
        Game.parse(f"{board} | {players}", edition)
    assert str(error.value).endswith(f"add taken {missing}")
    whole = f"{players} {missing}" if "taken" in players else f"{players} | taken {missing}"
    assert Game.parse(f"{board} | {whole}", edition).stacks


def test_covered_tickets_may_be_a_run_from_the_bottom():
    game = Game.parse(f"{CUP} | ana b2 b2 position2=b2 position3=b2 | ben b5", "supercup")
    assert game.stacks["b"] == (3,)
    with pytest.raises(GameError, match="b2 cannot be out"):
        Game.parse(f"{CUP} | ana b2 b2 position2=b2 | ben b5", "supercup")
    # Who covers a ticket that is merely known to be gone is not known either.
    assert Game.parse(f"{CUP} | ana | ben | taken b2", "supercup").stacks["b"] == (5, 3, 2)


@pytest.mark.parametrize("edition", list(EDITIONS))
def test_random_games_come_back_the_same(edition: str):
    rng = random.Random(edition)
    for _ in range(40):
        table = random_table(rng, edition, cards=True)
        rules = EDITIONS[edition].with_changes(spicy=True) if table.spicy else EDITIONS[edition]
        game = Game.parse(as_text(table) + " | to_move p0", rules)
        assert Game.parse(str(game), rules) == game
        assert Game.from_json(game.to_json()) == game
        assert Game.from_json(json.loads(game.to_json())) == game
        assert str(Game.parse(str(game), rules)) == str(game)


def test_seating_order_is_kept():
    game = Game.parse(f"{START} | zoe | ana | mia")
    assert list(Game.from_json(game.to_json()).players) == ["zoe", "ana", "mia"]


def schema() -> dict:
    return json.loads(files("camelodds").joinpath("game.schema.json").read_text(encoding="utf-8"))


def test_the_schema_names_every_field():
    game = Game.parse(TEXT)
    properties = schema()["properties"]
    assert set(json.loads(game.to_json())) <= set(properties)
    own = Game(Board.parse(CUP, EDITIONS["supercup"].with_changes(spicy=True)))
    assert set(json.loads(own.to_json())["rules"]) == set(properties["rules"]["properties"])
    assert set(json.loads(game.to_json())["players"]["ana"]) == set(
        properties["players"]["additionalProperties"]["properties"]
    )


def test_games_keep_to_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    rng = random.Random(4)
    for edition in EDITIONS:
        for _ in range(10):
            table = random_table(rng, edition, cards=True)
            rules = EDITIONS[edition].with_changes(spicy=True) if table.spicy else EDITIONS[edition]
            game = Game.parse(as_text(table), rules)
            jsonschema.validate(json.loads(game.to_json()), schema())


IMPOSSIBLE = {
    "a ticket twice": (f"{START} | ana r5 | ben r5", "second", "ticket r5 is out 2 times; 1 is printed"),
    "a third two": (f"{START} | ana r2 r2 | ben r2", "second", "ticket r2 is out 3 times; 2 are printed"),
    "taken and held": (f"{START} | ana r5 | taken r5", "second", "ticket r5 is out 2 times"),
    "a value not printed": (f"{START} | ana r4", "second", "'r4' is no ticket of edition second"),
    "a colour not there": (f"{START} | ana o5", "second", "'o5' is no ticket of edition second"),
    "two cards of a colour": (
        f"{START} | ana | winner ana=r | loser ana=r",
        "second",
        "ana has placed two finish cards of r",
    ),
    "a sixth card": (f"{START} | ana | winner ana=? ana=? ana=? | loser ana=? ana=? ana=?", "second", "6 finish cards"),
    "a card of no player": (f"{START} | ana | winner ben=r", "second", "'ben' is no player"),
    "a card of no camel": (f"{START} | ana | winner ana=W", "second", "winner card 'W'"),
    "two photographers": (
        f"{CUP} | ana | ben | photographer ana=8 ben=9",
        "supercup",
        "two photographers: ana and ben",
    ),
    "no photographer here": (f"{START} | ana | photographer ana=8", "second", "edition second has no photographer"),
    "a camera on a tile": (f"{CUP} +8 | ana | photographer ana=8", "supercup", "a tile lies on space 8"),
    "a camera under a camel": (f"{CUP} | ana | photographer ana=2", "supercup", "camels stand on space 2"),
    "a camera off the track": (f"{CUP} | ana | photographer ana=21", "supercup", "a space from 1 to 20, not 21"),
    "a partner of oneself": (f"{START}{SIX} | partners ana=ana", "second", "ana cannot be their own partner"),
    "a partner too many": (f"{START}{SIX} | partners ana=ben ben=cy", "second", "ben has two partners"),
    "a partner unknown": (f"{START}{SIX} | partners ana=gus", "second", "'gus' is no player"),
    "partners of five": (
        f"{START}{SIX[:-6]} | partners ana=ben",
        "second",
        "partnerships need 6 players or more; there are 5",
    ),
    "no partners here": (f"{CUP}{SIX} | partners ana=ben", "first", "edition first has no partnerships"),
    "pyramid tickets": (
        f"{START} / rgyp# | ana pyramid=1 | ben pyramid=1",
        "second",
        "2 pyramid tickets are held, but 1 ",
    ),
    "no reveal yet": (f"{START} | ana pyramid=1", "second", "1 pyramid ticket is held, but 0 dice "),
    "two tiles": (f"{START} +5@ana -8@ana | ana", "second", "ana has two tiles"),
    "a tile of no player": (f"{START} +5@eve | ana", "second", "tile owner 'eve' is no player: the players are ana"),
    "a place twice": (
        f"{CUP} | ana b5 position3=b5 | ben g5 position3=g5",
        "supercup",
        "position tile 3 is used twice",
    ),
    "a place on no ticket": (f"{CUP} | ana position3=b5", "supercup", "position tile 3 covers b5"),
    "two places on one": (f"{CUP} | ana b5 position3=b5 position4=b5", "supercup", "of which ana has no bare one"),
    "a place that is none": (f"{CUP} | ana b5 position1=b5", "supercup", "the places 2 to 5, not 1"),
    "no places here": (f"{START} | ana r5 position3=r5", "second", "edition second has no position tiles"),
    "used, not spicy": (f"{CUP} | ana | used b", "supercup", "in the spicy Supercup only"),
    "too many players": (START + "".join(f" | p{n}" for n in range(9)), "second", "at most 8"),
    "a reserved name": (f"{START} | ana | to_move eve", "second", "'eve' is no player"),
    "a strange word": (f"{START} | ana rich", "second", "player ana: 'rich' is not understood"),
    "a player twice": (f"{START} | ana | ana r5", "second", "player 'ana' comes twice"),
    "a deck twice": (f"{START} | ana | winner ana=r | winner", "second", "the part 'winner' comes twice"),
    "an empty part": (f"{START} | | ana", "second", "an empty part"),
    "no number": (f"{START} | ana money=x", "second", "a whole number from 0, not 'x'"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_states_are_refused_by_name(name: str):
    text, edition, expected = IMPOSSIBLE[name]
    with pytest.raises(GameError) as error:
        Game.parse(text, edition)
    assert expected in str(error.value)


def test_a_used_support_die_is_not_in_the_pyramid():
    spicy = EDITIONS["supercup"].with_changes(spicy=True)
    with pytest.raises(GameError, match=r"b\+ is in the pyramid"):
        Game.parse(f"{CUP} | ana | used b", spicy)
    assert Game.parse(f"{CUP} | ana | used g", spicy).used_support == {"g"}


def test_wrong_kinds_of_values_are_refused():
    board = Board.parse(START)
    wrong = [
        lambda: Player(money=-1),
        lambda: Player(money=True),
        lambda: Player(tickets="r5"),
        lambda: Player(positions=["r5"]),
        lambda: Game(START),
        lambda: Game(board, {"ana": 3}),
        lambda: Game(board, {"winner": Player()}),
        lambda: Game(board, {"an a": Player()}),
        lambda: Game(board, {"ana": Player()}, winner_cards=["ana"]),
        lambda: Game(board, {"ana": Player()}, photographer=8),
        lambda: Game(board, taken="r5"),
        lambda: Game.from_json("{"),
        lambda: Game.from_json("[]"),
        lambda: Game.from_json("{}"),
        lambda: Game.from_json({"board": START, "player": {}}),
        lambda: Game.from_json({"board": START, "players": {"ana": {"cash": 3}}}),
        lambda: Game.from_json({"board": START, "players": {"ana": {"positions": {"x": "r5"}}}}),
        lambda: Game.from_json({"board": START, "taken": "r5"}),
        lambda: Game.from_json({"board": START, "edition": "second", "rules": {}}),
        lambda: Game.from_json({"board": START, "rules": {"name": "own"}}),
    ]
    for make in wrong:
        with pytest.raises(GameError):
            make()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.sampled_from(["ana", "r5", "r", "", START]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["ana", "3", "x"]), inner, max_size=2),
    max_leaves=6,
)


@given(st.sampled_from(list(schema()["properties"])), JSON)
def test_any_json_gives_a_game_or_its_error(field: str, value: object):
    game = {"board": START, "players": {"ana": {}, "ben": {"tickets": ["r5"]}}} | {field: value}
    try:
        found = Game.from_json(game)
    except ValueError:
        return
    assert Game.from_json(found.to_json()) == found


@given(
    st.lists(
        st.sampled_from([*TEXT.split(" "), "|", "=", "partners", "taken", "photographer", "ana=8", "?"]), max_size=9
    )
)
def test_any_text_gives_a_game_or_its_error(words: list[str]):
    try:
        found = Game.parse(f"{START} | ana | ben {' '.join(words)}")
    except ValueError:
        return
    assert Game.parse(str(found)) == found


def test_games_and_players_are_values_with_a_hash():
    text = f"{CUP} | ana b5 g5 position3=b5 | ben money=4 | winner ana=b ben=? | photographer ana=9 | to_move ana"
    game, same = Game.parse(text, "supercup"), Game.parse(text, "supercup")
    assert game == same and hash(game) == hash(same) and len({game, same, Game.parse(START)}) == 2
    turned = Game(game.board, dict(reversed(game.players.items())), game.winner_cards, (), "ana", game.photographer)
    assert turned != game or hash(turned) == hash(game)
    assert len({Player(), Player(), Player(money=4)}) == 2


def test_amounts_are_whole_numbers_within_bounds():
    assert Player(money=np.int64(7), pyramid=np.uint8(1)) == Player(money=7, pyramid=1)
    assert type(Player(money=np.int64(7)).money) is int
    for wrong in (-1, 1_000_001, 10**30, 3.0, "3", None, True):
        with pytest.raises(GameError, match="whole number"):
            Player(money=wrong)
        with pytest.raises(GameError, match="whole number"):
            Player(pyramid=wrong)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_json_nested_too_deeply_is_refused(text: str):
    with pytest.raises(GameError):
        Game.from_json(text)


@pytest.mark.parametrize("field", [each.name for each in fields(Rules)])
@pytest.mark.parametrize(
    "value",
    [None, -1, 1.5, "", "x" * 9, [], [None], [0], [1.5], ["5"], {}, {"a": 1}, 10**30, [10**30], [[1]], float("nan")],
)
def test_any_rules_are_made_or_refused_in_words(field: str, value: object):
    given = {"name": "own", "racing": "bgoyw"} | {field: value}
    for make in (lambda: Rules(**given), lambda: Game.from_json({"board": "1:bg 2:wy 3:o", "rules": given})):
        try:
            make()
        except ValueError as error:
            assert str(error)


@pytest.mark.parametrize(
    "changes",
    [
        {"track": 16.0}, {"track": True}, {"undrawn": "0"}, {"tickets": (5, 0)}, {"tickets": (5, 1001)},
        {"tickets": 5}, {"finish": ("8",)}, {"finish_later": -1}, {"finish_later": 1001}, {"money": -1},
        {"money": 1_000_001}, {"players": (0, 8)}, {"players": (3, 2)}, {"players": (2, 21)}, {"players": (2,)},
        {"name": ""}, {"name": 3}, {"modules": "support"}, {"modules": {1}}, {"spicy": 1}, {"official": None},
        {"racing": 3}, {"crazy": None},
    ],
    ids=str,
)  # fmt: skip
def test_rules_out_of_bounds_are_refused(changes: dict):
    with pytest.raises(RulesError, match="rules "):
        EDITIONS["first"].with_changes(**changes)


def test_lists_in_rules_become_tuples():
    rules = EDITIONS["first"].with_changes(
        name="own", tickets=[5, 3], finish=[8], players=[2, 4], modules=["positions"]
    )
    assert (rules.tickets, rules.finish, rules.players) == ((5, 3), (8,), (2, 4)) and hash(rules)
    assert rules.modules == {"positions"}


def test_games_with_other_seats_are_different() -> None:
    seats = ["ana", "ben", "cal"]
    games = [
        Game(Board.parse("1:rb 2:g 3:yp 14:K 15:W"), {name: Player() for name in order})
        for order in (seats, seats, seats[::-1])
    ]
    assert games[0] == games[1]
    assert hash(games[0]) == hash(games[1])
    assert games[0] != games[2]
    assert games[0] != "a text"
