"""The columns `ahead` and `lead` of actions against slow twins: play_out, and the recursion of reference_ahead."""

import doctest
import random
from fractions import Fraction
from math import prod

import numpy as np
import pytest
import reference
from brute_force import Seat, Table, as_text, endings, from_text, leg_scoring, plain_actions, play_out, random_table
from reference_ahead import LookAhead as Recursion

import camelodds as co
from camelodds.errors import GameError, RulesError
from camelodds.ev import actions as module
from camelodds.ev import counts, onward
from camelodds.ev import plan as planning
from camelodds.ev.actions import action, action_table, actions, actions_table, why_ahead
from camelodds.ev.ahead import look_ahead
from camelodds.ev.outlook import Outlook
from camelodds.rules import EDITIONS

MOST_STATES = 400
"""Boards x states of the tickets that the recursion goes through, about."""
START = "1:bg 2:o 3:yw | ana | ben | cat | to_move ana"


@pytest.fixture(autouse=True)
def even_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about the leg."""
    monkeypatch.setattr(
        counts, "race_chances", lambda boards: [(np.full(5, 0.2), np.full(5, 0.2), np.zeros(5)) for _ in boards]
    )


def game_of(table: Table, me: str | None = None) -> co.Game:
    to_move = f" | to_move {me}" if me else ""
    rules = EDITIONS[table.edition]
    return co.Game.parse(as_text(table) + to_move, rules.with_changes(spicy=True) if table.spicy else rules)


def small_table(rng: random.Random, edition: str) -> Table:
    """A game near a leg's end in which most tickets are gone."""
    while True:
        table = random_table(rng, edition)
        table.spicy = False
        table.used = set()
        for colour in table.rules.racing:
            left = table.stack(colour)
            table.taken += [(colour, value) for value in left[: rng.randint(0, len(left))]]
        distinct = 1 + sum(reference.leg(table.state, table.rules).distinct[:-1])
        if distinct * prod(len(table.stack(colour)) + 1 for colour in table.rules.racing) <= MOST_STATES:
            return table


def slow_ahead(table: Table, me: str, others: str) -> dict[str, dict[str, Fraction]]:
    """{action: what each expects until the leg's end}: the change of their money by it, and what the recursion adds."""
    names = list(table.seats)
    players = len(names)
    recursion = Recursion(table.rules, players, others)
    # The order in which they act after this turn.
    order = names[names.index(me) + 1 :] + names[: names.index(me) + 1]
    evs = play_out(table, me, merged=True)
    found = {}
    for name, after in plain_actions(table, me):
        if name.split()[0] in ("winner", "loser"):
            continue
        stacks = tuple(tuple(after.stack(colour)) for colour in table.rules.racing)
        if name == "reveal":
            one, *rest = recursion.acts(table.state, stacks)["reveal"].gains
            gains = dict(zip(order, [*rest, one - 1], strict=True))
        else:
            asker = players - 1 if others == "greedy" else 0
            gains = dict(zip(order, recursion.play(after.state, stacks, asker).gains, strict=True))
        found[name] = {who: gains[who] + (evs[name]["others"] | {me: evs[name]["ev"]})[who] for who in names}
    return found


@pytest.mark.parametrize("others", ["best", "greedy"])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(4))
def test_ahead_is_the_own_ev_and_what_the_recursion_still_gains(edition: str, seed: int, others: str):
    rng = random.Random(f"{edition} {seed}")
    table = small_table(rng, edition)
    me = rng.choice(list(table.seats))
    expected = slow_ahead(table, me, others)
    rows = action_table(game_of(table), me, exact=True, ahead=others)
    found = {row.action: row for row in rows if row.kind not in ("winner", "loser")}
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        row = found[name]
        assert row.ahead == values.pop(me), name
        assert row.ahead_by_player == values, name
        assert row.ahead_others == sum(values.values())


