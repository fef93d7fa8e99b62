"""The command line as people and scripts use it."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import camelodds as co
from camelodds.cli import main
from camelodds.cli.given import given_rules
from camelodds.cli.parser import _parser
from camelodds.odds import race_table
from camelodds.odds.race_course import Course
from camelodds.web.checks import PLAYED

BOARD = "1:rb 2:g 3:yp 14:K 15:W"
PERFT = Path(__file__).parent / "perft" / "first.jsonl"


def given(arguments: list[str]) -> co.Rules:
    return given_rules(_parser().parse_args(arguments))


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


GAME = BOARD + " / rgyp# | ana money=3 r5 g5 pyramid=1 | ben r3 | cal | winner ana=r | to_move ana"


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


@pytest.mark.parametrize(
    "ticket", ["r²", "r٣", "r05", "r-5", "r" + "5" * 5000, "r4", "q5", "", "rr", "5", "r55555555555"]
)
def test_a_ticket_that_does_not_exist(ticket: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ticket", ticket, BOARD]) == 2
    assert "no ticket is called" in capsys.readouterr().err


@pytest.mark.parametrize("ticket", [["g3"], ["G3"], ["green", "3"], ["green 3"]])
def test_a_ticket_is_priced_on_a_board_whose_tiles_have_owners(
    ticket: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    board = "6:rg 7:y 9:Wpb 12:K +8@bob -11@me / ryg#"
    assert main(["ticket", *ticket, board, "--json", "--exact"]) == 0
    found = json.loads(capsys.readouterr().out)
    leg = co.leg_odds(board)
    first, second = leg.p("g", 1), leg.p("g", 2)
    assert found["ticket"] == "g3"
    assert Fraction(found["ev"]) == 3 * first + second - (1 - first - second)


def test_a_ticket_of_a_game_is_the_top_one_of_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    game = BOARD + " | ana g5 | ben | cal"
    assert main(["ticket", "g", game]) == 0
    assert capsys.readouterr().out.startswith("ticket g3 (green)")
    assert main(["ticket", "g5", game]) == 2
    assert "ticket g5 is taken" in capsys.readouterr().err
    assert main(["ticket", "g2", game]) == 2
    assert "ticket g2 is under g3" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["odds"], ["race", "--games", "2000"]])
def test_a_question_about_a_board_takes_that_of_a_game(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, BOARD, "--json"]) == 0
    board_alone = capsys.readouterr().out
    assert main([*command, BOARD + " | ana r5 | ben | cal", "--json"]) == 0
    assert capsys.readouterr().out == board_alone


def test_exact_actions_are_fractions_in_the_table_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["actions", "2:rb 4:g 5:yp 13:KW / rg# | ana | ben | cem | to_move ana", "--exact"]) == 0
    assert re.search(r"^ticket g5 +23/9 ", capsys.readouterr().out, re.MULTILINE)


def test_simulated_numbers_carry_their_error_and_exact_ones_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path))
    assert main(["actions", BOARD + " | ana | ben | cem | winner ana=p | loser ana=r | to_move ana"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("±" in line for line in lines if line.startswith(("winner ", "loser ", "tile +5 ")))
    assert not any("±" in line for line in lines if line.startswith(("ticket", "reveal")))


def test_tiles_on_which_nothing_lands_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    game = "6:bg 8:wy 9:o / gow | ana pyramid=1 | ben pyramid=1 | to_move ana"
    assert main(["actions", game, "-e", "first"]) == 0
    short = capsys.readouterr().out
    assert main(["actions", game, "-e", "first", "--all-tiles"]) == 0
    whole = capsys.readouterr().out
    folded = int(re.search(r"^(\d+) tiles  ", short, re.MULTILINE)[1])
    assert folded > 10 and whole.count("\ntile ") == short.count("\ntile ") + folded


def test_modules_of_the_supercup_alone_or_together(capsys: pytest.CaptureFixture[str]) -> None:
    options = given(["odds", "1:bg", "-e", "supercup", "--modules", "positions"])
    assert (options.track, options.tickets, options.players[1]) == (20, (5, 3, 2, 2), 8)
    assert options.modules == {"positions"}
    whole = given(["odds", "1:bg", "-e", "first", "--modules", "positions,support,photographer,partners"])
    assert whole == co.EDITIONS["supercup"]
    assert main(["odds", BOARD, "--modules", "nonsense"]) == 2
    assert "no module is called 'nonsense'" in capsys.readouterr().err


def test_what_a_played_game_cannot_have_is_hinted_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["actions", "2:rb 4:g 5:yp 13:KW / rgyp | ana | ben | to_move ana"]) == 0
    said = capsys.readouterr().err
    assert "2 dice are out, but no pyramid ticket is held" in said
    assert "2 players, but edition second is for 3 or more" in said


def test_a_port_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "99999"]) == 2
    assert "a port is a number from 0 to 65535" in capsys.readouterr().err


def test_help_fits_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("odds", "race", "race-table", "actions", "ticket", "play", "serve", "tournament", "big-top"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80, command


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
    assert main(["tournament", "random", "random", "-n", "1", "--workers", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert document["standings"][0]["money_low"] is None
    assert main(["tournament", "random", "random", "-n", "1", "--workers", "1"]) == 0
    assert "nan" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [["random", "nobody"], ["random"], ["random", "random", "-n", "0"], ["random", "random", "--workers", "0"]],
)
def test_a_mistake_comes_before_the_bar_of_a_tournament(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and len(shown.err.strip().splitlines()) == 1
    assert shown.err.startswith("camelodds: ")


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


# ---- perft files --------------------------------------------------------------------------------


KNOWN = json.loads(PERFT.read_text().splitlines()[0])


@pytest.mark.parametrize(
    "key", ["total", "nodes", "distinct", "ends", "places", "rankings", "landings", "text", "edition"]
)
def test_a_perft_position_without_one_of_its_counts_is_refused(
    key: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "some.jsonl"
    for position in (
        {name: value for name, value in KNOWN.items() if name != key},
        {name + "x" * (name == key): value for name, value in KNOWN.items()},
        {**KNOWN, key: None},
        {**KNOWN, key: [[]]},
        {**KNOWN, key: 1.0},
    ):
        file.write_text("\n" + json.dumps(position) + "\n")
        assert main(["perft", str(file)]) == 2
        assert f"{file}, line 2: no perft position: {key}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({**KNOWN, "photo": None}),
        json.dumps({**KNOWN, "photo": {"space": 3}}),
        json.dumps({**KNOWN, "photo": {"space": 99, "counts": {}}}),
        json.dumps({**KNOWN, "fotos": {}}),
        json.dumps({**KNOWN, "text": "1:b"}),
        json.dumps({**KNOWN, "edition": "third"}),
        "[" * 50_000,
        '{"text": ' * 9_000,
        "[]",
        "7",
        "\ud800",
        "9" * 5000,
    ],
)
def test_what_is_no_perft_position_is_refused_by_its_line(
    line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(json.dumps(KNOWN).encode() + b"\n" + line.encode("utf-8", "surrogatepass"))
    assert main(["perft", str(file)]) == 2
    shown = capsys.readouterr()
    assert f"{file}, line 2: no perft position" in shown.err and shown.out == ""


def test_a_perft_file_that_never_ends_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["perft", "/dev/full"]) == 2
    assert "/dev/full is no regular file" in capsys.readouterr().err
    file = tmp_path / "long"
    file.write_bytes(b" " * 1_000_000)
    assert main(["perft", str(file)]) == 2
    assert "line 1: longer than any perft position" in capsys.readouterr().err
    assert main(["perft", str(tmp_path)]) == 2
    assert "Is a directory" in capsys.readouterr().err


# ---- what is damaged, closed or wrong -----------------------------------------------------------


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The race table of the 2nd edition as an empty file."""
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path))
    monkeypatch.setattr(race_table, "_open", {})
    path = race_table.table_path(Course.of(co.EDITIONS["second"]))
    path.write_bytes(b"")
    return path


