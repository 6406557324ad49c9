"""Advice about camera, light and lens, from the measurements of a tray."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.tray.calibrate import WORKING_WIDTH, Measured


class Change(StrEnum):
    """A kind of change. Its value is used in the data of the page."""

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
"""The changes that move the camera nearer to the tray or farther away."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change.

    Attributes:
        change: The kind of change; `device.screens` has its text.
        detail: The measurement, in one line that follows that text.
        is_required: Whether dice cannot be read well until it is done; otherwise it is only worth doing.
        excess: The measured figure as a multiple of its limit, from 1.
    """

    change: Change
    detail: str
    is_required: bool
    excess: float = 1.0


DIE_PX = 24.0
"""The least side of a die in pixels of a picture 640 wide; 20 to 30."""

SURELY_SMALL = 1.8
"""The factor by which an estimated side must be below the least one to be certainly too small; 1.5 to 2."""

USUAL_DIE = 16 / 220
"""The assumed ratio of a die's side to that of a square tray, if no dice were seen; 0.04 to 0.13."""

CUT_TOLD = 0.1
"""The part of a picture's edge along which the tray may continue beyond it; 0.05 to 0.2."""

CUT_REQUIRED = 0.5
"""The part of a picture's edge cut off from which dice can be outside the picture; 0.3 to 0.8."""

SHIFT = 0.12
"""The largest distance of the tray's middle from the picture's, relative to the picture's size; 0.08 to 0.2."""

GAP = 0.04
"""The part of the picture that must be free opposite a cut for moving the tray to be enough; 0.02 to 0.1."""

TILT_DEG = 22.0
"""The largest tilt from the vertical, in degrees; 20 to 25."""

BLUR = 0.075
"""The largest blur, relative to a die's side of at least `DIE_PX`; 0.05 to 0.1."""

WHITE = 95.0
"""The least level that the brightest 2 % of the picture must reach, 0 to 255."""

NOISE = 5.0
"""The largest noise, in grey levels; 4 to 10."""

GLARE = 0.02
"""The part of a ninth of the tray that may be burnt out to white; 0.01 to 0.1."""

EVENNESS = 0.45
"""The least ratio of light in the dimmest ninth of the tray to that in the brightest; 0.3 to 0.7."""


def die_px_of(measured: Measured) -> tuple[float, bool]:
    """Return a die's width in a picture 640 wide, in pixels, and whether it was measured, not estimated."""
    calibration = measured.calibration
    if calibration.die_side is not None:
        return calibration.die_side * WORKING_WIDTH, True
    width, height = WORKING_WIDTH, WORKING_WIDTH * calibration.frame_size[1] / calibration.frame_size[0]
    return math.sqrt(cv2.contourArea(np.array(calibration.tray, np.float32)) * width * height) * USUAL_DIE, False


def whole_px(width: float) -> str:
    """Return a die's width in whole pixels, rounded down, so that one that is too narrow never looks wide enough."""
    return f"{math.floor(width)}"


def tilt_text(tilt_deg: tuple[float, float]) -> str:
    """Return a tilt in words, such as "about 30 degrees", or "18 to 31 degrees" if it is known only as a range."""
    least, most = (round(tilt) for tilt in tilt_deg)
    return f"{least} to {most} degrees" if most - least > 1 else f"about {most} degrees"


def advise(measured: Measured) -> tuple[Advice, ...]:
    """Return the advice; empty if nothing needs to be changed.

    Required changes come first, sorted by their excess. The lens comes after everything that moves the camera, which
    changes the focus.
    """
    told = [*_in_the_tray(measured), *_place(measured), *_lens(measured), *_light(measured)]
    is_to_move = any(advice.is_required and advice.change in _MOVES for advice in told)

    def rank(advice: Advice) -> tuple[bool, bool, float]:
        return not advice.is_required, is_to_move and advice.change is Change.FOCUS, -advice.excess

    return tuple(sorted(told, key=rank))


def _in_the_tray(measured: Measured) -> list[Advice]:
    # Objects in the tray spoil all other figures, so they come first.
    if measured.calibration.empty is None:
        return [Advice(Change.EMPTY, "there are dice in it", is_required=True, excess=math.inf)]
    if measured.covered == measured.looks:
        detail = "something seems to cover a part of it; if nothing does, it is the floor's pattern, which is known now"
        return [Advice(Change.EMPTY, detail, is_required=False, excess=math.inf)]
    return []


def _place(measured: Measured) -> list[Advice]:
    return [*_in_view(measured), *_distance(measured), *_pose(measured)]


