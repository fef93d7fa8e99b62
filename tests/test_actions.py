"""Actions against tests/brute_force.py, the hand values, and the worked examples of the manuals."""

import random
from fractions import Fraction
from math import isclose, sqrt

import numpy as np
import pandas as pd
import pytest
from brute_force import Seat, Table, as_text, from_text, play_out, random_table
from reference import EDITIONS as REFERENCE
from reference import State, leg
from reference import read as read_state

from camelodds.errors import GameError
from camelodds.ev import counts, expectation
from camelodds.ev import floor as floors
from camelodds.ev.actions import action, action_table, actions
from camelodds.ev.holdings import holding_table, holdings
from camelodds.ev.turn import Action
from camelodds.game.game import Game
from camelodds.odds.leg import leg_odds
from camelodds.odds.race import race_odds
from camelodds.rules import EDITIONS

PRESETS = list(EDITIONS)
TOLERANCE = 1e-9


def made_up_odds(state: State, edition: str) -> tuple[dict[str, float], dict[str, float]]:
    """Race odds that only depend on how the leg ends: the first camel then wins with 1/2, the last loses with 1/2."""
    rules = REFERENCE[edition]
    win = dict.fromkeys(rules.racing, 0.0)
    lose = dict.fromkeys(rules.racing, 0.0)
    whole = leg(state, rules)
    for (order, over), weight in whole.rankings.items():
        for place, share in enumerate((1, 0, 0, 0, 0) if over else (0.5, 0.2, 0.15, 0.1, 0.05)):
            win[order[place]] += share * weight / whole.total
            lose[order[-1 - place]] += share * weight / whole.total
    return win, lose


@pytest.fixture(autouse=True)
def even_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tests here are about the leg: all camels have the same odds in the race."""

    def race_chances(boards):
        return [(np.full(5, 0.2), np.full(5, 0.2), np.zeros(5)) for _ in boards]

    monkeypatch.setattr(counts, "race_chances", race_chances)
    for module in (counts, expectation, floors):
        monkeypatch.setattr(module, "races_are_simulated", lambda rules: False)
    monkeypatch.setattr(floors, "joint_is_solved", lambda course: False)


@pytest.fixture
def made_up_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package takes the made-up race odds too."""

    def race_chances(boards):
        found = []
        for board in boards:
            racing = board.rules.racing
            dice = "".join(board.dice) or "-"
            text = str(board).partition("/")[0] + "/" + dice
            edition = next(
                name for name, rules in EDITIONS.items() if rules.track == board.rules.track and rules.racing == racing
            )
            win, lose = made_up_odds(read_state(text, REFERENCE[edition]), edition)
            found.append(
                (np.array([win[c] for c in racing]), np.array([lose[c] for c in racing]), np.zeros(len(racing)))
            )
        return found

    monkeypatch.setattr(counts, "race_chances", race_chances)


def game_of(table: Table) -> Game:
    rules = EDITIONS[table.edition]
    return Game.parse(as_text(table), rules.with_changes(spicy=True) if table.spicy else rules)


def check(table: Table, me: str, *, floor: bool = False, cards: bool = False, merged: bool = False) -> None:
    """Every action of a player equals what playing it out says."""
    odds = (lambda state: made_up_odds(state, table.edition)) if cards else None
    expected = play_out(table, me, floor=floor, odds=odds, merged=merged)
    rows = action_table(game_of(table), me, floor="zero" if floor else "none", support=True, exact=True)
    found = {row.action: row for row in rows if cards or row.kind not in ("winner", "loser")}
    if not cards:
        found = {name: row for name, row in found.items() if name.split()[0] not in ("winner", "loser")}
    assert found.keys() == expected.keys()
    for name, row in found.items():
        check_row(row, expected[name], exact=not cards)


def check_row(row: Action, expected: dict, *, exact: bool) -> None:
    pays = {pounds: chance for pounds, chance in expected["pays"].items() if chance}
    mean = sum(pounds * chance for pounds, chance in pays.items())
    others = sum(expected["others"].values())
    p_gain = sum(chance for pounds, chance in pays.items() if pounds > 0)
    if exact:
        assert isinstance(row.ev, Fraction)
        assert (row.ev, row.others, row.by_player) == (expected["ev"], others, expected["others"]), row.action
        assert (row.p_gain, row.error) == (p_gain, 0)
    else:
        assert isclose(row.ev, expected["ev"], abs_tol=TOLERANCE), row.action
        assert isclose(row.others, others, abs_tol=TOLERANCE), row.action
        assert isclose(row.p_gain, p_gain, abs_tol=TOLERANCE)
    assert row.reply == expected["reply"], row.action
    assert (row.worst, row.best) == (min(pays), max(pays)), row.action
    sd = sqrt(sum((pounds - mean) ** 2 * chance for pounds, chance in pays.items()))
    assert isclose(row.sd, sd, abs_tol=1e-6)


