"""Recorded games: undo, redo, files, odds along them, and the parts that luck and skill add up from."""

import json
import random
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from camelodds.errors import GameError
from camelodds.ev.actions import action, action_table
from camelodds.ev.outlook import Outlook, expected
from camelodds.game.game import Game
from camelodds.game.opening import opening
from camelodds.play.bots import cautious_bot, greedy_bot, random_bot
from camelodds.play.history import Event, History
from camelodds.play.luck import changes
from camelodds.play.tournament import Dice, play
from camelodds.rules import EDITIONS

SPICY = EDITIONS["supercup"].with_changes(name="spicy", spicy=True)


def seeing_bot(game: Game, rng: random.Random) -> str:
    """Greedy, and looks at the cards of others."""
    evs = Outlook(game.state).evs
    return max(evs, key=evs.__getitem__)


@lru_cache
def recorded(edition="first", seed=1, bots=(greedy_bot, cautious_bot, random_bot)) -> History:
    names = [f"{bot.__name__}-{number}" for number, bot in enumerate(bots)]
    start = opening(edition, names, random.Random(seed))
    return play(start, dict(zip(names, bots, strict=True)), Dice(str(seed)), random.Random(seed))


def began() -> History:
    history = History(Game.parse("1:bg 2:o 3:yw | ana | ben | to_move ana", edition="first"))
    return history.apply("reveal", ("b", 2)).apply("ticket g5").apply("tile +7").apply("winner g", player="ana")


# Undo and redo


def test_a_history_is_a_value_with_a_game_for_each_event():
    history = began()
    assert history.events == (
        Event("ana", "reveal", "b", 2), Event("ben", "ticket g5"), Event("ana", "tile +7"), Event("ana", "winner g")
    )  # fmt: skip
    assert len(history.games) == 5 and history.games[0] == history.start and history.game == history.games[-1]
    assert [str(event) for event in history.events[:2]] == ["ana: reveal b2", "ben: ticket g5"]


def test_who_acts_out_of_turn_is_taken_at_his_word_and_it_goes_on_to_the_left():
    assert began().game.to_move == "ben"


@given(st.lists(st.sampled_from(["undo", "redo"]), max_size=12))
def test_undo_and_redo_are_a_walk_along_the_same_games(walk):
    whole = history = began()
    at = len(whole.events)
    for step in walk:
        if (step == "undo" and at == 0) or (step == "redo" and at == len(whole.events)):
            with pytest.raises(GameError, match="nothing to"):
                getattr(history, step)()
            continue
        history = getattr(history, step)()
        at += 1 if step == "redo" else -1
        assert history.game == whole.games[at] and history.events == whole.events[:at]
    for _ in history.undone:
        history = history.redo()
    assert history == whole


def test_a_new_event_forgets_what_was_undone():
    history = began().undo().undo().apply("loser b")
    assert history.undone == () and [event.action for event in history.events] == ["reveal", "ticket g5", "loser b"]


def test_what_is_not_allowed_leaves_the_history_as_it_was():
    history = began()
    with pytest.raises(GameError):
        history.apply("ticket g5")
    assert history == began()


# Files


@pytest.mark.parametrize("edition", [*EDITIONS, SPICY], ids=str)
def test_a_game_comes_back_from_its_file(edition):
    history = recorded(edition, 3, (random_bot,) * 6)
    assert History.from_json_lines(history.to_json_lines()) == history
    assert History.from_json_lines(history.to_json_lines()).games == history.games


