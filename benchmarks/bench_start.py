"""The command line from its start to its answer, against an older version: `python benchmarks/bench_start.py [COMMIT]`.

The older version is taken from the repository by `git archive`. Both run in turn in one run, each with compiled code
kept in a folder of its own; the floor is Python with numba imported. Medians; the machine decides the rest, so compare
ratios.
"""

from __future__ import annotations

import io
import os
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
OLD = "871ca7f"
QUESTION = ["-m", "camelodds", "odds", "1:rb 2:g 3:yp 14:K 15:W"]
FLOOR = ["-c", "import numba"]
ROUNDS = 11


def unpacked(commit: str, folder: Path) -> Path:
    """A commit's files in a folder."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder


def seconds(package: Path, cache: Path, arguments: list[str]) -> tuple[float, float]:
    """Seconds of one process: by the clock, and of the processor."""
    environment = {**os.environ, "PYTHONPATH": str(package), "NUMBA_CACHE_DIR": str(cache)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, cwd=package, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


def main() -> None:
    commit = sys.argv[1] if len(sys.argv) > 1 else OLD
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "old").mkdir()
        old = unpacked(commit, folder / "old")
        cases = {commit: (old, QUESTION), "now": (ROOT, QUESTION), "import numba": (ROOT, FLOOR)}
        for case, (package, arguments) in cases.items():
            clock, used = seconds(package, folder / f"cache {case}", arguments)
            print(f"{case}, the first time: {clock:.2f} s, {used:.2f} s of the processor")
        times: dict[str, list[tuple[float, float]]] = {case: [] for case in cases}
        for _ in range(ROUNDS):
            for case, (package, arguments) in cases.items():
                times[case].append(seconds(package, folder / f"cache {case}", arguments))
        for index, what in enumerate(("by the clock", "of the processor")):
            medians = {case: statistics.median(each[index] for each in found) for case, found in times.items()}
            shown = ", ".join(f"{case} {median:.2f} s" for case, median in medians.items())
            print(f"{what}: {shown}; now / {commit} {medians['now'] / medians[commit]:.2f}")


if __name__ == "__main__":
    main()
