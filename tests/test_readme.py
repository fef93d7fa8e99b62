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
GUIDE = sorted((ROOT / "docs" / "guide").glob("*.md"))
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *GUIDE)}
CONSOLE = [
    example
    for text in TEXTS.values()
    for example in re.findall(r"```console\n\$ camelodds (.*?)\n(.*?)```", text, re.DOTALL)
]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if ">>>" in text])
def test_python_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = [block for block in re.findall(r"```python\n(.*?)```", TEXTS[name], re.DOTALL) if ">>>" in block]
    assert sum(block.count(">>>") for block in blocks) == TEXTS[name].count(">>>"), "an example stands outside a block"
    for number, block in enumerate(blocks, 1):
        test = doctest.DocTestParser().get_doctest(block, names, f"{name}, block {number}", name, 0)
        with pd.option_context("display.width", 120, "display.max_columns", 20):
            result = doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False)
        names = test.globs
        assert result.attempted > 0
        assert result.failed == 0


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
    for name in (*TEXTS, "CONTRIBUTING.md", "docs/rules.md"):
        path = ROOT / name
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{name}: {target}"


def test_the_guide_is_whole() -> None:
    linked = set(re.findall(r"\]\(([a-z-]+\.md)\)", TEXTS["docs/guide/index.md"]))
    assert linked | {"index.md"} == {path.name for path in GUIDE}