def test_a_file_has_the_start_and_a_line_per_event_and_not_what_was_undone():
    lines = began().undo().to_json_lines().splitlines()
    assert len(lines) == 4 and Game.from_json(lines[0]) == began().start
    assert json.loads(lines[1]) == {"player": "ana", "action": "reveal", "die": "b", "number": 2}
    assert json.loads(lines[2]) == {"player": "ben", "action": "ticket g5"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2 is no JSON"),
        ("[]", "line 2: expected an event"),
        ('{"action": "reveal", "colour": "r"}', "line 2: expected an event"),
        ('{"action": 1}', "line 2: expected an event"),
        ('{"action": "reveal", "die": "b"}', "line 2: a die comes with its number"),
        ('{"action": "reveal", "die": "b", "number": true}', "line 2: number"),
        ('{"action": "reveal", "die": "b", "number": 4}', "event 1, reveal b4: .*shows 1 to 3"),
        ('{"action": "fly"}', "event 1, fly: no action"),
        ('{"player": "zoe", "action": "ticket g5"}', "event 1, zoe: ticket g5: .*no player"),
        ("[" * 100_000, "line 2 is no JSON"),
    ],
)
def test_a_bad_line_is_named(line, message):
    start = Game.parse("1:bg 2:o 3:yw | ana | ben | to_move ana", edition="first")
    with pytest.raises(GameError, match=message):
        History.from_json_lines(f"{start.to_json()}\n{line}\n")


@pytest.mark.parametrize("text", ["", "\n\n", "{", "[" * 100_000, "null", '{"board": "1:r"}'])
def test_a_bad_start_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011
        History.from_json_lines(text)


def test_an_event_without_a_name_is_that_of_whose_turn_it_is():
    start = began().start
    history = History.from_json_lines(f'{start.to_json()}\n{{"action": "ticket g5"}}')
    assert history.events[0].player == "ana" and history.balances()["ana"].actions > 0


def test_legs_are_counted():
    history = recorded()
    assert history.legs[0] == 1 and history.legs[-1] >= 2
    for earlier, later, legs in zip(
        history.boards, history.boards[1:], zip(history.legs, history.legs[1:], strict=False), strict=False
    ):
        assert legs[1] - legs[0] == (later.pyramid & ~earlier.pyramid != 0)


# Luck and skill


