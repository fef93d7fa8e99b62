"""The command line as people and scripts use it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import camelodds as co
from camelodds.cli import main

BOARD = "1:rb 2:g 3:yp 14:K 15:W"
PERFT = Path(__file__).parent / "perft" / "first.jsonl"


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_odds_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", BOARD + " +5@ana"]) == 0
    out = capsys.readouterr().out
    assert "p purple" in out
    assert "The race ends in this leg: 0.00%" in out
    assert "Tile +5@ana" in out
    assert "\x1b" not in out


def test_odds_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", BOARD + " +5@ana", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    leg = co.leg_odds(BOARD + " +5@ana")
    assert document["edition"] == "second"
    assert document["board"] == BOARD + " +5@ana"
    assert document["total"] == leg.total
    assert document["camels"]["p"]["places"][0] == float(leg.p("p", 1))
    assert document["landings"] == {"5": float(leg.landing(5))}


def test_odds_as_exact_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "1:bg 2:wy 3:o", "-e", "first", "--json", "--exact"]) == 0
    camels = json.loads(capsys.readouterr().out)["camels"]
    assert camels["b"]["places"][0] == "1157/9720"
    values = {camel: float(Fraction(camels[camel]["ticket_ev"])) for camel in "ygb"}
    assert values == pytest.approx({"y": 1.23752, "g": 1.1074, "b": -0.0250}, abs=5e-5)


def test_odds_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", BOARD, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["camel"] for row in rows] == list("rbgyp")
    assert float(rows[4]["ticket_ev"]) == pytest.approx(1.9179, abs=5e-5)
    assert float(rows[0]["p5"]) == float(co.leg_odds(BOARD).p("r", 5))


def test_odds_of_what_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", BOARD + " / r"]) == 0
    assert "The leg is over." in capsys.readouterr().out
    assert main(["odds", "2:yp 3:K 9:g finish:rWb"]) == 0
    assert "The race is over." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["odds", "1:rb 2:g"], "missing\n  1:rb 2:g\n          ^"),
        (["odds", BOARD, "-e", "third"], "no edition is called 'third'"),
        (["perft", "no such file"], "No such file"),
        (["perft", __file__], "no perft position"),
    ],
)
def test_bad_input_ends_with_status_2_and_the_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


GAME = BOARD + " / rgyp# | ana money=3 r5 g3 pyramid=1 | ben r3 | cal | winner ana=r | to_move ana"


def test_race(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["race", "1:bg 2:wy 3:o", "-e", "first"]) == 0
    assert "y yellow  20.99%      16.74%" in capsys.readouterr().out
    assert main(["race", "1:bg 2:wy 3:o", "-e", "first", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["method"] == "table"
    assert document["camels"]["y"]["wins"] == pytest.approx(0.209903, abs=5e-7)
    assert main(["race", BOARD, "-e", "supercup-second", "--games", "2000", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert sum(float(row["wins"]) for row in rows) == pytest.approx(1)


def test_race_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path))
    assert main(["race-table", "status"]) == 0
    assert "no table yet (3,581,424 leg starts" in capsys.readouterr().out
    assert main(["race-table", "verify"]) == 1
    assert main(["race-table", "remove"]) == 0
    assert main(["race-table", "build", "-e", "first"]) == 0
    assert "solved in memory" in capsys.readouterr().out


def test_actions(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["actions", GAME, "--json", "--exact"]) == 0
    found = {row["action"]: row for row in json.loads(capsys.readouterr().out)["actions"]}
    assert found["reveal"]["ev"] == "1"
    assert found["ticket r2"]["error"] == 0
    file = tmp_path / "game.json"
    file.write_text(co.Game.parse(GAME).to_json())
    assert main(["actions", str(file), "--csv"]) == 0
    from_file = capsys.readouterr().out
    assert len(from_file.splitlines()) == len(found) + 1
    monkeypatch.setattr("sys.stdin", io.StringIO(GAME))
    assert main(["actions", "-", "--csv"]) == 0
    assert capsys.readouterr().out == from_file
    assert main(["actions", GAME, "--player", "dan"]) == 2
    assert "dan" in capsys.readouterr().err
    assert main(["actions", GAME, "--all"]) == 0
    assert "ticket r5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ticket", "answer"),
    [
        ("p5", "ticket p5 (purple): +1.9179; it pays, and beats a reveal (+1)"),
        ("p2", "ticket p2 (purple): +0.7334; it pays, and does not beat a reveal (+1)"),
        ("r2", "ticket r2 (red): -0.5519; it does not pay, and does not beat a reveal (+1)"),
    ],
)
def test_ticket(ticket: str, answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ticket", ticket, BOARD]) == 0
    assert capsys.readouterr().out.strip() == answer


@pytest.mark.parametrize("ticket", ["r4", "q5", "r", "", "rr", "5", "r55555555555"])
def test_a_ticket_that_does_not_exist(ticket: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ticket", ticket, BOARD]) == 2
    assert "no action" in capsys.readouterr().err


def test_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("r2\nnonsense\nundo\nodds\nquit\n"))
    assert main(["play", BOARD + " | ana | ben | cal | to_move ana"]) == 0
    out = capsys.readouterr().out
    assert "ana: reveal r2" in out
    assert "undone: ana: reveal r2" in out
    assert "p purple  39.48%" in out


def test_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "random", "greedy", "-n", "2", "--workers", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["games"] == 2
    assert [each["bot"] for each in document["standings"]] == ["greedy", "random"]
    assert main(["tournament", "random", "random", "-n", "2", "--workers", "1"]) == 0
    assert "95% from" in capsys.readouterr().out
    assert main(["tournament", "random", "nobody"]) == 2


def test_perft(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = PERFT.read_text().splitlines()[:3]
    file = tmp_path / "some.jsonl"
    file.write_text("\n".join(lines) + "\n")
    assert main(["perft", str(file)]) == 0
    assert capsys.readouterr().out == "3 positions, no difference\n"
    wrong = json.loads(lines[1])
    wrong["ends"] += 1
    file.write_text("\n".join([lines[0], json.dumps(wrong), lines[2]]))
    assert main(["perft", str(file)]) == 1
    out = capsys.readouterr().out
    assert f"line 2: {wrong['text']}" in out
    assert f"ends: expected {wrong['ends']}" in out
    assert "divide:" in out


def test_the_package_and_its_help_load_nothing_heavy() -> None:
    heavy = "[name for name in ('numba', 'pandas', 'numpy', 'rich') if name in sys.modules]"
    assert python(f"import sys, camelodds; print({heavy})") == "[]\n"
    code = f"import sys\nfrom camelodds.cli import main\ntry: main(['--help'])\nexcept SystemExit: print({heavy})"
    assert python(code).endswith("[]\n")


def test_the_command_line_never_loads_pandas() -> None:
    code = f"import sys\nfrom camelodds.cli import main\nmain(['odds', {BOARD!r}])\nprint('pandas' in sys.modules)"
    assert python(code).endswith("False\n")


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f'{sys.executable} -m camelodds odds "{BOARD}" | true'
    assert subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stderr == ""
