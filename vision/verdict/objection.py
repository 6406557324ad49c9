"""What speaks against a reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.types import Reason

if TYPE_CHECKING:
    from vision.reader import Evidence
    from vision.stages.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a reading does not hold.

    Attributes:
        reason: What the players are told.
        detail: The same in figures, for the debug picture and bug reports.
        die: The die that it is about; None for the whole picture.
        may_pass: Whether a second look at the picture may clear it.
    """

    reason: Reason
    detail: str
    die: Candidate | None = None
    may_pass: bool = False


Check = Callable[["Evidence"], Objection | None]
"""A row of the table: looks for one thing, and returns what it found."""
