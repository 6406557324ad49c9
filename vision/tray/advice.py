"""Advice about camera, light and lens, from the measurements of a tray."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.params import FinderParams
from vision.stages.finding import find
from vision.tray.calibrate import WORKING_WIDTH, Measured
from vision.types import LIKELY, Frame, Reading, Reason


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
    PLAIN = "plain surface"


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change.

    Attributes:
        change: The kind of change; `device.screens` has its text.
        detail: The measurement, in one line that follows that text.
        is_required: Whether dice cannot be read well until it is done; otherwise it is only worth doing.
    """

    change: Change
    detail: str
    is_required: bool


DIE_PX = 24.0  # least side of a die in pixels of a picture 640 wide; 20 to 30
SURELY_SMALL = 1.8  # factor by which an estimated side must be below the least one to be certainly too small; 1.5 to 2
USUAL_DIE = 16 / 220  # assumed ratio of a die's side to that of a square tray, if no dice were seen; 0.04 to 0.13
CUT_REPORTED = 0.1  # part of a picture's edge along which the tray may continue beyond it; 0.05 to 0.2
CUT_REQUIRED = 0.5  # part of a picture's edge cut off from which dice can be outside the picture; 0.3 to 0.8
GAP = 0.04  # part of the picture that must be free opposite a cut for moving the tray to be enough; 0.02 to 0.1
TILT_DEG = 22.0  # largest tilt from the vertical, in degrees; 20 to 25
BLUR = 0.075  # largest blur, relative to a die's side of at least `DIE_PX`; 0.05 to 0.1
WHITE = 95.0  # least level that the brightest 2 % of the picture must reach, 0 to 255
CLOSER = 2, 3  # parts in each direction in which a picture is searched for dice too small to be found in the whole
OVERLAP = 1.3  # size of such a part, relative to its share of the picture; a die on a border is in two; 1.2 to 2
SPREAD = 6.0  # least distance between the outermost small dice, in their sides; 5 to 8. Pips of a die are closer
GLARE = 0.02  # part of a ninth of the tray that may be burnt out to white; 0.01 to 0.1


_BY_REASON: dict[Reason | None, Change] = {
    Reason.NEAR: Change.HIGHER,
    Reason.DARK: Change.MORE_LIGHT,
    Reason.BLURRED: Change.FOCUS,
    Reason.GLARE: Change.LESS_GLARE,
}
"""The advice that follows from the reason why dice were not read."""


def die_px_of(measured: Measured) -> tuple[float, bool]:
    """Return a die's width in a picture 640 wide, in pixels, and whether it was measured, not estimated."""
    if measured.die_side is not None:
        return measured.die_side * WORKING_WIDTH, True
    frame_width, frame_height = measured.tray.frame_size
    height = WORKING_WIDTH * frame_height / frame_width
    area = cv2.contourArea(np.array(measured.edge, np.float32)) * WORKING_WIDTH * height
    return math.sqrt(area) * USUAL_DIE, False


def whole_px(width: float) -> str:
    """Return a die's width in whole pixels, rounded down, so that one that is too narrow never looks wide enough."""
    return f"{math.floor(width)}"


def advise(measured: Measured) -> tuple[Advice, ...]:
    """Return the advice; empty if nothing needs to be changed.

    Required changes come first, and among them what others depend on: moving the camera changes the light and the
    focus, and the lens cannot be turned in the dark.
    """
    found = [*_in_view(measured), *_by_camera(measured)]
    return tuple(sorted(found, key=lambda advice: not advice.is_required))


def advise_on_dice(reading: Reading, frame: Frame, wanted: int = 4) -> tuple[Advice, ...]:
    """Return the advice that dice at rest allow without a tray, on any surface; empty if nothing needs to be changed.

    Args:
        reading: The reading of the frame.
        frame: (H, W, 3) uint8, BGR.
        wanted: The number of dice in view.
    """
    found = []
    change = _BY_REASON.get(reading.reason, Change.PLAIN if len(reading.dice) > wanted else None)
    if change is not None:
        detail = f"{len(reading.dice)} dice seen" if change is Change.PLAIN else reading.detail
        found.append(Advice(change, detail, is_required=True))
    sides = [math.sqrt((x1 - x0) * (y1 - y0)) for x0, y0, x1, y1 in (die.box for die in reading.dice)]
    if len(sides) < 2 <= wanted and reading.reason in (Reason.NO_DICE, Reason.COUNT, Reason.HAND):
        sides = _sides_of_small_dice(frame, wanted) or sides
    if sides:
        die_px = float(np.median(sides)) * WORKING_WIDTH / frame.shape[1]
        if die_px < DIE_PX:
            detail = f"they are {whole_px(die_px)} pixels wide and should be {DIE_PX:.0f} or more"
            found.append(Advice(Change.LOWER, detail, is_required=True))
    if (pose := reading.certain_pose) is not None:
        tilt_deg = math.degrees(math.asin(min(1.0, math.hypot(*pose.up))))
        if tilt_deg > TILT_DEG:
            detail = f"it seems to be tilted by about {tilt_deg:.0f} degrees"
            found.append(Advice(Change.UPRIGHT, detail, is_required=False))
    if Change.MORE_LIGHT not in {each.change for each in found}:
        found += _on_light(frame)
    return tuple(sorted(found, key=lambda advice: not advice.is_required))


