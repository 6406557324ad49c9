"""The engine's errors. An operation that raises one of them changes nothing."""

from __future__ import annotations

MOST_SHOWN = 60
"""The most characters of somebody's text that a message repeats."""


class EngineError(ValueError):
    """Base class of the engine's errors."""


class IllegalAction(EngineError):
    """The rules do not allow this in this position; the message says why."""


class BadRoll(EngineError):
    """These are not four dice of 1 to 6."""


class BadVariants(EngineError):
    """These variants cannot be combined, or not with this number of players."""


class BadPosition(EngineError):
    """A position that no game can reach; the message lists what is wrong with it."""


class BadPlayers(EngineError):
    """Names, colours or levels that a game cannot have.

    Attributes:
        what: Which of them: "names", "colours" or "levels".
    """

    def __init__(self, message: str, what: str) -> None:
        """Create the error for names, colours or levels."""
        super().__init__(message)
        self.what = what


class BadText(EngineError):
    """A text that is not a valid roll, play, position or transcript.

    Attributes:
        line: The number of the offending line, counted from 1; 0 where the text is a single line.
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
    # A long text is cut before it is quoted: it may be a whole file.
    text = repr(value[: MOST_SHOWN + 1] if isinstance(value, str | bytes | tuple | list) else value)
    return text if len(text) <= MOST_SHOWN + 2 else f"{text[:MOST_SHOWN]}…"
