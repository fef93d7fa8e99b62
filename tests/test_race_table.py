"""The table as a file: whole or absent, refused when damaged, shared, and replaced by a later build."""

from __future__ import annotations

import errno
import os
import random
import re
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from camelodds.odds import race_table
from camelodds.odds.race import race_odds
from camelodds.odds.race_course import Course
from camelodds.odds.race_table import (
    MAGIC,
    PREFIX,
    RaceTable,
    TableError,
    build_table,
    remove_table,
    table_at_hand,
    table_path,
)
from camelodds.rules import SECOND

RULES = SECOND.with_changes(name="short", racing="rb", track=6)
COURSE = Course.of(RULES)
BOARD = "1:rb 4:K 5:W"
BUILD = """
from camelodds.odds.race_course import Course
from camelodds.odds.race_table import build_table
build_table(Course{course!r})
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder of one's own, and a short track that counts as too large to be solved when it is asked for."""
    monkeypatch.setenv("CAMELODDS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(race_table, "SMALL_STARTS", 0)
    monkeypatch.setattr(race_table, "_open", {})
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def right() -> RaceTable:
    return RaceTable.solved(COURSE)


def forget() -> None:
    """As a new process would find it."""
    race_table._open.clear()


def builder(course: Course = COURSE) -> subprocess.Popen[bytes]:
    code = BUILD.format(course=tuple(course))
    code = code.replace(f"Course{tuple(course)!r}", f"Course(*{tuple(course)!r})")
    return subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)


def only_the_table_is_in(folder: Path) -> bool:
    return [path.name for path in folder.iterdir()] == [table_path(COURSE).name]


# ---- writing and reading --------------------------------------------------------------------------


def test_what_is_stored_is_read_back(cache, right):
    built = build_table(COURSE)
    forget()
    read = table_at_hand(COURSE)
    assert read is not None and read.path == table_path(COURSE)
    assert np.array_equal(read.values, right.values) and np.array_equal(built.values, right.values)
    assert (read.error, read.sweeps, read.course) == (right.error, right.sweeps, COURSE)
    assert only_the_table_is_in(cache)
    read.verify()


def test_nothing_is_at_hand_before_it_is_built_and_after_it_is_removed(cache):
    assert table_at_hand(COURSE) is None and not remove_table(COURSE)
    build_table(COURSE)
    assert remove_table(COURSE)
    assert table_at_hand(COURSE) is None and list(cache.iterdir()) == []


def test_a_table_is_read_only_and_opened_once():
    build_table(COURSE)
    forget()
    table = table_at_hand(COURSE)
    assert table is table_at_hand(COURSE)
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0, 0] = 0.5


def test_the_file_depends_on_the_course():
    paths = {
        table_path(course)
        for course in (COURSE, COURSE._replace(track=7), COURSE._replace(racing=3), COURSE._replace(undrawn=0))
    }
    assert len(paths) == 4


def test_the_folder_is_that_of_the_user_unless_named(monkeypatch):
    import platformdirs

    monkeypatch.delenv("CAMELODDS_CACHE")
    assert race_table.cache_folder() == platformdirs.user_cache_path("camelodds")


@pytest.mark.parametrize("threads", [1, 3])
def test_the_threads_that_solve_do_not_change_the_table(right, threads):
    assert np.array_equal(RaceTable.solved(COURSE, threads=threads).values, right.values)


# ---- damage ---------------------------------------------------------------------------------------


def test_a_flipped_byte_is_never_a_wrong_number(right):
    build_table(COURSE)
    path = table_path(COURSE)
    whole = path.read_bytes()
    expected = race_odds(BOARD, RULES).wins.tolist()
    rng = random.Random(1)
    start = len(whole) - COURSE.table_bytes
    places = [*range(64), *(rng.randrange(start) for _ in range(100)), *(rng.randrange(len(whole)) for _ in range(300))]
    refused = 0
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        path.unlink()
        path.write_bytes(damaged)
        forget()
        try:
            assert race_odds(BOARD, RULES).wins.tolist() == expected
            if place >= start:
                with pytest.raises(TableError, match="race-table build"):
                    table_at_hand(COURSE).verify()
        except TableError as error:
            assert str(path) in str(error) and "race-table build" in str(error)
            refused += 1
    assert refused > 64


@pytest.mark.parametrize("size", [0, 1, 23, 24, 500, 4096, -1])
def test_a_file_cut_short_is_refused(size):
    build_table(COURSE)
    path = table_path(COURSE)
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[:size])
    forget()
    with pytest.raises(TableError, match="cannot be used"):
        race_odds(BOARD, RULES)
    forget()
    build_table(COURSE).verify()


def test_a_table_of_other_rules_is_refused():
    build_table(COURSE)
    other = COURSE._replace(undrawn=0)
    os.replace(table_path(COURSE), table_path(other))
    with pytest.raises(TableError, match="undrawn=0"):
        table_at_hand(other)


def test_a_table_of_another_version_is_refused(monkeypatch):
    build_table(COURSE)
    path = table_path(COURSE)
    monkeypatch.setattr(race_table, "VERSION", 2)
    with pytest.raises(TableError, match="version 1, this program reads version 2"):
        RaceTable.load(path, COURSE)


