"""Notebooks are clean sources, and the API reference builds without a warning."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_a_clean_source_that_checks_what_it_says(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"] == METADATA, "only the kernel, so that diffs show what was written"
    assert [cell["id"] for cell in notebook["cells"]] == [f"cell-{n:02}" for n in range(1, len(notebook["cells"]) + 1)]
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None and not cell["metadata"] for cell in code)
    assert any("assert " in "".join(cell["source"]) for cell in code)


def test_there_are_seven_notebooks() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05", "06", "07"]


def test_the_api_reference_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("pdoc")
    command = [sys.executable, str(ROOT / "docs" / "build.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Warn" not in done.stderr
    page = (tmp_path / "camelodds.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in page for name in ("Board", "leg_odds", "race_odds", "actions", "Game", "History"))
