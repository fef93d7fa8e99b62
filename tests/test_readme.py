"""The examples of the README and the guide print what they say."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from camelodds.cli.parser import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
CONSOLE = [
    found
    for text in (README, GUIDE)
    for found in re.findall(r"```console\n\$ camelodds (.*?)\n(.*?)```", text, re.DOTALL)
]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize(("name", "text"), [("README.md", README), ("docs/guide.md", GUIDE)], ids=["readme", "guide"])
def test_python_examples(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    attempted = 0
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL), 1):
        if ">>>" not in block:
            continue
        test = doctest.DocTestParser().get_doctest(block, names, f"{name}, block {number}", name, 0)
        with pd.option_context("display.width", 120, "display.max_columns", 20):
            result = doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False)
        names = test.globs
        attempted += result.attempted
        assert result.failed == 0
    assert attempted > 0


def test_the_plain_python_that_verifies_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = (block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if ">>>" not in block)
    assert "camelodds" not in block
    lines = [line for line in block.splitlines() if line.strip()]
    assert len(lines) <= 25
    exec(block, {})
    assert capsys.readouterr().out.strip() == lines[-1].rpartition("# ")[2] == "69077/174960"


@pytest.mark.parametrize(("command", "expected"), CONSOLE)
def test_console_examples(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(shlex.split(command))
    shown = capsys.readouterr()
    lines, wanted = [line.rstrip() for line in (shown.out + shown.err).splitlines()], expected.splitlines()
    if wanted[-1] == "...":
        assert len(lines) >= len(wanted)
        lines[len(wanted) - 1 :] = ["..."]
    assert lines == wanted


def test_the_table_of_commands_is_whole() -> None:
    from camelodds.cli.parser import _parser

    commands = next(action for action in _parser()._actions if action.dest not in {"help", "version"}).choices
    assert commands
    assert set(commands) == set(re.findall(r"^\| `camelodds ([a-z-]+)", README, re.MULTILINE))


def test_links_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "docs/guide.md"):
        path = ROOT / name
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{name}: {target}"
