"""What can go wrong when the engine is asked for something. Nothing is changed where one of these is raised."""

from __future__ import annotations


class IllegalAction(ValueError):
    """The rules do not allow this action in this position; the message says why."""


class BadVariants(ValueError):
    """These variants do not go together, or not with this number of players."""


class BadPosition(ValueError):
    """A position that cannot come about in a game; the message lists what is wrong with it."""


class BadText(ValueError):
    """A text that is no roll, play, position or transcript.

    Attributes:
        line: The number of the offending line, counted from 1; 0 where the text is a single line.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        """Say what is wrong, and in which line."""
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line
