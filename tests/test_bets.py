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
from camelodds.ev.finish_cards import card_colours, card_payouts, right_before
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


def test_cards_before_are_counted_with_every_chance():
    colours = np.array([[0.2, 0.8], [1.0, 0.0], [0.5, 0.1]])
    found = right_before(colours)
    for card, camel in product(range(4), range(2)):
        expected = [0.0] * 4
        for right in product((False, True), repeat=card):
            chance = 1.0
            for index, yes in enumerate(right):
                chance *= colours[index, camel] if yes else 1 - colours[index, camel]
            expected[sum(right)] += chance
        assert np.allclose(found[card, camel], expected)
    payout = sum(chance * card_reward(rank) for rank, chance in enumerate(found[3, 0]))
    assert isclose(card_payouts(SECOND, colours)[3, 0], payout)


def test_unknown_cards_are_of_colours_that_their_owner_may_still_hold():
    odds = np.array([0.4, 0.3, 0.2, 0.1, 0.0])
    deck = (("ana", None), ("ben", "y"), ("cy", None))
    played = (*deck, ("ana", "r"), ("ana", "b"), ("cy", "r"), ("cy", "b"), ("cy", "g"), ("cy", "y"))
    found = card_colours(SECOND, deck, "winner", played, "odds", odds)
    assert np.allclose(found, [[0, 0, 2 / 3, 1 / 3, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])


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
