"""The API reference, by pdoc from the docstrings. `docs/build.py` calls it; the first warning is an error."""

from __future__ import annotations

from contextlib import chdir
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import get_type_hints

import pandas as pd
import pdoc
import pdoc.render

import camelodds

HERE = Path(__file__).resolve().parent
MODULES = ["camelodds", "camelodds.plot", "camelodds.big_top"]


def write(folder: Path) -> None:
    """Write the reference's pages to `folder`."""
    for name in camelodds.__all__:
        public = getattr(camelodds, name)
        setattr(camelodds, name, public)  # names resolve when first asked for, and pdoc does not ask
        if hasattr(public, "_fields"):  # nor does it know where a named tuple's annotations come from
            public.__new__.__annotations__ = get_type_hints(public)
    for module in map(import_module, MODULES):
        for public in [getattr(module, name) for name in getattr(module, "__all__", [])]:
            if isinstance(public, type):
                show_what_is_inherited(public)
    pd.Series.__class_getitem__ = classmethod(GenericAlias)  # so that annotations such as Series[float] can be shown
    pdoc.render.configure(docformat="markdown", template_directory=HERE / "api_templates", show_source=False)
    # Elsewhere than beside the folder camelodds/, which pdoc would take for something to choose.
    with chdir(HERE):
        pdoc.pdoc(*MODULES, output_directory=folder.resolve())


def show_what_is_inherited(public: type) -> None:
    """Let a class show its methods from bases that have no page of their own, as if written in it."""
    for base in public.__mro__[1:]:
        if base.__module__.startswith("camelodds.") and base.__name__ not in camelodds.__all__:
            for name, member in vars(base).items():
                if not name.startswith("_") and name not in vars(public):
                    setattr(public, name, member)
