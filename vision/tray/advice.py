"""What to change about camera, light and lens, in plain words, from what was measured of a tray."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.tray.calibrate import WORKING_WIDTH, Measured


class Change(StrEnum):
    """What there is to change. The value is what `cantstop calibrate --json` prints."""

    EMPTY = "empty the tray"
    HIGHER = "higher"
    LOWER = "lower"
    AIM = "aim"
    UPRIGHT = "less tilt"
    FOCUS = "turn the lens"
    MORE_LIGHT = "more light"
    LESS_GLARE = "less glare"
    EVEN_LIGHT = "more even light"


_MOVES = {Change.HIGHER, Change.LOWER, Change.UPRIGHT}
"""What moves the camera nearer to the tray or farther away."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change.

    Attributes:
        change: What.
        text: One line for people: what is wrong, and what to do.
        hinders: Whether dice will not be read well before it is done; without that it is worth doing.
        excess: How far beyond its limit the measured figure is, as a multiple of the limit, from 1.
    """

    change: Change
    text: str
    hinders: bool
    excess: float = 1.0


@dataclass(frozen=True, slots=True)
class AdviceParams:
    """From when something is worth a word.

    "Rendered" figures are over 200 empty trays of the project's renderer with the cameras, lenses and lights that the
    reader must cope with.

    Attributes:
        die_px: Least side of a die in pixels of a picture 640 wide, 20 to 30. A pip of a die of 24 px has a radius
            of 2 px; smaller ones run into one another.
        surely_small: Where this multiple of a guessed side is too small, the die surely is, 1.5 to 2; see `usual_die`.
        usual_die: A die's side as a part of the side of a square tray, where no dice were seen: 16 mm in 220 mm.
            Ordinary dice and trays lie between 0.04 (12 in 300) and 0.13 (19 in 150), so it is a guess by half.
        cut_told: Along how much of an edge of the picture the tray may go on beyond it, 0.05 to 0.2: a corner of its
            wall does no harm.
        cut_hinders: From how much on dice can lie out of the picture, 0.3 to 0.8. The wall's upper edge is what is
            seen; the floor begins 5 to 10 mm further in for a wall of 30 mm.
        shift: How far the middle of the tray may be off the picture's middle, as a part of its size, 0.08 to 0.2.
        gap: With so much of the picture free at the side opposite to where the tray is cut, as a part of its size,
            another aim is enough; 0.02 to 0.1.
        tilt_deg: Most tilt off the vertical, degrees. The reader is made for 20; `python -m bench.trays` prints how
            well the tilt is measured.
        blur: Most blur, as a part of a die's side, 0.05 to 0.1. A pip of 0.09 of the side in radius keeps
            1 - exp(-r² / 2 b²) of its contrast: half of it at 0.075, a third at 0.1. Where dice are narrower than
            `die_px`, the camera is too far away, and the lens is judged by dice of that width.
        white: Least level that the brightest 2 % of the picture reach, 0 to 255.
        noise: Most noise, grey levels; 4 to 10.
        glare: Share of a ninth of the tray that may be burnt out to white, 0.01 to 0.1; a die of 16 mm covers 0.05
            of a ninth of a tray of 220 mm.
        evenness: Least light in the dimmest ninth of the tray as a part of the brightest, grey levels, 0.3 to 0.7.
    """

    die_px: float = 24.0
    surely_small: float = 1.8
    usual_die: float = 16 / 220
    cut_told: float = 0.1
    cut_hinders: float = 0.5
    shift: float = 0.12
    gap: float = 0.04
    tilt_deg: float = 22.0
    blur: float = 0.075
    white: float = 95.0
    noise: float = 5.0
    glare: float = 0.02
    evenness: float = 0.45


def die_px_of(measured: Measured, params: AdviceParams | None = None) -> tuple[float, bool]:
    """Tell how wide a die is in a picture 640 wide, in pixels, and whether it was measured (or guessed by the tray)."""
    params = params or AdviceParams()
    calibration = measured.calibration
    if calibration.die_side is not None:
        return calibration.die_side * WORKING_WIDTH, True
    width, height = WORKING_WIDTH, WORKING_WIDTH * calibration.frame_size[1] / calibration.frame_size[0]
    return math.sqrt(_area(calibration.tray) * width * height) * params.usual_die, False


def whole_px(width: float) -> str:
    """Return a die's width in whole pixels, rounded down: one that is too narrow must not look wide enough."""
    return f"{math.floor(width)}"


