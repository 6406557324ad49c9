"""All parameters of the reader. Those of each stage are defined beside its code."""

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
    """All parameters of the reader.

    Attributes:
        deadline_s: Processor time after which no further look begins, seconds; 0.2 to 2.
        finder: Finding dice, tray and foreign objects.
        pose: The camera's pose.
        values: Reading values.
        pips: The second opinion.
        tray: Comparing a frame with the empty tray.
        new: New objects in a known tray.
        certainty: Whether a die's value is sure.
        counting: Which candidates are dice.
        place: Where a die may lie.
        foreign: Hands and other foreign objects.
        leaning: Leaning dice.
        far_face: Pips of the bottom face of transparent dice.
        marks: Nearly white marks.
        middle: The middle of a face.
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
