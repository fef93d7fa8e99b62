"""Tables of the race from every leg's start: solved, kept in the user's cache folder, and read back safely.

A file holds a header, a checksum per squad and the values. Header and checksums are verified when it is opened, the
values of a squad when they are first used. It is written under another name and renamed when it is whole.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from camelodds.odds.race_course import Course
from camelodds.progress import Progress

MAGIC: Final = b"camelodds race\n\0"
VERSION: Final = 1
"""Of the file; to be raised whenever the values or their order change."""
PREFIX: Final = struct.Struct("<16sII")
"""Magic, length and checksum of what follows up to the values: the header as JSON, and the checksums."""
ALIGNMENT: Final = 4096
FOLDER_VARIABLE: Final = "CAMELODDS_CACHE"
ABANDONED: Final = 3600.0
"""Seconds after which a file that nobody finished is removed."""
SMALL_PEAK: Final = 1 << 30
SMALL_STARTS: Final = 100_000
"""Up to this memory, and with crazy camels up to so many leg starts, a table is solved when it is first asked for."""


class TableError(ValueError):
    """A table that cannot be used, read or written. The message says which, why, and what to do."""


# Axes: S squads, P pairs of perches of the crazy camels, C racing camels.
@dataclass(frozen=True, eq=False)
class RaceTable:
    """The race from every leg's start of a course, camels named by rank.

    values : float64 (S, P, 2 * C + 1), read-only: each rank's probability to win, then to come last, rank 0 the last
        camel; then the expected number of legs. Numbered as in `core.starts`.
    error : how far any value can be from the exact one, at most
    sweeps : how often the solver went over all leg starts
    path : the file, None for a table in memory     checksums : uint32 (S,), of the file
    """

    course: Course
    values: NDArray[np.float64]
    error: float
    sweeps: int
    path: Path | None = None
    checksums: NDArray[np.uint32] | None = None
    _sound: NDArray[np.uint8] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.values.flags.writeable = False
        sound = np.full(len(self.values), self.checksums is None, np.uint8)
        object.__setattr__(self, "_sound", sound)

    @classmethod
    def solved(cls, course: Course, progress: Progress | None = None, threads: int | None = None) -> RaceTable:
        """Solve a course in memory. `progress` may raise to end the work; `threads` is one per processor by default."""
        from camelodds.odds.race_solver import solve

        try:
            solution = solve(course, progress, threads)
        except MemoryError:
            raise TableError(f"not enough memory: solving takes {megabytes(course.peak_bytes)}") from None
        return cls(course, solution.table, solution.error, solution.sweeps)

    @classmethod
    def load(cls, path: Path, course: Course) -> RaceTable:
        """The table of a file, mapped into memory and shared with other processes.

        Raises FileNotFoundError, or TableError for a file that is damaged or of another course or version.
        """
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            prefix = file.read(PREFIX.size)
            if len(prefix) < PREFIX.size or not prefix.startswith(MAGIC):
                raise _damaged(path, "it does not begin as a table does")
            _, length, checksum = PREFIX.unpack(prefix)
            if PREFIX.size + length > size:
                raise _damaged(path, "it is cut short")
            head = file.read(length)
            if zlib.crc32(head) != checksum:
                raise _damaged(path, "its header is not what was written")
            text, _, sums = head.partition(b"\0")
            found, sweeps, error = _header(path, text)
            if found != course:
                raise _damaged(path, f"it holds {found}, not {course}")
            start = _aligned(PREFIX.size + length)
            if size != start + course.table_bytes or len(sums) != 4 * course.shape[0]:
                raise _damaged(path, f"it has {size} bytes, not {start + course.table_bytes}")
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        values = np.frombuffer(mapped, "<f8", offset=start).reshape(course.shape)
        return cls(course, values, error, sweeps, path, np.frombuffer(sums, "<u4"))

    def store(self, path: Path) -> RaceTable:
        """Write the table whole or not at all, and return it as loaded from there. Raises TableError."""
        sums = np.array([zlib.crc32(squad) for squad in self.values], "<u4")
        header = {
            "version": VERSION,
            "course": self.course._asdict(),
            "error": self.error,
            "sweeps": self.sweeps,
        }
        head = json.dumps(header).encode() + b"\0" + sums.tobytes()
        prefix = PREFIX.pack(MAGIC, len(head), zlib.crc32(head))
        padding = bytes(_aligned(len(prefix) + len(head)) - len(prefix) - len(head))
        with _whole_file(path) as file:
            for piece in (prefix, head, padding):
                file.write(piece)
            for squad in self.values:
                file.write(np.ascontiguousarray(squad, "<f8").data)
        return RaceTable.load(path, self.course)

    def verify(self) -> None:
        """Read all of it. Raises TableError where a value is not what was written, or cannot be."""
        for start in range(0, len(self.values), 1024):
            squads = np.arange(start, min(start + 1024, len(self.values)))
            self._check(squads)
            racing = self.course.racing
            values = self.values[squads]
            for ranks in (values[..., :racing], values[..., racing:-1]):
                if not (np.all(ranks >= 0) and np.all(np.abs(ranks.sum(axis=-1) - 1) <= racing * self.error + 1e-12)):
                    raise TableError(f"{self.path or 'this table'}: probabilities that do not sum to 1")

    def weigh(self, words: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.float64]:
        """The sum of weight x values over boards at the end of a leg, racing camels by lane.

        words, weights : int64 (B,), see `core.leg.leg_ends`
        Returns float64 (2 * C + 1,): to win, to come last, and legs after this one. Raises TableError for damage.
        """
        from camelodds.core.race import weigh

        unchecked = np.empty(len(words), np.int64)
        result = np.zeros(self.course.shape[2])
        while found := weigh(
            words, weights, self.course.crazy, self.course.track, *self._names, self.values, self._sound, unchecked,
            result,
        ):  # fmt: skip
            self._check(np.unique(unchecked[:found]))
            result[:] = 0.0
        return result

    @cached_property
    def _names(self) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]:
        from camelodds.core.starts import names

        return names(self.course.racing, self.course.track)[:3]

    def _check(self, squads: NDArray[np.int64]) -> None:
        if self.checksums is None:
            return
        for squad in squads:
            if not self._sound[squad]:
                if zlib.crc32(self.values[squad]) != self.checksums[squad]:
                    raise _damaged(self.path, "its values are not what was written")
                self._sound[squad] = 1


def cache_folder() -> Path:
    """Where tables are kept: the folder named by CAMELODDS_CACHE, or the user's cache folder."""
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("camelodds")


