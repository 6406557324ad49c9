"""All tunables of the reader: each stage's stand beside its code."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.stages.finding import FinderParams
from vision.stages.pose import PoseParams
from vision.stages.second_opinion import PipFitParams
from vision.stages.values import ValueParams
from vision.tray.known import KnownTrayParams
from vision.tray.new_things import NewThingParams
from vision.verdict.middle_pip import MiddleParams
from vision.verdict.painted_over import MarksParams
from vision.verdict.params import VerdictParams


@dataclass(frozen=True, slots=True)
class Params:
    """All tunables of the reader.

    Attributes:
        deadline_s: Time after which no further look is begun, seconds of the processor; 0.2 to 2.
        finder: Finding dice, tray and foreign things.
        pose: The camera's pose.
        values: Reading values.
        pips: The second opinion.
        tray: Comparing a frame with the empty tray.
        new: What is new in a known tray.
        verdict: Whether a reading holds.
        marks: Whether pips alone show a value.
        middle: Whether the middle of a face is as its value says.
    """

    deadline_s: float = 0.5
    finder: FinderParams = field(default_factory=FinderParams)
    pose: PoseParams = field(default_factory=PoseParams)
    values: ValueParams = field(default_factory=ValueParams)
    pips: PipFitParams = field(default_factory=PipFitParams)
    tray: KnownTrayParams = field(default_factory=KnownTrayParams)
    new: NewThingParams = field(default_factory=NewThingParams)
    verdict: VerdictParams = field(default_factory=VerdictParams)
    marks: MarksParams = field(default_factory=MarksParams)
    middle: MiddleParams = field(default_factory=MiddleParams)
