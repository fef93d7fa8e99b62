"""Compiled code is never older than its sources, and trouble with its cache only costs time (core/kernel.py)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import pytest

from camelodds.core.ranking import order, order_of

PACKAGE = Path(__file__).parents[1] / "camelodds"
JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") != "1"
ROLL = "import camelodds as co; print(co.Board.parse('1:bg 2:wy 3:o', 'first').roll('o', 2))"

needs_jit = pytest.mark.skipif(not JIT, reason="about compiled code")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, with a cache of its own."""
    shutil.copytree(PACKAGE, tmp_path / "camelodds", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(folder: Path, code: str = ROLL, **environment: str) -> str:
    settings = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache"), **environment}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_jit
def test_an_edit_of_a_helper_is_seen(copy: Path) -> None:
    assert run(copy) == "1:bg 2:wy 5:o / bgyw\n"
    helper = copy / "camelodds" / "core" / "kernel.py"
    source = helper.read_text()
    assert "builder.ctpop(args[0])" in source
    move = copy / "camelodds" / "core" / "move.py"
    kept = move.stat()
    lanes = move.read_text()
    move.write_text(lanes.replace("target > track", "target > 4     "))
    os.utime(move, ns=(kept.st_atime_ns, kept.st_mtime_ns))  # even where size and time are as before
    assert run(copy) == "1:bg 2:wy finish:o / bgyw\n"
    move.write_text(lanes)
    os.utime(move, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    assert run(copy) == "1:bg 2:wy 5:o / bgyw\n"


@needs_jit
def test_compiled_once_then_found(copy: Path) -> None:
    told = "from camelodds.core import kernel; kernel.compiling = lambda name: print('compiling', name); " + ROLL
    assert run(copy, told) == "compiling roll\n1:bg 2:wy 5:o / bgyw\n"
    assert run(copy, told) == "1:bg 2:wy 5:o / bgyw\n"


@needs_jit
def test_a_damaged_cache_is_compiled_anew(copy: Path) -> None:
    run(copy)
    for end in ("nbi", "nbc"):
        for file in (copy / "cache").rglob(f"*.{end}"):
            file.write_bytes(file.read_bytes()[:-100])
        assert run(copy) == "1:bg 2:wy 5:o / bgyw\n"


@needs_jit
def test_no_folder_to_write_in(copy: Path) -> None:
    """A file where a cache folder should be: nothing can be kept, the answer is the same."""
    for name in ("cache", "home"):
        (copy / name).write_text("not a folder")
    for pycache in copy.rglob("__pycache__"):
        shutil.rmtree(pycache)
    (copy / "camelodds" / "core" / "__pycache__").write_text("not a folder")
    unset = {"HOME": str(copy / "home"), "XDG_CACHE_HOME": str(copy / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run(copy, **unset) == "1:bg 2:wy 5:o / bgyw\n"


@needs_jit
def test_two_processes_at_once(copy: Path) -> None:
    with ThreadPoolExecutor(2) as both:
        assert set(both.map(lambda _: run(copy), range(2))) == {"1:bg 2:wy 5:o / bgyw\n"}
    assert run(copy) == "1:bg 2:wy 5:o / bgyw\n"


def test_ranking_tables_are_made_without_compiling() -> None:
    for racing in range(1, 6):
        for ranking in permutations(range(racing)):
            word = sum((1 + place << 3) << 8 * lane for place, lane in enumerate(ranking))
            assert order_of(ranking) == order(word)


@needs_jit
def test_loading_kept_kernels_imports_nothing_of_the_compiler(tmp_path: Path) -> None:
    code = (
        "import sys, camelodds as co\n"
        "assert co.leg_odds('1:rb 2:g 3:yp 14:K 15:W').total == 5598720\n"
        "print('numba.np.npyimpl' in sys.modules)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for expected in ("True\n", "False\n"):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == expected