def test_odds_of_the_leg_do_not_need_the_race_table(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", BOARD]) == 0
    shown = capsys.readouterr()
    assert "The race ends in this leg" in shown.out and "The race\n" not in shown.out
    assert f"camelodds: no odds of the race: {damaged} cannot be used" in shown.err
    assert "`camelodds race-table build` makes it anew" in shown.err
    for form in ("--json", "--csv"):
        assert main(["odds", BOARD, form]) == 0
        assert capsys.readouterr().err == ""


def test_warmup_goes_on_without_the_race_table(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warmup"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "ready\n" and str(damaged) in shown.err


@pytest.mark.parametrize("arguments", [["race", BOARD], ["actions", BOARD + " | ana | ben | cal | to_move ana"]])
def test_answers_that_need_a_damaged_race_table_are_refused(
    arguments: list[str], damaged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and "`camelodds race-table build` makes it anew" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--stderr", "1e-200"], "takes more than 1,000,000,000 races"),
        (["--games", "100000000000"], "which take some ten minutes"),
        (["--seed", "-1"], "a seed is a whole number from 0"),
    ],
)
def test_simulations_that_never_end_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["race", BOARD, *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        (f'odds "{BOARD}" >&-', 2, "camelodds: standard output is closed\n"),
        (f'play "{BOARD}" <&-', 2, "camelodds: standard input is closed\n"),
        ("actions - <&-", 2, "camelodds: standard input is closed\n"),
        (f'odds "{BOARD}" <&- >/dev/null', 0, ""),
        ('odds "1:b" 2>&-', 2, ""),
        (f'odds "{BOARD}" > /dev/full', 2, "camelodds: [Errno 28] No space left on device\n"),
    ],
)
def test_closed_streams_are_said_in_plain_words(command: str, status: int, message: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m camelodds {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr, done.stdout) == (status, message, "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\0", "is no game: it is no text in UTF-8"),
        (b"", "no game there"),
        (b" " * 2_000_000, "larger than any"),
    ],
)
def test_a_file_that_is_no_game(
    content: bytes, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game"
    file.write_bytes(content)
    assert main(["actions", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_a_game_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for given in ("", "  "):
        assert main(["actions", given]) == 2
        assert "no game there: expected a file" in capsys.readouterr().err
    assert main(["play", ""]) == 2
    assert "no game there" in capsys.readouterr().err
    assert main(["actions", str(tmp_path)]) == 2
    assert f"{tmp_path} is a folder: expected a file with a game" in capsys.readouterr().err
    assert main(["actions", "nothing"]) == 2
    assert "nothing is neither a game nor a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["x" * 5000, "1:" + "x" * 5000, BOARD + " 3:rb" * 2000, BOARD + " / " + "r" * 5000, BOARD + " +" + "9" * 5000],
)
def test_a_long_text_is_shown_around_the_fault_only(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", text]) == 2
    error = capsys.readouterr().err
    assert len(error) < 1000
    with pytest.raises(co.NotationError) as raised:
        co.Board.parse(text)
    assert raised.value.text == text
    _, shown, caret = str(raised.value).splitlines()
    at = raised.value.at
    assert shown[caret.index("^") :][:1].strip() == text[at : at + 1].strip()
    for command in (
        ["ticket", text, BOARD],
        ["actions", text],
        ["actions", BOARD + " | ana " + text],
        ["actions", "nothing" * 999],
    ):
        assert main(command) == 2
        assert len(capsys.readouterr().err) < 1500


# ---- spicy --------------------------------------------------------------------------------------


SPICY = "5:bg 9:o 10:y 12:w / gow b+ | ana pyramid=1 | ben | to_move ana"


def test_the_spicy_supercup(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spicy = ["-e", "supercup", "--spicy"]
    board = SPICY.partition(" | ")[0]
    assert main(["odds", board, *spicy, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["edition"] == "supercup-spicy"
    assert main(["race", board, *spicy]) == 0
    assert "as if nobody paid for one more support die" in capsys.readouterr().out
    assert main(["actions", SPICY, *spicy, "--support", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["edition"] == "supercup-spicy"
    assert any("+ support" in each["action"] for each in found["actions"])
    assert main(["actions", found["game"], *spicy, "--support", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found

    monkeypatch.setattr("sys.stdin", io.StringIO(f"b+2 + support g\nsave {tmp_path / 'game'}\n"))
    assert main(["play", SPICY, *spicy]) == 0
    assert "ana: reveal + support g b+2" in capsys.readouterr().out
    history = co.History.from_json_lines((tmp_path / "game").read_text())
    assert history.game.rules == co.EDITIONS["supercup"].with_changes(name="supercup-spicy", spicy=True)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"new {SPICY}\nb+2 + support g\n"))
    assert main(["play", *spicy]) == 0
    assert "ana: reveal + support g b+2" in capsys.readouterr().out


def test_a_spicy_game_as_json_is_spicy_by_itself(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    rules = PLAYED["supercup-spicy"]
    file.write_text(co.Game.parse(SPICY, rules).to_json())
    for more in ([], ["-e", "supercup", "--spicy"]):
        assert main(["actions", str(file), "--support", "--csv", *more]) == 0
        assert "+ support" in capsys.readouterr().out
    file.write_text(co.Game.parse(SPICY, "supercup").to_json())
    assert main(["actions", str(file), "-e", "supercup", "--spicy"]) == 2
    assert "the game names rules of its own" in capsys.readouterr().err


@pytest.mark.parametrize("edition", ["first", "second"])
def test_spicy_needs_support_dice(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("odds", "race", "actions", "play"):
        assert main([command, SPICY, "-e", edition, "--spicy"]) == 2
        assert f"edition {edition} has no support dice" in capsys.readouterr().err


def test_actions_look_ahead_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    """The best come first by what is expected when everybody plays on."""
    game = "2:y 5:g 7:bpr 15:WK / rbgy# | ana r5 b5 | ben p5 | cem | dan | to_move ana"
    assert main(["actions", game, "--ahead", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert float(rows[0]["ahead"]) == max(float(row["ahead"]) for row in rows if row["ahead"])
    assert main(["actions", game, "--ahead", "greedy"]) == 0
    assert "ahead" in capsys.readouterr().out