def tilt_text(tilt_deg: tuple[float, float]) -> str:
    """Return a tilt in words, such as "about 30 degrees", or "18 to 31 degrees" where no more is known."""
    least, most = (round(tilt) for tilt in tilt_deg)
    return f"{least} to {most} degrees" if most - least > 1 else f"about {most} degrees"


def advise(measured: Measured, params: AdviceParams | None = None) -> tuple[Advice, ...]:
    """Return what to change, empty where all is fine.

    What hinders reading comes first, and of that what is furthest beyond its limit. The lens comes after whatever moves
    the camera, as that changes the focus.
    """
    params = params or AdviceParams()
    told = [*_in_the_tray(measured), *_place(measured, params), *_lens(measured, params), *_light(measured, params)]
    is_to_move = any(advice.hinders and advice.change in _MOVES for advice in told)

    def rank(advice: Advice) -> tuple[bool, bool, float]:
        return not advice.hinders, is_to_move and advice.change is Change.FOCUS, -advice.excess

    return tuple(sorted(told, key=rank))


def _in_the_tray(measured: Measured) -> list[Advice]:
    # What lies in the tray spoils all other figures: it comes first.
    if measured.calibration.empty is None:
        text = "There are dice in the tray: take them out and calibrate again, so that the empty tray can be learnt."
        return [Advice(Change.EMPTY, text, hinders=True, excess=math.inf)]
    if measured.covered == measured.looks:
        text = (
            "Something seems to cover a part of the tray: take hands and things away and calibrate again; "
            "if there is nothing, the floor's pattern looks so, and is known now."
        )
        return [Advice(Change.EMPTY, text, hinders=False, excess=math.inf)]
    return []


def _place(measured: Measured, params: AdviceParams) -> list[Advice]:
    return [*_in_view(measured, params), *_distance(measured, params), *_pose(measured, params)]


def _in_view(measured: Measured, params: AdviceParams) -> list[Advice]:
    tray = np.array(measured.calibration.tray)
    low, high = tray.min(axis=0), tray.max(axis=0)
    free = {"left": 1 - high[0], "right": low[0], "top": 1 - high[1], "bottom": low[1]}  # at the opposite edge
    cut = [edge for edge, share in measured.cut.items() if share > params.cut_told]
    most = max(measured.cut.values(), default=0.0)
    hinders, excess = most > params.cut_hinders, most / params.cut_told
    if not measured.has_edge:
        text = (
            "No edge of the tray is in view: put the camera higher, until all of the tray is in the picture. (On a "
            "bare table there is none, and dice are read wherever they lie.)"
        )
        return [Advice(Change.HIGHER, text, hinders, excess)]
    if cut and all(free[edge] > params.gap for edge in cut):
        text = f"The tray is cut off at the picture's {_and(cut)}: shift the camera or the tray until all of it is in."
        return [Advice(Change.AIM, text, hinders, excess)]
    if cut:
        text = f"The tray is cut off at the picture's {_and(cut)}: put the camera higher."
        return [Advice(Change.HIGHER, text, hinders, excess)]
    off = (low + high) / 2 - 0.5
    sides = [
        name
        for name, distance in (("left", -off[0]), ("right", off[0]), ("top", -off[1]), ("bottom", off[1]))
        if distance > params.shift
    ]
    if not sides:
        return []
    text = f"The tray is too far to the picture's {_and(sides)}: shift the camera or the tray."
    return [Advice(Change.AIM, text, hinders=False, excess=float(np.abs(off).max()) / params.shift)]