def _sides_of_small_dice(frame: Frame, wanted: int) -> list[float]:
    """Return the sides of the dice that are found in enlarged parts of a frame, in its pixels; empty if too few are."""
    height, width = frame.shape[:2]
    for parts in CLOSER:
        wide, high = round(OVERLAP * width / parts), round(OVERLAP * height / parts)
        found: list[tuple[tuple[float, float], float]] = []
        for left in np.linspace(0, width - wide, parts, dtype=int):
            for top in np.linspace(0, height - high, parts, dtype=int):
                for face in find(frame[top : top + high, left : left + wide], FinderParams()).faces:
                    place = face.centre[0] + left, face.centre[1] + top
                    is_new = all(math.dist(place, other) > max(face.half, half) for other, half in found)
                    if face.score > LIKELY and is_new:
                        found.append((place, face.half))
        if len(found) >= wanted:
            sides = [2 * half for _, half in found]
            spread = max(math.dist(one, other) for one, _ in found for other, _ in found)
            return sides if spread > SPREAD * float(np.median(sides)) else []
    return []


def _in_view(measured: Measured) -> Iterator[Advice]:
    # Objects in the tray spoil all other figures, so they come first.
    if measured.tray.empty is None:
        yield Advice(Change.EMPTY, "there are dice in it", is_required=True)
    elif measured.is_covered:
        detail = "something seems to cover a part of it; if nothing does, it is the floor's pattern, which is known now"
        yield Advice(Change.EMPTY, detail, is_required=False)
    is_required = max(measured.cut.values(), default=0.0) > CUT_REQUIRED
    if not measured.has_edge:
        detail = "no edge of the tray is in view (on a bare table there is none, and dice are read wherever they lie)"
        yield Advice(Change.HIGHER, detail, is_required)
        return
    if cut := [edge for edge, share in measured.cut.items() if share > CUT_REPORTED]:
        (left, top), (right, bottom) = np.min(measured.edge, axis=0), np.max(measured.edge, axis=0)
        opposite = {"left": 1 - right, "right": left, "top": 1 - bottom, "bottom": top}
        change = Change.AIM if all(opposite[edge] > GAP for edge in cut) else Change.HIGHER
        yield Advice(change, f"the tray is cut off at the picture's {' and '.join(cut)}", is_required)


def _by_camera(measured: Measured) -> Iterator[Advice]:
    die_px, is_measured = die_px_of(measured)
    if die_px < DIE_PX:
        how = "are" if is_measured else "will be about"
        detail = f"they {how} {whole_px(die_px)} pixels wide and should be {DIE_PX:.0f} or more"
        yield Advice(Change.LOWER, detail, is_measured or SURELY_SMALL * die_px < DIE_PX)
    if measured.tilt_deg is not None and measured.tilt_deg > TILT_DEG:
        tilted = "is tilted" if measured.is_field_known else "seems to be tilted"
        yield Advice(Change.UPRIGHT, f"it {tilted} by about {measured.tilt_deg:.0f} degrees", measured.is_field_known)
    yield from _on_light(measured.frame)
    if (worst := float(np.nanmax(measured.burnt))) > GLARE:
        part = part_name(int(np.nanargmax(measured.burnt)))
        detail = f"at the tray's {part}, {100 * worst:.0f} % is white without any detail"
        yield Advice(Change.LESS_GLARE, detail, is_required=True)
    if measured.blur_px is None:
        detail = "only if the picture looks blurred: nothing in view has a clear edge to measure it by"
        yield Advice(Change.FOCUS, detail, is_required=False)
    elif measured.blur_px > BLUR * max(die_px_of(measured)[0], DIE_PX):
        yield Advice(Change.FOCUS, f"the blur is {measured.blur_px:.1f} pixels", is_required=True)


def _on_light(frame: Frame) -> Iterator[Advice]:
    white = float(np.percentile(frame.max(axis=2), 98))
    if white < WHITE:
        yield Advice(Change.MORE_LIGHT, f"the brightest parts reach {white:.0f} of 255", is_required=True)


def part_name(index: int) -> str:
    """Return the name of a ninth of the tray, such as "top left"; counted from 0, row by row."""
    row, column = divmod(index, 3)
    return f"{('top', '', 'bottom')[row]} {('left', '', 'right')[column]}".strip() or "middle"