def slow_lead(table: Table, me: str) -> Fraction:
    """The chance to have most money after the scoring, a tie shared; without landings and photo."""
    shares, total = Fraction(0), 0
    for (_, _, order), weight in endings(table, merged=True).items():
        money = {name: seat.money + leg_scoring(table, name, order) for name, seat in table.seats.items()}
        ahead = [name for name, pounds in money.items() if pounds == max(money.values())]
        shares += weight * Fraction(me in ahead, len(ahead))
        total += weight
    return shares / total


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_lead_is_the_chance_to_have_most_money_after_the_scoring(edition: str, seed: int):
    rng = random.Random(f"lead {edition} {seed}")
    table = random_table(rng, edition)
    me = rng.choice(list(table.seats))
    rows = {row.action: row for row in action_table(game_of(table), me, exact=True)}
    for name, after in plain_actions(table, me):
        assert rows[name].lead == slow_lead(after, me), name


def test_lead_by_hand():
    """The last die moves white from 2 to 3, 4 or 5, so it is second by a 1 and first by a 2 or 3."""
    table = from_text("first", "1:g 2:w 3:oy 4:b / w", {"ana": Seat(money=4), "ben": Seat(money=4)})
    rows = {row.action: row for row in action_table(game_of(table), "ana", exact=True)}
    assert rows["reveal"].lead == 1
    assert rows["winner w"].lead == Fraction(1, 2)
    assert rows["ticket w5"].lead == 1
    assert rows["ticket g5"].lead == 0
    behind = from_text("first", "1:g 2:w 3:oy 4:b / w", {"ana": Seat(money=3), "ben": Seat(money=4)})
    rows = {row.action: row for row in action_table(game_of(behind), "ana", exact=True)}
    assert rows["ticket w5"].lead == Fraction(2, 3) + Fraction(1, 3) * Fraction(1, 2)


def test_leads_of_all_players_add_up_to_one():
    rng = random.Random(5)
    game = game_of(random_table(rng, "second"))
    leads = [
        next(row.lead for row in action_table(game, name, exact=True) if row.kind == "winner") for name in game.players
    ]
    assert sum(leads) == 1


def test_under_a_floor_of_zero_leads_know_it():
    """Both hold a ticket that costs 1 where the poor one has nothing to lose."""
    text = "1:g 2:w 3:oy 9:b / w | ana money=0 g5 | ben money=0 | winner ana=b ben=g | to_move ana"
    game = co.Game.parse(text, "first")
    rows = {floor: action(game, "winner o", floor=floor, exact=True).lead for floor in ("none", "zero")}
    assert rows == {"none": 0, "zero": Fraction(1, 2)}


@pytest.mark.parametrize("others", ["best", "greedy"])
def test_reveals_and_tickets_have_the_values_of_look_ahead(others: str):
    game = co.Game.parse("5:b 7:g 8:oyw / boyw | ana | ben | cat | dan | taken y5 w5 w3 | to_move ana", "first")
    rows = {row.action: row for row in action_table(game, exact=True, ahead=others)}
    ahead = look_ahead(game, others)
    assert {name: rows[name].ahead for name in ahead.values} == {
        act: values["ana"] for act, values in ahead.values.items()
    }
    order = [row.action for row in action_table(game, exact=True, ahead=others) if row.action in ahead.values]
    assert order == list(ahead.values)


def test_frames_have_two_columns_more_and_are_sorted_by_the_first():
    game = co.Game.parse("5:b 7:g 8:oyw / oyw | ana | ben | cat | to_move ana", "first")
    frame = actions(game, ahead="best")
    assert [*actions(game).columns, "ahead", "ahead_others"] == list(frame.columns)
    assert frame.ahead.is_monotonic_decreasing and frame.ahead.notna().all()
    more = actions(game, ahead="best", others_by_player=True, legal=False)
    assert list(more.columns)[-5:] == ["others ben", "others cat", "ahead_others ben", "ahead_others cat", "rule"]
    known = more[more.ahead.notna()]
    assert np.allclose(known["ahead_others ben"] + known["ahead_others cat"], known.ahead_others)


def test_of_tiles_only_the_five_best_by_ev_are_solved_where_all_take_too_long(monkeypatch: pytest.MonkeyPatch):
    game = co.Game.parse("5:b 7:g 8:oyw / oyw | ana | ben | cat | to_move ana", "first")
    everything = {row.action: row for row in action_table(game, exact=True, ahead="best")}
    monkeypatch.setattr(onward, "VALUES_A_SECOND", 1)
    rows = action_table(game, exact=True, ahead="best")
    tiles = sorted((row for row in rows if row.kind == "tile"), key=lambda row: -(row.ev or 0))
    solved = [row for row in tiles if row.ahead is not None]
    assert len(solved) == 5 < len(tiles)
    assert min(row.ev for row in solved) >= max(row.ev for row in tiles if row.ahead is None)
    assert all(row.ahead == everything[row.action].ahead for row in rows if row.ahead is not None)
    assert all(row.ahead is not None for row in rows if row.kind != "tile")


