"""The server behind the page on the phone: it takes requests, checks who asks and what, and hands them to `api`.

Starlette on uvicorn, and not FastAPI: everything that comes in is checked by `Game` and `Board` already and described
by the package's own JSON schema, so that a second set of models, with pydantic and its compiled core, would say the
same things twice. Starlette alone is what FastAPI stands on, pure Python and kept by the same people as uvicorn.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from camelodds.errors import RulesError
from camelodds.game.game import Game
from camelodds.odds.policy import leg_moves
from camelodds.web import api, checks
from camelodds.web.answers import Answers
from camelodds.web.asked import Asked, client_of, post
from camelodds.web.connections import Connection
from camelodds.web.guard import LOCAL, Guard
from camelodds.web.openapi import description
from camelodds.web.static import page_routes
from camelodds.web.table_routes import TableRoutes
from camelodds.web.tables import Tables, data_folder

PORT: Final = 8017
EVERYWHERE: Final = ("", "0.0.0.0", "::")
"""Hosts that stand for all of this machine's addresses."""


def serve(host: str = "127.0.0.1", port: int = PORT, tables: Path | None = None) -> None:
    """Serve the page until interrupted; on all interfaces ("0.0.0.0") the address is shown as a QR code for phones.

    tables : the folder in which shared games are kept, by default among the user's data; where it cannot be written
        to they are kept in memory, and a line says so
    Raises RulesError for a port that is none, OSError when the address is taken or not this machine's.
    """
    listening = listen(host, port)
    # Taps are told on while advice is worked out: those threads give way more often than Python's usual 5 ms.
    sys.setswitchinterval(0.001)
    kept = Tables(tables or data_folder())
    announce(host, listening.getsockname()[1])
    if kept.folder is None:
        print(f"Games are kept in memory alone: {tables or data_folder()} cannot be written to.", flush=True)
    uvicorn.Server(configured(create_app(host, kept))).run(sockets=[listening])


def configured(app: ASGIApp, **more: Any) -> uvicorn.Config:
    """How the application is run."""
    given: dict[str, Any] = {
        "http": Connection,
        "ws": "none",
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": 2,
    }
    return uvicorn.Config(app, **given | more)


def listen(host: str, port: int) -> socket.socket:
    """A socket for the server; port 0 takes any that is free. Raises RulesError or OSError."""
    if not 0 <= port <= 65_535:
        raise RulesError(f"a port is a number from 0 to 65535, not {port}")
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    # An answer goes out in two pieces; without this the second waits 40 ms for the first to be acknowledged.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def create_app(host: str = "127.0.0.1", tables: Tables | None = None) -> Starlette:
    """The application.

    host : the name or address under which it is served, beside those of this machine
    tables : where shared games are kept, by default in memory alone
    """
    answers = Answers()
    shared = TableRoutes(tables or Tables(None), answers, partial(_address, host))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        answers.prepare(checks.PLAYED.values())
        yield
        answers.close()

    app = Starlette(
        routes=[*page_routes(), *_api_routes(answers), *shared.routes()],
        middleware=[Middleware(Guard, host=host), Middleware(GZipMiddleware, minimum_size=1_000, compresslevel=5)],
        lifespan=lifespan,
    )
    app.state.answers = answers
    return app


def _api_routes(answers: Answers) -> list[Route]:
    editions, openapi = api.editions(), description()

    async def get_editions(_: Request) -> Response:
        return JSONResponse(editions)

    async def get_openapi(_: Request) -> Response:
        return JSONResponse(openapi)

    async def quick(work: Callable[[Game, Any], Any], client: str, game: Game, asked: Asked) -> bytes:
        return await answers.quick(client, lambda: work(game, asked))

    async def leg(client: str, game: Game, asked: Asked) -> bytes:
        moves = leg_moves(game.rules, game.board.pyramid.bit_count())
        return await answers.leg(client, _key("leg", game, asked), moves, lambda: api.leg(game))

    async def race(client: str, game: Game, asked: Asked) -> bytes:
        return await answers.slow(client, _key("race", game, asked), game.rules, lambda: api.race(game))

    async def actions(client: str, game: Game, asked: Asked) -> bytes:
        return await answers.slow(client, _key("actions", game, asked), game.rules, lambda: api.actions(game, asked))

    return [
        Route("/openapi.json", get_openapi),
        Route("/api/editions", get_editions),
        _game("/api/position", partial(quick, lambda game, _: api.position(game))),
        _game("/api/roll", partial(quick, api.roll), "die", "number"),
        _game("/api/next-leg", partial(quick, lambda game, _: api.begin_leg(game))),
        _game("/api/act", partial(quick, api.act), "action"),
        _game("/api/leg", leg),
        _game("/api/race", race),
        _game("/api/actions", actions, "player"),
    ]


def _key(kind: str, game: Game, asked: Asked) -> tuple[str, ...]:
    """Under what an answer is remembered; the leg and the race depend on the board alone."""
    about = str(game) if kind == "actions" else str(game.board)
    return kind, game.rules.name, about, str(asked.get("player"))


def _game(path: str, answer: Callable[[str, Game, Asked], Awaitable[bytes]], *more: str) -> Route:
    """A route that takes a game, and the fields `more`."""

    async def of_game(request: Request, asked: Asked) -> bytes:
        checks.only(asked, *more)
        return await answer(client_of(request), checks.game_of(asked), asked)

    return post(path, of_game)


def _address(host: str, request: Request) -> str:
    """Under what address a phone reaches the server; a request from this machine itself names one that none does."""
    asked = request.url.hostname or host
    if host in EVERYWHERE and asked in LOCAL:
        asked = network_address()
    return f"{request.url.scheme}://{_bracketed(asked)}:{request.url.port or 80}/"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def announce(host: str, port: int) -> None:
    """Print the address, and for all interfaces a code that phones read."""
    everywhere = host in EVERYWHERE
    shown = network_address() if everywhere else host
    address = f"http://{_bracketed(shown)}:{port}/"
    print(f"camelodds: {address}   (ctrl-c ends)", flush=True)
    if everywhere:
        segno.make(address, error="m").terminal(sys.stdout, compact=True)
        print("Phones on the same network scan the code. Anyone on this network can open the page.", flush=True)


def network_address() -> str:
    """This machine's address on its network. Nothing is sent: the way to an address kept for examples is looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