GAMES = [
    ("first", 1, (greedy_bot, cautious_bot, random_bot)),
    ("first", 2, (random_bot,) * 6),
    ("supercup", 3, (random_bot, greedy_bot, cautious_bot)),
    ("second", 4, (random_bot, greedy_bot, random_bot)),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_parts_of_everyone_s_money_add_up(game):
    history = recorded(*game)
    final = history.game.returns()
    for name, balance in history.balances().items():
        assert balance.final == final[name]
        parts = balance.start + balance.actions + balance.others + balance.luck + balance.floor
        assert parts == pytest.approx(balance.final, abs=1e-9)
        assert balance.actions - balance.best == pytest.approx(balance.skill, abs=1e-9)
        assert balance.skill <= 1e-12 and balance.start == pytest.approx(3)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_they_add_up_at_every_moment(game):
    history = recorded(*game)
    for _ in range(0, len(history.events) - 20):
        history = history.undo()
    for balance in history.balances().values():
        parts = balance.start + balance.actions + balance.others + balance.luck + balance.floor
        assert parts == pytest.approx(balance.final, abs=1e-9)


def test_without_events_nothing_has_happened():
    for balance in History(began().start).balances().values():
        assert balance == (3, 0, 0, 0, 0, 3, 0, 0)


def test_the_floor_s_part_is_what_it_forgave():
    start = Game.parse("5:b 7:g 8:o 9:y 12:w / b | ana money=1 b5 b3 b2 g5 | ben | to_move ben", edition="first")
    balance = History(start).apply("reveal", ("b", 1)).balances()["ana"]
    assert balance.floor == 3 and balance.final == 0
    over = Game.parse("16:b 7:g 8:o 9:y 12:w / b | ana money=1 | ben | winner ana=g ana=y ana=b | to_move ben", "first")
    balance = History(over).apply("reveal", ("b", 1)).balances()["ana"]
    assert balance.floor == 1 and balance.final == 8


@pytest.mark.parametrize("seed", range(3))
def test_luck_is_nothing_on_average(seed):
    """Over all rolls of a reveal, the changes by the dice of every player sum to 0, weighted."""
    history = recorded("first", seed, (random_bot, greedy_bot, cautious_bot))
    for event, game in list(zip(history.events, history.games, strict=False))[::3]:
        if not event.roll:
            continue
        rich = replace(game, players={n: replace(p, money=p.money + 50) for n, p in game.players.items()})
        start = expected(rich.state)
        sums = [0.0] * len(start)
        for roll, chance in rich.chance_outcomes():
            history = History(rich).apply("reveal", roll)
            (change,) = changes(history.events, history.games, start)
            assert change.floor == [0, 0, 0]
            sums = [so_far + float(chance) * luck for so_far, luck in zip(sums, change.rolled, strict=True)]
        assert sums == pytest.approx([0, 0, 0], abs=1e-9)


def test_who_always_does_the_best_has_no_shortfall():
    history = recorded("first", 4, (seeing_bot, random_bot, seeing_bot))
    balances = history.balances()
    assert balances["seeing_bot-0"].skill == balances["seeing_bot-2"].skill == 0
    assert balances["random_bot-1"].skill < -5


def test_the_shortfall_is_that_of_the_action_table():
    start = Game.parse("1:bg 2:o 3:yw | ana | ben o5 | winner ben=w | to_move ana", edition="first")
    best = action_table(start)[0]
    for name in ("reveal", "ticket b5", "tile +6", "winner o"):
        balance = History(start).apply(name, ("b", 1) if name == "reveal" else None).balances()["ana"]
        assert balance.skill == pytest.approx(action(start, name).ev - best.ev, abs=1e-9)
        assert balance.actions == pytest.approx(action(start, name).ev, abs=1e-9)


def test_a_support_die_after_a_reveal_is_part_of_the_action():
    start = Game.parse("5:bg 9:o 10:y 12:w / gow b+ | ana y5 pyramid=1 | ben | to_move ana", edition=SPICY)
    skills = {}
    for name in start.legal_actions(("o", 2)):
        balance = History(start).apply(name, ("o", 2)).balances()["ana"]
        parts = balance.start + balance.actions + balance.others + balance.luck + balance.floor
        assert parts == pytest.approx(balance.final, abs=1e-9)
        skills[name] = balance
    assert len({round(balance.luck, 9) for balance in skills.values()}) == 1
    assert len({round(balance.best, 9) for balance in skills.values()}) == 1
    assert max(skills, key=lambda name: skills[name].final) == max(skills, key=lambda name: skills[name].skill)


def test_a_card_face_down_leaves_the_end_open():
    start = Game.parse("15:b 7:g 8:o 9:y 12:w / b | ana money=4 | ben | to_move ana", edition="first")
    history = History(start).apply("winner ?").apply("reveal", ("b", 3))
    assert history.balances()["ben"].final == 4
    with pytest.raises(GameError, match="face down"):
        history.game.returns()


def test_without_players_there_is_no_luck_but_odds():
    history = History(Game.parse("1:bg 2:o 3:yw", edition="first")).apply("reveal", ("b", 2))
    assert list(history.frame()["die"].dropna()) == ["b"]
    with pytest.raises(GameError, match="no player"):
        history.balances()


# Frames


def test_the_frame_has_odds_and_evs_along_the_game():
    history = recorded()
    frame = history.frame()
    assert len(frame) == len(history.games) and frame.index.name == "event"
    assert frame["player"].isna().sum() == 1 and list(frame["board"]) == [str(board) for board in history.boards]
    for what in ("leg", "race"):
        assert frame[[f"{what} {camel}" for camel in "bgoyw"]].sum(axis=1).to_numpy() == pytest.approx(1)
    assert (frame["ev"].dropna() <= frame["best_ev"].dropna() + 1e-12).all()
    acted = frame[frame["action"].notna()]
    name = "greedy_bot-0"
    changed = frame[f"expected {name}"].diff()[1:][(acted["player"] == name) & (acted["action"] != "reveal")]
    assert changed.to_numpy() == pytest.approx(acted["ev"][changed.index].to_numpy(), abs=1e-9)


def test_the_frame_is_shorter_on_request():
    names = set(began().frame(race=False, evs=False).columns)
    assert {"leg", "player", "action", "die", "number", "board", "leg b"} <= names
    assert not any(name.startswith(("race ", "expected ", "ev")) for name in names)


def test_luck_and_skill_is_a_row_per_player():
    frame = began().luck_and_skill()
    assert list(frame.index) == ["ana", "ben"] and frame.index.name == "player"
    assert list(frame.columns) == ["start", "actions", "others", "luck", "floor", "final", "best", "skill"]


@pytest.mark.parametrize("card", ["winner ben=?", "loser ben=?", "winner ben=? | loser ben=? ana=o", "winner ben=o"])
def test_luck_is_nothing_on_average_with_a_card_face_down(card):
    """What is believed of the card does not follow the leader."""
    game = Game.parse(f"12:bg 13:wy 14:o / gy | ana money=9 | ben money=9 | {card} | to_move ana", "first")
    luck = {"ana": 0.0, "ben": 0.0}
    for roll, chance in game.chance_outcomes():
        history = History(game).apply("reveal", roll)
        for name, balance in history.balances().items():
            luck[name] += float(chance) * balance.luck
            parts = balance.start + balance.actions + balance.others + balance.luck + balance.floor
            assert parts == pytest.approx(balance.final, abs=1e-9)
    assert list(luck.values()) == pytest.approx([0, 0], abs=1e-9)


def test_a_card_placed_face_down_is_believed_by_the_odds_of_then():
    start = Game.parse("12:bg 13:wy 14:o / gy | ana money=9 | ben money=9 | to_move ben", "first")
    placed = History(start).apply("winner ?")
    luck = sum(
        float(chance) * placed.apply("reveal", roll).balances()["ben"].luck
        for roll, chance in placed.game.chance_outcomes()
    )
    assert luck == pytest.approx(0, abs=1e-9)


SUPPORTED = (
    "9:b 10:g 11:o 12:yw / bgo | ana g5 g3 pyramid=2 | ben | winner ana=b ana=g ana=o ana=y ana=w"
    " | taken b5 b3 b2 b2 g2 g2 o5 o3 o2 o2 y5 y3 y2 y2 w5 w3 w2 w2 | to_move ana"
)


def test_the_best_that_there_was_knows_the_support_die_after_a_reveal():
    start = Game.parse(SUPPORTED, edition=SPICY)
    best = action_table(start, support=True)[0]
    assert best.action == "reveal + support"
    assert Outlook(start.state).reveal == pytest.approx(float(best.ev), abs=1e-9)
    frame = History(start).apply("tile +13").frame(race=False)
    assert frame["best"][1] == "reveal + support" and frame["best_ev"][1] == pytest.approx(float(best.ev))
    balance = History(start).apply("tile +13").balances()["ana"]
    assert balance.skill == pytest.approx(action(start, "tile +13").ev - float(best.ev), abs=1e-9)


def test_the_best_support_die_after_every_roll_has_no_shortfall():
    start = Game.parse(SUPPORTED, edition=SPICY)
    for roll, _ in start.chance_outcomes():
        names = start.legal_actions(roll)
        skills = [History(start).apply(name, roll).balances()["ana"].skill for name in names]
        assert max(skills) == pytest.approx(0, abs=1e-9)


def test_a_history_starts_with_a_game():
    with pytest.raises(GameError, match="starts with a Game, not str"):
        History("1:bg 2:o 3:yw")


def test_cards_turned_up_are_events_that_are_nobody_s_turn():
    start = Game.parse("14:bg 9:o 10:y 12:w / bg | ana | ben | to_move ana", edition="first")
    history = History(start).apply("winner ?").apply("loser o").apply("reveal", ("b", 3))
    turned = history.turn_up("winner", 1, "b")
    assert turned.events[-1] == Event(None, "turn up winner 1 b") and turned.game.to_move == history.game.to_move
    assert History.from_json_lines(turned.to_json_lines()) == turned
    assert turned.undo().game == history.game and turned.undo().redo() == turned
    for name, balance in turned.balances().items():
        parts = balance.start + balance.actions + balance.others + balance.luck + balance.floor
        assert parts == pytest.approx(balance.final) and balance.final == turned.game.returns()[name]
    frame = turned.frame()
    assert np.isnan(frame.ev.iloc[-1]) and frame.action.iloc[-1] == "turn up winner 1 b"
