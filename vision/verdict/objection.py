"""An objection: why a reading does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.types import Reason


@dataclass(frozen=True, slots=True)
class Objection:
    """A reason to refuse a reading.

    Attributes:
        reason: What the screen shows.
        detail: The reason with place and figures, for the debug picture and bug reports.
        die: The die concerned; None for the whole picture.
        may_pass: Whether another look at the picture may clear the objection.
    """

    reason: Reason
    detail: str
    die: Candidate | None = None
    may_pass: bool = False

    def out_of_time(self) -> Objection:
        """Return the objection to report when there is no time for the look that might have cleared this one."""
        detail = f"{self.reason}: {self.detail}; no time for another look"
        return replace(self, reason=Reason.UNSURE, detail=detail, may_pass=False)


Check = Callable[[Evidence], Objection | None]
"""A row of the table: a function that returns its objection to the evidence, or None."""
