"""The one place that knows numba: how a function becomes a kernel, and how compiled kernels are kept.

numba's own cache watches only the file in which a function stands. A kernel that calls a helper of another
file would go on giving the old helper's answers after an edit. Here the cached files carry the digest of *all*
sources of the core in their names, so that code compiled from other sources can not even be found.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

JIT = not numba.config.DISABLE_JIT

compiling: Callable[[str], None] | None = None
"""Called with a kernel's name before it is compiled, that is when no cached code is found; the command line sets it."""


def source_digest(folder: Path) -> str:
    """Digest of every Python file in `folder`, names and contents."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


_DIGEST = source_digest(Path(__file__).parent)


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, in files named by the digest of the core's sources.

    Trouble with the files (damaged, read-only, disk full) only ever means compiling again.
    """

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}-{_DIGEST[:16]}",
            source_stamp=_DIGEST,
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            # Without the refresh that numba's own method begins with: it imports all that a compiler may need, a third
            # of the time from a start to an answer. Compiled code needs the runtime only (memory for arrays).
            rtsys.initialize(target_context)
            found = self._load_overload(sig, target_context)
        except Exception:  # whatever a damaged file makes pickle or LLVM say
            found = None
            with suppress(OSError):
                self.flush()
        if found is None and compiling is not None:
            compiling(self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


def kernel(function: F) -> F:
    """Compile `function` on its first call: no interpreter lock, division as in C, cached on disk where it can be."""
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    if JIT and os.environ.get("CAMELODDS_KERNEL_CACHE") != "off":
        with suppress(RuntimeError):  # no folder that can be written: compile in every process
            dispatcher._cache = _KernelCache(function)
    return dispatcher


def helper(function: F) -> F:
    """A function that only kernels call: compiled into each of them, never kept on its own."""
    return numba.njit(nogil=True, error_model="numpy")(function)


if JIT:

    @intrinsic
    def count_ones(typing_context, word):  # type: ignore[no-untyped-def]
        """Number of one bits of an int64."""

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return numba.int64(numba.int64), generate

else:

    def count_ones(word: int) -> int:
        """Number of one bits of an int64."""
        return int(word).bit_count()


if JIT:

    @helper
    def scatter(word: int) -> int:
        """Mix the bits of a word into 31 of them, the upper ones best: the product with an odd number, wrapping."""
        return ((word * -7046029254386353131) >> 33) & 0x7FFFFFFF

else:

    def scatter(word: int) -> int:
        """Mix the bits of a word into 31 of them, the upper ones best: the product with an odd number, wrapping."""
        return int(word) * 0x9E3779B97F4A7C15 % 2**64 >> 33
