"""Where games that are followed are kept: a file for each, written after every step, so that none is lost."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from camelodds.errors import GameError
from camelodds.play.history import History

MOST_BYTES: Final = 10_000_000
"""Of a file that is loaded."""
MOST_KEPT: Final = 50
"""Games that are kept; the oldest go."""


class Keeper:
    """Keeps the game that is followed in a file of a folder.

    Parameters
    ----------
    folder : Path
        Made when a game is kept for the first time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path: Path | None = None

    @classmethod
    def of_user(cls) -> Keeper:
        """The keeper in the user's data folder, or in the one that the variable CAMELODDS_DATA names."""
        from platformdirs import user_data_path

        named = os.environ.get("CAMELODDS_DATA")
        return cls((Path(named) if named else user_data_path("camelodds", appauthor=False)) / "games")

    def keep(self, history: History) -> Path:
        """Write the game to its file, the whole of it or nothing. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.path is None:
            self.path = self._new()
        write_whole(self.path, history.to_json_lines())
        return self.path

    def begin(self) -> None:
        """What is kept from now on is another game."""
        self.path = None

    def kept(self) -> list[Path]:
        """The files of games that were kept, the last one first."""
        with suppress(OSError):
            return sorted(self.folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return []

    def last(self) -> Path:
        """The file of the game that was kept last, other than the one that is followed. Raises GameError."""
        others = [path for path in self.kept() if path != self.path]
        if not others:
            raise GameError(f"no other game is kept in {self.folder}")
        return others[0]

    def _new(self) -> Path:
        for path in self.kept()[MOST_KEPT - 1 :]:
            with suppress(OSError):
                path.unlink()
        stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
        handle, name = tempfile.mkstemp(".jsonl", f"{stamp}-", self.folder)
        os.close(handle)
        return Path(name)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or as it was before. Raises OSError."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # a folder is refused by the system, a device takes it
        return
    handle, name = tempfile.mkstemp(prefix=".camelodds-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def read_kept(path: Path) -> History:
    """The record in a file.

    Raises
    ------
    GameError, NotationError, RulesError
        For a file that holds no record.
    OSError
        For one that cannot be read.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise GameError(f"{path} is no regular file")
    with path.open("rb") as file:
        found = file.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise GameError(f"{path} is larger than any game: {MOST_BYTES:,} bytes at most")
    try:
        return History.from_json_lines(found.decode("utf-8"))
    except UnicodeDecodeError:
        raise GameError(f"{path} is no saved game") from None


def path_of(name: str) -> Path:
    """The path that a name means, "~" for the home folder. Raises GameError."""
    if not name:
        raise GameError("which file?")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise GameError(f"{name}: {error}") from None
