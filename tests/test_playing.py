"""The game loop: docs/rules.md, sections 2, 6, 7 and 8, and the worked examples of the manuals."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from camelodds.errors import GameError, RulesError
from camelodds.ev.actions import action, action_table
from camelodds.ev.floor import FlooredWorths
from camelodds.ev.outlook import expected
from camelodds.game import step
from camelodds.game.game import Game
from camelodds.game.opening import opening
from camelodds.odds.leg import leg_odds
from camelodds.play.bots import random_bot
from camelodds.rules import EDITIONS, Rules, rules_of

SPICY = EDITIONS["supercup"].with_changes(name="spicy", spicy=True)
RULES = [*EDITIONS.values(), SPICY]
NAMES = ["ana", "ben", "cat", "dan", "eva", "fay"]


def money(game: Game) -> dict[str, int]:
    return {name: player.money for name, player in game.players.items()}


# Scoring of a leg


def test_a_leg_is_scored_as_in_the_manual_of_the_second_edition():
    game = Game.parse(
        "5:r 6:W 7:b 8:g 9:y 12:p 14:K / # r | ana p5 p2 y3 g5 pyramid=2 | ben pyramid=1 | taken p3 y5 | to_move ben"
    )
    after = game.apply("reveal", ("r", 1))
    assert money(after)["ana"] == 3 + 5 + 2 + 1 - 1 + 1 + 1 == 3 + 9
    assert money(after)["ben"] == 3 + 1 + 1


def test_a_leg_is_netted_and_nobody_drops_below_zero():
    game = Game.parse(
        "5:b 7:g 8:o 9:y 12:w / b | ana money=2 b5 b3 b2 g5 w2 | ben | taken w5 w3 | to_move ben", edition="first"
    )
    assert money(game.apply("reveal", ("b", 1)))["ana"] == max(0, 2 - 4 + 2) == 0
    poor = Game.parse("5:b 7:g 8:o 9:y 12:w / b | ana money=1 b5 b3 b2 g5 | ben | to_move ben", edition="first")
    assert money(poor.apply("reveal", ("b", 1)))["ana"] == 0


def test_after_a_leg_everything_goes_home():
    game = Game.parse(
        "5:b 7:g 8:o 9:y 12:w +14@cat / b | ana b5 w5 pyramid=2 position2=b5 | ben | cat | dan | eva | fay"
        " | winner ana=w | photographer ben=18 | partners ana=ben | taken g5 | to_move cat",
        edition="supercup",
    )
    after = game.apply("reveal", ("b", 1))
    assert all(not (player.tickets or player.pyramid or player.positions) for player in after.players.values())
    assert after.board.tiles == () and after.photographer is None and after.partners == () and after.taken == ()
    assert after.board.dice == (*"bgoyw", "b+")
    assert after.winner_cards == (("ana", "w"),)
    assert all(values == after.rules.tickets for values in after.stacks.values())


def test_the_player_to_the_left_of_the_last_pyramid_ticket_starts_the_next_leg():
    game = Game.parse("5:b 7:g 8:o 9:y 12:w / b | ana | ben | cat | to_move cat", edition="first")
    assert game.apply("reveal", ("b", 1)).to_move == "ana"
    assert (
        Game.parse(str(game).replace("to_move cat", "to_move ana"), "first").apply("reveal", ("b", 1)).to_move == "ben"
    )


def test_partners_copy_the_best_reward_and_never_a_loss():
    players = "ana p5 y3 | ben r5 | cat | dan | eva | fay | partners ana=ben | taken y5 | to_move fay"
    text = f"5:r 6:W 7:b 8:g 9:y 12:p 14:K / # r | {players}"
    after = money(Game.parse(text).apply("reveal", ("r", 1)))
    assert after["ana"] == 3 + 5 + 1
    assert after["ben"] == 3 - 1 + 5


def test_a_position_tile_replaces_the_reward_of_its_ticket():
    text = "5:b 7:g 8:o 9:y 12:w / b | ana y5 position2=y5 | ben o5 position4=o5 | to_move ben"
    after = money(Game.parse(text, edition="supercup").apply("reveal", ("b", 1)))
    assert after == {"ana": 3 + 3, "ben": 3 - 1 + 1}


def test_tile_owners_and_the_photographer_are_paid_at_once():
    text = "5:bg 9:o 10:y 12:w -7@ben | ana | ben | cat | photographer cat=6 | to_move ana"
    after = Game.parse(text, edition="supercup").apply("reveal", ("b", 2))
    assert after.board.stacks[6] == "bg"
    assert money(after) == {"ana": 3, "ben": 4, "cat": 5}
    assert after.photographer is None


# The end of the race


OVER = "5:b 7:o 8:y 9:w finish:g / bgoyw | ana money={} | ben money={} | cat money=9 | winner {}"


@pytest.mark.parametrize(
    ("deck", "right", "rewards"),
    [
        ("bygg", "g", [-1, -1, 8, 5]),
        ("gggggg", "g", [8, 5, 3, 2, 1, 1]),
        ("gbg", "g", [8, -1, 5]),
        ("by", "g", [-1, -1]),
    ],
)
def test_finish_cards_pay_in_the_order_placed(deck, right, rewards):
    cards = [(f"p{number}", colour) for number, colour in enumerate(deck)]
    found = step.card_rewards(rules_of("first"), cards, right)
    assert found == [(name, pounds) for (name, _), pounds in zip(cards, rewards, strict=True)]


def test_finish_cards_are_paid_by_returns():
    game = Game.parse(OVER.format(5, 5, "ana=b ben=y cat=g ana=g"), edition="first")
    assert game.returns() == {"ana": 5 - 1 + 5, "ben": 5 - 1, "cat": 9 + 8}


def test_the_floor_acts_card_by_card_winner_deck_first():
    game = Game.parse(OVER.format(0, 1, "ana=b ana=g ben=y") + " | loser ben=o ben=b", edition="first")
    assert game.returns() == {"ana": 0 + 8, "ben": 0 + 0 + 8, "cat": 9}


def test_the_race_s_end_brings_one_more_leg_scoring():
    game = Game.parse("15:bg 9:o 10:y 12:w | ana g5 b3 | ben o5 | taken b5 | to_move ben", edition="first")
    over = game.apply("reveal", ("b", 3))
    assert over.board.race_over and money(over) == {"ana": 3, "ben": 3}
    assert over.returns() == {"ana": 3 + 5 + 1, "ben": 3 - 1 + 1}
    assert over.legal_actions() == [] and over.chance_outcomes() == []
    with pytest.raises(GameError, match="race is over"):
        over.apply("reveal", ("g", 1))


def test_returns_before_the_end_or_with_a_card_face_down_are_refused():
    with pytest.raises(GameError, match="goes on"):
        Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana").returns()
    with pytest.raises(GameError, match="face down"):
        Game.parse(OVER.format(3, 3, "ben=?"), edition="first").returns()


def test_cards_are_turned_up_in_their_place():
    """docs/rules.md, section 7: the order placed decides what right cards pay."""
    over = "1:K 2:r 3:y 4:b 5:p 16:W finish:g | ana money=0 | ben money=0 | cleo money=0 | winner ben=? cleo=r ana=r"
    game = Game.parse(over.replace("cleo=r", "cleo=g").replace("ana=r", "ana=g"))
    assert game.face_down == [("winner", 1, "ben")]
    shown = game.turn_up("winner", 1, "g")
    assert shown.winner_cards == (("ben", "g"), ("cleo", "g"), ("ana", "g")) and not shown.face_down
    assert shown.returns() == {"ana": 3, "ben": 8, "cleo": 5}
    assert game.apply("turn up winner 1 g") == shown
    assert game.returns(face_down=True) == {"ana": 5, "ben": 0, "cleo": 8}
    with pytest.raises(GameError, match="winner card 1 of ben; turn them up first"):
        game.returns()


@pytest.mark.parametrize(
    ("card", "message"),
    [
        (("winner", 2, "b"), "winner card 2 of ana lies face up already: it is g"),
        (("winner", 3, "b"), "the winner deck has 2 cards: there is no card 3"),
        (("loser", 0, "b"), "the loser deck has 1 cards: there is no card 0"),
        (("finish", 1, "b"), "no deck is called 'finish'"),
        (("winner", 1, "x"), "a finish card is of one of b g o y w, not 'x'"),
        (("winner", 1, "y"), "ben has placed the card of y already"),
    ],
)
def test_what_can_not_be_turned_up_is_refused(card, message):
    game = Game.parse("1:bg 2:wy 3:o | ana | ben | winner ben=? ana=g | loser ben=y | to_move ana", "first")
    with pytest.raises(GameError, match=message):
        game.turn_up(*card)
    with pytest.raises(GameError, match=message):
        game.apply("turn up {} {} {}".format(*card))


def test_a_face_down_card_and_a_support_die_go_together():
    game = Game.parse("5:bg 9:o 10:y 12:w / gow | ana pyramid=1 | ben | to_move ana", edition=SPICY)
    after = game.apply("winner ? + support g")
    assert after.winner_cards == (("ana", None),) and "g+" in after.board.dice and after.to_move == "ben"


# Actions


def test_legal_actions_are_those_of_the_action_table_and_all_can_be_done():
    players = "ana b5 pyramid=1 | ben | cat | dan | eva | fay | winner ana=b | to_move ana"
    game = Game.parse(f"5:bg 9:o 10:y 12:w -7@ben / bgoyw | {players}", edition=SPICY)
    names = game.legal_actions()
    rows = action_table(game, support=True)
    assert sorted(names) == sorted(row.action for row in rows if row.action != "reveal + support")
    for name in names:
        after = game.apply(name, ("b", 1) if name == "reveal" else None)
        assert after.to_move == "ben" and after != game


@pytest.mark.parametrize(
    ("action", "roll", "message"),
    [
        ("ticket g3", None, "under g5"),
        ("tikcet g5", None, "did you mean ticket g5"),
        ("tile +1", None, "space 1"),
        ("tile +7", ("r", 1), "a roll comes with reveal only"),
        ("reveal", None, "needs what the die showed"),
        ("reveal", ("r", 4), "shows 1 to 3"),
        ("reveal", ("#", 1), "say which"),
        ("reveal", "r", "a roll is"),
        ("reveal", ("x", 1), "no die"),
        ("reveal + support r", ("r", 1), "no action"),
        ("ticket g5 + support r", None, "no action"),
        ("partner ben", None, "6 players"),
    ],
)
def test_what_is_not_allowed_is_refused_in_words(action, roll, message):
    game = Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | cat | to_move ana")
    with pytest.raises((GameError, RulesError), match=message):
        game.apply(action, roll)


def test_nobody_s_turn_is_refused():
    with pytest.raises(GameError, match="set to_move"):
        Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben").legal_actions()
    with pytest.raises(GameError, match="next_leg"):
        Game.parse("1:rb 2:g 3:yp 14:K 15:W / # | ana").legal_actions()


def test_without_players_dice_are_all_that_happens():
    game = Game.parse("5:b 7:g 8:o 9:y 12:w / b", edition="first").apply("reveal", ("b", 1))
    assert game.board.dice == tuple("bgoyw")
    with pytest.raises(GameError, match="no player"):
        game.apply("ticket g5")


def test_a_card_face_down_can_be_placed():
    game = Game.parse("1:rb 2:g 3:yp 14:K 15:W | ana | ben | cat | to_move ana").apply("winner ?")
    assert game.winner_cards == (("ana", None),) and game.to_move == "ben"


def test_the_support_die_after_a_reveal_is_chosen_knowing_the_roll():
    game = Game.parse("5:bg 9:o 10:y 12:w / gow b+ | ana pyramid=1 | ben | to_move ana", edition=SPICY)
    names = game.legal_actions(("b+", 2))
    # Blue's has just been used, white leads.
    assert names == ["reveal", "reveal + support g", "reveal + support o", "reveal + support y"]
    after = game.apply("reveal + support g", ("b+", 2))
    assert after.players["ana"].pyramid == 1 and "g+" in after.board.dice and after.used_support == {"b"}
    with pytest.raises(GameError, match="leader"):
        game.apply("reveal + support w", ("b+", 2))


# Whole games


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_plays_to_its_end(rules: Rules, seed: int):
    rng = random.Random(seed)
    game = opening(rules, NAMES, rng)
    printed = Counter(f"{colour}{value}" for colour in rules.racing for value in rules.tickets)
    while not game.board.race_over:
        action, roll, paid = random_bot(game, rng), None, Counter()
        if action == "reveal":
            outcomes = game.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == 1
            roll = rng.choices([shown for shown, _ in outcomes], [float(chance) for _, chance in outcomes])[0]
            action = rng.choice(game.legal_actions(roll))
            move = game.board.move(*roll)
            if move.tile:
                paid[move.tile.owner] += 1
            if game.photographer and game.photographer[1] == move.space:
                paid[game.photographer[0]] += len(move.unit)
        after = game.apply(action, roll)
        assert Game.from_json(after.to_json()) == after
        assert Game.parse(str(after), rules) == after
        assert after.to_move == NAMES[(NAMES.index(game.to_move) + 1) % 6]
        new_leg = roll is not None and game.board.reveals == 1 and not after.board.race_over
        if not new_leg:
            assert money(after) == {name: pounds + paid[name] for name, pounds in money(game).items()}
        held = Counter(ticket for player in after.players.values() for ticket in player.tickets)
        left = Counter(f"{colour}{value}" for colour, values in after.stacks.items() for value in values)
        assert held + left == printed and (not new_leg or not held)
        game = after
    assert all(pounds >= 0 for pounds in game.returns().values())


def test_an_opening_follows_the_rules():
    for rules in EDITIONS.values():
        for seed in range(30):
            game = opening(rules, NAMES, random.Random(seed))
            board = game.board
            assert all(1 <= board.space(camel) <= 3 for camel in rules.racing)
            assert all(rules.track - 2 <= board.space(camel) <= rules.track for camel in rules.crazy)
            assert money(game) == dict.fromkeys(NAMES, 3) and game.to_move == "ana" and board.reveals >= 5
    with pytest.raises(GameError, match="at least 3"):
        opening("second", ["ana", "ben"], random.Random(0))


# Against expectations


SMALL = [
    ("first", "11:bg 12:o 13:yw +14@ben / bow | ana money=9 b5 g5 pyramid=1 | ben money=9 o5 | to_move ana"),
    ("first", "3:bg 5:o 6:yw -7@ben / gy | ana money=9 b5 g5 | ben money=9 o5 y5 | winner ana=b ben=g | to_move ana"),
    ("second", "5:rb 6:g 8:Wyp 12:K +9@ana / g p # | ana money=9 r5 | ben money=9 g5 | cat money=9 | to_move ana"),
    (
        "supercup",
        "5:bg 9:o 10:y 12:w +7@ben / go b+ | ana money=9 g5 position2=g5 | ben money=9 | photographer ana=6"
        " | to_move ana",
    ),
]


@pytest.mark.parametrize(("edition", "text"), SMALL)
def test_a_reveal_is_worth_its_pyramid_ticket_over_all_rolls(edition, text):
    game = Game.parse(text, edition)
    now = expected(game.state)
    later = [0.0] * len(now)
    for roll, chance in game.chance_outcomes():
        after = expected(game.apply("reveal", roll).state)
        later = [so_far + float(chance) * value for so_far, value in zip(later, after, strict=True)]
    assert later == pytest.approx([now[0] + 1, *now[1:]], abs=1e-9)
    assert float(action(game, "reveal").ev) == pytest.approx(1)


@pytest.mark.parametrize(("edition", "text"), [case for case in SMALL if "winner" not in case[1]])
def test_the_leg_played_to_its_end_is_worth_what_the_expectation_says(edition, text):
    """Everyone reveals in turn: each gets what was expected and his pyramid tickets."""
    game = Game.parse(text, edition)
    names = list(game.players)

    def played(now: Game, reveals: int) -> list[Fraction]:
        if reveals == 0 or now.board.race_over:
            ends = step.scored(now.state) if now.board.race_over else money(now).values()
            return [Fraction(pounds) for pounds in ends]
        sums = [Fraction(0)] * len(names)
        for roll, chance in now.chance_outcomes():
            after = played(now.apply("reveal", roll), reveals - 1)
            sums = [so_far + chance * pounds for so_far, pounds in zip(sums, after, strict=True)]
        return sums

    found = played(game, game.board.reveals)
    start = expected(game.state)
    gained = sum(found) - sum(Fraction(value).limit_denominator(10**9) for value in start)
    if leg_odds(game.board).race_ends == 0:
        turns = Counter(names[turn % len(names)] for turn in range(game.board.reveals))
        assert [float(value) for value in found] == pytest.approx(
            [value + turns[name] for name, value in zip(names, start, strict=True)]
        )
    assert 0 < gained <= game.board.reveals


def test_returns_are_the_floored_expectation_of_a_race_that_is_over():
    rng = random.Random(5)
    for seed in range(40):
        cards = [f"{rng.choice(['ana', 'ben'])}={colour}" for colour in rng.sample("bgoyw", 4)]
        text = OVER.format(rng.randrange(3), rng.randrange(3), " ".join(cards[:2])) + f" | loser {' '.join(cards[2:])}"
        colour = rng.choice("bgoyw")
        text = text.replace("ana money", f"ana {colour}5 {colour}3 money")
        game = Game.parse(text, edition="first")
        worths = FlooredWorths(game.state)
        found = [float(worths.final(game.state, player).value) for player in range(3)]
        assert found == pytest.approx(list(game.returns().values())), (seed, text)


def test_who_has_placed_all_cards_can_place_no_more():
    """With some of them face down too: whatever colours they have, none is left."""
    text = "1:bg 2:wy 3:o | ana | ben | winner ana=? ana=? ana=? ana=g ana=b | to_move ana"
    game = Game.parse(text, "first")
    assert not [name for name in game.legal_actions() if name.startswith(("winner", "loser"))]
    with pytest.raises(GameError, match="has placed all 5 cards"):
        game.apply("winner o")
    for name in game.legal_actions():
        game.apply(name, ("b", 1) if name == "reveal" else None)