# ---- against brute force -----------------------------------------------------------------------


@pytest.mark.parametrize("edition", PRESETS)
@pytest.mark.parametrize("seed", range(20))
def test_leg_parts_equal_brute_force(edition: str, seed: int):
    rng = random.Random(f"{edition} {seed}")
    table = random_table(rng, edition)
    check(table, rng.choice(list(table.seats)), floor=seed % 3 == 2)


def poor(*tickets: str) -> Seat:
    return Seat(money=0, tickets=[(ticket[0], int(ticket[1:]), None) for ticket in tickets])


RARE = {
    "a poor player's tile and camera": from_text(
        "supercup",
        "1:bo 2:g 9:y 12:w +4@ana / b g",
        {"ana": poor("o5", "o3", "y5", "y3"), "ben": Seat()},
        camera=("ana", 3),
    ),
    "a support die comes out and is then used": from_text(
        "supercup", "1:b 2:g 4:o 5:y 6:w / b g b+", {"ana": poor("b5", "g5"), "ben": Seat()}, spicy=True
    ),
    "a photo before the support die is chosen": from_text(
        "supercup",
        "1:bgy 2:o 6:w / b o y+",
        {"ana": poor("w5"), "ben": Seat(), "cy": poor("b5")},
        camera=("ana", 3),
        spicy=True,
    ),
}


@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize("name", RARE)
def test_rare_cases_equal_brute_force(name: str, floor: bool):
    for me in RARE[name].seats:
        check(RARE[name], me, floor=floor)


@pytest.mark.heavy
@pytest.mark.parametrize("edition", PRESETS)
def test_leg_parts_equal_brute_force_in_300_games(edition: str):
    rng = random.Random(f"heavy {edition}")
    for number in range(300):
        table = random_table(rng, edition)
        check(table, rng.choice(list(table.seats)), floor=number % 3 == 2)


@pytest.mark.heavy
@pytest.mark.parametrize("edition", PRESETS)
@pytest.mark.parametrize("seed", range(5))
def test_full_legs_equal_brute_force(edition: str, seed: int):
    rng = random.Random(f"full {edition} {seed}")
    table = random_table(rng, edition, full=True)
    table.spicy, table.used = False, set()
    check(table, rng.choice(list(table.seats)), merged=True)


@pytest.mark.usefixtures("made_up_race")
@pytest.mark.parametrize("edition", PRESETS)
@pytest.mark.parametrize("seed", range(4))
def test_card_parts_equal_brute_force(edition: str, seed: int):
    rng = random.Random(f"cards {edition} {seed}")
    table = random_table(rng, edition, cards=True)
    check(table, rng.choice(list(table.seats)), cards=True)


@pytest.mark.usefixtures("made_up_race")
@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("seed", range(2))
def test_floors_act_on_the_leg_and_then_card_by_card(edition: str, seed: int):
    rng = random.Random(f"floors {edition} {seed}")
    table = random_table(rng, edition, cards=True)
    while len(table.state.dice) > 2:
        table = random_table(rng, edition, cards=True)
    check(table, rng.choice(list(table.seats)), floor=True, cards=True)


# ---- values worked out by hand -----------------------------------------------------------------

FIRST_START = "1:bg 2:wy 3:o"
SECOND_START = "1:rb 2:g 3:yp 14:K 15:W"
TICKETS = {
    "first": {"y": (1.23752, 0.64979, 0.35593), "g": (1.1074, 0.5304, 0.2419), "b": (-0.0250, -0.2631, -0.3821)},
    "second": {"p": (1.9179, 1.1282, 0.7334), "r": (-0.3238, -0.4759, -0.5519)},
}
TILES = {
    4: (1.443210, 1.544684),
    5: (1.070267, 1.145062),
    6: (0.614609, 0.630556),
    7: (0.219856, 0.222531),
    8: (0.095473, 0.096296),
    9: (0.019547, 0.019650),
}


