"""Connections with an end: who sends no request is hung up on, and there are only so many."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 800
"""Connections at once; the usual bound of a process is 1,024 open files."""
MOST_OF_ONE: Final = 400
"""Of them from one address; a room behind one address, or a proxy, has these in common."""


class Connection(H11Protocol):
    """A connection of uvicorn that does not wait for ever for a request, nor for its answer to be taken."""

    patience = 30.0
    """Seconds for the next request to come in whole, but for its body: that has its own time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        mine = sum(each._address == self._address for each in self.connections if isinstance(each, Connection))
        if len(self.connections) > MOST or mine > MOST_OF_ONE:
            transport.abort()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._relax()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._answering:
            self._relax()
        else:
            self._expect()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._answering:
            self._expect()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.patience, self._hang_up)

    def _relax(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _hang_up(self) -> None:
        self._late = None
        # Not `close`: that would wait for what is still to be sent, and who takes nothing would stay.
        self.transport.abort()
