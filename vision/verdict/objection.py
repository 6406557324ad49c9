"""What speaks against a reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vision.types import Reason

if TYPE_CHECKING:
    from vision.evidence import Evidence
    from vision.stages.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a reading does not hold.

    Attributes:
        reason: What the players are told.
        detail: The same in figures, for the debug picture and bug reports.
        die: The die that it is about; None for the whole picture.
        may_pass: Whether another look at the picture may clear it.
    """

    reason: Reason
    detail: str
    die: Candidate | None = None
    may_pass: bool = False


Check = Callable[["Evidence"], Objection | None]
"""A row of the table: looks for one thing, and returns what it found."""


def out_of_time(objection: Objection) -> Objection:
    """Return what an objection becomes that another look might have cleared, when there is no time for one."""
    detail = f"{objection.reason}: {objection.detail}; no time for another look"
    return replace(objection, reason=Reason.UNSURE, detail=detail, may_pass=False)