@pytest.mark.parametrize("edition", list(TICKETS))
def test_tickets_by_hand(edition: str):
    start = FIRST_START if edition == "first" else SECOND_START
    for colour, values in TICKETS[edition].items():
        gone: list[str] = []
        for value, expected in zip((5, 3, 2), values, strict=True):
            game = Game.parse(f"{start} | ana | taken {' '.join(gone)}", edition)
            assert isclose(action(game, f"ticket {colour}{value}").ev, expected, abs_tol=5.1e-5)
            gone.append(f"{colour}{value}")


def test_tiles_by_hand():
    game = Game.parse(f"{FIRST_START} | ana | ben", "first")
    for space, (oasis, mirage) in TILES.items():
        assert isclose(action(game, f"tile +{space}", "ana").ev, oasis, abs_tol=5.1e-7)
        assert isclose(action(game, f"tile -{space}", "ana").ev, mirage, abs_tol=5.1e-7)


# ---- the manuals' examples ---------------------------------------------------------------------

# The leg is over or its last die is sure to change nothing that matters.
LEG_OVER = "1:K 2:p 3:y 4:b 5:r 6:g 16:W / #"


def test_leg_scoring_of_the_second_edition_is_netted():
    game = Game.parse(f"{LEG_OVER} | ana g5 g2 r5 b5 pyramid=2 | ben | taken g3")
    assert game.board.ranking == "grbyp"
    (ana, ben) = holding_table(game)
    assert ana.scoring == {5 + 2 + 1 - 1 + 1 + 1: 1}
    assert (ana.ahead, ana.level, ben.mean) == (1, 0, 0)


def test_a_position_tile_replaces_the_ticket_s_reward():
    third, second = "2:b 3:g 5:y 9:o 12:w / -", "2:b 3:g 5:o 9:y 12:w / -"
    for board, bare, covered in ((third, -1, 3), (second, 1, -1)):
        for text, pounds in (("ana y5", bare), ("ana y5 position3=y5", covered)):
            (ana,) = holding_table(Game.parse(f"{board} | {text}", "supercup"))
            assert ana.scoring == {pounds: 1}


def test_a_photo_of_three_camels_pays_three_and_then_nothing():
    game = Game.parse("1:bgo 3:y 12:w / b y | ana | photographer ana=4", "supercup")
    # b first: 3 camels with a 3; with a 2 it sits on y, whose 1 then brings 4; with a 1 y's 1 brings y alone.
    # y first: its 1 brings 1, and nothing is paid for the three that may follow; else b's 3 brings 3.
    three, one, four = Fraction(5, 18), Fraction(4, 18), Fraction(1, 18)
    (ana,) = holding_table(game)
    assert ana.photo == 3 * three + one + 4 * four
    row = action(Game.parse("1:bgo 3:y 12:w / b y | ana", "supercup"), "camera 4", exact=True)
    assert (row.ev, row.worst, row.best, row.p_gain) == (ana.photo, 0, 4, three + one + four)


def test_a_partner_copies_the_best_reward():
    names = "".join(f" | {name}" for name in ("cy", "dan", "eve", "flo"))
    game = Game.parse(f"{LEG_OVER} | ana pyramid=1 | ben g5{names} | partners ana=ben")
    ana, ben, *_ = holding_table(game)
    assert ana.scoring == {1 + 5: 1}
    assert ben.scoring == {5 + 1: 1}


def test_a_partner_never_costs_anything():
    names = "".join(f" | {name}" for name in ("cy", "dan", "eve", "flo"))
    (ana, *_) = holding_table(Game.parse(f"{LEG_OVER} | ana | ben p5 y5{names} | partners ana=ben"))
    assert ana.scoring == {0: 1}


@pytest.mark.usefixtures("made_up_race")
def test_finish_cards_are_paid_in_the_order_placed():
    start = "1:K 2:r 3:y 4:b 5:p 16:W finish:g"
    game = Game.parse(f"{start} | ana | ben | cy | dan | winner ana=b ben=y cy=g dan=g")
    assert [round(row.winner) for row in holding_table(game)] == [-1, -1, 8, 5]


SPICY = EDITIONS["supercup"].with_changes(spicy=True)


