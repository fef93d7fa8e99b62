"""The README's examples print what it says."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

from camelodds.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ camelodds (.*?)\n(.*?)```", README, re.DOTALL)


def test_python_examples() -> None:
    examples = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    with pd.option_context("display.width", 120):
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(("command", "expected"), CONSOLE)
def test_console_examples(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(shlex.split(command))
    shown = capsys.readouterr()
    assert [line.rstrip() for line in (shown.out + shown.err).splitlines()] == expected.splitlines()


def test_the_table_of_commands_is_whole() -> None:
    from camelodds.cli import _parser

    commands = next(action for action in _parser()._actions if action.dest not in {"help", "version"}).choices
    assert commands
    assert set(commands) == set(re.findall(r"^\| `camelodds ([a-z-]+)", README, re.MULTILINE))
