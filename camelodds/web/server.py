"""The server behind the page on the phone: it takes requests, checks who asks and what, and hands them to `api`.

Starlette on uvicorn, and not FastAPI: everything that comes in is checked by `Game` and `Board` already and described
by the package's own JSON schema, so that a second set of models, with pydantic and its compiled core, would say the
same things twice. Starlette alone is what FastAPI stands on, pure Python and kept by the same people as uvicorn.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from camelodds.errors import GameError, NotationError, RulesError
from camelodds.game.game import Game
from camelodds.odds.policy import leg_moves
from camelodds.odds.race_table import TableError
from camelodds.web import api, checks
from camelodds.web.answers import Answers, BusyError
from camelodds.web.guard import Guard
from camelodds.web.openapi import description

PORT: Final = 8017
BODY_SECONDS: Final = 10.0
"""How long the body of a request may take to arrive."""

PAGE: Final = {
    "index.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "panels.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}

Endpoint = Callable[[Request], Awaitable[Response]]


def serve(host: str = "127.0.0.1", port: int = PORT) -> None:
    """Serve the page until interrupted; on all interfaces ("0.0.0.0") the address is shown as a QR code for phones.

    Raises OSError when the address is taken or not this machine's.
    """
    listening = listen(host, port)
    announce(host, listening.getsockname()[1])
    config = uvicorn.Config(
        create_app(host),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket for the server; port 0 takes any that is free. Raises OSError."""
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    # An answer goes out in two pieces; without this the second waits 40 ms for the first to be acknowledged.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def create_app(host: str = "127.0.0.1") -> Starlette:
    """The application. host : the name or address under which it is served, beside those of this machine."""
    answers = Answers()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        answers.prepare(checks.PLAYED.values())
        yield
        answers.close()

    return Starlette(
        routes=[*_page_routes(), *_api_routes(answers)],
        middleware=[Middleware(Guard, host=host)],
        lifespan=lifespan,
    )


def _page_routes() -> list[Route]:
    folder = files("camelodds.web") / "page"
    contents = {name: (folder / name).read_bytes() for name in PAGE}
    routes = [_static(f"/{name}", content, PAGE[name]) for name, content in contents.items()]
    return [_static("/", contents["index.html"], PAGE["index.html"]), *routes]


def _static(path: str, content: bytes, kind: str) -> Route:
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}

    async def endpoint(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return Route(path, endpoint)


def _api_routes(answers: Answers) -> list[Route]:
    editions, openapi = api.editions(), description()

    async def get_editions(_: Request) -> Response:
        return JSONResponse(editions)

    async def get_openapi(_: Request) -> Response:
        return JSONResponse(openapi)

    async def quick(work: Callable[[Game, Any], dict[str, Any]], game: Game, asked: Any) -> bytes:
        return await answers.quick(lambda: work(game, asked))

    async def leg(game: Game, asked: Any) -> bytes:
        moves = leg_moves(game.rules, game.board.pyramid.bit_count())
        return await answers.leg(_key("leg", game, asked), moves, lambda: api.leg(game))

    async def race(game: Game, asked: Any) -> bytes:
        return await answers.slow(_key("race", game, asked), game, lambda: api.race(game))

    async def actions(game: Game, asked: Any) -> bytes:
        return await answers.slow(_key("actions", game, asked), game, lambda: api.actions(game, asked))

    return [
        Route("/openapi.json", get_openapi),
        Route("/api/editions", get_editions),
        _post("/api/position", partial(quick, lambda game, _: api.position(game))),
        _post("/api/roll", partial(quick, api.roll), "die", "number"),
        _post("/api/next-leg", partial(quick, lambda game, _: api.begin_leg(game))),
        _post("/api/act", partial(quick, api.act), "action"),
        _post("/api/leg", leg),
        _post("/api/race", race),
        _post("/api/actions", actions, "player"),
    ]


def _key(kind: str, game: Game, asked: dict[str, Any]) -> tuple[str, ...]:
    """Under what an answer is remembered; the leg and the race depend on the board alone."""
    about = str(game) if kind == "actions" else str(game.board)
    return kind, game.rules.name, about, str(asked.get("player"))


def _post(path: str, answer: Callable[[Game, Any], Awaitable[bytes]], *more: str) -> Route:
    """A route that takes a game, and the fields `more`, as JSON."""

    async def endpoint(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return _refused(415, f"expected application/json, not {kind or 'nothing'}")
        try:
            body = await asyncio.wait_for(_body(request), BODY_SECONDS)
        except (TimeoutError, ClientDisconnect):
            return _refused(408, "the request did not arrive")
        if body is None:
            return _refused(413, f"a request of more than {checks.BODY:,} bytes")
        try:
            asked = checks.decoded(body)
            checks.only(asked, *more)
            return Response(await answer(checks.game_of(asked), asked), media_type="application/json")
        except TableError as error:
            return _refused(503, str(error))
        except (NotationError, RulesError, GameError) as error:
            return _refused(422, str(error))
        except BusyError:
            return _refused(503, "too many requests at once: try again in a moment", {"Retry-After": "2"})
        except asyncio.CancelledError:
            return _refused(503, "the server is going down")

    return Route(path, endpoint, methods=["POST"])


async def _body(request: Request) -> bytes | None:
    """The body, or None if it is too large; no more of it than that is read."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > checks.BODY:
            return None
    return bytes(body)


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": why}, status, headers)


def announce(host: str, port: int) -> None:
    """Print the address, and for all interfaces a code that phones read."""
    everywhere = host in ("", "0.0.0.0", "::")
    shown = network_address() if everywhere else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
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
