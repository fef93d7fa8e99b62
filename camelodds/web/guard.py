"""Who may ask: only this server's own page, under one of its own names. Other web sites cannot use it."""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL: Final = ("localhost", "127.0.0.1", "::1")
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_HOST: Final = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^:\[\]\s]+))(?::[0-9]{1,5})?")


class Guard:
    """Refuses requests under a strange name or from a strange page, with 403, and sets the security headers."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.names = {*LOCAL, host.lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        because = self._refuses(scope)
        app = JSONResponse({"error": because}, 403) if because else self.app
        await app(scope, receive, guarded)

    def _refuses(self, scope: Scope) -> str | None:
        """Why a request is refused, or None.

        A strange page reaches this server under its own name, by pointing it here, or sends its own origin along.
        The address on which the request came in is a name of this server: strange pages have names, not addresses.
        """
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        match = _HOST.fullmatch(host)
        name = (match[1] or match[2]).lower() if match else ""
        came_in = str(scope["server"][0]) if scope.get("server") else ""
        if not name or name not in {*self.names, came_in}:
            return f"this server is not called {host[:100]!r}"
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{scope['scheme']}://{host}".lower():
            return f"other sites, such as {origin[:100]!r}, cannot use this server"
        return None
