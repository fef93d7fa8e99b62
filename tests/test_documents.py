"""Notebooks are clean sources, the site builds without a warning, and scripts name the extra that they miss."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import camelodds

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


def test_the_site_builds_without_a_warning_or_a_broken_link(tmp_path: Path) -> None:
    for needed in ("markdown_it", "nbconvert", "pdoc"):
        pytest.importorskip(needed)
    done = build(tmp_path, "--quick")
    assert done.returncode == 0, done.stderr
    assert "Warn" not in done.stderr
    page = (tmp_path / "api" / "camelodds.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in page for name in ("Board", "leg_odds", "race_odds", "actions", "Game", "History"))
    guide = {path.stem for path in (ROOT / "docs" / "guide").glob("*.md")}
    assert {path.stem for path in (tmp_path / "guide").iterdir()} == guide
    assert {path.stem for path in (tmp_path / "notebooks").iterdir()} == {"index", *(path.stem for path in NOTEBOOKS)}
    first = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{link}"' in first for link in ("rules.html", "guide/index.html", "api/camelodds.html"))
    assert "tests/reference.py</a>" not in first, "what the site does not have is named, not linked"


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nbconvert")
    monkeypatch.syspath_prepend(ROOT / "docs")
    from pages import broken_links

    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="#top"></a><a href="b.html#top"></a><a href="c.html"></a><img src="d.svg">'
    )
    (tmp_path / "b.html").write_text("<h1>B</h1>")
    assert broken_links(tmp_path) == [
        "a.html: b.html#top has no such heading",
        "a.html: c.html leads to nothing",
        "a.html: d.svg leads to nothing",
    ]


def build(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "docs" / "build.py"), str(folder), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("script", "missing", "extra"),
    [
        ("docs/build.py", "pdoc", "docs"),
        ("docs/build.py", "nbconvert", "docs"),
        ("docs/build.py", "markdown_it", "docs"),
        ("notebooks/run.py", "nbclient", "notebooks"),
        ("notebooks/run.py", "nbformat", "notebooks"),
    ],
)
def test_without_its_extra_a_script_names_it(script: str, missing: str, extra: str) -> None:
    path = ROOT / script
    run = (
        f"import runpy, sys; sys.modules[{missing!r}] = None; sys.argv = [{script!r}]; "
        f"sys.path.insert(0, {str(path.parent)!r}); runpy.run_path({str(path)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.count("\n") == 1 and f'pip install ".[{extra}]"' in done.stderr


def test_the_citation_is_of_this_version_and_of_the_project() -> None:
    """`key: value` and lists, as the format 1.2.0 wants them; the package is its own author."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    keys = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line and not line.startswith((" ", "-")))
    assert {"cff-version", "message", "title", "type", "version", "license"} <= keys.keys()
    assert (keys["cff-version"], keys["type"], keys["license"]) == ("1.2.0", "software", "MIT")
    assert keys["version"] == camelodds.__version__
    assert "authors:\n  - name: camelodds maintainers\n" in text


def test_forms_and_workflows_are_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    files = [*ROOT.glob(".github/**/*.yml"), ROOT / ".pre-commit-config.yaml", ROOT / "CITATION.cff"]
    read = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in files}
    for name in ("wrong-number.yml", "question.yml"):
        fields = [field["id"] for field in read[name]["body"]]
        assert len(fields) == len(set(fields))
    asked = {field["id"] for field in read["wrong-number.yml"]["body"] if field["validations"]["required"]}
    assert {"position", "edition", "number", "count"} <= asked
    steps = read["ci.yml"]["jobs"]["everything"]["steps"]
    assert any(".ci/run" in step.get("run", "") for step in steps)
    promised = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert read["ci.yml"]["jobs"]["everything"]["strategy"]["matrix"]["python"] == promised
