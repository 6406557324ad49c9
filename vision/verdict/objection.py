"""What speaks against a reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from vision.types import Reason

if TYPE_CHECKING:
    from vision.reader import Evidence
    from vision.stages.candidate import Candidate


class ClearedBy(IntEnum):
    """Which further look at the picture may clear an objection."""

    NOTHING = 0
    SECOND_LOOK = 1
    ANY_LOOK = 2
    """The second look, or the one from closer."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a reading does not hold.

    Attributes:
        reason: What the players are told.
        detail: The same in figures, for the debug picture and bug reports.
        die: The die that it is about; None for the whole picture.
        cleared_by: Which further look may clear it.
    """

    reason: Reason
    detail: str
    die: Candidate | None = None
    cleared_by: ClearedBy = ClearedBy.NOTHING


Check = Callable[["Evidence"], Objection | None]
"""A row of the table: looks for one thing, and returns what it found."""