def test_support_dice_leave_a_board_that_is_looked_ahead_from():
    spicy = EDITIONS["supercup"].with_changes(name="spicy", spicy=True)
    game = co.Game.parse("5:b 7:g 8:oyw / oy | ana pyramid=1 | ben | cat | to_move ana", spicy)
    rows = {row.action: row for row in action_table(game, support=True, exact=True, ahead="best")}
    assert rows["reveal + support"].ahead is None
    assert rows["ticket o5 + support b"].ahead is not None


def test_whose_actions_decides_who_is_next():
    game = co.Game.parse("5:b 7:g 8:oyw / oyw | ana | ben | cat | to_move ana", "first")
    asked = co.Game.parse("5:b 7:g 8:oyw / oyw | ana | ben | cat | to_move ben", "first")
    assert actions(game, "ben", ahead="best").equals(actions(asked, ahead="best"))


def test_a_lonely_player_plays_on_alone():
    game = co.Game.parse("5:b 7:g 8:oyw / o | ana | to_move ana", "first")
    rows = {row.action: row for row in action_table(game, exact=True, ahead="best")}
    assert rows["reveal"].ahead == 1 and rows["reveal"].ahead_others == 0


def test_why_says_nothing_where_both_agree():
    assert why_ahead(action_table(co.Game.parse(START, "first"))) is None
    game = co.Game.parse("5:b 7:g 8:oyw / o | ana | to_move ana", "first")
    rows = [row for row in action_table(game, ahead="best") if row.kind in ("reveal", "ticket")]
    best = max(rows, key=lambda row: row.ev)
    assert (why_ahead(rows) is None) == (best.ahead == max(row.ahead for row in rows))


def test_the_example_of_why(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    (example,) = doctest.DocTestFinder(recurse=False).find(why_ahead, "why_ahead", globs={**vars(module)})
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("how", ["worst", "", 3, ["best"]])
def test_another_way_to_play_on_is_refused(how: object):
    with pytest.raises(GameError, match=r'to look ahead the others play "best" or "greedy"'):
        action_table(co.Game.parse(START, "first"), ahead=how)


def test_too_many_states_are_refused_and_the_bot_is_greedy_then(monkeypatch: pytest.MonkeyPatch):
    onward._remembered.cache_clear()
    monkeypatch.setattr(planning, "MOST_BOARDS", 10)
    game = co.Game.parse(START, "first")
    with pytest.raises(RulesError, match="looking ahead takes more than"):
        actions(game, ahead="best")
    assert co.ahead_bot(game, random.Random(0)) == co.greedy_bot(game, random.Random(0))
    onward._remembered.cache_clear()


def test_the_bot_knows_the_column_but_for_what_a_tile_does_to_what_follows():
    game = co.Game.parse("5:b 7:g 8:oyw / oyw | ana w5 | ben | cat | taken y5 o5 | to_move ana", "first")
    rows = {row.action: row for row in action_table(game, ahead="best")}
    waiting = rows["winner b"].ahead - rows["winner b"].ev
    ahead = Outlook(game.state).ahead
    assert ahead.keys() == rows.keys()
    for name, row in rows.items():
        if row.kind in ("winner", "loser"):
            continue
        expected = row.ev + waiting if row.kind == "tile" else row.ahead
        assert ahead[name] == pytest.approx(expected, abs=1e-9)


def test_a_table_shows_the_column_where_it_was_asked_for():
    game = co.Game.parse("5:b 7:g 8:oyw / oyw | ana | ben | cat | to_move ana", "first")
    heads = [head for head, _ in actions_table("", action_table(game, ahead="best")).columns]
    assert heads[0] == "ahead" and "ahead others" in heads
    assert "ahead" not in [head for head, _ in actions_table("", action_table(game)).columns]
