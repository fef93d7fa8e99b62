"""Many people at the page at once: errors, median and 99th percentile by what is asked.

    python benchmarks/load_web.py --users 50 --seconds 30

The server runs on the loopback, in a process of its own. Users sit at tables of five: those of one table see the same
position and tap on it in turn; each look asks for what the page asks for: the leg, the race, the actions.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx

STARTS = {
    "first": "1:bg 2:wy 3:o | {players} | to_move p0",
    "second": "1:rb 2:g 3:yp 14:K 15:W | {players} | to_move p0",
    "supercup": "1:bg 2:wy 3:o | {players} | to_move p0",
}
TABLE = 5
SERVER = """
import sys
from pathlib import Path
from camelodds.web.server import serve
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]))
"""

Times = dict[str, list[float]]


class Player:
    """One user: looks at the table's position, now and then reveals a die."""

    def __init__(self, client: httpx.AsyncClient, table: Table, pause: float, times: Times, errors: list[str]) -> None:
        self.client, self.table, self.pause, self.times, self.errors = client, table, pause, times, errors

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.table.rng.uniform(0, self.pause))
        while time.perf_counter() < until:
            shown = await self.step()
            if shown and not shown["leg_over"]:
                game = shown["game"]
                board = {"game": {"edition": shown["edition"], "board": game["board"]}}
                await self.ask("leg", board)
                await asyncio.gather(self.ask("race", board), self.ask("actions", {"game": game}))
            await asyncio.sleep(self.table.rng.expovariate(1 / self.pause))

    async def step(self) -> Any:
        """The table's position, one turn further if it is this user's to tap."""
        table = self.table
        shown = table.shown or await self.ask("position", {"text": table.start, "edition": table.edition})
        if shown and (shown["race_over"] or table.shown is None):
            table.shown = await self.ask("position", {"text": table.start, "edition": table.edition})
        elif table.rng.random() < 1 / TABLE:
            if shown["leg_over"]:
                table.shown = await self.ask("next-leg", {"game": shown["game"]})
            else:
                show = table.rng.choice(table.rng.choice(shown["rolls"])["shows"])
                table.shown = await self.ask("roll", {"game": shown["game"], **show})
        return table.shown

    async def ask(self, path: str, body: dict[str, Any]) -> Any:
        begun = time.perf_counter()
        try:
            answer = await self.client.post(f"/api/{path}", json=body)
        except httpx.HTTPError as error:
            self.errors.append(f"{path}: {error!r}")
            return None
        self.times[path].append(time.perf_counter() - begun)
        if answer.status_code != 200:
            self.errors.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            return None
        return answer.json()


class Table:
    """The position that five users look at."""

    def __init__(self, number: int, edition: str) -> None:
        self.rng = random.Random(number)
        self.edition = edition
        self.start = STARTS[edition].format(players=" | ".join(f"p{seat} money=3" for seat in range(TABLE)))
        self.shown: Any = None


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server in a process of its own, ready. folder : where it keeps tables"""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", SERVER, str(port), str(folder)], stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for edition, text in STARTS.items():
            ready(address, {"text": text.format(players="p0"), "edition": edition})
        yield address
    finally:
        process.terminate()
        process.wait(10)


def ready(address: str, body: dict[str, Any]) -> None:
    """Wait until a server answers, its kernels loaded and its small tables solved."""
    for _ in range(600):
        try:
            if httpx.post(f"{address}/api/actions", json=body, timeout=120).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("the server does not start")


async def load(address: str, users: int, seconds: float, pause: float, editions: list[str]) -> tuple[Times, list[str]]:
    times: Times = defaultdict(list)
    errors: list[str] = []
    limits = httpx.Limits(max_connections=2 * users, max_keepalive_connections=2 * users)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        tables = [Table(number, editions[number % len(editions)]) for number in range(-(-users // TABLE))]
        players = [Player(client, tables[user // TABLE], pause, times, errors) for user in range(users)]
        until = time.perf_counter() + seconds
        await asyncio.gather(*(player.play(until) for player in players))
    return times, errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=5, help="seconds between a user's looks, on average")
    parser.add_argument("--editions", nargs="+", default=list(STARTS), choices=list(STARTS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as address:
        times, errors = asyncio.run(load(address, options.users, options.seconds, options.pause, options.editions))
    print(
        f"{options.users} users, {options.seconds:g} s, {sum(map(len, times.values()))} requests, {len(errors)} errors"
    )
    for path, found in sorted(times.items()):
        cuts = statistics.quantiles(found, n=100) if len(found) > 1 else found * 99
        median, late = 1e3 * statistics.median(found), 1e3 * cuts[98]
        print(f"  {path:9} {len(found):6}   median {median:8.1f} ms   99 % {late:8.1f} ms")
    for error in errors[:5]:
        print("  " + error)
    return bool(errors)


if __name__ == "__main__":
    raise SystemExit(main())
