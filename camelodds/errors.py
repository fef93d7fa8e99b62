"""What can be wrong with what a caller gives us. All are ValueErrors with a message for people."""

from __future__ import annotations


class NotationError(ValueError):
    """A text that is no position. The message names what, where and what was expected, with a caret under the place.

    text, at : the text and the index of the place in it
    """

    def __init__(self, message: str, text: str, at: int) -> None:
        self.message, self.text, self.at = message, text, at
        shown = "".join(c if c.isprintable() else " " for c in text)
        super().__init__(f"{message}\n  {shown}\n  {' ' * at}^")

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, str, int]]:
        return NotationError, (self.message, self.text, self.at)


class RulesError(ValueError):
    """Something that the rules in force do not allow."""


class GameError(ValueError):
    """A state of the game that can not be."""
