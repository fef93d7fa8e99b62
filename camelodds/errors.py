"""What can be wrong with what a caller gives us. All are ValueErrors with a message for people."""

from __future__ import annotations

import operator
from typing import Final

SHOWN: Final = 200
"""Letters of a text, and of a message, that are shown at most."""


class NotationError(ValueError):
    """A text that is no position. The message names what, where and what was expected, with a caret under the place.

    text, at : the text and the index of the place in it; of a long text only the part around the place is shown
    """

    def __init__(self, message: str, text: str, at: int) -> None:
        self.message, self.text, self.at = message, text, at
        start = max(0, min(at - SHOWN // 2, len(text) - SHOWN))
        part = "".join(c if c.isprintable() else " " for c in text[start : start + SHOWN])
        before, after = "... " * (start > 0), " ..." * (start + SHOWN < len(text))
        caret = " " * (len(before) + at - start)
        super().__init__(f"{shortened(message)}\n  {before}{part}{after}\n  {caret}^")

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, str, int]]:
        return NotationError, (self.message, self.text, self.at)


class RulesError(ValueError):
    """Something that the rules in force do not allow."""


class GameError(ValueError):
    """A state of the game that cannot be."""


def shortened(message: str, most: int = SHOWN) -> str:
    """A message without the middle of what it repeats, if it is long."""
    return message if len(message) <= most else f"{message[: most // 2]} ... {message[-most // 2 :]}"


def whole_number(value: object, what: str) -> int:
    """The value as an int if it is a whole number, numpy's included; `what` names it. Raises RulesError."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise RulesError(f"{what} is a whole number, not {value!r}") from None
