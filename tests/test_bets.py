"""What bets pay, against docs/rules.md, and finish cards against the reference's legs with the package's race odds."""

import random
from itertools import permutations, product
from math import isclose

import numpy as np
import pytest
from brute_force import card_reward, play_out, random_table, reward
from reference import EDITIONS as REFERENCE
from reference import State, leg
from test_actions import game_of

from camelodds.ev.actions import action, action_table
from camelodds.ev.finish_cards import Beliefs
from camelodds.ev.floor import FlooredWorths
from camelodds.ev.holdings import holding_table
from camelodds.game.game import Game
from camelodds.game.payoffs import card_pays, copied, position_pays, rewards, scoring, ticket_pays
from camelodds.game.state import Holding
from camelodds.odds.race import race_odds
from camelodds.position.rankings import places, ranking_names
from camelodds.rules import EDITIONS, SECOND

RACING = SECOND.racing
NAMES = ranking_names(RACING)


def test_places_are_in_the_order_of_ranking_names():
    for number, name in enumerate(NAMES):
        assert [name.index(camel) + 1 for camel in RACING] == list(places(5)[:, number])


def test_tickets_and_position_tiles_pay_as_the_rules_say():
    for colour, value in product(RACING, (5, 3, 2)):
        assert ticket_pays(RACING, f"{colour}{value}").tolist() == [reward((colour, value, None), n) for n in NAMES]
    for colour, place in product(RACING, (2, 3, 4, 5)):
        assert position_pays(RACING, place, colour).tolist() == [reward((colour, 5, place), n) for n in NAMES]


def test_scoring_is_netted_and_a_position_tile_covers_one_of_two_equal_tickets():
    holding = Holding(("r2", "r2", "b5"), ((3, "r2"),), 2)
    own = [reward(("r", 2, None), n) + reward(("r", 2, 3), n) + reward(("b", 5, None), n) + 2 for n in NAMES]
    assert rewards(RACING, holding).shape == (5, 120)
    assert scoring(RACING, holding, None).tolist() == own
    partner = Holding(("y5", "p3"))
    best = [max(0, reward(("y", 5, None), n), reward(("p", 3, None), n)) for n in NAMES]
    assert copied(RACING, partner).tolist() == best
    assert scoring(RACING, holding, partner).tolist() == [a + b for a, b in zip(own, best, strict=True)]
    assert copied(RACING, Holding()).tolist() == [0] * 120


def test_right_finish_cards_pay_8_5_3_2_and_then_1_each():
    assert [card_pays(SECOND, rank) for rank in range(7)] == [8, 5, 3, 2, 1, 1, 1]


# ---- finish cards face down ----------------------------------------------------------------------


def assignments(decks, prior: list[dict[str, float]]):
    """Every way to turn up all cards, and its chance: an owner's cards differ, owners are independent of each other."""
    owners = list(dict.fromkeys(name for deck in decks for name, _ in deck))
    ways = [({}, 1.0)]
    for owner in owners:
        seats = [(d, n) for d, deck in enumerate(decks) for n, (name, _) in enumerate(deck) if name == owner]
        own = []
        for colours in permutations(SMALL.racing, len(seats)):
            shown = dict(zip(seats, colours, strict=True))
            if all(decks[d][n][1] in (None, colour) for (d, n), colour in shown.items()):
                chance = 1.0
                for (d, n), colour in shown.items():
                    chance *= 1.0 if decks[d][n][1] else prior[d][colour]
                own.append((shown, chance))
        total = sum(chance for _, chance in own)
        ways = [({**old, **new}, p * q / total) for old, p in ways for new, q in own]
    return ways


SMALL = EDITIONS["first"].with_changes(name="three", racing="bgo")


