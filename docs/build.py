"""Build the documentation site, and fail on any warning or broken link: python docs/build.py [FOLDER]

Needs `pip install ".[docs]"`. Writes to site/: README as the first page, the guide, the rules, the notebooks executed
at small size (about a minute), and the API reference. `--executed FOLDER` takes the notebooks that
`notebooks/run.py --save FOLDER` has left; `--quick` shows them without outputs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Build what is asked for: 0 if all went well, 1 if a link or a notebook is broken, 2 without the extra."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site", help="where to (default: site)")
    notebooks = parser.add_mutually_exclusive_group()
    notebooks.add_argument("--executed", type=Path, metavar="FOLDER", help="executed notebooks are here already")
    notebooks.add_argument("--quick", action="store_true", help="notebooks without outputs")
    options = parser.parse_args()
    try:
        import api
        import pages
    except ModuleNotFoundError as error:
        print(f'docs/build.py: {error.name} is missing: pip install ".[docs]" brings it', file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        executed = options.executed or (ROOT / "notebooks" if options.quick else Path(scratch))
        if executed == Path(scratch):
            command = [sys.executable, str(ROOT / "notebooks" / "run.py"), "--size", "small", "--save", scratch]
            status = subprocess.run(command, check=False).returncode
            if status:
                return status
        warnings.simplefilter("error")
        api.write(options.folder / "api")
        pages.write(options.folder, executed)
    broken = pages.broken_links(options.folder)
    for line in broken:
        print(f"docs/build.py: {line}", file=sys.stderr)
    print(options.folder / "index.html")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