def table_path(course: Course) -> Path:
    """The file in which the table of a course is kept."""
    kind = f"{course.racing}-racing" + "-crazy" * course.crazy + "-support" * course.support
    return cache_folder() / f"race-{kind}-{course.track}-spaces-{course.undrawn}-undrawn.v{VERSION}.table"


def solved_on_use(course: Course) -> bool:
    """Whether a table is solved in memory when it is first asked for, in some seconds at most."""
    small = course.peak_bytes <= SMALL_PEAK and (not course.crazy or course.starts <= SMALL_STARTS)
    return course.solvable and small


_open: dict[tuple[Course, Path | None], RaceTable] = {}
_opening = Lock()


def table_at_hand(course: Course) -> RaceTable | None:
    """The table of a course: solved now if that is quick, or read from its file; None if there is no file.

    Raises TableError for a file that cannot be used.
    """
    path = None if solved_on_use(course) else table_path(course)
    with _opening:
        table = _open.get((course, path))
        if table is None:
            if path is None:
                table = RaceTable.solved(course)
            else:
                try:
                    table = RaceTable.load(path, course)
                except FileNotFoundError:
                    return None
                except OSError as error:
                    raise TableError(f"{path} cannot be read: {error.strerror}") from None
            _open[course, path] = table
        return table


def build_table(course: Course, progress: Progress | None = None, threads: int | None = None) -> RaceTable:
    """Solve a course and keep its table in the cache folder, where other processes find it.

    Raises TableError before the work begins if the folder cannot be written to or has too little room, and for a
    course that has no solver.
    """
    if not course.solvable:
        raise TableError("no table is made for support dice together with crazy camels: such races are simulated")
    path = table_path(course)
    _prepare(path, course.table_bytes)
    table = RaceTable.solved(course, progress, threads).store(path)
    with _opening:
        _open[course, path] = table
    return table


def remove_table(course: Course) -> bool:
    """Remove the file of a course, and what unfinished work on it left behind; False if there was none."""
    path = table_path(course)
    with _opening:
        _open.pop((course, path), None)
    try:
        for unfinished in _unfinished(path):
            unfinished.unlink(missing_ok=True)
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise TableError(f"{path} cannot be removed: {error.strerror}") from None
    return True


def megabytes(size: int) -> str:
    """A number of bytes for people."""
    return f"{size / 1e6:,.0f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"


def _damaged(path: Path | None, why: str) -> TableError:
    return TableError(f"{path} cannot be used: {why}; `camelodds race-table build` makes it anew")


def _header(path: Path, text: bytes) -> tuple[Course, int, float]:
    """The course, the sweeps and the error of a file's header. Raises TableError."""
    try:
        header = json.loads(text)
        version = header["version"]
        if version != VERSION:
            raise _damaged(path, f"it is of version {version}, this program reads version {VERSION}")
        course, sweeps, error = Course(**header["course"]), header["sweeps"], header["error"]
        if type(sweeps) is int and type(error) is float and 0 <= error < 1:
            return course, sweeps, error
    except TableError:
        raise
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    raise _damaged(path, "its header is none of a table")


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _unfinished(path: Path) -> Iterator[Path]:
    return path.parent.glob(f"{path.name}.*.part")


def _prepare(path: Path, size: int) -> None:
    """Find out before the work whether the file can be written after it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for unfinished in _unfinished(path):
            if time.time() - unfinished.stat().st_mtime > ABANDONED:
                unfinished.unlink(missing_ok=True)
        trial = path.with_name(f"{path.name}.{os.getpid()}.trial")
        trial.write_bytes(b"")
        trial.unlink()
        free = shutil.disk_usage(path.parent).free
    except OSError as error:
        raise TableError(f"no table can be kept in {path.parent}: {error.strerror}") from None
    if free < size:
        raise TableError(f"{path.parent} has {megabytes(free)} free, the table takes {megabytes(size)}")


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name when all of it is on the disk, or never."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise TableError(f"{path} was not written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
