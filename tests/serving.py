"""A real server on the loopback for tests and benchmarks, in a thread of this process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn

from camelodds.web.server import configured, create_app, listen


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server that runs inside the block, with a slash at its end."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(configured(create_app(), log_level="error", timeout_graceful_shutdown=1))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(10)