def test_a_support_die_after_a_reveal():
    game = Game.parse(f"{FIRST_START} | ana g5 | ben", SPICY)
    rows = {row.action: row for row in action_table(game, "ana", support=True, exact=True) if row.kind == "support"}
    assert list(rows) == ["reveal + support"]  # without a pyramid ticket only the reveal brings one to give back
    assert rows["reveal + support"].ev > 1
    assert (rows["reveal + support"].worst, rows["reveal + support"].best) == (1, 1)


# ---- what an EV means --------------------------------------------------------------------------


@pytest.mark.usefixtures("made_up_race")
@pytest.mark.parametrize("edition", PRESETS)
def test_a_reveal_is_worth_its_pyramid_ticket_exactly(edition: str):
    rng = random.Random(f"reveal {edition}")
    for _ in range(20):
        game = game_of(random_table(rng, edition, cards=True))
        me = rng.choice(list(game.players))
        row = action(game, "reveal", me, exact=True)
        assert (row.ev, row.sd, row.p_gain, row.worst, row.best) == (1, 0, 1, 1, 1)


def test_a_poor_player_s_risky_bet_gains_by_the_floor():
    poor = Game.parse(f"{SECOND_START} | ana money=0 | ben")
    rich = Game.parse(f"{SECOND_START} | ana money=1 | ben")
    plain = action(poor, "ticket r5", "ana", exact=True)
    floored = action(poor, "ticket r5", "ana", floor="zero", exact=True)
    assert floored.ev - plain.ev == 1 - leg_p(poor, "r", 1) - leg_p(poor, "r", 2)
    assert plain.ev < 0 < floored.ev
    assert action(rich, "ticket r5", "ana", floor="zero", exact=True) == action(rich, "ticket r5", "ana", exact=True)


def leg_p(game: Game, camel: str, place: int) -> Fraction:
    return leg_odds(game.board).p(camel, place)


def test_a_reply_is_the_best_ticket_left():
    game = Game.parse(f"{FIRST_START} | ana | ben", "first")
    best, second = action(game, "ticket y5", "ana", exact=True), action(game, "ticket g5", "ana", exact=True)
    assert (best.reply, second.reply) == (second.ev, best.ev)
    everything = " ".join(f"{colour}{value}" for colour in "bgoyw" for value in (5, 3, 2))
    assert action(Game.parse(f"{FIRST_START} | ana | taken {everything}", "first"), "reveal").reply is None
    assert action(Game.parse(f"{FIRST_START} / b | ana", "first"), "reveal").reply is None


def test_what_an_action_does_to_a_partner_is_with_the_others():
    names = "".join(f" | {name}" for name in ("cy", "dan", "eve", "flo"))
    game = Game.parse(f"{SECOND_START} | ana | ben{names} | partners ana=ben")
    row = action(game, "reveal", "ana", exact=True)
    assert (row.others, row.by_player["ben"], row.by_player["cy"]) == (1, 1, 0)
    ticket = action(game, "ticket r5", "ana", exact=True)
    assert ticket.by_player["ben"] == 5 * leg_p(game, "r", 1) + leg_p(game, "r", 2)


# ---- priors ------------------------------------------------------------------------------------


def cards(text: str, prior: object) -> float:
    return action(Game.parse(text), "winner p", "ana", prior=prior).ev


@pytest.mark.usefixtures("made_up_race")
def test_priors_of_cards_face_down():
    start = f"{SECOND_START} / rp# | ana | ben | cy"
    unknown, known, other = (f"{start} | winner ben={card}" for card in "?pr")
    win, _ = made_up_odds(read_state(f"{SECOND_START} / rp#", REFERENCE["second"]), "second")
    p = win["p"]
    assert isclose(cards(unknown, "none"), 9 * p - 1)
    assert cards(unknown, "none") == cards(other, "odds") == cards(start, "all")
    assert isclose(cards(unknown, "all"), 6 * p - 1)
    assert cards(unknown, "all") == cards(known, "none")
    assert isclose(cards(unknown, "odds"), p * (9 - 3 * p) - 1)
    assert isclose(cards(unknown, {"p": 0.25}), p * (9 - 0.75) - 1)
    assert isclose(cards(unknown, {"winner": {"p": 0.25}, "loser": {"p": 1}}), p * (9 - 0.75) - 1)
    # ben has shown r elsewhere, so that the other four are likelier
    assert isclose(cards(unknown + " | loser ben=r", "odds"), p * (9 - 3 * p / (1 - win["r"])) - 1)
    assert isclose(cards(unknown + " | loser ben=p", "odds"), 9 * p - 1)


