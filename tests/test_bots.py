"""Bots and tournaments: their EVs are those of the action table, and the same seed gives the same games anywhere."""

import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

import pytest

import camelodds as co
from camelodds.errors import GameError, RulesError
from camelodds.ev import outlook
from camelodds.ev.actions import action_table
from camelodds.ev.outlook import Outlook
from camelodds.game.game import Game
from camelodds.game.opening import opening
from camelodds.play import tournament as tournaments
from camelodds.play.bots import BOTS, as_seen, cautious_bot, greedy_bot, random_bot
from camelodds.play.tournament import Dice, play, tournament
from camelodds.position.board import Board
from camelodds.rules import EDITIONS
from camelodds.show.table import plain

SPICY = EDITIONS["supercup"].with_changes(name="spicy", spicy=True)


def positions(edition, count: int, seed: int = 0) -> list[Game]:
    """Games in progress, from random play."""
    rng = random.Random(seed)
    names = ["ana", "ben", "cat", "dan", "eva", "fay"]
    start = opening(edition, names, rng)
    games = play(start, dict.fromkeys(names, random_bot), Dice(str(seed)), rng).games[:-1]
    return rng.sample(games, count)


# Expected values


@pytest.mark.parametrize("edition", ["first", "supercup", SPICY], ids=str)
def test_the_evs_of_bots_are_those_of_the_action_table(edition):
    for game in map(as_seen, positions(edition, 4)):
        rows = {
            row.action: float(row.ev) for row in action_table(game, support=True) if row.action != "reveal + support"
        }
        evs = Outlook(game.state).evs
        assert evs.keys() == rows.keys()
        assert [evs[name] for name in rows] == pytest.approx(list(rows.values()), abs=1e-9)


def test_counts_shared_around_a_board_do_not_mix_players_up():
    """The same board seen by one player after the other, with and without what is remembered."""
    text = "1:bg 2:o 3:yw +6@ben | ana b5 | ben g5 | cat o5 w5 | winner ana=b ben=w | to_move {}"
    games = [Game.parse(text.format(name), "first") for name in ("ana", "ben", "cat")]
    remembered = [Outlook(game.state).evs for game in games]
    for game, evs in zip(games, remembered, strict=True):
        outlook._shared.cache_clear()
        assert Outlook(game.state).evs == evs


def test_where_races_are_simulated_a_tile_leaves_the_finish_cards_alone(monkeypatch):
    monkeypatch.setattr(outlook, "races_are_simulated", lambda rules: True)
    outlook._shared.cache_clear()
    bare = Game.parse("1:bg 2:o 3:yw | ana b5 | ben | to_move ana", "first")
    game = Game.parse("1:bg 2:o 3:yw | ana b5 | ben | winner ana=w | to_move ana", "first")
    evs, without = Outlook(game.state).evs, Outlook(bare.state).evs
    tiles = [name for name in evs if name.startswith("tile")]
    assert tiles and [evs[name] for name in tiles] == [without[name] for name in tiles]
    outlook._shared.cache_clear()


def test_the_sd_after_an_action_is_that_of_tickets_and_cards():
    game = Game.parse("5:b 7:g 8:o 9:y 12:w / b y | ana | ben | to_move ana", "first")
    outlook = Outlook(game.state)
    row = {row.action: row for row in action_table(game)}
    assert outlook.sd["reveal"] == 0
    for name in ("ticket y5", "ticket w5", "winner w", "loser b"):
        assert outlook.sd[name] == pytest.approx(row[name].sd, abs=1e-9)


# The bots


@pytest.mark.parametrize("edition", [*EDITIONS, SPICY], ids=str)
def test_the_random_bot_only_does_what_is_allowed_and_every_kind(edition):
    rng = random.Random(1)
    for game in positions(edition, 5):
        legal = game.legal_actions()
        chosen = {random_bot(game, rng) for _ in range(60)}
        assert chosen <= set(legal)
        assert {name.partition(" ")[0] for name in chosen} == {name.partition(" ")[0] for name in legal}


def test_the_greedy_bot_does_what_has_the_highest_ev():
    for game in positions("first", 8):
        best = max(float(row.ev) for row in action_table(as_seen(game)))
        rows = {row.action: float(row.ev) for row in action_table(as_seen(game))}
        assert rows[greedy_bot(game, random.Random(0))] == pytest.approx(best, abs=1e-9)


def test_the_cautious_bot_leaves_what_it_may_lose_by():
    game = Game.parse("5:b 7:g 8:o 9:y 12:w | ana | ben | to_move ana", "first")
    assert greedy_bot(game, random.Random(0)) != "reveal"
    for position in positions("first", 8):
        seen = Outlook(as_seen(position).state)
        bold, careful = (bot(position, random.Random(0)) for bot in (greedy_bot, cautious_bot))
        assert seen.evs[careful] <= seen.evs[bold] and seen.sd[careful] <= seen.sd[bold] + 1e-12


def test_bots_do_not_look_at_the_cards_of_others():
    text = "1:bg 2:o 3:yw | ana | ben | winner ben={} ana=g | loser ben={} | to_move ana"
    games = [Game.parse(text.format(*colours), "first") for colours in ("wb", "gy", "??")]
    for bot in (greedy_bot, cautious_bot):
        assert len({bot(game, random.Random(0)) for game in games}) == 1
    assert len({str(as_seen(game)) for game in games}) == 1
    alone = Game.parse("1:bg 2:o 3:yw | ana | winner ana=g", "first")
    assert as_seen(alone) == alone


