"""The terminal companion: what it understands, and that no line brings it down."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from camelodds.cli import main
from camelodds.cli.companion import Companion, run
from camelodds.cli.keeping import Keeper
from camelodds.cli.views import best_actions, fitted
from camelodds.game.game import Game
from camelodds.play.history import History

START = "new first 1:bg 2:o 3:yw | ana | ben | cat"
SPICY = Game.parse("5:bg 9:o 10:y 12:w / gow b+ | ana pyramid=1 | ben | to_move ana", "supercup")


def told(*lines: str, game: Game | None = None) -> str:
    out = io.StringIO()
    assert run(lines, out, game) == 0
    return out.getvalue()


def actions_of(*lines: str) -> list[str]:
    table = Companion(io.StringIO())
    for line in lines:
        table.obey(line)
    return [str(event) for event in table.history.events]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("b2", "ana: reveal b2"),
        ("B2", "ana: reveal b2"),
        ("b 2", "ana: reveal b2"),
        ("blue 3", "ana: reveal b3"),
        ("white 3", "ana: reveal w3"),
        ("  Orange   1 ", "ana: reveal o1"),
        ("y1 ben", "ben: reveal y1"),
        ("take g", "ana: ticket g5"),
        ("take green", "ana: ticket g5"),
        ("ticket g5", "ana: ticket g5"),
        ("take g cat", "cat: ticket g5"),
        ("tile +7", "ana: tile +7"),
        ("tile -7 ben", "ben: tile -7"),
        ("TILE +7", "ana: tile +7"),
        ("winner w ben", "ben: winner w"),
        ("loser Blue", "ana: loser b"),
        ("winner ?", "ana: winner ?"),
        ("b1 // a slow one", "ana: reveal b1"),
    ],
)
def test_short_commands(line, event):
    assert actions_of(START, line) == [event]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("r2", "ana: reveal r2"),
        ("white 3", "ana: reveal white3"),
        ("black1", "ana: reveal black1"),
        ("W3", "ana: reveal white3"),
        ("k2", "ana: reveal black2"),
        ("partner ben", "ana: partner ben"),
        ("partner ben cat", "cat: partner ben"),
    ],
)
def test_the_second_edition(line, event):
    players = " | ".join(["ana", "ben", "cat", "dan", "eva", "fay"])
    assert actions_of(f"new second 1:rb 2:g 3:yp 14:K 15:W | {players}", line) == [event]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("b+1", "ana: reveal b+1"),
        ("blue + 1", "ana: reveal b+1"),
        ("camera 8 ben", "ben: camera 8"),
        ("position 3 on bottom g", "ana: position 3 on bottom g"),
        ("position 3 on bottom g ben", "ben: position 3 on bottom g"),
        ("position 2 on y5", "ana: position 2 on y5"),
    ],
)
def test_the_supercup(line, event):
    assert actions_of("new supercup 5:bg 9:o 10:y 12:w / gow b+ | ana y5 | ben", line) == [event]


def test_the_extra_step_of_the_spicy_supercup():
    table = Companion(io.StringIO(), Game.parse(str(SPICY), SPICY.rules.with_changes(spicy=True)))
    table.obey("b+2 + support g")
    assert str(table.history.events[0]) == "ana: reveal + support g b+2"
    table.obey("undo")
    table.obey("take g+support o")
    assert str(table.history.events[0]) == "ana: ticket g5 + support o"


def test_the_ticket_taken_is_the_best_that_is_left():
    taken = actions_of(START, "take g", "take g", "take g")
    assert taken == ["ana: ticket g5", "ben: ticket g3", "cat: ticket g2"]
    assert "no ticket of g is left" in told(START, "take g", "take g", "take g", "take g")


def test_undo_and_redo():
    table = Companion(io.StringIO())
    for line in (START, "b2", "take g", "undo", "undo", "redo"):
        table.obey(line)
    assert [str(event) for event in table.history.events] == ["ana: reveal b2"]
    assert "undone: ana: reveal b2" in told(START, "b2", "undo")
    assert "nothing to undo" in told(START, "undo") and "nothing to redo" in told(START, "redo")


def test_a_leg_and_the_race_end_in_words():
    end = told("new first 5:b 7:g 8:o 9:y 12:w / b | ana w5 | ben | to_move ben", "b1")
    assert "The leg is over.\nana: 3 + 5 (w5) = 8\nben: 3 + 1 (1 pyramid ticket) = 4\n" in end
    assert "ana is next." in end
    end = told("new first 15:bg 9:o 10:y 12:w | ana g5 b3 | ben b5", "b3")
    assert "finish:bg" in end and "The race is over. ana has 10, ben has 4" in end
    assert not end.rstrip().endswith("next.")
    assert "face down" in told("new first 15:b 9:g 10:o 11:y 12:w | ana | ben", "winner ?", "b3")


def test_odds_race_actions_who_and_luck_are_shown():
    text = told(START, "b2", "take g", "odds", "race", "actions", "actions all ben", "who", "next", "luck")
    for words in (
        "The race ends in this leg",
        "comes last",
        "cat, pounds expected",
        "to_move cat",
    ):
        assert words in text
    assert text.count("tile +6") == 1 or "ben, pounds expected" in text
    assert "skill = actions - best" in text


def test_a_game_is_saved_and_loaded(tmp_path):
    path = tmp_path / "game one.jsonl"
    told(START, "b2", "take g", f"save {path}")
    history = History.from_json_lines(path.read_text(encoding="utf-8"))
    assert [event.action for event in history.events] == ["reveal", "ticket g5"]
    assert "loaded, 2 events" in told(f"load {path}", "who") and "g5" in told(f"load {path}", "who")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("actons", "did you mean actions?"),
        ("xyzzy", "help shows what there is"),
        ("q9", "no die 'q'"),
        ("b7", "shows 1 to 3"),
        ("b99999999999999999999", "shows 1 to 3"),
        ("take z", "no action is called 'ticket z'"),
        ("take", "expected one word more"),
        ("tile +7 zoe", "'zoe' is no player: the players are ana, ben, cat"),
        ("tile +1", "no tile on space 1"),
        ("position 3 on", "expected 3 words more"),
        ("camera 8", "no action 'camera 8' in this edition"),
        ("load", "which file?"),
        ("load /no/such/file", "/no/such/file: No such file"),
        ("save /no/such/file", "/no/such/file: No such file"),
        ("load .", "Is a directory"),
        ("actions zoe", "'zoe' is no player"),
        ("new first 1:bg", "are missing"),
        ("new", "expected EDITION GAME, such as new first 1:bg"),
        ("grey 2", "no die 'grey' in edition first"),
    ],
)
def test_a_mistake_gets_a_message_and_the_game_goes_on(line, message):
    text = told(START, line, "b2")
    assert message in text and "ana: reveal b2" in text


def test_before_there_is_a_game_it_says_how_to_begin():
    assert told("b2").count("begin with new") == 1 and told("odds").count("begin with new") == 1


def test_a_file_that_is_no_game_is_refused(tmp_path):
    path = tmp_path / "game"
    for content in (b"", b"\xff\xfe", b"[" * 50_000, b"{}", b'{"board": "1:bg 2:o 3:yw"}\n{}'):
        path.write_bytes(content)
        text = told(START, f"load {path}", "b2")
        assert "ana: reveal b2" in text


def test_without_players_dice_are_followed():
    text = told("new second 1:rb 2:g 3:yp 14:K 15:W", "r2", "take g", "luck", "actions", "odds")
    assert "reveal r2" in text and text.count("no player is named") == 3 and "3:yprb" in text


def test_quit_ends_and_so_does_the_end_of_the_lines():
    assert "reveal" not in told(START, "quit", "b2") and "reveal" not in told(START, "exit", "b2")
    out = io.StringIO()
    run(["help"], out, prompt="> ")
    assert out.getvalue().startswith("> ") and "take g" in out.getvalue() and out.getvalue().endswith("> ")


WORDS = (
    "b2 b+1 white 3 take g tile +7 -6 ana zoe winner ? camera 8 position on bottom partner ben undo redo who new first"
    " 1:bg 2:o 3:yw | + support actions all #2 é \0 ²"
)


@settings(max_examples=150)
@given(
    st.lists(
        st.one_of(st.lists(st.sampled_from(WORDS.split(" ")), max_size=6).map(" ".join), st.text(max_size=30)),
        max_size=8,
    )
)
def test_no_line_brings_it_down(lines):
    lines = [line for line in lines if not line.strip().lower().startswith("save")]
    told(START, *lines)
    told(*lines)


NAMES = st.one_of(
    st.sampled_from(["~nouser/x", "~", "~nouser", "~\0", "\0", ".", "a" * 5000, "no/such/file", "\ud800", "é", "-"]),
    st.text(st.characters(exclude_characters="/\\"), max_size=20),
    st.text(st.characters(exclude_characters="/\\"), max_size=20).map(lambda name: "~" + name),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES)
def test_no_file_name_loses_the_game(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    text = told(START, f"save {name}", f"load {name}", f"load /{name}", "b2")
    assert "ana: reveal b2" in text


def test_a_file_that_never_ends_is_refused():
    assert "/dev/zero is no regular file" in told(START, "load /dev/zero", "b2")


def test_a_fault_of_the_program_does_not_lose_the_game(monkeypatch):
    def broken(self, rest):
        raise RuntimeError("a fault")

    monkeypatch.setattr(Companion, "_odds", broken)
    text = told(START, "odds", "b2")
    assert "that went wrong (RuntimeError: a fault)" in text and "ana: reveal b2" in text


def test_answers_that_a_terminal_can_not_write_do_not_end_it():
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert run([START, "é", "take é", "b2"], out) == 0
    out.seek(0)
    assert "ana: reveal b2" in out.read()


def test_new_keeps_the_rules_that_were_asked_for():
    rules = SPICY.rules.with_changes(name="supercup-spicy", spicy=True)
    table = Companion(io.StringIO(), rules=rules)
    for line in (f"new {SPICY}", f"new supercup-spicy {SPICY}", "b+2 + support g"):
        table.obey(line)
    assert table.history.game.rules == rules
    table.obey("new first 1:bg 2:o 3:yw")
    assert table.history.game.rules.name == "first"


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("ana takes green", "ana: ticket g5"),
        ("ben takes the green ticket", "ben: ticket g5"),
        ("Cat takes G", "cat: ticket g5"),
        ("cat tile +7", "cat: tile +7"),
        ("oasis 7", "ana: tile +7"),
        ("mirage 7 ben", "ben: tile -7"),
        ("cheer +7", "ana: tile +7"),
        ("boo 7", "ana: tile -7"),
        ("take green 5", "ana: ticket g5"),
        ("ben reveals b2", "ben: reveal b2"),
    ],
)
def test_names_come_first_or_last_and_tiles_have_the_words_of_both_editions(line, event):
    assert actions_of(START, line) == [event]


def test_reveal_asks_for_the_die():
    assert "Which die, and what did it show?" in told(START, "reveal")
    assert actions_of(START, "ben reveal", "b2") == ["ben: reveal b2"]


def test_a_turn_that_was_skipped_is_named():
    assert "ana's turn was skipped; undo takes it back" in told(START, "take b cat")


def test_the_leg_is_scored_piece_by_piece():
    start = "new supercup 5:b 7:g 8:o 9:y 12:w / b | ana w5 position2=w5 | ben y5 o5 pyramid=1"
    end = told(start, "b1")
    assert "ana: 3 - 1 (position 2 on w5) + 1 (1 pyramid ticket) = 3" in end
    assert "ben: 3 + 1 (y5) - 1 (o5) + 1 (1 pyramid ticket) = 4" in end


def test_cards_are_turned_up_in_their_place():
    line = "new first 15:b 9:g 10:o 11:y 12:w | ana | ben"
    end = told(line, "winner ?", "winner b", "b3", "cards ana=b")
    # docs/rules.md, section 7: right cards pay 8, then 5; one pyramid ticket brings 1.
    assert "ana has 12, ben has 8; ana wins." in end
    assert "ana has no more cards face down" in told(line, "winner ?", "cards ana=b", "cards ana=g")
    assert "ana has placed the card of b" in told(line, "winner ?", "winner b ana", "cards ana=b")


def test_actions_that_need_no_unknown_card_are_there_for_who_has_one_face_down():
    text = told(START, "winner ?", "actions ana")
    assert "ticket y5" in text and "ana's own cards are face down" in text


def test_save_asks_before_it_replaces_another_file(tmp_path):
    path = tmp_path / "letter"
    path.write_text("dear")
    assert "is there already" in told(START, f"save {path}", "no", "b2") and path.read_text() == "dear"
    told(START, f"save {path}", "yes")
    assert path.read_text().startswith("{")


def test_every_step_is_kept_also_of_games_that_new_and_load_leave(tmp_path):
    keeper = Keeper(tmp_path)
    out = io.StringIO()
    run([START, "b2", "new first 1:bg 2:o 3:yw | dan | eva", "take g", "quit"], out, keeper=keeper)
    kept = [History.from_json_lines(path.read_text()) for path in keeper.kept()]
    assert sorted(str(event) for history in kept for event in history.events) == ["ana: reveal b2", "dan: ticket g5"]
    assert str(keeper.path) in out.getvalue()


def test_a_folder_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    out = io.StringIO()
    run([START, "b2"], out, keeper=Keeper(tmp_path / "file" / "games"))
    assert "The game cannot be kept" in out.getvalue() and "ana: reveal b2" in out.getvalue()


def test_a_game_that_was_saved_opens_from_the_command_line(tmp_path, monkeypatch, capsys):
    path = tmp_path / "game.json"
    told(START, "b2", f"save {path}")
    monkeypatch.setattr("sys.stdin", io.StringIO("undo\n"))
    assert main(["play", str(path)]) == 0
    assert "undone: ana: reveal b2" in capsys.readouterr().out


def test_tables_fit_sixty_columns():
    game = Game.parse("1:bg 2:o 3:yw | ana | ben | cat | to_move ana", "first")
    lines = fitted(best_actions(game, None, 3), 60).splitlines()
    assert max(map(len, lines)) <= 60 and any("no room for" in line for line in lines)
