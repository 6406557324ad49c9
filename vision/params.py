"""The parameters of the reader: its thresholds, each with its meaning, unit and range. `Params` holds them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Crop(NamedTuple):
    """The kind of a crop.

    Attributes:
        turn_deg: Rotation in degrees.
        is_mirrored: Whether left and right are exchanged.
        zoom: Scale factor.
        axis: Index of the axis of the face's colours that it shows in grey; None for the original colours.
    """

    turn_deg: float
    is_mirrored: bool
    zoom: float
    axis: int | None = None


@dataclass(frozen=True, slots=True)
class FinderParams:
    """The parameters of the finder.

    Attributes:
        closer: Factor on the sides of the picture for an enlarged look; 1.4 to 2.
        large: Width from which a top face is large, as a part of the picture's width; 0.12 to 0.2.
        farther: Factors on the sides of the picture for reduced looks at large dice, in order; 0.15 to 0.5.
        least: Score from which a place is a candidate; 0.02 to 0.3.
        apart: Distance within which two places are the same die, in half sides of the larger; 0.8 to 1.5.
    """

    closer: float = 1.75
    large: float = 0.15
    farther: tuple[float, ...] = (0.35, 0.25, 0.15)
    least: float = 0.2
    apart: float = 1.1


@dataclass(frozen=True, slots=True)
class ValueParams:
    """The parameters for reading values.

    Attributes:
        crops: Crop of each look; rotations up to 15 degrees, zooms 0.8 to 1.25.
        rounds: Numbers of looks after which certain dice are finished; rising, up to len(crops).
        plain: Probability among the six values from which the most likely one is certain; 0.999 to 1.
        whole: Probability of showing any value from which it can be certain; 0.5 to 1.
        hopeless: Probability of showing a value below which no further look is taken; 0.02 to 0.4.
        sharper: Power on the probabilities of the values if the die certainly shows one; 1 to 2.
        blunter: Power on them if it certainly shows none; 0 to 1.
        trust: Power on the probabilities from looks along an axis of the colours; 0.5 to 1.5.
    """

    crops: tuple[Crop, ...] = (
        Crop(0.0, False, 1.0),
        Crop(0.0, False, 1.0, 0),
        Crop(0.0, False, 1.0, 1),
        Crop(0.0, True, 1.1),
        Crop(0.0, True, 1.1, 0),
        Crop(0.0, True, 1.1, 1),
        Crop(7.0, False, 1.15),
        Crop(-7.0, True, 1.05),
        Crop(-7.0, False, 1.2),
        Crop(7.0, True, 1.12),
    )
    rounds: tuple[int, ...] = (2, 3, 6, 10)
    plain: float = 0.99999
    whole: float = 0.8
    hopeless: float = 0.3
    sharper: float = 1.5
    blunter: float = 0.35
    trust: float = 1.25


@dataclass(frozen=True, slots=True)
class PipFitParams:
    """The parameters of the second opinion; likelihoods are natural logarithms.

    Attributes:
        worth: Weight of the part of a pattern that the colours do not explain; 2 to 4.
        trust: Power on the looks' probabilities when both are combined; 0.4 to 1.
        shown: Probability of showing a value from which a doubtful die gets a second opinion; 0.4 to 0.8.
        distinct: Explained part of its pattern from which a value's pips are distinct; 0.85 to 0.97.
        distinct_plainer: Log-likelihood ratio of a distinct value to all others; 3 to 6.
        turn_off_deg: Deviation of the grid's turn from the face's edges, degrees; 3 to 8.
        beaten: Likelihood by which a value must be less likely than another not to be refined; 3 to 8.
    """

    worth: float = 2.9
    trust: float = 0.8
    shown: float = 0.5
    distinct: float = 0.9
    distinct_plainer: float = 4.0
    turn_off_deg: float = 5.4
    beaten: float = 3.5


@dataclass(frozen=True, slots=True)
class KnownTrayParams:
    """The parameters for comparing a frame with the empty tray.

    Attributes:
        levels: Largest change caused by noise, grey levels; 2 to 8.
        part: Largest change caused by uneven light, as a part of a cell's level; 0.03 to 0.1.
        least: Part of the picture that must be unchanged for a reading; 0.2 to 0.6.
        floor: Part of the floor away from the dice that must be unchanged for a reading; 0.6 to 0.9.
        of_face: Unchanged part from which a face is no die; 0.85 to 1.
    """

    levels: float = 4.0
    part: float = 0.06
    least: float = 0.4
    floor: float = 0.75
    of_face: float = 0.9


@dataclass(frozen=True, slots=True)
class NewThingParams:
    """The parameters for new objects in a known tray.

    Attributes:
        beside: Distance from a die within which it may change the look of the floor, half sides; 2.2 to 3.
        tint: Least change of colour of a new object, as a part of the brightest channel; 0.06 to 0.1.
        noise: Least change of colour, or of brightness, as a multiple of the floor's median change; 6 to 8.
        figured: Least change of colour as a part of the empty tray's variation around a cell; 0.15 to 0.5.
        least: Least area of an object as a part of the picture; 0.0005 to 0.002.
        known: Part of the floor that must be unchanged or belong to a new object; 0.75 to 0.9.
    """

    beside: float = 2.8
    tint: float = 0.08
    noise: float = 7.0
    figured: float = 0.25
    least: float = 0.001
    known: float = 0.8


@dataclass(frozen=True, slots=True)
class ConfidenceParams:
    """Thresholds for the value of a die.

    Attributes:
        least_confidence: Least probability of its value, leaning aside, of a die that is accepted; 0.85 to 0.95.
        alike: Power on the probability among the values, as the looks err alike; 1 to 50.
        flawed: Probability of showing no value, leaning included, from which a die is refused; 0.6 to 0.95.
        emblem: Probability of an emblem from which geometry is asked; 0.1 to 0.3.
    """

    least_confidence: float = 0.88
    alike: float = 20.0
    flawed: float = 0.9
    emblem: float = 0.15


@dataclass(frozen=True, slots=True)
class CountingParams:
    """Thresholds for which candidates are dice.

    Attributes:
        die: Finder's score from which a place is a die, unless it is probably "nothing"; 0.3 to 0.5.
        contrary: Finder's score from which a place with a value is certainly a die; 0.6 to 0.9.
        unlike: Probability of "nothing" below which a place with a score below `die` is a die; 0.02 to 0.2.
        found: Finder's score from which a place counts, if the number is not known, that shows nothing; 0.6 to 0.75.
        surplus: Probability of "nothing" from which a surplus place without a sure value is dropped; 0.01 to 0.1.
        unlike_size: Factor on the size of the dice beyond which a place without a sure value is dropped; 1.3 to 1.6.
        smaller: The same for a smaller one that the finder doubts from close up; 0.7 to 0.9.
        close: Finder's score from close up, times that size, below which it is dropped; 0.3 to 0.5.
    """

    die: float = 0.4
    contrary: float = 0.8
    unlike: float = 0.05
    found: float = 0.65
    surplus: float = 0.02
    unlike_size: float = 1.4
    smaller: float = 0.8
    close: float = 0.45


@dataclass(frozen=True, slots=True)
class PlaceParams:
    """Thresholds for the places of dice; distances are in half sides of the top face.

    Attributes:
        inside: Least probability of "inside the tray" at a die; 0.3 to 0.6.
        bulge: Radius around a die within which the map of the tray does not show its edge; 1.5 to 2.5.
        within: Least distance of a die's centre from the edge that the map shows elsewhere; -0.5 to 0.5.
        surely: Probability of "inside the tray" from which the map surely shows the tray; 0.8 to 0.95.
        doubt: Factor on 0.5 - score for the least distance from the edge of the sure tray; 3 to 6.
        reach: Least distance of a die's centre from the picture's edge; 0.8 to 1.2.
        widest: Width of a top face from which the camera is too near, as a part of the picture's; 0.5 to 0.8.
    """

    inside: float = 0.4
    bulge: float = 2.0
    within: float = 0.25
    surely: float = 0.9
    doubt: float = 4.0
    reach: float = 0.85
    widest: float = 0.7


@dataclass(frozen=True, slots=True)
class ForeignParams:
    """Thresholds for hands and other foreign objects.

    Attributes:
        certain: Probability from which a cell of any colour is foreign; 0.88 to 0.97.
        strange: Probability from which a cell is foreign that has the colour of skin or touches a die; 0.5 to 0.95.
        large: Part of the picture from which strange cells are foreign whatever their colour; 0.05 to 0.1.
        foreign: Part of the picture that may be foreign inside the tray; 0.002 to 0.01.
        outline: Strength of the outline below which a foreign area is a bare surface, L*a*b* units per pixel; 2 to 4.
        plainly: Foreign part of the picture from which no outline is needed; 0.12 to 0.3.
        doubtful: Foreign part of the picture up to which a second look may clear it; 0.02 to 0.15.
    """

    certain: float = 0.9
    strange: float = 0.85
    large: float = 0.06
    foreign: float = 0.004
    outline: float = 2.5
    plainly: float = 0.15
    doubtful: float = 0.08


@dataclass(frozen=True, slots=True)
class LeaningParams:
    """Thresholds for leaning dice.

    Attributes:
        lean_weight: Log odds of leaning per standard deviation of a die's edges from the vertical; 3 to 6.
        lean_doubt: Log odds of leaning up to which a die counts as flat, for one, two and more dice; 2 to 6.
        known_lean_doubt: The same for any number of dice if the camera's pose is known; 3 to 6.
    """

    lean_weight: float = 4.0
    lean_doubt: tuple[float, float, float] = (4.0, 2.4, 5.6)
    known_lean_doubt: float = 3.5


@dataclass(frozen=True, slots=True)
class FarFaceParams:
    """Thresholds for pips of the bottom face.

    Attributes:
        far_pips: Covariance of the faintness and the depth of a 5's pips from which some lie below; 0.003 to 0.006.
        seventh_pip: Likeness to the pips of a 6 from which a mark near its middle is a seventh pip; 0.5 to 0.8.
    """

    far_pips: float = 0.0045
    seventh_pip: float = 0.6


@dataclass(frozen=True, slots=True)
class MiddleParams:
    """The parameters for the middle of a face; levels and differences are grey levels, 0 to 255.

    Attributes:
        burnt: Level of the darkest channel from which the middle of a 2 or 4 may be a pip in glare; 235 to 250.
        beside: Least mean difference of such a middle from the body; 20 to 40.
        bare: Difference from the body below which a 1 has no middle pip; 6 to 11.
        marked: Probability of a pip in the middle from which a 2, 4 or 6 has a mark there; 0.7 to 0.95.
        lit: Probability of a lamp's reflection in the middle from which a 3 or 5 may be a 2 or 4; 0.6 to 0.9.
    """

    burnt: float = 240.0
    beside: float = 35.0
    bare: float = 10.0
    marked: float = 0.8
    lit: float = 0.7


@dataclass(frozen=True, slots=True)
class Params:
    """All parameters of the reader.

    Attributes:
        deadline_s: Processor time after which no further look begins, seconds; 0.2 to 2.
    """

    deadline_s: float = 0.5
    finder: FinderParams = field(default_factory=FinderParams)
    values: ValueParams = field(default_factory=ValueParams)
    pips: PipFitParams = field(default_factory=PipFitParams)
    tray: KnownTrayParams = field(default_factory=KnownTrayParams)
    new: NewThingParams = field(default_factory=NewThingParams)
    confidence: ConfidenceParams = field(default_factory=ConfidenceParams)
    counting: CountingParams = field(default_factory=CountingParams)
    place: PlaceParams = field(default_factory=PlaceParams)
    foreign: ForeignParams = field(default_factory=ForeignParams)
    leaning: LeaningParams = field(default_factory=LeaningParams)
    far_face: FarFaceParams = field(default_factory=FarFaceParams)
    middle: MiddleParams = field(default_factory=MiddleParams)
