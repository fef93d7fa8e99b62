"""The ways in to a shared table. Who has its key may read and change it; keys come in a header, never in an address."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import segno
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.play.history import History
from camelodds.web import checks, table_views
from camelodds.web.answers import Answers
from camelodds.web.asked import UnreadError, answered, body_of, client_of, refused
from camelodds.web.tables import MOST_LISTENERS, ConflictError, FullError, Kept, NoTableError, Tables

SAVED: Final = 400_000
"""Bytes of a saved game that is brought along, at most."""
HEARTBEAT: Final = 15.0
"""Seconds after which a phone is sent a sign of life; one that takes nothing for as long again is let go."""

Address = Callable[[Request], str]


class TableRoutes:
    """The routes, for tables and for the answers about them. address : under what address phones reach this server"""

    def __init__(self, tables: Tables, answers: Answers, address: Address) -> None:
        self.tables, self.answers, self.address = tables, answers, address
        self.views: dict[str, tuple[int, bytes]] = {}

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/tables", self._guarded(self.open), methods=["POST"]),
            Route("/api/table", self._guarded(self.show), methods=["GET"]),
            Route("/api/table/follow", self._guarded(self.follow), methods=["GET"]),
            Route("/api/table/do", self._guarded(self.do), methods=["POST"]),
            Route("/api/table/legal", self._guarded(self.legal), methods=["POST"]),
            Route("/api/table/result", self._guarded(self.result), methods=["GET"]),
            Route("/api/table/invitation", self._guarded(self.invitation), methods=["GET"]),
            Route("/api/table/file", self._guarded(self.file), methods=["GET"]),
        ]

    async def open(self, request: Request) -> Response:
        """A new table, from a position or a saved game."""
        asked = checks.decoded(await body_of(request, SAVED))
        if "lines" in asked:
            if set(asked) != {"lines"}:
                raise GameError("a saved game comes alone, as lines")
            entry = {"do": "load", "lines": asked["lines"]}
            await asyncio.to_thread(_check_history, entry["lines"])
        else:
            checks.only(asked)
            entry = {"do": "start", "game": json.loads(checks.game_of(asked).to_json())}
        key, kept = await self.tables.open(client_of(request), entry)
        return Response(b'{"key":"' + key.encode() + b'","table":' + self.view(kept) + b"}", media_type=JSON)

    async def show(self, request: Request) -> Response:
        """The table as it stands."""
        return Response(self.view(await self._table(request)), media_type=JSON)

    async def follow(self, request: Request) -> Response:
        """The table as it stands, and again after every change, as server-sent events numbered by its changes."""
        kept = await self._table(request)
        if kept.listeners >= MOST_LISTENERS:
            raise FullError
        last = request.headers.get("last-event-id", "")
        seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else 0
        return StreamingResponse(self._events(kept, seen), media_type="text/event-stream")

    async def do(self, request: Request) -> Response:
        """Change the table, if it is still as the request has it."""
        kept = await self._table(request)
        asked = checks.decoded(await body_of(request))
        expected = checks.number_of(asked, "n")
        entry = {name: value for name, value in asked.items() if name != "n" and value is not None}
        if entry.get("do") == "load":
            raise GameError("a saved game is opened at a table of its own")
        if entry.get("do") == "start":
            entry["game"] = json.loads(checks.game_of({"game": entry.get("game")}).to_json())
        checks.sizes(entry)
        await kept.do(expected, entry)
        return Response(self.view(kept), media_type=JSON)

    async def legal(self, request: Request) -> Response:
        """What a player may do now, or might have done instead of a recorded event."""
        kept = await self._table(request)
        asked = checks.decoded(await body_of(request))
        work = lambda: table_views.legal(kept.table, asked)  # noqa: E731
        return await answered(request, self.answers.quick(client_of(request), work))

    async def result(self, request: Request) -> Response:
        """Luck and skill of everyone, and the course of the chances."""
        kept = await self._table(request)
        history = kept.table.history
        key = ("result", kept.digest, kept.table.number)
        work = lambda: table_views.result(history)  # noqa: E731
        return await answered(request, self.answers.slow(client_of(request), key, history.start.rules, work))

    async def invitation(self, request: Request) -> Response:
        """The address of the table with its key, and the code that phones read: rows of dark and light."""
        key = _key(request)
        await self.tables.find(key)
        link = f"{self.address(request)}#t/{key}"
        code = ["".join("1" if dark else "0" for dark in row) for row in segno.make(link, error="m").matrix]
        return Response(json.dumps({"link": link, "code": code}).encode(), media_type=JSON)

    async def file(self, request: Request) -> Response:
        """The recorded game as a file."""
        kept = await self._table(request)
        return Response(kept.table.history.to_json_lines(), media_type="application/jsonl")

    def view(self, kept: Kept) -> bytes:
        """What every phone is told of a table, made once for all of them."""
        number, view = self.views.get(kept.digest, (0, b""))
        if number != kept.table.number:
            view = json.dumps(table_views.view(kept.table, kept.path is not None), separators=(",", ":")).encode()
            self.views[kept.digest] = kept.table.number, view
            while len(self.views) > 200:
                del self.views[next(iter(self.views))]
        return view

    async def _events(self, kept: Kept, seen: int) -> AsyncIterator[bytes]:
        kept.listeners += 1
        try:
            yield b": here\n\n"
            while True:
                changed = kept.changed
                if kept.table.number != seen:
                    seen = kept.table.number
                    yield b"id: %d\ndata: %s\n\n" % (seen, self.view(kept))
                    continue
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": here\n\n"
        finally:
            kept.listeners -= 1

    async def _table(self, request: Request) -> Kept:
        return await self.tables.find(_key(request))

    def _guarded(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that refuses in plain words."""

        async def endpoint(request: Request) -> Response:
            try:
                return await answer(request)
            except UnreadError as error:
                return error.response
            except NoTableError:
                return refused(401, "no table has this key", {"WWW-Authenticate": "Bearer"})
            except ConflictError:
                return refused(409, "somebody else was quicker: look again")
            except FullError:
                return refused(503, "there is no room for one more", {"Retry-After": "60"})
            except ValueError as error:
                return refused(422, str(error))

        return endpoint


JSON: Final = "application/json"


def _key(request: Request) -> str:
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not 0 < len(key) < 200:
        raise NoTableError
    return key


def _check_history(lines: Any) -> None:
    if not isinstance(lines, str):
        raise GameError("lines: expected a saved game as text")
    history = History.from_json_lines(lines)
    if len(history.events) > 1_000:
        raise GameError("more than 1,000 events: that is no game")
    checks.game_of({"game": json.loads(history.start.to_json())})
    assert isinstance(history.game, Game)
