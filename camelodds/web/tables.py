"""All tables of a server: their keys, their files, their bounds.

A table's file is named by the digest of its key, so that neither the folder nor a log holds a key. Each line is an
entry; it is on the disk before anybody is told that it was made.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from collections import Counter, OrderedDict
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

from camelodds.errors import GameError
from camelodds.play.history import History
from camelodds.web.table import Entry, Table

KEY_BYTES: Final = 24
"""Random bytes of a key: nobody finds one of 2**192 by trying."""
MOST_TABLES: Final = 500
"""Tables that are kept; of more the one that was idle for longest goes, if that is long."""
MOST_OF_ONE: Final = 100
"""Tables that one address may open within an hour."""
IDLE_DAYS: Final = 30
"""After so many days without a change a table goes."""
YOUNG_HOURS: Final = 12
"""A table that was changed within this time is never given up for another."""
MOST_OPEN: Final = 200
"""Tables that are held in memory where there are files to read them from again."""
MOST_LISTENERS: Final = 24
"""Phones that follow one table at once."""


class ConflictError(Exception):
    """Somebody else was quicker: the table is no longer as the request had it."""


class NoTableError(Exception):
    """There is no table with this key."""


class FullError(Exception):
    """There is no room for one more."""


class Kept:
    """A table, its file and those who follow it."""

    def __init__(self, digest: str, path: Path | None) -> None:
        self.digest, self.path = digest, path
        self.table = Table()
        self.lock = asyncio.Lock()
        self.listeners = 0
        self.changed = asyncio.Event()
        self.used = time.time()

    async def do(self, expected: int, entry: Entry) -> None:
        """Make an entry if the table is still as expected; when this returns it is on the disk, if there is one.

        Raises ConflictError, or GameError or another ValueError for what can not be done.
        """
        async with self.lock:
            if expected != self.table.number:
                raise ConflictError
            after = await asyncio.to_thread(self.table.after, entry)
            if self.path:
                await asyncio.to_thread(_append, self.path, {"n": expected + 1, **entry})
            self.table.enter(entry, after)
            self.used = time.time()
            self.changed.set()
            self.changed = asyncio.Event()


class Tables:
    """The tables of a server. folder : where they are kept, None for in memory alone"""

    def __init__(self, folder: Path | None) -> None:
        self.folder = _made(folder)
        self._open: OrderedDict[str, Kept] = OrderedDict()
        self._opened: Counter[str] = Counter()
        self._hour = 0

    async def open(self, client: str, entry: Entry) -> tuple[str, Kept]:
        """A new table that begins with an entry, and its key. Raises FullError, GameError or another ValueError."""
        self._make_room(client)
        key = secrets.token_urlsafe(KEY_BYTES)
        digest = _digest(key)
        kept = Kept(digest, self.folder / f"{digest}.jsonl" if self.folder else None)
        await kept.do(0, entry)
        self._opened[client] += 1
        self._open[digest] = kept
        return key, kept

    async def find(self, key: str) -> Kept:
        """The table with a key. Raises NoTableError."""
        digest = _digest(key)
        # Digests of keys, not keys, are compared: how long that takes says nothing about any key.
        kept = self._open.get(digest)
        if kept is None and self.folder and (self.folder / f"{digest}.jsonl").is_file():
            kept = Kept(digest, self.folder / f"{digest}.jsonl")
            self._open[digest] = kept
            try:
                async with kept.lock:
                    kept.table = await asyncio.to_thread(_read, self.folder / f"{digest}.jsonl")
            except (OSError, ValueError, KeyError, NoTableError):
                self._open.pop(digest, None)
                raise NoTableError from None
        if kept is None or not compare_digest(kept.digest, digest):
            raise NoTableError
        async with kept.lock:  # which is held as long as it is read
            pass
        self._open.move_to_end(digest)
        self._forget()
        return kept

    def _make_room(self, client: str) -> None:
        hour = int(time.time() // 3600)
        if hour != self._hour:
            self._hour = hour
            self._opened.clear()
        if self._opened[client] >= MOST_OF_ONE:
            raise FullError
        now = time.time()
        ages = sorted(self._ages(now).items(), key=lambda item: -item[1])
        for digest, age in ages:
            full = len(ages) >= MOST_TABLES and age > YOUNG_HOURS * 3600 and digest == ages[0][0]
            if age > IDLE_DAYS * 86_400 or full:
                self._open.pop(digest, None)
                if self.folder:
                    (self.folder / f"{digest}.jsonl").unlink(missing_ok=True)
        if len(self._ages(now)) >= MOST_TABLES:
            raise FullError

    def _ages(self, now: float) -> dict[str, float]:
        """Seconds since the last change of each table."""
        if not self.folder:
            return {digest: now - kept.used for digest, kept in self._open.items()}
        found = {}
        for path in self.folder.glob("*.jsonl"):
            with suppress(FileNotFoundError):
                found[path.stem] = now - path.stat().st_mtime
        return found

    def _forget(self) -> None:
        """Let go of tables that can be read again, those used longest ago first."""
        if self.folder:
            for digest, kept in list(self._open.items()):
                if len(self._open) <= MOST_OPEN:
                    return
                if not kept.listeners and not kept.lock.locked():
                    del self._open[digest]


def data_folder() -> Path:
    """Where tables are kept unless another folder is named."""
    from platformdirs import user_data_path

    return user_data_path("camelodds") / "tables"


def _made(folder: Path | None) -> Path | None:
    """The folder if it can be written to, else None."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / f".{secrets.token_hex(8)}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def _append(path: Path, entry: dict[str, Any]) -> None:
    """Write a line to the end of a file, for good. What a crash has left half written there is cut off by `_read`."""
    line = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
    begun = not path.exists()
    with path.open("ab") as file:
        whole = file.tell()
        try:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                file.truncate(whole)
            raise GameError(f"this cannot be kept: {error.strerror}; nothing was changed") from None
    if begun:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _read(path: Path) -> Table:
    """The table of a file. Raises NoTableError for one that holds none."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    table = Table()
    for line in content[:whole].splitlines():
        entry = json.loads(line)
        number = entry.pop("n")
        if number != table.number + 1:
            raise NoTableError
        after: History = table.after(entry)
        table.enter(entry, after)
    if not table.number:
        raise NoTableError
    if whole < len(content):
        with path.open("r+b") as file:
            file.truncate(whole)
    return table