# Dice


def test_every_die_is_as_likely_to_come_next_and_so_is_each_of_its_faces():
    board = Board.parse("1:rb 2:g 3:yp 14:K 15:W / rby#", edition="second")
    shown = Counter(Dice(str(seed)).roll(board, 2, 1) for seed in range(12_000))
    chances = dict(Game(board).chance_outcomes())
    assert shown.keys() == chances.keys()
    for roll, chance in chances.items():
        expected = 12_000 * float(chance)
        assert abs(shown[roll] - expected) < 5 * expected**0.5, roll


def test_a_die_shows_the_same_whoever_reveals_it_and_differs_from_leg_to_leg():
    board = Board.parse("1:bg 2:o 3:yw", edition="first")
    dice = Dice("7")
    assert dice.roll(board, 0, 0) == dice.roll(board, 0, 0)
    for seed in range(20):
        numbers = {}
        for reveal in range(12):
            die, number = Dice(str(seed)).roll(board, 0, reveal)
            assert numbers.setdefault(die, number) == number
    assert len({dice.roll(board, leg, 0) for leg in range(20)}) > 5


# Tournaments


def test_a_tournament_is_the_same_however_many_workers_play_it():
    bots = ["greedy", "cautious", "random"]
    alone = tournament(bots, 9, seed=5, workers=1)
    assert alone == tournament(bots, 9, seed=5, workers=2)
    with ThreadPoolExecutor(3) as threads:
        assert alone == tournament(bots, 9, seed=5, executor=threads)
    assert alone.results != tournament(bots, 9, seed=6, workers=1).results


def test_every_deal_is_played_from_every_seat_with_the_same_dice():
    """Bots that cannot be told apart get the same money, each in turn from every seat."""
    found = tournament(["greedy"] * 3, 6, workers=1)
    assert found.bots == ("greedy-1", "greedy-2", "greedy-3")
    for first, second, third in found.results:
        assert second == (first[2], first[0], first[1]) and third == (first[1], first[2], first[0])
    assert len({standing.money for standing in found.standings}) == 1


def test_whole_rounds_are_played_and_standings_are_best_first():
    told = []
    found = tournament(["random", "greedy"], 5, workers=1, progress=lambda done, games: told.append((done, games)))
    assert (found.deals, found.games) == (3, 6) and told == [(2, 6), (4, 6), (6, 6)]
    assert [standing.bot for standing in found.standings] == ["greedy", "random"]
    assert sum(standing.wins for standing in found.standings) == pytest.approx(1)
    for standing in found.standings:
        assert standing.money_low < standing.money < standing.money_high
        assert 0 <= standing.wins_low <= standing.wins <= standing.wins_high <= 1
    assert list(found.frame.index) == ["greedy", "random"]


def test_a_single_deal_has_no_intervals():
    found = tournament(["random", "random"], 2, workers=1)
    for each in found.standings:
        assert (each.money_low, each.money_high, each.wins_low, each.wins_high) == (None,) * 4
    assert found.frame["money_low"].isna().all() and found.frame["money_low"].dtype == float
    json.dumps(asdict(found), allow_nan=False)
    assert "nan" not in plain(found.table())


def test_no_more_processes_are_started_than_deals(monkeypatch):
    started = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, workers):
            started.append(workers)
            super().__init__(workers)

    monkeypatch.setattr(tournaments, "ProcessPoolExecutor", Pool)
    tournament(["random", "random"], 4, workers=1000)
    tournament(["random", "random"], 2, workers=1000)
    assert started == [2]


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (99, 1.984)]
)
def test_intervals_are_student_s(freedom, quantile):
    assert tournaments._student(freedom) == pytest.approx(quantile, abs=4e-3)


def test_a_tie_is_shared():
    assert [tournaments._win((5, 7, 7), bot) for bot in range(3)] == [0, 0.5, 0.5]


@pytest.mark.parametrize("edition", ["second", "supercup-second", SPICY], ids=str)
def test_bots_play_every_edition(edition):
    found = tournament(["random"] * 4, 4, edition=edition, workers=1)
    assert found.games == 4


def test_own_bots_play_too():
    def careful_bot(game, rng):
        return "reveal"

    assert tournament([careful_bot, "random"], 2, workers=1).bots == ("careful", "random")


def test_what_can_not_be_played_is_refused(monkeypatch):
    with pytest.raises(GameError, match="no bot is called 'clever': expected one of random, greedy, cautious"):
        tournament(["clever", "random"], 2)
    with pytest.raises(GameError, match="at least 2"):
        tournament(["random"], 2)
    with pytest.raises(GameError, match="at most 8"):
        tournament(["random"] * 9, 2)
    with pytest.raises(GameError, match="at least one game"):
        tournament(["random"] * 2, 0)
    for workers in (0, -1):
        with pytest.raises(GameError, match="at least one worker"):
            tournament(["random"] * 2, 2, workers=workers)
    for games in (1.5, float("inf"), True, "2"):
        with pytest.raises(RulesError, match="number of games is a whole number"):
            tournament(["random"] * 2, games)
    monkeypatch.setattr(tournaments, "MOST_ACTIONS", 50)
    with pytest.raises(GameError, match="not over after 50 actions"):
        tournament([lambda game, rng: next(name for name in game.legal_actions() if "tile" in name)] * 2, 2, workers=1)


def test_the_public_names():
    assert co.tournament is tournament
    assert list(BOTS.values()) == [co.random_bot, co.greedy_bot, co.cautious_bot, co.ahead_bot]
