"""A plugin for pytest with the jit off: the run fails unless it has called every kernel and helper of the core.

NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python -m pytest -p every_kernel ...
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

import camelodds.core
from camelodds.core import kernel

known: set[str] = set()
reached: set[str] = set()


def noting(decorate: Callable[..., Any]) -> Callable[..., Any]:
    """The decorator, and each call of what it decorates is noted."""

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        name = f"{function.__module__}.{function.__name__}"
        known.add(name)
        decorated = decorate(function)

        @functools.wraps(function)
        def call(*arguments: Any) -> Any:
            reached.add(name)
            return decorated(*arguments)

        return call

    return noted


assert not kernel.JIT, "compiled kernels call each other unseen: set NUMBA_DISABLE_JIT=1"
kernel.kernel, kernel.helper = noting(kernel.kernel), noting(kernel.helper)
for module in pkgutil.iter_modules(camelodds.core.__path__):
    importlib.import_module(f"camelodds.core.{module.name}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run for what it did not reach."""
    if known - reached:
        print(f"\nNever called: {', '.join(sorted(known - reached))}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
