"""The engine's errors. An operation that raises one of them changes nothing."""

from __future__ import annotations

MOST_SHOWN = 60
"""The largest number of characters of a foreign text that a message repeats."""


class EngineError(ValueError):
    """Base class of the engine's errors."""


class IllegalAction(EngineError):
    """The rules do not allow this in this position; the message says why."""


class BadRoll(EngineError):
    """These are not four dice of 1 to 6."""


class BadVariants(EngineError):
    """These variants cannot be combined, or not with this number of players."""


class BadPosition(EngineError):
    """No game can reach this position; the message lists what is wrong with it."""


class BadPlayers(EngineError):
    """A game cannot have these names, colours or levels.

    Attributes:
        what: Which of them: "names", "colours" or "levels".
    """

    def __init__(self, message: str, what: str) -> None:
        """Create the error for names, colours or levels."""
        super().__init__(message)
        self.what = what


class BadText(EngineError):
    """This text is not a valid roll, play, position or transcript.

    Attributes:
        line: The number of the line with the error, counted from 1; 0 if the text is a single line.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        """Create the error for a line of a text."""
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


def shown(value: object) -> str:
    """Return a value for use in a message: quoted as in Python, shortened if it is long.

    >>> shown("jump")
    "'jump'"
    """
    # A long text is cut before it is quoted, because it may be a whole file.
    text = repr(value[: MOST_SHOWN + 1] if isinstance(value, str | bytes | tuple | list) else value)
    return text if len(text) <= MOST_SHOWN + 2 else f"{text[:MOST_SHOWN]}…"