@pytest.mark.parametrize(
    "header",
    [
        b"{}", b"[]", b"null", b"1", b"no JSON", b"", b"\xff", b"[" * 100_000, b'{"version": 1}',
        b'{"version": 1, "course": {"track": 6, "racing": 2, "colour": 3}, "error": 0.0, "sweeps": 1}',
        b'{"version": 1, "course": [6, 2], "error": 0.0, "sweeps": 1}',
        b'{"version": 1, "course": {"track": 6, "racing": 2, "crazy": true, "undrawn": 1}, "error": NaN, "sweeps": 1}',
        b'{"version": 1, "course": {"track": 6, "racing": 2, "crazy": true, "undrawn": 1}, "error": null, "sweeps": 1}',
    ],
)  # fmt: skip
def test_a_wrong_header_with_the_right_checksum_is_refused_by_name(header):
    build_table(COURSE)
    path = table_path(COURSE)
    whole = path.read_bytes()
    head = header + b"\0" + bytes(4 * COURSE.shape[0])
    path.write_bytes(PREFIX.pack(MAGIC, len(head), zlib.crc32(head)) + head + whole)
    with pytest.raises(TableError, match=f"{re.escape(str(path))} cannot be used.*race-table build"):
        RaceTable.load(path, COURSE)


def test_verify_finds_values_that_can_not_be(right, cache):
    cache.mkdir()
    values = right.values.copy()
    values[3, 2, 0] += 0.25
    wrong = RaceTable(COURSE, values, right.error, right.sweeps).store(table_path(COURSE))
    with pytest.raises(TableError, match="sum to 1"):
        wrong.verify()


# ---- trouble while building -----------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="kill")
def test_a_build_killed_at_any_moment_leaves_no_wrong_table(cache, right):
    started = time.monotonic()
    assert builder().wait() == 0
    takes = time.monotonic() - started
    remove_table(COURSE)
    rng = random.Random(7)
    for _ in range(20):
        process = builder()
        time.sleep(takes * rng.random())
        process.send_signal(signal.SIGKILL)
        process.communicate()
        forget()
        table = table_at_hand(COURSE)
        if table is not None:
            table.verify()
            assert np.array_equal(table.values, right.values)
            remove_table(COURSE)
    build_table(COURSE).verify()


@pytest.mark.parametrize("killed_after", [0, 1, 2, 3, 10])
def test_a_build_killed_while_writing_leaves_no_table(cache, right, killed_after):
    code = f"""
import os
from camelodds.odds import race_table
inner = race_table._whole_file
class Dying:
    def __init__(self, file): self.file, self.left = file, {killed_after}
    def write(self, data):
        if not self.left: self.file.flush(); os._exit(9)
        self.left -= 1
        self.file.write(data)
from contextlib import contextmanager
@contextmanager
def dying(path):
    with inner(path) as file: yield Dying(file)
race_table._whole_file = dying
from camelodds.odds.race_course import Course
race_table.build_table(Course(*{tuple(COURSE)!r}))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert table_at_hand(COURSE) is None and len(list(cache.iterdir())) == 1
    assert np.array_equal(build_table(COURSE).values, right.values)
    remove_table(COURSE)
    assert list(cache.iterdir()) == []


def test_two_builders_at_once_leave_one_whole_table(cache, right):
    processes = [builder(), builder()]
    assert [process.wait() for process in processes] == [0, 0]
    for process in processes:
        process.communicate()
    table = table_at_hand(COURSE)
    assert table is not None and np.array_equal(table.values, right.values)
    assert only_the_table_is_in(cache)


@pytest.mark.parametrize("fails_after", [0, 1, 2, 3, 10])
def test_a_disk_that_fills_up_while_writing_is_reported(cache, right, monkeypatch, fails_after):
    open_file = Path.open

    class Filling:
        def __init__(self, file):
            self.file, self.left = file, fails_after

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.file.close()

        def __getattr__(self, name):
            return getattr(self.file, name)

        def write(self, data):
            if not self.left:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.left -= 1
            return self.file.write(data)

    def open_filling(path, mode="r", *rest, **more):
        file = open_file(path, mode, *rest, **more)
        return Filling(file) if path.name.endswith(".part") else file

    monkeypatch.setattr(Path, "open", open_filling)
    with pytest.raises(TableError, match="No space left"):
        build_table(COURSE)
    monkeypatch.undo()
    monkeypatch.setenv("CAMELODDS_CACHE", str(cache))
    assert list(cache.iterdir()) == []
    assert np.array_equal(build_table(COURSE).values, right.values)


def test_too_little_room_is_said_before_the_work_begins(monkeypatch):
    monkeypatch.setattr(race_table.shutil, "disk_usage", lambda path: SimpleNamespace(free=1))
    monkeypatch.setattr(RaceTable, "solved", lambda *args: pytest.fail("solved all the same"))
    with pytest.raises(TableError, match="0 MB free"):
        build_table(COURSE)


def test_a_folder_that_can_not_be_written_to_is_said_before_the_work_begins(cache, monkeypatch):
    monkeypatch.setattr(RaceTable, "solved", lambda *args: pytest.fail("solved all the same"))

    def refuse(*args):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(TableError, match=r"no table can be kept in .*Permission denied"):
        build_table(COURSE)


def test_a_file_where_the_folder_should_be_is_reported(cache):
    cache.write_text("in the way")
    with pytest.raises(TableError, match="no table can be kept"):
        build_table(COURSE)


def test_ending_the_work_leaves_nothing(cache):
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_table(COURSE, stop)
    assert list(cache.iterdir()) == []


def test_what_was_left_unfinished_long_ago_is_removed(cache):
    cache.mkdir()
    old, young = (cache / f"{table_path(COURSE).name}.{number}.part" for number in (1, 2))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    build_table(COURSE)
    assert not old.exists() and young.exists()
