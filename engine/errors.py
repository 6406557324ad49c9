"""What can go wrong when the engine is asked for something. Nothing is changed where one of these is raised."""

from __future__ import annotations

MOST_SHOWN = 60
"""The most characters of somebody's text that a message repeats."""


class EngineError(ValueError):
    """Anything that the engine refuses; the kinds below say what was wrong."""


class IllegalAction(EngineError):
    """The rules do not allow this in this position; the message says why."""


class BadRoll(EngineError):
    """These are not four dice of 1 to 6."""


class BadVariants(EngineError):
    """These variants do not go together, or not with this number of players."""


class BadPosition(EngineError):
    """A position that cannot come about in a game; the message lists what is wrong with it."""


class BadPlayers(EngineError):
    """Names, colours or levels that a game cannot have.

    Attributes:
        what: Which of them: "names", "colours" or "levels".
    """

    def __init__(self, message: str, what: str) -> None:
        """Say what is wrong, and with which texts."""
        super().__init__(message)
        self.what = what


class BadText(EngineError):
    """A text that is no roll, play, position or transcript.

    Attributes:
        line: The number of the offending line, counted from 1; 0 where the text is a single line.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        """Say what is wrong, and in which line."""
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


def shown(value: object) -> str:
    """Return a value as a message repeats it: quoted as Python would, and cut short where it is long.

    >>> shown("jump")
    "'jump'"
    """
    # A long text is cut before it is quoted: it may be a whole file.
    text = repr(value[: MOST_SHOWN + 1] if isinstance(value, str | bytes | tuple | list) else value)
    return text if len(text) <= MOST_SHOWN + 2 else f"{text[:MOST_SHOWN]}…"
