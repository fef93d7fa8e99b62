"""The server: what it answers, what it refuses, and for whom."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import camelodds as co

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from camelodds.web import checks, server, static
from camelodds.web.server import create_app

HERE = "http://127.0.0.1:8017"
BOARD = "1:rb 2:g 3:yp 14:K 15:W"
GAME = f"{BOARD} +5@ana / rgyp# | ana money=3 r5 g5 pyramid=1 | ben money=3 r3 | winner ana=r ben=? | to_move ana"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(), base_url=HERE, raise_server_exceptions=False) as client:
        yield client


def ask(client: TestClient, path: str, text: str = GAME, status: int = 200, **fields: Any) -> Any:
    answer = client.post(f"/api/{path}", json={"text": text, **fields})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_position_comes_back_in_its_canonical_form(client: TestClient) -> None:
    shown = ask(client, "position", "15:W, 14:K 3:yp 2:g 1:rb -9 +5@ana / # p y g r | ana money=3 r5")
    game = co.Game.parse(shown["text"])
    assert shown["text"] == f"{BOARD} +5@ana -9 / rgyp# | ana money=3 r5"
    assert co.Game.from_json(shown["game"]) == game
    assert shown["stacks"][0] == {"space": 1, "camels": "rb"}
    assert shown["tiles"] == [{"space": 5, "side": 1, "owner": "ana"}, {"space": 9, "side": -1, "owner": None}]
    assert (shown["dice"], shown["reveals"], shown["full"]) == (list("rgyp#"), 4, False)
    assert shown["tickets"]["r"] == [3, 2, 2]


def test_a_game_as_json_is_the_game_as_text(client: TestClient) -> None:
    document = json.loads(co.Game.parse(GAME).to_json())
    answer = client.post("/api/position", json={"game": document})
    assert answer.json() == ask(client, "position")


@pytest.mark.parametrize("edition", list(checks.PLAYED))
def test_every_edition_that_is_offered_is_answered_and_comes_back(edition: str, client: TestClient) -> None:
    rules = checks.PLAYED[edition]
    racing = rules.racing
    crazy = f" {rules.track - 2}:K {rules.track - 1}:W" if rules.crazy else ""
    text = f"1:{racing[:2]} 2:{racing[2]} 3:{racing[3:]}{crazy} | ana money=3"
    shown = ask(client, "position", text, edition=edition)
    assert shown["edition"] == edition
    assert client.post("/api/position", json={"game": shown["game"]}).json() == shown
    assert edition in [each["name"] for each in client.get("/api/editions").json()["editions"]]


def test_the_odds_are_those_of_the_library(client: TestClient) -> None:
    leg = co.leg_odds(co.Game.parse(GAME).board)
    shown = ask(client, "leg")
    places = {row["camel"]: row["places"] for row in shown["camels"]}
    assert places == {camel: [float(leg.p(camel, place)) for place in range(1, 6)] for camel in "rbgyp"}
    assert shown["landings"] == [{"space": 5, "expected": float(leg.landing(5))}]
    race = ask(client, "race", "1:bg 2:wy 3:o", edition="first")
    assert race["method"] == "table"
    assert [row["wins"] for row in race["camels"]] == pytest.approx(
        [0.184074, 0.202831, 0.205057, 0.209903, 0.198135], abs=1e-6
    )


def test_the_actions_are_those_of_the_library(client: TestClient) -> None:
    game = "1:bg 2:wy 3:o +5@ana | ana money=3 g5 pyramid=0 | ben money=3 y5"
    rows = ask(client, "actions", game, edition="first", player="ben")["actions"]
    frame = co.actions(co.Game.parse(game, "first"), "ben")
    assert [row["action"] for row in rows] == list(frame["action"])
    assert [row["ev"] for row in rows] == list(frame["ev"])
    assert all(row["why"].endswith(".") and row["label"] for row in rows)


def test_a_roll_moves_by_the_rules_and_pays_what_it_brings(client: TestClient) -> None:
    shown = ask(
        client, "roll", "1:rb 2:g 4:yp 14:K 15:W +3@ben | ana money=3 | ben money=3 | to_move ana", die="r", number=2
    )
    assert shown["text"].startswith("2:g 4:yprb 14:K 15:W +3@ben / bgyp#")
    assert shown["game"]["players"]["ana"]["pyramid"] == 1
    assert shown["game"]["players"]["ben"]["money"] == 4
    assert shown["game"]["to_move"] == "ben"
    assert shown["said"] == (
        "The red die shows 2: red with 1 on top lands on the +1 tile on 3, which pays ben 1, and moves to 4."
    )


def test_the_next_leg_is_scored(client: TestClient) -> None:
    text = "1:rb 2:g 3:yp 14:K 15:W +5@ana / r | ana money=3 p5 pyramid=1 | ben money=0 r5 | to_move ben"
    shown = ask(client, "next-leg", text)
    assert shown["text"] == f"{BOARD} | ana money=9 | ben money=0 | to_move ben"
    assert shown["said"] == "A new leg. Scored: ana +6, ben +0."


def test_an_action_is_done(client: TestClient) -> None:
    shown = ask(client, "act", action="tile -7")
    assert "-7@ana" in shown["text"] and "+5" not in shown["text"]
    assert shown["game"]["to_move"] == "ben"
    assert "is not allowed" in ask(client, "act", action="tile +3", status=422)["error"]
    assert "needs what the die showed" in ask(client, "act", action="reveal", status=422)["error"]


@pytest.mark.parametrize(
    ("path", "fields", "message"),
    [
        ("position", {"text": "1:rb 2:g"}, "are missing\n"),
        ("position", {"text": BOARD, "edition": "third"}, "no edition is called 'third'"),
        ("position", {"text": BOARD, "edition": ["second"]}, "no edition is called"),
        ("position", {"text": BOARD + " | ana r7"}, "'r7' is no ticket"),
        ("position", {"text": 7}, "text: expected a text, not 7"),
        ("position", {"text": BOARD, "colour": "r"}, "no field 'colour'"),
        ("position", {}, 'expected either "text"'),
        ("position", {"text": BOARD, "game": {"board": BOARD}}, 'expected either "text"'),
        ("position", {"game": BOARD}, "game: expected an object"),
        ("position", {"game": {"board": BOARD, "players": {"ana": {"tickets": "r5"}}}}, "expected a list"),
        ("position", {"game": {"board": "1:a", "rules": {"name": "x", "racing": "a"}}}, "not played here"),
        ("position", {"game": {"board": BOARD, "rules": {"racing": 5, "track": []}}}, "not played here"),
        ("position", {"text": f"{BOARD} | {'a' * 21}"}, "20 are enough"),
        ("position", {"text": f"{BOARD} | 7"}, "not only a number"),
        ("position", {"text": BOARD + " " * 2000}, "letters: at most 2,000"),
        ("position", {"game": {"board": BOARD, "players": {"ana": {"money": 10**40}}}}, "a number beyond"),
        ("position", {"text": BOARD + " | " + " | ".join("abcdefghi")}, "9 players: edition second is for at most 8"),
        ("roll", {"text": BOARD, "die": "r", "number": 4}, "shows 1 to 3, not 4"),
        ("roll", {"text": BOARD, "die": "r"}, "number: expected a whole number"),
        ("roll", {"text": BOARD, "die": "r", "number": True}, "number: expected a whole number"),
        ("roll", {"text": BOARD, "die": 3, "number": 3}, "die: expected a text"),
        ("roll", {"text": BOARD + " / r", "die": "r", "number": 3}, "the leg is over"),
        ("next-leg", {"text": BOARD}, "the leg goes on"),
        ("act", {"text": BOARD, "action": "ticket r5"}, "no player is named"),
        ("actions", {"text": BOARD}, "no player is named"),
        ("actions", {"text": BOARD + " | ana", "player": "eva"}, "'eva' is no player"),
    ],
)
def test_what_is_wrong_is_refused_in_plain_words(
    path: str, fields: dict[str, Any], message: str, client: TestClient
) -> None:
    answer = client.post(f"/api/{path}", json=fields)
    assert answer.status_code == 422
    assert message in answer.json()["error"]


ODD = ([], {}, None, True, 1.5, -1, 0, "", "?", "r", [[]], [{}], [None], {"r": []}, {"": 1}, [1, "r"])
"""Values of every kind that JSON has, for a place where another is expected."""


def replaced(value: Any, odd: Any) -> Iterator[Any]:
    """The value with each of its parts in turn exchanged for the odd one, and with an odd name in each object."""
    yield odd
    if isinstance(value, dict):
        yield value | {"odd": odd}
        for name, inner in value.items():
            yield from (value | {name: other} for other in replaced(inner, odd))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in replaced(inner, odd))


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_no_odd_value_anywhere_in_a_request_breaks_the_server(odd: Any, client: TestClient) -> None:
    game = json.loads(co.Game.parse(GAME).to_json()) | {"edition": "second"}
    fields = {"roll": {"die": "r", "number": 2}, "act": {"action": "ticket g5"}}
    for path in ("position", "roll", "act"):
        for body in replaced({"game": game} | fields.get(path, {}), odd):
            text = json.dumps(body)
            answer = client.post(f"/api/{path}", content=text, headers={"Content-Type": "application/json"})
            assert answer.status_code in (200, 422), f"{path}: {text}"
            assert answer.status_code == 200 or answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "twice"),
    [
        (b'{"text": "a", "text": "b"}', "'text' comes twice"),
        (b'{"game": {"board": "x", "players": {"ana": {}, "ben": {}, "ana": {"money": 9}}}}', "'ana' comes twice"),
    ],
)
def test_what_is_given_twice_is_refused(body: bytes, twice: str, client: TestClient) -> None:
    answer = client.post("/api/position", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert twice in answer.json()["error"]


@pytest.mark.parametrize("edition", list(checks.PLAYED))
def test_what_an_answer_names_can_be_asked(edition: str, client: TestClient) -> None:
    rules = checks.PLAYED[edition]
    crazy = f" {rules.track - 2}:K {rules.track - 1}:W" if rules.crazy else ""
    shown = ask(client, "position", f"1:{rules.racing}{crazy} | ana", edition=edition)
    named = {"edition": shown["edition"], "board": shown["game"]["board"], "players": shown["game"]["players"]}
    again = client.post("/api/position", json={"game": named}).json()
    assert again == ask(client, "position", f"1:{rules.racing}{crazy} | ana", edition=edition)


def test_rows_that_need_no_unknown_card_are_always_there(client: TestClient) -> None:
    text = "1:bg 2:wy 3:o | ana money=3 | ben money=3 | winner ana=? | to_move ana"
    answer = ask(client, "actions", text, edition="first")
    known = ask(client, "actions", text.replace(" | winner ana=?", ""), edition="first")
    expected = [row for row in known["actions"] if row["kind"] not in ("winner", "loser")]
    assert [(row["action"], row["ev"]) for row in answer["actions"]] == [(row["action"], row["ev"]) for row in expected]
    assert "not known" in answer["note"] and known["note"] == ""


def test_rows_say_which_are_simulated(client: TestClient) -> None:
    text = f"{BOARD} | ana money=3 | ben money=3 | winner ana=p | to_move ana"
    rows = ask(client, "actions", text)["actions"]
    tables = ask(client, "race", BOARD)["method"] == "table"
    for row in rows:
        assert row["simulated"] == (not tables and row["error"] > 0)
    assert [row["simulated"] for row in rows if row["kind"] == "ticket"] == [False] * 5


def test_a_leg_is_scored_thing_by_thing(client: TestClient) -> None:
    # By docs/rules.md, section 7: purple is first, yellow second; r5 costs 1, y3 pays 1, p5 pays 5.
    text = "1:rb 2:g 3:yp 14:K 15:W / r | ana money=3 p5 r5 pyramid=1 | ben money=0 y5 | to_move ben"
    shown = ask(client, "position", text)
    assert shown["scoring"] == {
        "ana": [{"what": "p5", "pays": 5}, {"what": "r5", "pays": -1}, {"what": "pyramid", "pays": 1}],
        "ben": [{"what": "y5", "pays": 1}],
    }
    assert ask(client, "position")["scoring"] is None


@pytest.mark.parametrize("edition", list(checks.PLAYED))
def test_the_ring_has_each_space_once(edition: str, client: TestClient) -> None:
    found = next(each for each in client.get("/api/editions").json()["editions"] if each["name"] == edition)
    places = [(place["column"], place["row"]) for place in found["ring"]]
    assert len(set(places)) == found["track"]
    for (column, row), (next_column, next_row) in pairwise(places):
        assert abs(column - next_column) + abs(row - next_row) == 1


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 16_000, b'{"text": NaN}', b"\xff\xfe", b'"text"', b"[1]", b"9" * 9000]
)
def test_what_is_no_json_object_is_refused(body: bytes, client: TestClient) -> None:
    answer = client.post("/api/position", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_forms_and_large_bodies_are_refused(client: TestClient) -> None:
    assert client.post("/api/position", data={"text": BOARD}).status_code == 415
    assert client.post("/api/position", content=b'{"text": "a"}').status_code == 415
    large = json.dumps({"text": BOARD, "pad": " " * checks.BODY}).encode()
    assert client.post("/api/position", content=large, headers={"Content-Type": "application/json"}).status_code == 413


def test_too_much_work_is_refused_before_it_is_done(client: TestClient) -> None:
    dice = "rbgyp# r+ b+ g+ y+ p+"
    text = f"1:rb 2:g 3:yp 18:K 19:W / {dice} | ana money=3"
    for path in ("leg", "race", "actions"):
        refused = ask(client, path, text, status=422, edition="supercup-second-spicy")["error"]
        assert refused.startswith("too much work for this server: with 11 dice in the pyramid")


@pytest.mark.parametrize(
    ("edition", "text"), [("supercup", "1:bg 2:wy 3:o"), ("supercup-second", "1:rb 2:g 3:yp 18:K 19:W")]
)
def test_the_estimate_of_a_leg_is_never_too_low_by_much(edition: str, text: str) -> None:
    rules = co.EDITIONS[edition]
    for more in range(4):
        dice = [sign for sign in rules.dice if not sign.endswith("+")] + [
            f"{colour}+" for colour in rules.racing[:more]
        ]
        moves = co.leg_odds(co.Board.parse(f"{text} / {' '.join(dice)}", edition)).moves
        from camelodds.odds.policy import leg_moves

        assert moves <= 1.2 * leg_moves(rules, len(dice)) <= 3 * moves


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8017", "192.168.1.9:8017", "", "localhost:x", "[::2]"]
)
def test_a_strange_host_is_refused(host: str, client: TestClient) -> None:
    for path in ("/", "/api/editions", "/nowhere"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert "not called" in answer.json()["error"]


@pytest.mark.parametrize("host", ["localhost:8017", "127.0.0.1:8017", "LOCALHOST", "[::1]:8017"])
def test_names_of_this_machine_are_answered(host: str, client: TestClient) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_the_name_under_which_it_is_served_is_answered() -> None:
    client = TestClient(create_app("table.local"), base_url=HERE)
    assert client.get("/", headers={"Host": "table.local:8017"}).status_code == 200
    assert client.get("/", headers={"Host": "other.local:8017"}).status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:8017", "http://127.0.0.1:9999", ""]
)
def test_another_site_is_refused(origin: str, client: TestClient) -> None:
    answer = client.post("/api/position", json={"text": BOARD}, headers={"Origin": origin})
    assert answer.status_code == 403


def test_the_own_page_is_answered(client: TestClient) -> None:
    assert client.post("/api/position", json={"text": BOARD}, headers={"Origin": HERE}).status_code == 200


def test_security_headers_are_everywhere_and_cookies_nowhere(client: TestClient) -> None:
    answers = [
        client.get("/"),
        client.get("/page/x/app.js"),
        client.get("/nowhere"),
        client.get("/", headers={"Host": "x"}),
    ]
    for answer in [*answers, client.post("/api/leg", json={"text": BOARD})]:
        assert answer.headers["content-security-policy"].startswith("default-src 'self';")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def test_the_page_asks_no_other_host(client: TestClient) -> None:
    for file in static.page_files().values():
        addresses = re.findall(r"(?:https?:)?//[a-z][^\s\"']*", file.content.decode())
        assert set(addresses) <= {"http://www.w3.org/2000/svg"}


def test_the_page_is_sent_once_and_compressed(client: TestClient) -> None:
    first = client.get("/")
    assert client.get("/", headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    paths = re.findall(r'"(page/[^"]+)"', first.text)
    assert len(paths) >= 3
    for path in paths:
        answer = client.get(f"/{path}", headers={"Accept-Encoding": "gzip"})
        assert answer.headers["cache-control"] == static.FOR_EVER
        assert answer.headers["content-encoding"] == "gzip"
        plain = client.get(f"/{path}", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
    assert client.get("/page/yesterday/app.js").headers["cache-control"] == "no-store"
    assert client.get("/page/x/nothing.js").status_code == 404


def test_equal_requests_are_answered_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from camelodds.web import api

    done = []
    monkeypatch.setattr(api, "leg", lambda game: done.append(game) or {"camels": []})
    for _ in range(3):
        ask(client, "leg", "1:r 2:b 4:g 5:yp 14:K 15:W")
    ask(client, "leg", "1:r, 2:b, 4:g, 5:yp, 15:W, 14:K | ana | ben")
    assert len(done) == 1


def test_no_request_builds_a_table(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from camelodds.odds import race, race_table

    def build(*_: object, **__: object) -> None:
        raise AssertionError("a table is built")

    monkeypatch.setattr(race, "build_table", build)
    monkeypatch.setattr(race_table, "build_table", build)
    assert ask(client, "race", BOARD + " -7")["method"] in ("table", "simulation")


def test_phones_get_the_address_as_a_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(server, "network_address", lambda: "192.168.1.9")
    server.announce("0.0.0.0", 8017)
    out = capsys.readouterr().out
    assert out.startswith("camelodds: http://192.168.1.9:8017/ ")
    assert "█" in out
    server.announce("127.0.0.1", 8017)
    assert "█" not in capsys.readouterr().out
    server.announce("::1", 8017)
    assert "http://[::1]:8017/" in capsys.readouterr().out


def test_a_port_that_is_taken_is_an_error_for_people() -> None:
    with server.listen("127.0.0.1", 0) as taken, pytest.raises(OSError, match="in use"):
        server.listen("127.0.0.1", taken.getsockname()[1])


def test_the_description_is_whole(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    routes = {route.path for route in create_app().routes if route.path.startswith("/api/")}
    assert set(described["paths"]) == routes
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(described)))
    assert named <= set(described["components"]["schemas"])


@pytest.mark.parametrize("edition", list(checks.PLAYED))
def test_a_race_is_played_through_the_server(edition: str, client: TestClient) -> None:
    rules, rng = checks.PLAYED[edition], random.Random(edition)
    racing = rules.racing
    crazy = f" {rules.track - 2}:K {rules.track - 1}:W" if rules.crazy else ""
    names = [f"p{seat}" for seat in range(6)]
    text = " | ".join([f"1:{racing[:2]} 2:{racing[2]} 3:{racing[3:]}{crazy}", *names, "to_move p0"])
    shown = ask(client, "position", text, edition=edition)
    for _ in range(500):
        game = co.Game.from_json(shown["game"])
        fields: dict[str, Any] = {"game": shown["game"]}
        if shown["race_over"]:
            break
        if shown["leg_over"]:
            path, expected = "next-leg", game.next_leg()
        elif rng.random() < 0.4:
            path = "act"
            fields["action"] = rng.choice([name for name in game.legal_actions() if not name.startswith("reveal")])
            expected = game.apply(fields["action"])
        else:
            path = "roll"
            fields |= rng.choice(rng.choice(shown["rolls"])["shows"])
            expected = game.apply("reveal", (fields["die"], fields["number"]))
        answer = client.post(f"/api/{path}", json=fields)
        assert answer.status_code == 200, answer.text
        shown = answer.json()
        found = co.Game.from_json(shown["game"])
        if shown["leg_over"] and not shown["race_over"]:
            # `apply` begins the next leg by itself; the page waits for a tap.
            found = found.next_leg()
        assert found == expected
    assert shown["race_over"]
    assert set(shown["final"]) == set(names)