def _distance(measured: Measured, params: AdviceParams) -> list[Advice]:
    die_px, is_measured = die_px_of(measured, params)
    if die_px >= params.die_px:
        return []
    how = "are" if is_measured else "will be about"
    text = (
        f"Dice {how} {whole_px(die_px)} pixels wide, and should be {params.die_px:.0f} or more: put the camera lower."
    )
    hinders = is_measured or params.surely_small * die_px < params.die_px
    return [Advice(Change.LOWER, text, hinders, params.die_px / max(die_px, 1.0))]


def _pose(measured: Measured, params: AdviceParams) -> list[Advice]:
    likely = measured.likely_tilt_deg
    if measured.tilt_deg is None or likely is None or likely <= params.tilt_deg:
        return []
    is_sure = measured.tilt_deg[0] > params.tilt_deg
    tilted = "is tilted" if is_sure else "seems to be tilted"
    text = f"The camera {tilted} by {tilt_text(measured.tilt_deg)}: let it look straight down."
    return [Advice(Change.UPRIGHT, text, is_sure, likely / params.tilt_deg)]


def _lens(measured: Measured, params: AdviceParams) -> list[Advice]:
    blur = measured.calibration.blur_px
    if blur is None:
        text = "Nothing in view has a clear edge to tell the sharpness by: if the picture is blurred, turn the lens."
        return [Advice(Change.FOCUS, text, hinders=False)]
    limit = params.blur * max(die_px_of(measured, params)[0], params.die_px)
    if blur <= limit:
        return []
    text = f"The picture is blurred by {blur:.1f} pixels: turn the lens until it is sharp, or wipe it."
    return [Advice(Change.FOCUS, text, hinders=True, excess=blur / limit)]


def _light(measured: Measured, params: AdviceParams) -> list[Advice]:
    told = []
    calibration = measured.calibration
    if measured.white < params.white:
        text = f"It is too dark (the brightest parts reach {measured.white:.0f} of 255): more light."
        told.append(Advice(Change.MORE_LIGHT, text, hinders=True, excess=params.white / max(measured.white, 1.0)))
    elif calibration.noise is not None and calibration.noise > params.noise:
        text = f"The picture is grainy ({calibration.noise:.1f} grey levels): more light."
        told.append(Advice(Change.MORE_LIGHT, text, hinders=False, excess=calibration.noise / params.noise))
    if measured.burnt.max() > params.glare:
        row, column = np.unravel_index(int(measured.burnt.argmax()), measured.burnt.shape)
        share = 100 * measured.burnt.max()
        text = (
            f"Glare at the tray's {part_name(int(row), int(column))}, where {share:.0f} % is white without any detail: "
            "less glare. Move the lamp, or put paper before it."
        )
        # All other limits are of lengths or levels: of an area its side is compared.
        excess = math.sqrt(measured.burnt.max() / params.glare)
        told.append(Advice(Change.LESS_GLARE, text, hinders=True, excess=excess))
    if calibration.evenness < params.evenness:
        row, column = np.unravel_index(int(np.nanargmin(measured.parts)), measured.parts.shape)
        text = (
            f"The light is uneven, and dimmest at the tray's {part_name(int(row), int(column))}: light it from there "
            "too, or from above."
        )
        excess = params.evenness / max(calibration.evenness, 0.01)
        told.append(Advice(Change.EVEN_LIGHT, text, hinders=False, excess=excess))
    return told


def part_name(row: int, column: int) -> str:
    """Name a ninth of the tray as seen in the picture, as "top left"; rows and columns from 0 to 2."""
    if (row, column) == (1, 1):
        return "middle"
    names = (("top", "", "bottom")[row], ("left", "", "right")[column])
    return " ".join(name for name in names if name)


def _and(names: list[str]) -> str:
    return " and ".join(([", ".join(names[:-1])] if names[:-1] else []) + [names[-1]])


def _area(edge: tuple[tuple[float, float], ...]) -> float:
    """The area of a polygon by the shoelace formula; in parts of the picture's."""
    pairs = zip(edge, edge[1:] + edge[:1], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2
