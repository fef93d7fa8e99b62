"""Under load and attack: work is dropped, shared out and bounded; connections and ports have their ends."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import camelodds as co

pytest.importorskip("starlette")
from serving import serving

from camelodds.parallel import go_on
from camelodds.web import connections, lanes, limits
from camelodds.web.answers import Answers
from camelodds.web.lanes import BusyError, DroppedError, Lane

EIGHT_DICE = "1:bg 2:wy 3:o / bgoyw b+ g+ o+ | ana money=3 | to_move ana"
FEW = "1:bg 2:wy 3:o / bg | ana money=3 | to_move ana"


def running() -> list[Answers]:
    """The answers of the servers that run in this process, the last one begun at the end."""
    return [each for each in gc.get_objects() if isinstance(each, Answers)]


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_work_that_nobody_waits_for_is_dropped_before_it_begins_and_while_it_goes_on() -> None:
    began, ended = threading.Event(), []

    def endless() -> None:
        began.set()
        try:
            while True:
                go_on()
                time.sleep(0.001)
        except DroppedError:
            ended.append("under way")
            raise

    async def run() -> None:
        lane = Lane("test", 1, 1)
        first = asyncio.create_task(lane.add("ana", endless).wait())
        await asyncio.to_thread(began.wait)
        second = asyncio.create_task(lane.add("ana", lambda: ended.append("queued")).wait())
        await settled()
        for task in (first, second):
            task.cancel()
        assert await lane.add("ana", lambda: "honest").wait() == "honest"
        lane.close()

    asyncio.run(run())
    assert ended == ["under way"]


def test_one_who_leaves_does_not_take_the_answer_from_the_others() -> None:
    may = threading.Event()

    async def run() -> Any:
        lane = Lane("test", 1, 1)
        job = lane.add("ana", lambda: may.wait() and "answer")
        leaves, stays = (asyncio.create_task(job.wait()) for _ in range(2))
        await settled()
        leaves.cancel()
        await settled()
        may.set()
        return await stays

    assert asyncio.run(run()) == "answer"


def test_clients_take_turns_however_much_one_of_them_asks_for() -> None:
    order: list[str] = []

    async def run() -> None:
        lane = Lane("test", 1, 1)
        jobs = [lane.add("greedy", lambda: order.append("greedy")) for _ in range(20)]
        jobs += [lane.add("honest", lambda: order.append("honest")) for _ in range(2)]
        await asyncio.gather(*(job.wait() for job in jobs))
        lane.close()

    asyncio.run(run())
    assert order[:4] == ["greedy", "honest", "greedy", "honest"]


def test_there_is_always_a_thread_for_another_client() -> None:
    may = threading.Event()

    async def run() -> Any:
        answers = Answers()
        lane = answers.slow_lane
        greedy = [asyncio.create_task(lane.add("greedy", may.wait).wait()) for _ in range(20)]
        await settled()
        honest = await lane.add("honest", lambda: "at once").wait()
        may.set()
        await asyncio.gather(*greedy)
        answers.close()
        return honest

    assert asyncio.run(run()) == "at once"


def test_what_waits_is_bounded_for_each_client_and_for_all() -> None:
    async def run() -> None:
        lane = Lane("test", 1, 1)
        for _ in range(lanes.EACH):
            lane.add("greedy", lambda: None)
        with pytest.raises(BusyError):
            lane.add("greedy", lambda: None)
        assert await lane.add("honest", lambda: "served").wait() == "served"
        lane.close()

    asyncio.run(run())


def test_requests_hung_up_leave_no_work_behind_and_others_are_answered() -> None:
    httpx = pytest.importorskip("httpx2")
    body = {"text": EIGHT_DICE, "edition": "supercup"}
    with serving() as address:
        lane = running()[-1].slow_lane
        httpx.post(f"{address}api/actions", json={"text": FEW, "edition": "supercup"}, timeout=120)
        for at in range(24):
            text = body["text"].replace("money=3", f"money={at}")
            with pytest.raises(httpx.TimeoutException):
                httpx.post(f"{address}api/actions", json={**body, "text": text}, timeout=0.02)
        leg = httpx.post(f"{address}api/leg", json={"text": FEW, "edition": "supercup"}, timeout=60)
        assert leg.status_code == 200
        wait_until(lambda: not lane.waiting and not lane.under_way.total())
        honest = httpx.post(f"{address}api/actions", json={"text": FEW, "edition": "supercup"}, timeout=60)
        assert honest.status_code == 200


def test_a_leg_counted_in_pieces_is_the_same_leg() -> None:
    from camelodds.ev.actions import action_table
    from camelodds.parallel import stoppable

    game = co.Game.parse("1:bg 2:wy 3:o / bgo b+ | ana money=3 | to_move ana", "supercup")
    checks = []
    with stoppable(lambda: checks.append(1)):
        pieces = action_table(game)
    assert pieces == action_table(game)
    assert checks


def test_connections_without_a_request_are_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections.Connection, "patience", 0.5)
    with serving() as address:
        port = int(address.rpartition(":")[2].strip("/"))
        half_open = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
        for number, each in enumerate(half_open):
            each.sendall([b"", b"POST /api/leg HTTP/1.1\r\nHost: 127", b"GET / HT"][number % 3])
        for each in half_open:
            each.settimeout(30)
            assert ended(each)
            each.close()


def test_connections_of_one_address_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ONE", 5)
    with serving() as address:
        port = int(address.rpartition(":")[2].strip("/"))
        taken = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
        refused = socket.create_connection(("127.0.0.1", port))
        refused.settimeout(30)
        assert ended(refused)
        for each in (*taken, refused):
            each.close()


def ended(connection: socket.socket) -> bool:
    """Whether the other side hangs up."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("port", [-1, 65_536, 99_999])
def test_a_port_that_is_none_is_a_line_and_status_2(port: int, capsys: pytest.CaptureFixture[str]) -> None:
    from camelodds.cli import main

    assert main(["serve", f"--port={port}"]) == 2
    captured = capsys.readouterr()
    assert "a port is a number from 0 to 65535" in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_the_default_edition_waits_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    from camelodds.odds.race_course import Course
    from camelodds.web import answers as module

    order: list[str] = []
    monkeypatch.setattr(module, "_load_kernels", lambda: order.append("default"))
    monkeypatch.setattr(module, "_open_table", lambda course: order.append("another"))

    async def run() -> None:
        answers = Answers()
        answers.prepare(co.EDITIONS.values())
        assert Course.of(co.EDITIONS["second"]) not in answers._ready
        await asyncio.gather(*answers._ready.values())
        answers.close()

    asyncio.run(run())
    assert order[0] == "default" and "another" in order


def test_the_bounds_of_work_hold_for_eight_dice() -> None:
    game = co.Game.parse(EIGHT_DICE, "supercup")
    limits.check_actions(game, "ana")