def random_decks(rng: random.Random):
    decks = [[], []]
    for name in ("ana", "ben", "cem"):
        colours = rng.sample(SMALL.racing, rng.randint(0, 3))
        for colour in colours:
            rng.choice(decks).append((name, None if name != "ana" and rng.random() < 0.7 else colour))
    for deck in decks:
        rng.shuffle(deck)
    return tuple(decks[0]), tuple(decks[1])


@pytest.mark.parametrize("seed", range(30))
def test_face_down_cards_of_one_owner_are_of_different_colours(seed: int):
    """Chances, payouts and both decks together, against every way to turn the cards up."""
    rng = random.Random(seed)
    decks = random_decks(rng)
    prior = [{colour: rng.random() for colour in SMALL.racing} for _ in decks]
    odds = [np.array([chances[colour] for colour in SMALL.racing]) for chances in prior]
    ways = assignments(decks, prior)
    beliefs = Beliefs(SMALL, *decks, "odds", (odds[0], odds[1]))
    for d, deck in enumerate(decks):
        for n in range(len(deck) + 1):
            for c, colour in enumerate(SMALL.racing):
                right = [(way, p) for way, p in ways if n == len(deck) or way[d, n] == colour]
                chance = sum(p for _, p in right)
                if n < len(deck):
                    assert isclose(beliefs.colours[d][n, c], chance, abs_tol=1e-12)
                if chance:
                    pays = sum(p * card_reward(sum(way[d, k] == colour for k in range(n))) for way, p in right)
                    assert isclose(beliefs.payouts[d][n, c], pays / chance)
    for owner in beliefs.owners:
        both = beliefs.together(owner)
        for i, k in product(range(len(decks[0])), range(len(decks[1]))):
            for c, other in product(range(3), repeat=2):
                own = decks[0][i][0] == decks[1][k][0] == owner
                colours = SMALL.racing[c], SMALL.racing[other]
                expected = sum(p for way, p in ways if own and (way[0, i], way[1, k]) == colours)
                assert isclose(both[i, c, k, other], expected, abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_the_floor_turns_up_an_owner_s_cards_in_different_colours(seed: int):
    rng = random.Random(seed)
    decks = random_decks(rng)
    text = " ".join(["winner", *(f"{name}={colour or '?'}" for name, colour in decks[0])])
    text += " | " + " ".join(["loser", *(f"{name}={colour or '?'}" for name, colour in decks[1])])
    game = Game.parse(f"1:bg 2:o | ana money=0 | ben money=1 | cem money=0 | {text}", SMALL)
    worths = FlooredWorths(game.state)
    win, lose, _ = worths.races.of(game.board)
    prior = [dict(zip(SMALL.racing, chances, strict=True)) for chances in (win, lose)]
    ways = assignments(decks, prior)
    for player, name in enumerate(game.players):
        found = worths._after_cards(game.state, player, 3)
        for money, w, low in product(range(4), range(3), range(3)):
            expected = 0.0
            for way, p in ways:
                pounds = money
                for d, right in enumerate((SMALL.racing[w], SMALL.racing[low])):
                    rank = 0
                    for n, (owner, _) in enumerate(decks[d]):
                        if owner == name:
                            pounds = max(0, pounds + (card_reward(rank) if way[d, n] == right else -1))
                        rank += way[d, n] == right
                expected += p * pounds
            assert isclose(found[money, w, low], expected, abs_tol=1e-9)


@pytest.mark.parametrize(("cards", "worth"), [(2, 0.6279), (3, 0.5020), (4, 0.3792), (5, 0.2594)])
def test_a_card_after_several_face_down_of_one_owner_is_worth_what_different_colours_leave(cards: int, worth: float):
    game = Game.parse(f"1:bg 2:wy 3:o | ana | ben | winner {'ben=? ' * cards}| to_move ana", "first")
    for floor in ("none", "zero"):
        assert abs(action(game, "winner y", floor=floor).ev - worth) < 5e-5


def test_unknown_cards_are_of_colours_that_their_owner_may_still_hold():
    odds = np.array([0.4, 0.3, 0.2, 0.1, 0.0])
    winner = (("ana", None), ("ben", "y"), ("cy", None))
    loser = (("ana", "r"), ("ana", "b"), ("cy", "r"), ("cy", "b"), ("cy", "g"), ("cy", "y"))
    found = Beliefs(SECOND, winner, loser, "odds", (odds, odds)).colours[0]
    assert np.allclose(found, [[0, 0, 2 / 3, 1 / 3, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])


def test_own_chances_of_face_down_cards_leave_room_for_none_of_them():
    """Two cards of one owner, each red with 1/2 and green with 1/4 alone; not both red, not both green."""
    deck = (("ana", None), ("ana", None))
    none = np.zeros(5)
    beliefs = Beliefs(SECOND, deck, (), {"r": 0.5, "g": 0.25}, (none, none))
    left = 1 - 1 / 4 - 1 / 16
    assert np.allclose(beliefs.colours[0][0], [(1 / 8 + 1 / 8) / left, 0, (1 / 8 + 1 / 16) / left, 0, 0])


def test_decks_of_a_decided_race():
    """docs/rules.md, section 7: cards b y g g, g wins: -1 -1 8 5."""
    decks = "winner ana=b ben=y cy=g dan=g | loser ana=r ben=b cy=r"
    game = Game.parse(f"1:K 2:r 3:y 4:b 5:p 16:W finish:g | ana | ben | cy | dan | {decks}")
    rows = holding_table(game)
    assert [row.winner for row in rows] == [-1, -1, 8, 5]
    assert [row.loser for row in rows] == [8, -1, 5, 0]
    assert sum(row.cards_error for row in rows) == 0


@pytest.mark.parametrize("edition", ["first", "supercup"])
@pytest.mark.parametrize("seed", range(5))
def test_card_parts_are_within_their_stated_error(edition: str, seed: int):
    """The leg by the reference, then the race odds of each board in which it ends."""
    rng = random.Random(f"race {edition} {seed}")
    table = random_table(rng, edition, cards=True)
    known: dict[str, object] = {}

    def odds(state: State) -> tuple[dict[str, float], dict[str, float]]:
        whole = leg(state, REFERENCE[edition])
        win = dict.fromkeys(REFERENCE[edition].racing, 0.0)
        lose = dict.fromkeys(REFERENCE[edition].racing, 0.0)
        for text, weight in whole.ends.items():
            if text not in known:
                known[text] = race_odds(text + " / -", edition)
            for index, camel in enumerate(win):
                win[camel] += known[text].wins[index] * weight / whole.total
                lose[camel] += known[text].losses[index] * weight / whole.total
        return win, lose

    me = rng.choice(list(table.seats))
    expected = play_out(table, me, odds=odds)
    for row in action_table(game_of(table), me, support=True):
        assert abs(row.ev - expected[row.action]["ev"]) <= row.error + 1e-12
    assert {row.kind for row in action_table(game_of(table), me) if row.error} <= {"winner", "loser", "tile"}


def test_a_simulated_race_shows_its_error():
    rules = EDITIONS["second"].with_changes(name="own", track=28)
    row = action(Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana", rules), "winner p")
    assert 1e-4 < row.error < 0.05
    assert action(Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana", rules), "ticket p5").error == 0


def test_a_card_of_the_design_s_check_value():
    row = action(Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana", "second"), "winner p")
    assert abs(row.ev - (9 * 0.228028 - 1)) < 5 * row.error + 1e-5


def test_how_much_the_prior_matters():
    """The example in the docstring of action_table."""
    game = Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | winner ben=?", "second")
    for prior, expected in (("none", 1.05), ("odds", 0.90), ("all", 0.37)):
        row = action(game, "winner p", "ana", prior=prior)
        assert abs(row.ev - expected) < 5 * row.error + 0.005


def test_every_ranking_has_its_place():
    assert [tuple(name) for name in NAMES] == list(permutations(RACING))
