"""Public docstrings explain their own arguments: signatures against docstrings in numpy's format.

Every name of `camelodds.__all__`, `camelodds.plot` and `camelodds.testing`, and every public method and property of
their classes: each parameter is named and no other, and what comes back has its section. Examples are run.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pandas as pd
import pytest
from numpydoc.docscrape import NumpyDocString

import camelodds as co

MODULES = ["camelodds.plot", "camelodds.testing"]
EXAMPLES = ["Board", "Game", "LegOdds", "actions", "holdings", "leg_odds", "leg_odds_many", "race_odds", "tournament"]
"""The main names, which have examples."""

STILL: set[str] = set()
"""Findings that are known and being worked on: exactly what is found, so that this list can only shrink."""


def public() -> Iterator[tuple[str, Any]]:
    """Every public class, function, method and property by its name."""
    named = {name: getattr(co, name) for name in co.__all__}
    for module in map(importlib.import_module, MODULES):
        short = module.__name__.removeprefix("camelodds.")
        named |= {
            f"{short}.{name}": value
            for name, value in vars(module).items()
            if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module.__name__
        }
    for name, value in named.items():
        if isinstance(value, type) or inspect.isroutine(value):
            yield name, value
        if isinstance(value, type):
            for member, found in vars(value).items():
                plain = found.__func__ if isinstance(found, classmethod | staticmethod) else found
                if not member.startswith("_") and (
                    inspect.isfunction(plain) or isinstance(plain, property | cached_property)
                ):
                    yield f"{name}.{member}", plain


def signature_of(value: Any) -> dict[str, inspect.Parameter]:
    """The parameters that a caller gives."""
    if isinstance(value, property | cached_property):
        return {}
    if isinstance(value, type) and issubclass(value, Exception):
        return {}
    given = inspect.signature(value).parameters
    return {name: each for name, each in given.items() if name not in {"self", "cls"} and not name.startswith("_")}


def findings(name: str, value: Any) -> set[str]:
    """What a docstring lacks or has too much of."""
    text = inspect.getdoc(value) or ""
    if not text:
        return {f"{name}: no docstring"}
    said = NumpyDocString(text)
    named = {part.strip().lstrip("*") for each in said["Parameters"] for part in each.name.split(",")}
    given = set(signature_of(value))
    found = {f"{name}: Parameters does not name {each}" for each in given - named}
    found |= {f"{name}: Parameters names {each}, which is none" for each in named - given}
    if inspect.isfunction(value) and given and gives(value) and not (said["Returns"] or said["Yields"]):
        found.add(f"{name}: no Returns")
    if name in EXAMPLES and not said["Examples"]:
        found.add(f"{name}: no Examples")
    return found


def gives(function: Any) -> bool:
    """Whether a function gives something back."""
    return function.__annotations__.get("return") not in (None, "None", "NoReturn")


NAMES = dict(public())


def test_every_public_name_is_looked_at() -> None:
    assert {"actions", "Board.parse", "LegOdds.p", "LegOdds.counts", "plot.places", "testing.boards"} <= NAMES.keys()
    assert len(NAMES) > 80


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_names_what_goes_in_and_says_what_comes_out(name: str) -> None:
    assert findings(name, NAMES[name]) - STILL == set()


def test_what_is_still_to_write_is_no_more_than_what_is_found() -> None:
    found = set().union(*(findings(name, value) for name, value in NAMES.items()))
    assert found >= STILL, f"done, take these off STILL: {sorted(STILL - found)}"


@pytest.mark.parametrize("name", [name for name in NAMES if ">>>" in (inspect.getdoc(NAMES[name]) or "")])
def test_an_example_prints_what_it_says(name: str) -> None:
    text = inspect.getdoc(NAMES[name]) or ""
    value = NAMES[name]
    home = getattr(value, "fget", None) or getattr(value, "func", None) or value
    names = {"co": co, **vars(importlib.import_module(home.__module__))}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    with pd.option_context("display.width", 120, "display.max_columns", 20):
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test)
    assert result.attempted > 0
    assert result.failed == 0


def wanting(board: str, *, space: int) -> int:
    """An example of this test: what the checker says when a parameter is missing.

    Parameters
    ----------
    board : str
        Named.
    other : int
        Named, and none.
    """
    return len(board) + space


def test_a_parameter_that_is_missing_is_found() -> None:
    assert findings("wanting", wanting) == {
        "wanting: Parameters does not name space",
        "wanting: Parameters names other, which is none",
        "wanting: no Returns",
    }
