"""Write the API reference from the docstrings to site/, and fail on any warning: python docs/build.py [FOLDER]

Needs `pip install ".[docs]"`.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import chdir
from pathlib import Path
from types import GenericAlias
from typing import get_type_hints

import pandas as pd
import pdoc
import pdoc.render

import camelodds

HERE = Path(__file__).resolve().parent
MODULES = ["camelodds", "camelodds.plot", "camelodds.big_top"]


def build(folder: Path) -> None:
    """Write the pages. Raises the first warning."""
    for name in camelodds.__all__:
        public = getattr(camelodds, name)
        setattr(camelodds, name, public)  # names resolve when first asked for, and pdoc does not ask
        if hasattr(public, "_fields"):  # nor does it know where a named tuple's annotations come from
            public.__new__.__annotations__ = get_type_hints(public)
    pd.Series.__class_getitem__ = classmethod(GenericAlias)  # so that annotations such as Series[float] can be shown
    pdoc.render.configure(docformat="markdown", template_directory=HERE / "pdoc", show_source=False)
    folder = folder.resolve()
    # Elsewhere than beside the folder camelodds/, which pdoc would take for something to choose.
    with warnings.catch_warnings(), chdir(HERE):
        warnings.simplefilter("error")
        pdoc.pdoc(*MODULES, output_directory=folder)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "site"
    build(target)
    print(f"{target / 'index.html'}")
