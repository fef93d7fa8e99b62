"""The chance to win: games played out from a position, on the same dice for all that is compared."""

import json
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

import camelodds as co
from camelodds.cli.parser import main
from camelodds.errors import GameError, RulesError
from camelodds.game.game import Game
from camelodds.play import win_chances as module
from camelodds.play.bots import random_bot
from camelodds.play.win_chances import win_chances

LATE = Game.parse(
    "11:bg 14:y 16:ow / yo | ana money=9 w5 | ben money=11 g5 | cid money=10"
    " | winner ben=? cid=? ben=? | loser ben=? ana=o | to_move ana",
    edition="first",
)
DECIDED = Game.parse("13:bg 15:o 16:yw / y | ana money=90 | ben money=2 | to_move ana", edition="first")


def reveals(game: Game, rng: random.Random) -> str:
    return "reveal"


def exact(game: Game) -> dict[str, Fraction]:
    """Each player's chance to win when everybody only reveals, by all rolls of the dice until the race is over."""
    if game.board.race_over:
        money = game.returns()
        ahead = [name for name, pounds in money.items() if pounds == max(money.values())]
        return {name: Fraction(name in ahead, len(ahead)) for name in money}
    found = dict.fromkeys(game.players, Fraction())
    for shown, chance in game.chance_outcomes():
        for name, share in exact(game.apply("reveal", shown)).items():
            found[name] += chance * share
    return found


# The die of a camel on the last space is still in the pyramid: the race ends within the leg.
END_POSITIONS = [
    "12:b 14:yg 16:wo / o | ana money=6 o5 | ben money=11 g5 | cid money=12 | to_move ana",
    "13:by 14:g 15:w 16:o / go | ana money=5 g5 | ben money=5 o5 | cid money=8 | to_move ana",
    "13:by 14:g 15:w 16:o / go | ana money=5 g5 | ben money=5 w5 | cid money=6 | winner ana=o cid=g | to_move cid",
    "13:by 14:g 15:w 16:o / go | ana money=5 g5 | ben money=9 | loser ben=b ana=y | to_move ben",
]


@pytest.mark.parametrize("text", END_POSITIONS)
def test_chances_are_those_of_all_rolls_within_five_standard_errors(text: str):
    game = Game.parse(text, edition="first")
    found = win_chances(game, reveals, games=1000, seed=3)
    for player, chance in enumerate(exact(game).values()):
        assert abs(found.wins[0, player] - float(chance)) <= 5 * found.stderr[0, player] + 1e-12


def test_the_end_positions_are_not_all_decided():
    chances = [exact(Game.parse(text, edition="first")) for text in END_POSITIONS[1:3]]
    assert all(any(0 < chance < 1 for chance in each.values()) for each in chances)


def test_chances_with_a_card_face_down_are_those_of_its_colours():
    game = Game.parse(
        "13:by 14:g 15:w 16:o / go | ana money=5 g5 | ben money=8 | winner ben=? | to_move ana", edition="first"
    )
    found = win_chances(game, reveals, games=1000, prior={"o": 0.25, "g": 0.75})
    shown = [exact(game.turn_up("winner", 1, colour))["ben"] for colour in "og"]
    chance = float(shown[0] / 4 + shown[1] * 3 / 4)
    assert 0 < chance < 1 and abs(found.wins[0, 1] - chance) <= 5 * found.stderr[0, 1]


def test_the_same_seed_gives_the_same_games_whatever_the_executor():
    asked = {"bots": ["greedy", "random", "cautious"], "games": 10, "actions": ["reveal", "ticket y5"]}
    alone = win_chances(LATE, **asked).results
    assert alone.shape == (2, 10, 3)
    with ThreadPoolExecutor(3) as threads:
        assert np.array_equal(win_chances(LATE, **asked, executor=threads).results, alone)
    with ProcessPoolExecutor(2) as processes:
        assert np.array_equal(win_chances(LATE, **asked, executor=processes).results, alone)
    assert not np.array_equal(win_chances(LATE, **asked, seed=1).results, alone)


def test_more_games_begin_with_the_same_games():
    few, many = (win_chances(LATE, random_bot, games=games).results for games in (5, 9))
    assert np.array_equal(many[:, :5], few)


def test_actions_compared_have_the_same_dice():
    both = win_chances(LATE, games=6, actions=["ticket y5", "reveal"])
    for number, action in enumerate(both.actions):
        assert np.array_equal(win_chances(LATE, games=6, actions=[action]).results[0], both.results[number])
    assert (both.difference[0] == 0).all() and (both.difference_stderr[0] == 0).all()
    assert np.allclose(both.difference[1], both.wins[1] - both.wins[0])
    shares = both.shares[1] - both.shares[0]
    assert np.allclose(both.difference_stderr[1], shares.std(axis=0, ddof=1) / 6**0.5)


def test_a_decided_race_gives_zero_and_one():
    found = win_chances(DECIDED, games=5)
    assert found.wins.tolist() == [[1, 0]] and found.stderr.tolist() == [[0, 0]]
    over = Game.parse("13:bg 15:o finish:yw / g | ana money=3 y5 | ben money=9 | cid money=8", edition="first")
    found = win_chances(over, games=3)
    assert found.wins.tolist() == [[0, 1, 0]]
    assert found.results.tolist() == [[list(over.returns().values())] * 3]


def test_a_tie_for_the_most_money_is_shared():
    over = Game.parse("13:bg 15:o finish:yw / g | ana money=9 | ben money=9 | cid money=8", edition="first")
    assert win_chances(over, games=2).wins.tolist() == [[0.5, 0.5, 0]]


