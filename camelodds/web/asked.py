"""Requests taken in: read within bounds, answered, refused in plain words, or dropped when who asked has left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from camelodds.errors import GameError, NotationError, RulesError
from camelodds.odds.race_table import TableError
from camelodds.web import checks
from camelodds.web.lanes import BusyError

BODY_SECONDS: Final = 10.0
"""How long the body of a request may take to arrive."""

Endpoint = Callable[[Request], Awaitable[Response]]
Asked = dict[str, Any]


def post(path: str, answer: Callable[[Request, Asked], Awaitable[bytes]]) -> Route:
    """A route that takes an object as JSON and answers with JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            asked = checks.decoded(await body_of(request))
        except GameError as error:
            return refused(422, str(error))
        except UnreadError as error:
            return error.response
        return await answered(request, answer(request, asked))

    return Route(path, endpoint, methods=["POST"])


async def answered(request: Request, work: Awaitable[bytes]) -> Response:
    """The answer, or why there is none. When who asked has left, the work is given up."""
    answer = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({answer, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            return refused(408, "who asked has left")
        return Response(answer.result(), media_type="application/json")
    except TableError as error:
        return refused(503, str(error))
    except (NotationError, RulesError, GameError) as error:
        return refused(422, str(error))
    except BusyError:
        return refused(503, "too many requests at once: try again in a moment", {"Retry-After": "2"})
    except asyncio.CancelledError:
        return refused(503, "the server is going down")
    finally:
        answer.cancel()
        leaving.cancel()


class UnreadError(Exception):
    """A request whose body is not read, and what is answered to that."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


async def body_of(request: Request, most: int = checks.BODY) -> bytes:
    """The body, no more of it than `most`. Raises UnreadError."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise UnreadError(refused(415, f"expected application/json, not {kind or 'nothing'}"))
    try:
        body = await asyncio.wait_for(_bounded(request, most), BODY_SECONDS)
    except (TimeoutError, ClientDisconnect):
        raise UnreadError(refused(408, "the request did not arrive")) from None
    if body is None:
        raise UnreadError(refused(413, f"a request of more than {most:,} bytes"))
    return body


def refused(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    """An answer that says in plain words why there is none."""
    return JSONResponse({"error": why}, status, headers)


def client_of(request: Request) -> str:
    """Whose request it is, as far as shares go: the address that it came from."""
    return request.client.host if request.client else ""


async def _bounded(request: Request, most: int) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


async def _left(request: Request) -> None:
    """Return when the connection of a request, whose body is read, is closed."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
