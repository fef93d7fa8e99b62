"""A whole game of every edition, recorded: played again to the letter, and each turn what the brute force says.

`python tests/make_playthrough.py` writes the files anew and says what stands in them.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from brute_force import Seat, Table, as_text, from_text, leg_scoring, plain_actions, reveal_actions, support_actions
from make_playthrough import EDITIONS, FOLDER, turn
from reference import leg_over, race_over, ranking

import camelodds as co


def recorded(name: str) -> tuple[str, list[dict[str, Any]], dict[str, int]]:
    """The game at its start, the turns, and everyone's money at the end."""
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines[0]["rules"] == name
    return lines[0]["game"], lines[1:-1], lines[-1]["returns"]


def test_every_edition_has_its_playthrough() -> None:
    assert {*co.EDITIONS, "supercup-spicy", "supercup-second-spicy"} == {path.stem for path in FOLDER.glob("*.jsonl")}


@pytest.mark.parametrize("name", EDITIONS)
def test_a_recorded_game_is_played_again_to_the_letter(name: str) -> None:
    start, turns, returns = recorded(name)
    game = co.Game.parse(start, EDITIONS[name])
    assert str(game) == start
    for number, line in enumerate(turns, 1):
        roll = tuple(line["roll"]) if line["roll"] else None
        after = game.apply(line["action"], roll)
        assert json.loads(json.dumps(turn(game, line["action"], roll, after))) == line, f"turn {number} of {name}"
        game = after
    assert game.returns() == returns


@pytest.mark.parametrize("name", EDITIONS)
def test_every_turn_of_a_recorded_game_is_what_the_brute_force_says(name: str) -> None:
    rules = EDITIONS[name]
    before, turns, _ = recorded(name)
    legs = 0
    for number, line in enumerate(turns, 1):
        table, me, where = table_of(name, before), line["player"], f"turn {number} of {name}"
        follow = dict(plain_actions(table, me))
        follow |= {
            f"{act} + support {die}": after
            for act, acted in follow.items()
            if act != "reveal"  # after a reveal the roll is known first
            for die, after in support_actions(acted, me)
        }
        assert len(line["legal"]) == len(set(line["legal"])), where
        assert set(line["legal"]) == follow.keys(), where
        table = follow[line["action"]] if line["roll"] is None else rolled(table, me, line)
        assert chances(table_of(name, before)) == [Fraction(each.rpartition(" ")[2]) for each in line["chance"]], where
        after = co.Game.parse(line["game"], rules)
        if leg_over(table.state, table.rules) and not race_over(table.state):
            order = ranking(table.state, table.rules)
            money = {who: max(0, seat.money + leg_scoring(table, who, order)) for who, seat in table.seats.items()}
            legs += 1
        else:
            money = {who: seat.money for who, seat in table.seats.items()}
            as_played = co.Game.parse(f"{as_text(table)} | to_move {after.to_move}", rules)
            assert as_played == after, where
        assert {who: player.money for who, player in after.players.items()} == money, where
        before = line["game"]
    assert legs >= 3


def rolled(table: Table, me: str, line: dict[str, Any]) -> Table:
    """The table after a recorded roll, and the support die that follows it."""
    die, number = line["roll"]
    shown = f"{die} {number}" if die in ("white", "black") else f"{die}{number}"
    ((_, after),) = reveal_actions(table, me, shown)
    support = line["action"].partition(" + support ")[2]
    return dict(support_actions(after, me))[support] if support else after


def chances(table: Table) -> list[Fraction]:
    """The probability of each roll, in the order of the dice."""
    return [Fraction(weight, 6 * len(table.state.dice)) for weight, _ in reveal_actions(table, "ana")]


def table_of(name: str, text: str) -> Table:
    """The brute force's table of a recorded game: read word by word here, not by the package."""
    board, *parts = (part.strip() for part in text.split("|"))
    edition, spicy = name.removesuffix("-spicy"), name.endswith("-spicy")
    seats: dict[str, Seat] = {}
    fields: dict[str, Any] = {"spicy": spicy}
    for part in parts:
        head, *words = part.split()
        pairs = [word.split("=") for word in words if "=" in word]
        if head in ("winner", "loser", "partners"):
            fields[head] = [(one, other) for one, other in pairs]
        elif head == "photographer":
            fields["camera"] = (pairs[0][0], int(pairs[0][1]))
        elif head == "used":
            fields["used"] = set(words)
        elif head == "taken":
            fields["taken"] = [(word[0], int(word[1:])) for word in words]
        elif head != "to_move":
            seats[head] = seat_of(words, dict(pairs))
    return from_text(edition, board, seats, **fields)


def seat_of(words: list[str], pairs: dict[str, str]) -> Seat:
    tickets: list[tuple[str, int, int | None]] = [(word[0], int(word[1:]), None) for word in words if "=" not in word]
    for place, ticket in ((int(key[8:]), value) for key, value in pairs.items() if key.startswith("position")):
        tickets[tickets.index((ticket[0], int(ticket[1:]), None))] = (ticket[0], int(ticket[1:]), place)
    return Seat(int(pairs.get("money", 3)), tickets, int(pairs.get("pyramid", 0)))
