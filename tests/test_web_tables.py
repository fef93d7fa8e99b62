"""One table, many phones: nothing confirmed is lost, one of two taps wins, and a stranger finds nothing."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import camelodds as co

pytest.importorskip("starlette")
from serving import serving
from starlette.testclient import TestClient

from camelodds.web import table, tables
from camelodds.web.server import create_app
from camelodds.web.tables import ConflictError, FullError, NoTableError, Tables

HERE = "http://127.0.0.1:8017"
START = "1:rb 2:g 3:yp 14:K 15:W | ana money=3 | ben money=3 | cem money=3 | to_move ana"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(tables=Tables(tmp_path / "tables"))
    with TestClient(app, base_url=HERE, raise_server_exceptions=False) as client:
        yield client


def opened(client: Any, text: str = START, edition: str = "second") -> tuple[dict[str, str], Any]:
    """The header with the key of a new table, and the table."""
    answer = client.post("/api/tables", json={"text": text, "edition": edition})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    return {"Authorization": f"Bearer {found['key']}"}, found["table"]


def do(client: Any, key: dict[str, str], n: int, doing: str, status: int = 200, **fields: Any) -> Any:
    answer = client.post("/api/table/do", json={"n": n, "do": doing, **fields}, headers=key)
    assert answer.status_code == status, answer.text
    return answer.json()


def played(client: Any, key: dict[str, str], *events: tuple[Any, ...]) -> Any:
    shown = client.get("/api/table", headers=key).json()
    for action, *roll in events:
        die, number = roll or (None, None)
        shown = do(client, key, shown["n"], "play", action=action, die=die, number=number)
    return shown


def test_every_phone_sees_the_game_of_the_library(client: TestClient) -> None:
    key, _ = opened(client)
    shown = played(client, key, ("ticket p5",), ("winner ?",), ("reveal", "white", 2), ("tile +7",))
    game = co.Game.parse(START)
    for action, roll in [("ticket p5", None), ("winner ?", None), ("reveal", ("white", 2)), ("tile +7", None)]:
        game = game.apply(action, roll)
    assert shown["position"]["text"] == str(game)
    assert shown["legal"] == [*game.legal_actions(), "winner ?", "loser ?"]
    assert [event["player"] for event in shown["events"]] == ["ana", "ben", "cem", "ana"]


def test_of_two_taps_at_once_one_wins_and_the_other_is_told(client: TestClient) -> None:
    key, shown = opened(client)
    do(client, key, shown["n"], "play", action="ticket p5")
    refusal = do(client, key, shown["n"], "play", action="ticket b5", status=409)
    assert "quicker" in refusal["error"]
    assert len(client.get("/api/table", headers=key).json()["events"]) == 1


def test_a_mistake_made_three_turns_ago_is_mended(client: TestClient) -> None:
    key, _ = opened(client)
    shown = played(client, key, ("reveal", "r", 1), ("ticket b5",), ("ticket g5",), ("reveal", "y", 2))
    shown = do(client, key, shown["n"], "mend", at=0, action="reveal", die="r", number=3)
    expected = co.Game.parse(START).apply("reveal", ("r", 3)).apply("ticket b5").apply("ticket g5")
    assert shown["position"]["text"] == str(expected.apply("reveal", ("y", 2)))
    refusal = do(client, key, shown["n"], "mend", at=1, action="ticket g5", status=422)
    assert "event 3" in refusal["error"]
    shown = do(client, key, shown["n"], "drop", at=3)
    assert shown["position"]["text"] == str(expected)
    shown = do(client, key, shown["n"], "undo")
    assert len(shown["events"]) == 4
    legal = client.post("/api/table/legal", json={"at": 1}, headers=key).json()
    assert "ticket b5" in legal["names"]


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    with TestClient(create_app(tables=Tables(tmp_path)), base_url=HERE) as client:
        key, _ = opened(client)
        shown = played(client, key, ("ticket p5",), ("ticket b5",))
        shown = do(client, key, shown["n"], "undo")
    with TestClient(create_app(tables=Tables(tmp_path)), base_url=HERE) as client:
        again = client.get("/api/table", headers=key).json()
        assert again == shown and again["can_redo"]
        shown = do(client, key, again["n"], "redo")
        assert [event["action"] for event in shown["events"]] == ["ticket p5", "ticket b5"]
        shown = do(client, key, do(client, key, shown["n"], "undo")["n"], "undo")
        assert not shown["can_undo"]
        do(client, key, shown["n"], "undo", status=422)


def test_a_card_is_turned_up_where_it_lies_and_the_money_is_there_at_once(client: TestClient) -> None:
    # docs/rules.md, section 7: of right cards the first pays 8, the second 5; by which lies first, not who was known.
    key, shown = opened(
        client, "14:rbgy 15:p 16:KW / r | ana money=3 | ben money=3 | cem money=3 | winner ben=? cem=p | to_move ana"
    )
    shown = do(client, key, shown["n"], "turn", deck="winner", card=0, colour="p")
    assert "winner ben=p cem=p" in shown["position"]["text"]
    refusal = do(client, key, shown["n"], "turn", deck="winner", card=0, colour="r", status=422)
    assert "open already" in refusal["error"]


def test_a_recorded_card_is_turned_up_in_its_event(client: TestClient) -> None:
    key, _ = opened(client)
    shown = played(client, key, ("winner ?",), ("winner r",), ("winner ?",))
    shown = do(client, key, shown["n"], "turn", deck="winner", card=2, colour="r")
    assert [event["action"] for event in shown["events"]] == ["winner ?", "winner r", "winner r"]
    refusal = do(client, key, shown["n"], "turn", deck="winner", card=7, colour="r", status=422)
    assert "no winner card" in refusal["error"]


def test_a_game_is_taken_home_and_opened_again(client: TestClient) -> None:
    key, _ = opened(client)
    shown = played(client, key, ("ticket p5",), ("reveal", "r", 2))
    lines = client.get("/api/table/file", headers=key).text
    assert co.History.from_json_lines(lines).game == co.Game.parse(shown["position"]["text"])
    answer = client.post("/api/tables", json={"lines": lines}).json()
    assert answer["table"]["events"] == shown["events"]
    assert client.post("/api/tables", json={"lines": "{}"}).status_code == 422


def test_luck_and_skill_are_those_of_the_library(client: TestClient) -> None:
    text = "1:bg 2:wy 3:o | ana money=3 | ben money=3 | to_move ana"
    key, _ = opened(client, text, "first")
    played(client, key, ("ticket o5",), ("reveal", "g", 2))
    found = client.get("/api/table/result", headers=key).json()
    history = co.History(co.Game.parse(text, "first")).apply("ticket o5").apply("reveal", ("g", 2))
    expected = {name: balance._asdict() for name, balance in history.balances().items()}
    assert found["balances"] == {name: pytest.approx(parts) for name, parts in expected.items()}
    assert len(found["race"]) == len(found["leg"]) == 3


def test_a_leg_that_ends_is_scored_thing_by_thing(client: TestClient) -> None:
    key, _ = opened(client, "1:rb 2:g 3:yp 14:K 15:W / ry | ana money=3 p5 | ben money=3 | cem | to_move ana")
    shown = played(client, key, ("reveal", "y", 1))
    assert shown["scored"]["ana"] == [{"what": "p5", "pays": 5}, {"what": "pyramid", "pays": 1}]
    assert shown["position"]["game"]["players"]["ana"]["money"] == 9


def test_followers_are_told_at_once_and_catch_up_after_an_interruption() -> None:
    httpx = pytest.importorskip("httpx2")
    with serving() as address, httpx.Client(base_url=address, timeout=30) as client:
        key, _ = opened(client)

        def follow(last: str, count: int) -> list[Any]:
            found: list[Any] = []
            with httpx.stream("GET", f"{address}api/table/follow", headers={**key, "Last-Event-ID": last}) as stream:
                for line in stream.iter_lines():
                    if line.startswith("data: "):
                        found.append(json.loads(line[6:]))
                        if len(found) == 1 and count > 1:
                            played(client, key, ("ticket p5",))
                        if len(found) == count:
                            return found
            return found

        first, second = follow("0", 2)
        assert (first["n"], second["n"]) == (1, 2)
        assert second["events"][0]["action"] == "ticket p5"
        played(client, key, ("ticket b5",))
        assert follow("2", 1)[0]["n"] == 3


def test_many_tables_with_many_phones_follow_every_tap_while_advice_is_worked_out() -> None:
    httpx = pytest.importorskip("httpx2")

    async def phone(client: Any, key: dict[str, str], changes: int) -> list[int]:
        seen: list[int] = []
        async with client.stream("GET", "api/table/follow", headers=key) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    seen.append(json.loads(line[6:])["n"])
                    if seen[-1] == changes:
                        return seen
        return seen

    async def one(client: Any, number: int) -> None:
        answer = (await client.post("api/tables", json={"text": START})).json()
        key = {"Authorization": f"Bearer {answer['key']}"}
        phones = [asyncio.create_task(phone(client, key, 6)) for _ in range(5)]
        advice = asyncio.create_task(
            client.post("api/actions", json={"text": START.replace("ana money=3", f"ana money={number}")})
        )
        for n, action in enumerate(["ticket r5", "ticket b5", "ticket g5", "ticket y5", "ticket p5"], 1):
            done = await client.post("api/table/do", json={"n": n, "do": "play", "action": action}, headers=key)
            assert done.status_code == 200
        for seen in await asyncio.gather(*phones):
            assert seen == sorted(seen) and seen[-1] == 6
        assert (await advice).status_code == 200

    async def run(address: str) -> None:
        limits = httpx.Limits(max_connections=300)
        async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
            await asyncio.gather(*(one(client, number) for number in range(20)))

    with serving() as address:
        asyncio.run(run(address))


def test_a_stranger_reads_nothing_changes_nothing_and_cannot_find_a_table(client: TestClient) -> None:
    key, _ = opened(client)
    described = client.get("/openapi.json").json()
    private = [
        (path, method)
        for path, ways in described["paths"].items()
        for method, way in ways.items()
        if way.get("security")
    ]
    assert len(private) == 7
    real = key["Authorization"].split()[1]
    guesses = ["", "Bearer", "Bearer " + real[:-1], "Bearer " + real.swapcase(), f"Basic {real}", "Bearer " + "a" * 500]
    guesses += [f"Bearer ../{real}", "Bearer %00", "Bearer *"]
    before = client.get("/api/table", headers=key).json()
    for path, method in private:
        for guess in guesses:
            headers = {"Authorization": guess} if guess else {}
            body = {"n": 1, "do": "play", "action": "ticket p5"} if method == "post" else None
            answer = client.request(method.upper(), path, json=body, headers=headers)
            assert answer.status_code == 401, (path, guess, answer.text)
            assert answer.json() == {"error": "no table has this key"}
        assert client.request(method.upper(), f"{path}?key={real}").status_code == 401
    assert client.get("/api/table", headers=key).json() == before
    public = [client.get(path) for path in ("/", "/openapi.json", "/api/editions", "/api/tables")]
    assert not any(real in answer.text for answer in public)


def test_keys_are_nowhere_on_the_disk(tmp_path: Path) -> None:
    with TestClient(create_app(tables=Tables(tmp_path)), base_url=HERE) as client:
        key, _ = opened(client)
    real = key["Authorization"].split()[1]
    for path in tmp_path.iterdir():
        assert real not in path.name and real not in path.read_text()


def test_tables_and_their_changes_are_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entry = {"do": "start", "game": json.loads(co.Game.parse(START).to_json())}

    async def run() -> None:
        monkeypatch.setattr(tables, "MOST_TABLES", 3)
        kept = Tables(tmp_path)
        keys = [(await kept.open("a", entry))[0] for _ in range(3)]
        with pytest.raises(FullError):
            await kept.open("a", entry)
        monkeypatch.setattr(tables, "YOUNG_HOURS", 0)
        await asyncio.sleep(0.02)
        keys.append((await kept.open("a", entry))[0])
        with pytest.raises(NoTableError):
            await kept.find(keys[0])
        monkeypatch.setattr(tables, "IDLE_DAYS", 0)
        await asyncio.sleep(0.02)
        await kept.open("a", entry)
        assert len(list(tmp_path.glob("*.jsonl"))) == 1
        monkeypatch.setattr(tables, "MOST_OF_ONE", 0)
        with pytest.raises(FullError):
            await kept.open("a", entry)

    asyncio.run(run())
    one = table.Table()
    one.enter(entry, one.after(entry))
    monkeypatch.setattr(table, "MOST_ENTRIES", 1)
    with pytest.raises(co.GameError, match="take the game home"):
        one.after({"do": "play", "action": "ticket p5"})


def test_where_nothing_can_be_written_tables_are_in_memory_and_it_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    kept = Tables(file / "tables")
    assert kept.folder is None
    with TestClient(create_app(tables=kept), base_url=HERE) as client:
        key, shown = opened(client)
        assert shown["kept"] is False
        assert played(client, key, ("ticket p5",))["n"] == 2


def test_what_cannot_be_kept_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(tables=Tables(tmp_path)), base_url=HERE) as client:
        key, shown = opened(client)

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(tables.os, "fsync", full)
        refusal = do(client, key, shown["n"], "play", action="ticket p5", status=422)
        assert "No space left" in refusal["error"]
        monkeypatch.undo()
        assert played(client, key, ("ticket b5",))["n"] == 2
    with TestClient(create_app(tables=Tables(tmp_path)), base_url=HERE) as client:
        assert [event["action"] for event in client.get("/api/table", headers=key).json()["events"]] == ["ticket b5"]


def test_half_a_line_of_a_crash_is_cut_off(tmp_path: Path) -> None:
    async def run() -> None:
        kept = Tables(tmp_path)
        key, one = await kept.open("a", {"do": "start", "game": json.loads(co.Game.parse(START).to_json())})
        assert one.path
        with one.path.open("ab") as file:
            file.write(b'{"n":2,"do":"pl')
        again = await Tables(tmp_path).find(key)
        await again.do(1, {"do": "play", "action": "ticket p5"})
        third = await Tables(tmp_path).find(key)
        assert third.table.number == 2
        with pytest.raises(ConflictError):
            await third.do(1, {"do": "undo"})

    asyncio.run(run())


SERVER = """
import sys
from pathlib import Path
from camelodds.web.server import serve
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]))
"""


def test_what_a_phone_saw_confirmed_is_there_after_the_server_was_killed(tmp_path: Path) -> None:
    """Killed without warning at 20 moments of a recorded game, while a phone taps as fast as it can."""
    httpx = pytest.importorskip("httpx2")
    rng = random.Random(20)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    key: dict[str, str] = {}
    confirmed: list[Any] = []
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-c", SERVER, str(port), str(tmp_path)], stdout=subprocess.DEVNULL)
        try:
            wait_for(httpx, address)
            with httpx.Client(base_url=address, timeout=30) as client:
                if not key:
                    key, shown = opened(client)
                shown = client.get("/api/table", headers=key).json()
                # One more may be there: it was on the disk, and the server died before it could say so.
                assert shown["events"][: len(confirmed)] == confirmed
                assert len(shown["events"]) <= len(confirmed) + 1
                confirmed = shown["events"]
                threading.Timer(rng.uniform(0.02, 0.3), process.send_signal, [signal.SIGKILL]).start()
                try:
                    while not shown["position"]["race_over"]:
                        shown = do(client, key, shown["n"], "play", **tap(shown, rng))
                        confirmed = shown["events"]
                    process.wait(10)
                except httpx.HTTPError:
                    pass
        finally:
            process.kill()
            process.wait(10)
    assert len(confirmed) > 5


def tap(shown: Any, rng: random.Random) -> dict[str, Any]:
    position = shown["position"]
    if rng.random() < 0.5:
        show = rng.choice(rng.choice(position["rolls"])["shows"])
        return {"action": "reveal", **show}
    return {"action": rng.choice([name for name in shown["legal"] if name != "reveal"])}


def wait_for(httpx: Any, address: str) -> None:
    for _ in range(600):
        try:
            httpx.get(f"{address}/api/editions", timeout=30)
            return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the server does not start")