def _in_view(measured: Measured) -> list[Advice]:
    tray = np.array(measured.calibration.tray)
    low, high = tray.min(axis=0), tray.max(axis=0)
    free = {"left": 1 - high[0], "right": low[0], "top": 1 - high[1], "bottom": low[1]}  # at the opposite edge
    cut = [edge for edge, share in measured.cut.items() if share > CUT_TOLD]
    most = max(measured.cut.values(), default=0.0)
    is_required, excess = most > CUT_REQUIRED, most / CUT_TOLD
    if not measured.has_edge:
        detail = "no edge of the tray is in view (on a bare table there is none, and dice are read wherever they lie)"
        return [Advice(Change.HIGHER, detail, is_required, excess)]
    if cut and all(free[edge] > GAP for edge in cut):
        return [Advice(Change.AIM, f"the tray is cut off at the picture's {_and(cut)}", is_required, excess)]
    if cut:
        return [Advice(Change.HIGHER, f"the tray is cut off at the picture's {_and(cut)}", is_required, excess)]
    off = (low + high) / 2 - 0.5
    sides = [
        name
        for name, distance in (("left", -off[0]), ("right", off[0]), ("top", -off[1]), ("bottom", off[1]))
        if distance > SHIFT
    ]
    if not sides:
        return []
    detail = f"the tray is too far to the picture's {_and(sides)}"
    return [Advice(Change.AIM, detail, is_required=False, excess=float(np.abs(off).max()) / SHIFT)]


def _distance(measured: Measured) -> list[Advice]:
    die_px, is_measured = die_px_of(measured)
    if die_px >= DIE_PX:
        return []
    how = "are" if is_measured else "will be about"
    detail = f"they {how} {whole_px(die_px)} pixels wide and should be {DIE_PX:.0f} or more"
    is_required = is_measured or SURELY_SMALL * die_px < DIE_PX
    return [Advice(Change.LOWER, detail, is_required, DIE_PX / max(die_px, 1.0))]


def _pose(measured: Measured) -> list[Advice]:
    likely = measured.likely_tilt_deg
    if measured.tilt_deg is None or likely is None or likely <= TILT_DEG:
        return []
    is_sure = measured.tilt_deg[0] > TILT_DEG
    tilted = "is tilted" if is_sure else "seems to be tilted"
    return [Advice(Change.UPRIGHT, f"it {tilted} by {tilt_text(measured.tilt_deg)}", is_sure, likely / TILT_DEG)]


def _lens(measured: Measured) -> list[Advice]:
    blur = measured.calibration.blur_px
    if blur is None:
        detail = "only if the picture looks blurred: nothing in view has a clear edge to measure it by"
        return [Advice(Change.FOCUS, detail, is_required=False)]
    limit = BLUR * max(die_px_of(measured)[0], DIE_PX)
    if blur <= limit:
        return []
    return [Advice(Change.FOCUS, f"the blur is {blur:.1f} pixels", is_required=True, excess=blur / limit)]


def _light(measured: Measured) -> list[Advice]:
    told = []
    calibration = measured.calibration
    if measured.white < WHITE:
        detail = f"the brightest parts reach {measured.white:.0f} of 255"
        told.append(Advice(Change.MORE_LIGHT, detail, is_required=True, excess=WHITE / max(measured.white, 1.0)))
    elif calibration.noise is not None and calibration.noise > NOISE:
        detail = f"the picture is grainy, by {calibration.noise:.1f} grey levels"
        told.append(Advice(Change.MORE_LIGHT, detail, is_required=False, excess=calibration.noise / NOISE))
    if measured.burnt.max() > GLARE:
        row, column = np.unravel_index(int(measured.burnt.argmax()), measured.burnt.shape)
        share = 100 * measured.burnt.max()
        detail = f"at the tray's {part_name(int(row), int(column))}, {share:.0f} % is white without any detail"
        # All other limits are lengths or levels, so the side of an area is compared.
        excess = math.sqrt(measured.burnt.max() / GLARE)
        told.append(Advice(Change.LESS_GLARE, detail, is_required=True, excess=excess))
    if calibration.evenness < EVENNESS:
        row, column = np.unravel_index(int(np.nanargmin(measured.parts)), measured.parts.shape)
        detail = f"it is dimmest at the tray's {part_name(int(row), int(column))}"
        excess = EVENNESS / max(calibration.evenness, 0.01)
        told.append(Advice(Change.EVEN_LIGHT, detail, is_required=False, excess=excess))
    return told


def part_name(row: int, column: int) -> str:
    """Return the name of a ninth of the tray, such as "top left"; rows and columns from 0 to 2."""
    if (row, column) == (1, 1):
        return "middle"
    names = (("top", "", "bottom")[row], ("left", "", "right")[column])
    return " ".join(name for name in names if name)


def _and(names: list[str]) -> str:
    return " and ".join(([", ".join(names[:-1])] if names[:-1] else []) + [names[-1]])