@pytest.mark.parametrize("prior", ["likely", 3, {"w": 0.5}, {"r": 2}, {"winner": 1}])
def test_a_prior_that_is_none_is_refused(prior: object):
    with pytest.raises(GameError):
        action(Game.parse(f"{SECOND_START} | ana"), "reveal", prior=prior)


# ---- names, rules, frames ----------------------------------------------------------------------

FORBIDDEN = {
    "ticket r5": (f"{SECOND_START} | ana | taken r5", "second", "r5 is taken"),
    "ticket r3": (f"{SECOND_START} | ana", "second", "r3 is under r5"),
    "tile +1": (f"{SECOND_START} | ana", "second", "no tile on space 1"),
    "tile -2": (f"{SECOND_START} | ana", "second", "camels stand on space 2"),
    "tile +5": (f"{SECOND_START} +6@ben | ana | ben", "second", "ben's tile lies next to it, on space 6"),
    "tile +6": (f"{SECOND_START} +6 | ana | ben", "second", "a tile lies on space 6"),
    "tile -6": (f"{SECOND_START} +6@ana | ana | ben", "second", "a tile moves to a different space"),
    "tile -8": (f"{FIRST_START} | ana | photographer ana=8", "supercup", "the camera stands on space 8"),
    "winner r": (f"{SECOND_START} | ana | loser ana=r", "second", "ana has placed the card of r"),
    "camera 9": (f"{FIRST_START} | ana | ben | photographer ben=8", "supercup", "ben is the photographer"),
    "camera 8": (f"{FIRST_START} | ana | photographer ana=8", "supercup", "the camera moves to a different space"),
    "camera 2": (f"{FIRST_START} | ana", "supercup", "camels stand on space 2"),
    "camera 7": (f"{FIRST_START} +7 | ana", "supercup", "a tile lies on space 7"),
    "position 3 on b5": (f"{FIRST_START} | ana b5 position2=b5", "supercup", "b5 is covered"),
    "position 2 on g5": (
        f"{FIRST_START} | ana g5 | ben b5 position2=b5",
        "supercup",
        "position tile 2 lies on a ticket of ben",
    ),
    "position 2 on bottom b": (f"{FIRST_START} | ana | taken b5 b3 b2 b2", "supercup", "no ticket of b is left"),
    "partner ben": (f"{SECOND_START} | ana | ben", "second", "partnerships need 6 players or more"),
    "partner ana": (f"{SECOND_START} | ana | ben", "second", "nobody can be their own partner"),
    "ticket g5 + support b": (f"{FIRST_START} | ana | ben", SPICY, "no pyramid ticket to give back"),
    "ticket b5 + support o": (f"{FIRST_START} / bgowb+ | ana pyramid=1 | ben", SPICY, "o is the leader"),
    "ticket b5 + support b": (f"{FIRST_START} / bgowb+ | ana pyramid=1", SPICY, "b's support die is in the pyramid"),
    "ticket b5 + support w": (f"{FIRST_START} / bgow | ana pyramid=1 | used w", SPICY, "w's support die was used"),
    "reveal + support": (f"{FIRST_START} / b | ana", SPICY, "no support die may be put in"),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_is_not_allowed_names_the_rule(name: str):
    text, edition, rule = FORBIDDEN[name]
    game = Game.parse(text, edition)
    with pytest.raises(GameError, match="not allowed") as error:
        action(game, name, "ana")
    assert rule in str(error.value)
    assert name not in [row.action for row in action_table(game, "ana", support=True)]


def test_the_next_space_to_one_s_own_tile_is_free():
    game = Game.parse(f"{SECOND_START} +6@ana | ana")
    names = [row.action for row in action_table(game) if row.kind == "tile"]
    assert {"tile +5", "tile -5", "tile +7", "tile -7"} <= set(names)
    assert not {"tile +6", "tile -6"} & set(names)


WRONG = {
    "tickt r5": "did you mean ticket r5",
    "ticket o5": "did you mean ticket",
    "tile 7": "did you mean tile",
    "jump": "expected one that begins with reveal, ticket, tile, winner, loser, partner",
    "camera 8": "in this edition",
    "": "expected",
    "ticket r5 + support r": "no action is called",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_misspelt_action_is_refused(name: str):
    with pytest.raises(GameError) as error:
        action(Game.parse(f"{SECOND_START} | ana"), name)
    assert WRONG[name] in str(error.value)


@pytest.mark.parametrize(
    ("text", "player", "expected"),
    [
        (f"{LEG_OVER} | ana", None, "the leg is over"),
        ("1:K 2:r 3:y 4:b 5:p 16:W finish:g | ana", None, "the race is over"),
        (SECOND_START, None, "no player is named"),
        (f"{SECOND_START} | ana | ben", None, "whose action?"),
        (f"{SECOND_START} | ana | ben", "cy", "'cy' is no player: the players are ana, ben"),
    ],
)
def test_no_action_can_be_asked_for(text: str, player: str | None, expected: str):
    with pytest.raises(GameError, match=expected.replace("?", r"\?")):
        action_table(Game.parse(text), player)


def test_an_unknown_floor_is_refused():
    with pytest.raises(GameError, match="no floor is called"):
        action_table(Game.parse(f"{SECOND_START} | ana"), floor="one")


def test_rows_that_need_no_unknown_card_are_there_for_who_has_cards_face_down():
    game = Game.parse(f"{FIRST_START} | ana b5 | ben | winner ana=? ben=g | loser ana=? | to_move ana", "first")
    shown = Game.parse(f"{FIRST_START} | ana b5 | ben | winner ana=o ben=g | loser ana=b | to_move ana", "first")
    rows = {row.action: row for row in action_table(game, exact=True)}
    assert {row.kind for row in rows.values()} == {"reveal", "ticket"}
    known = {row.action: row for row in action_table(shown, exact=True)}
    assert all(row == known[name] for name, row in rows.items())
    rules = {row.action: row.rule for row in action_table(game, legal=False)}
    assert rules["winner y"] == rules["tile +6"] == "no numbers: finish cards of ana are face down"
    assert rules["ticket b3"] is None
    with pytest.raises(GameError, match="winner y has no numbers: finish cards of ana are face down"):
        action(game, "winner y")


def test_frames_have_the_columns_of_the_design():
    game = Game.parse(f"{SECOND_START} | ana | ben r5 | cy | to_move ben")
    frame = actions(game)
    columns = ["action", "kind", "ev", "sd", "p_gain", "worst", "best", "others", "reply", "lead", "error"]
    assert list(frame.columns) == columns
    assert frame.ev.is_monotonic_decreasing
    assert frame.ev.dtype == float
    assert frame.equals(actions(game, "ben"))
    more = actions(game, legal=False, others_by_player=True)
    assert list(more.columns) == [*columns, "others ana", "others cy", "rule"]
    assert more.rule.notna().sum() == more.ev.isna().sum() == len(more) - len(frame)
    held = holdings(game)
    assert list(held.index) == ["ana", "ben", "cy"]
    assert isinstance(held, pd.DataFrame)
    assert sum(held.loc["ben", "scoring"].values()) == 1
    assert isclose(held.ahead.sum() + held.level.loc["ana"], 1)


def test_a_tile_with_an_owner_pays_in_the_holdings():
    game = Game.parse("1:bg 2:o 3:yw +4@ana -6@ben | ana | ben", "first")
    ana, ben = holding_table(game)
    assert (ana.tile, ben.tile) == (Fraction(4559, 3240), Fraction(1909, 2430))


# ---- floors, when winner and loser of the race are not independent, or not known ----------------


def floored_by_joint(money: int, joint: np.ndarray, winner: int, loser: int) -> float:
    """Money after a winner and a loser card of these colours, each paid 8 or -1, nobody below 0."""
    return sum(
        max(0, max(0, money + (8 if w == winner else -1)) + (8 if low == loser else -1)) * joint[w, low]
        for w in range(5)
        for low in range(5)
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_of_a_floor_holds_for_any_joint_chances(seed: int):
    """Random joint chances of who wins and who loses, nobody both, against their sums taken as independent."""
    rng = np.random.default_rng(seed)
    joint = rng.dirichlet(np.full(25, 0.2)).reshape(5, 5)
    np.fill_diagonal(joint, 0)
    joint /= joint.sum()
    win, lose = joint.sum(axis=1), joint.sum(axis=0)
    apart = np.outer(win, lose)
    winner, loser = rng.choice(5, 2, replace=False)
    after = np.zeros((3, 5, 5))
    for money in range(3):
        for w in range(5):
            for low in range(5):
                one = np.zeros((5, 5))
                one[w, low] = 1
                after[money, w, low] = floored_by_joint(money, one, winner, loser)
    for money in range(3):
        off = floors._dependence(after, np.array([money]), win[None], lose[None], np.ones(1))
        true, independent = (floored_by_joint(money, each, winner, loser) for each in (joint, apart))
        assert abs(true - independent) <= off + 1e-12
        assert off == 0 or money < 2


def test_a_floor_with_cards_in_both_decks_knows_winner_and_loser_together(monkeypatch: pytest.MonkeyPatch):
    """8 P(b last) - P(o wins) + P(both), 3,000,000 played races say 1.9234 +- 0.0021; see docs/rules.md, section 7."""
    monkeypatch.undo()
    game = Game.parse("1:bg 2:wy 3:o | ana money=0 | winner ana=o", "first")
    row = action(game, "loser b", floor="zero")
    assert row.ev == pytest.approx(1.923015, abs=1e-6) and row.error < 1e-6


def test_where_winner_and_loser_are_not_known_together_the_error_bounds_what_that_is_off(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.undo()
    monkeypatch.setattr(floors, "joint_is_solved", lambda course: False)
    game = Game.parse("1:bg 2:wy 3:o | ana money=0 | winner ana=o", "first")
    row = action(game, "loser b", floor="zero")
    assert 0.01 < abs(row.ev - 1.923015) <= row.error < 0.2
    assert action(game, "winner b", floor="zero").error < 1e-6
    rich = Game.parse("1:bg 2:wy 3:o | ana money=9 | winner ana=o", "first")
    assert action(rich, "loser b", floor="zero").error < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_a_floor_is_that_of_every_race_played_to_its_end(seed: int, monkeypatch: pytest.MonkeyPatch):
    """On a track of four spaces with three camels, against the exact chances of every ranking of the race."""
    monkeypatch.undo()
    rng = random.Random(seed)
    rules = EDITIONS["first"].with_changes(name="tiny", racing="bgo", track=4)
    cards = rng.sample("bgo", 3)
    decks = f"winner ana={cards[0]} ana={cards[1]} | loser ana={cards[2]}" if seed % 2 else f"loser ana={cards[0]}"
    more = "" if seed % 2 else f" | winner ana={cards[1]}"
    game = Game.parse(f"1:b{'g' * (seed % 3 > 0)} 2:{'g' * (seed % 3 == 0)}o / - | ana money=1 | {decks}{more}", rules)
    worths = floors.FlooredWorths(game.state)
    found = worths.final(game.state, 0)
    rankings = race_odds(game.board).rankings
    expected = 0.0
    for ranking, chance in zip(rankings["ranking"], rankings["probability"], strict=True):
        pounds = 1
        for deck, right in ((game.winner_cards, ranking[0]), (game.loser_cards, ranking[-1])):
            for _, colour in deck:
                pounds = max(0, pounds + (8 if colour == right else -1))
        expected += float(chance) * pounds
    assert float(found.value) == pytest.approx(expected, abs=1e-9)


def test_without_a_table_a_floor_has_numbers_for_all_that_needs_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(floors, "races_are_simulated", lambda rules: True)
    game = Game.parse(f"{SECOND_START} | ana money=0 | ben", "second")
    names = {row.action for row in action_table(game, "ana", floor="zero")}
    assert "reveal" in names and not any(name.startswith(("winner", "loser")) for name in names)
    rules = {row.action: row.rule for row in action_table(game, "ana", floor="zero", legal=False)}
    assert "camelodds race-table build" in rules["winner r"] and rules["reveal"] is None
    with pytest.raises(GameError, match="camelodds race-table build"):
        action(game, "winner r", "ana", floor="zero")
    held = Game.parse(f"{SECOND_START} | ana money=0 | ben | winner ana=r", "second")
    with pytest.raises(GameError, match="camelodds race-table build"):
        action_table(held, "ana", floor="zero")


@pytest.mark.parametrize("ask", [actions, action_table, holdings, holding_table])
def test_what_is_no_game_is_refused_in_words(ask):
    with pytest.raises(GameError, match="expected a Game, not str"):
        ask("1:bg 2:wy 3:o | ana")
