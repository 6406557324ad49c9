"""All tunables of the reader: each stage's stand beside its code."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.stages.finding import FinderParams
from vision.stages.pose import PoseParams
from vision.stages.second_opinion import PipFitParams
from vision.stages.values import ValueParams
from vision.tray.known import KnownTrayParams
from vision.tray.new_things import NewThingParams
from vision.verdict.certainty import CertaintyParams
from vision.verdict.counting import CountingParams
from vision.verdict.foreign import ForeignParams
from vision.verdict.leaning import LeaningParams
from vision.verdict.middle_pip import MiddleParams
from vision.verdict.painted_over import MarksParams
from vision.verdict.place import PlaceParams
from vision.verdict.see_through import FarFaceParams


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
        certainty: Whether a die's value is sure.
        counting: Which candidates are dice.
        place: Where a die may lie.
        foreign: Hands and other foreign objects.
        leaning: Leaning dice.
        far_face: Pips of the far face of clear dice.
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
    certainty: CertaintyParams = field(default_factory=CertaintyParams)
    counting: CountingParams = field(default_factory=CountingParams)
    place: PlaceParams = field(default_factory=PlaceParams)
    foreign: ForeignParams = field(default_factory=ForeignParams)
    leaning: LeaningParams = field(default_factory=LeaningParams)
    far_face: FarFaceParams = field(default_factory=FarFaceParams)
    marks: MarksParams = field(default_factory=MarksParams)
    middle: MiddleParams = field(default_factory=MiddleParams)