def test_cards_of_one_owner_are_never_drawn_twice_and_shown_ones_stay():
    hands = module._hands(module.worths_of(LATE.state).beliefs)
    seen = Counter()
    for number in range(300):
        dealt = module._dealt(LATE.state, hands, random.Random(number))
        assert not dealt.face_down() and dealt.loser[1] == ("ana", "o")
        assert [name for name, _ in dealt.winner] == ["ben", "cid", "ben"]
        bens = dealt.cards_of(1)
        assert len(set(bens)) == len(bens) == 3
        seen[dealt.winner[1][1]] += 1
    assert len(seen) > 1


def test_cards_are_drawn_by_the_prior():
    over = Game.parse("13:bg 15:o finish:yw / g | ana money=9 | ben money=10 | winner ana=?", edition="first")
    pays = {"w": 8, "y": -1}
    for colour, pounds in pays.items():
        assert win_chances(over, games=4, prior={colour: 1.0}).money.tolist() == [[9 + pounds, 10]]
    assert win_chances(over, games=4, prior="none").money.tolist() == [[8, 10]]
    half = win_chances(over, games=400, prior={"w": 0.5})
    assert abs(half.wins[0, 0] - 0.5) < 5 * half.stderr[0, 0]


def test_bots_do_not_see_the_cards_of_others():
    def looks(game: Game, rng: random.Random) -> str:
        assert {colour for owner, colour in (*game.winner_cards, *game.loser_cards) if owner != game.to_move} <= {None}
        return "reveal"

    win_chances(LATE, looks, games=3)


def test_a_leg_that_is_over_is_scored_first():
    game = Game.parse("13:bg 14:ow 15:y / - | ana money=9 y5 | ben money=2 | to_move ana", edition="first")
    scored = win_chances(game.next_leg(), reveals, games=4)
    assert np.array_equal(win_chances(game, reveals, games=4).results, scored.results)


def test_bots_may_be_given_by_player():
    by_name = win_chances(LATE, {"cid": "random", "ana": "greedy", "ben": reveals}, games=3)
    assert by_name.bots == ("greedy", "reveals", "random")
    assert np.array_equal(by_name.results, win_chances(LATE, ["greedy", reveals, "random"], games=3).results)


def test_a_single_game_has_no_standard_error():
    found = win_chances(DECIDED, games=1, actions=["reveal", "ticket y5"])
    assert np.isnan(found.stderr).all() and "1 game " in repr(found)


def test_tables_and_frames_say_the_same():
    found = win_chances(LATE, "random", games=8, actions=["reveal", "ticket y5"])
    assert found.frame.loc[("ticket y5", "ben"), "wins"] == found.wins[1, 1]
    assert "ticket y5" in repr(found) and "<table" in found._repr_html_()
    assert "ana" in repr(win_chances(LATE, "random", games=8))


def test_progress_is_told():
    told = []
    win_chances(LATE, "random", games=6, progress=lambda *pair: told.append(pair))
    assert told[-1] == (6, 6)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"bots": "clever"}, "no bot is called 'clever'"),
        ({"bots": ["greedy"]}, "1 bots for 3 players"),
        ({"bots": {"ana": "greedy"}}, "bots by player"),
        ({"bots": 3}, "bots are names"),
        ({"bots": lambda game, rng: "winner ?"}, "expected a card's colour"),
        ({"games": 0}, "at least one game"),
        ({"actions": []}, "at least one"),
        ({"actions": ["reveal", " reveal"]}, "none twice"),
        ({"actions": "reveal"}, "several names"),
        ({"actions": ["ticket z5"]}, "'ticket z5' is not allowed here"),
        ({"actions": ["winner ?"]}, "is not allowed here"),
        ({"prior": "all"}, "cannot be drawn"),
        ({"prior": "luck"}, "no prior is called"),
    ],
    ids=str,
)
def test_bad_input_is_refused_with_words(asked, said):
    with pytest.raises(GameError, match=said):
        win_chances(LATE, **{"games": 2} | asked)


def test_other_bad_input_is_refused_with_words():
    with pytest.raises(RulesError, match="the number of games"):
        win_chances(LATE, games=1.5)
    with pytest.raises(RulesError, match="the seed"):
        win_chances(LATE, games=1, seed="x")
    with pytest.raises(GameError, match="no player"):
        win_chances(Game(LATE.board))
    with pytest.raises(GameError, match="whose turn"):
        win_chances(Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | cem"))
    with pytest.raises(GameError, match="expected a Game"):
        win_chances("1:rb 2:g 3:yp 14:K 15:W")
    over = Game.parse("13:bg 15:o finish:yw / g | ana | ben | cid", edition="first")
    with pytest.raises(GameError, match="race is over"):
        win_chances(over, actions=["reveal"])
    hidden = Game.parse("13:bg 15:o 16:yw / y | ana | ben | winner ana=? | to_move ana", edition="first")
    with pytest.raises(GameError, match="turn it up first"):
        win_chances(hidden, actions=["winner y"])


def test_the_command_prints_what_the_call_finds(capsys):
    assert co.win_chances is win_chances
    given = ["win", str(LATE), "-e", "first", "--games", "4", "--seed", "2"]
    given += ["--bots", "ana=random,ben=greedy,cid=random"]
    assert main([*given, "--action", "reveal", "--action", "ticket y5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = win_chances(LATE, ["random", "greedy", "random"], 4, 2, ["reveal", "ticket y5"])
    assert [row["wins"] for row in document["chances"]] == found.wins.ravel().tolist()
    assert main(given) == 0
    assert "4 games played out by random, greedy" in capsys.readouterr().out
