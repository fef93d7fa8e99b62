"""Execute the notebooks, each in a fresh kernel, and fail if one of them does: python notebooks/run.py

Needs `pip install ".[notebooks]"`. The files stay as they are; `--save FOLDER` keeps executed copies.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Run what is asked for, all by default: 0 if every notebook ran to its end, 1 if not, 2 without the extra."""
    parser = argparse.ArgumentParser(description="Execute the notebooks and fail if one of them does.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a file's name, such as 03; all")
    parser.add_argument(
        "--size", choices=["small", "full"], help="how much is computed (default: CAMELODDS_SIZE, small)"
    )
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep executed copies here")
    options = parser.parse_args()
    try:
        import nbclient  # noqa: F401
        import nbformat  # noqa: F401
    except ModuleNotFoundError as error:
        print(f'notebooks/run.py: {error.name} is missing: pip install ".[notebooks]" brings it', file=sys.stderr)
        return 2
    if options.size:
        os.environ["CAMELODDS_SIZE"] = options.size
    paths = [path for path in sorted(HERE.glob("*.ipynb")) if path.name.startswith(tuple(options.names or [""]))]
    if not paths:
        parser.error(f"no notebook begins with {' or '.join(options.names)}")
    failed = sum(not ran(path, options.save) for path in paths)
    return int(failed > 0)


def ran(path: Path, save: Path | None) -> bool:
    """Whether a notebook runs to its end; says how long it took, or what went wrong."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(path, as_version=4)
    started = time.perf_counter()
    problem = None
    try:
        NotebookClient(
            notebook,
            timeout=3600,
            resources={"metadata": {"path": str(HERE)}},
            extra_arguments=["--log-level=ERROR"],
        ).execute()
    except CellExecutionError as error:
        problem = str(error)
    print(f"{path.name}: {'failed' if problem else 'ok'}, {time.perf_counter() - started:.1f} s", flush=True)
    if problem:
        print(problem, file=sys.stderr)
    if save:
        save.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, save / path.name)
    return problem is None


if __name__ == "__main__":
    sys.exit(main())
