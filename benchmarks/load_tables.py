"""Many tables at once: 20 tables of 5 phones tap, follow and ask for advice; from a tap to everybody's board.

    python benchmarks/load_tables.py --tables 20 --phones 5 --seconds 60

The server runs on the loopback, in a process of its own. At each table somebody taps every few seconds on average;
every phone that is told of it then asks for the odds and for its own advice.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
from load_web import STARTS, server


class Phones:
    """One table with its phones."""

    def __init__(self, client: httpx.AsyncClient, number: int, phones: int, pause: float, edition: str) -> None:
        self.client, self.phones, self.pause, self.edition = client, phones, pause, edition
        self.rng = random.Random(number)
        self.key: dict[str, str] = {}
        self.table: Any = None
        self.tapped: dict[int, float] = {}
        self.seen: list[float] = []
        self.answered: dict[str, list[float]] = {"actions": []}
        self.errors: list[str] = []

    async def run(self, until: float) -> None:
        """Tap, follow and ask until a moment."""
        await self.open()
        followers = [asyncio.create_task(self.follow(phone, until)) for phone in range(self.phones)]
        while time.perf_counter() < until:
            await asyncio.sleep(self.rng.expovariate(1 / self.pause))
            await self.tap()
        for follower in followers:
            follower.cancel()
        await asyncio.gather(*followers, return_exceptions=True)

    async def open(self) -> None:
        text = STARTS[self.edition].format(players=" | ".join(f"p{seat} money=3" for seat in range(self.phones)))
        answer = (await self.client.post("/api/tables", json={"text": text, "edition": self.edition})).json()
        self.key, self.table = {"Authorization": f"Bearer {answer['key']}"}, answer["table"]

    async def tap(self) -> None:
        shown = self.table
        if shown["position"]["race_over"]:
            doing: dict[str, Any] = {"do": "start", "game": self.first}
        elif self.rng.random() < 0.6:
            show = self.rng.choice(self.rng.choice(shown["position"]["rolls"])["shows"])
            doing = {"do": "play", "action": "reveal", **show}
        else:
            doing = {"do": "play", "action": self.rng.choice([name for name in shown["legal"] if name != "reveal"])}
        self.tapped[shown["n"] + 1] = time.perf_counter()
        answer = await self.client.post("/api/table/do", json={"n": shown["n"], **doing}, headers=self.key)
        if answer.status_code != 200:
            self.errors.append(f"tap: {answer.status_code} {answer.text[:200]}")
        else:
            self.table = answer.json()

    @property
    def first(self) -> Any:
        """The game to begin again with."""
        game = self.table["position"]["game"]
        begun = {"board": STARTS[self.edition].partition(" | ")[0], "players": {name: {} for name in game["players"]}}
        nothing = {name: [] for name in ("winner_cards", "loser_cards", "partners", "taken")}
        return {**game, **begun, **nothing, "photographer": None}

    async def follow(self, phone: int, until: float) -> None:
        asking: asyncio.Task[None] | None = None
        async with self.client.stream("GET", "/api/table/follow", headers=self.key, timeout=120) as stream:
            async for line in stream.aiter_lines():
                if not line.startswith("data: "):
                    continue
                shown = json.loads(line[6:])
                if shown["n"] in self.tapped:
                    self.seen.append(time.perf_counter() - self.tapped[shown["n"]])
                if asking:
                    asking.cancel()
                if not shown["position"]["race_over"]:
                    asking = asyncio.create_task(self.ask(phone, shown["position"], until))

    async def ask(self, phone: int, position: Any, until: float) -> None:
        game = position["game"]
        bodies = {"actions": {"game": game, "player": f"p{phone}"}}
        for path, body in bodies.items():
            begun = time.perf_counter()
            try:
                answer = await self.client.post(f"/api/{path}", json=body, timeout=120)
            except httpx.TransportError:
                if time.perf_counter() < until:  # afterwards the server is going down
                    self.errors.append(f"{path}: no answer")
                return
            if answer.status_code != 200:
                self.errors.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            self.answered[path].append(time.perf_counter() - begun)


async def load(address: str, tables: int, phones: int, seconds: float, pause: float) -> list[Phones]:
    """Tables that were played for so long."""
    limits = httpx.Limits(max_connections=4 * tables * phones, max_keepalive_connections=tables * phones)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        editions = list(STARTS)
        made = [Phones(client, number, phones, pause, editions[number % len(editions)]) for number in range(tables)]
        until = time.perf_counter() + seconds
        await asyncio.gather(*(each.run(until) for each in made))
    return made


def told(made: list[Phones]) -> str:
    """What was measured, in lines."""
    lines = [f"{sum(len(each.tapped) for each in made)} taps, {sum(len(each.errors) for each in made)} errors"]
    times = {"tap to board": [time for each in made for time in each.seen]}
    times |= {path: [time for each in made for time in each.answered[path]] for path in ("actions",)}
    for name, found in times.items():
        cuts = statistics.quantiles(found, n=100) if len(found) > 1 else [0.0] * 99
        lines.append(f"  {name:13} {len(found):6}   median {1e3 * cuts[49]:8.1f} ms   99 % {1e3 * cuts[98]:8.1f} ms")
    return "\n".join([*lines, *(error for each in made for error in each.errors[:2])])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--phones", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=6, help="seconds between two taps at a table, on average")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as address:
        made = asyncio.run(load(address, options.tables, options.phones, options.seconds, options.pause))
    print(f"{options.tables} tables of {options.phones} phones, {options.seconds:g} s")
    print(told(made))
    return int(any(each.errors for each in made))


if __name__ == "__main__":
    sys.exit(main())
