"""The debug picture: what each stage found, drawn from the evidence alone.

Above the frame is the verdict. The frame shows the outlines of the tray and of foreign objects, every place that was
looked at, and the value of each die. Below it is each die as the values network sees it, with its most likely classes
and rings where the second opinion finds its pips; and smaller, the die along the two main axes of its colours.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.reader import Look
from vision.stages.candidate import Candidate
from vision.stages.colours import along, axes_of
from vision.stages.crops import CROP_PX, FACE
from vision.stages.finding import Map
from vision.stages.values import CLASSES
from vision.types import Frame
from vision.verdict.all_objections import title

Colour = tuple[int, int, int]
"""BGR."""

SURE: Colour = (0, 200, 0)
DOUBTFUL: Colour = (0, 140, 255)
REASON: Colour = (60, 60, 255)
"""The die that the objection is about."""
PLACE: Colour = (255, 200, 0)
"""Places that were looked at and are not dice."""
TRAY: Colour = (200, 160, 60)
FOREIGN: Colour = (200, 60, 255)
SHORTEST_SIDE = 960  # least width or height of the debug picture in pixels, so that its text can be read
_LOOK = 2 * CROP_PX  # side of a crop as shown
_CARD = 2 * _LOOK + 20  # width of what is shown of a die: a crop and its classes beside it
_FONT, _SCALE = cv2.FONT_HERSHEY_SIMPLEX, 0.55  # font scale for a picture 960 pixels wide
_FINE = 4  # binary digits after the point in the coordinates that OpenCV is given


def debug_picture(evidence: Look) -> Frame:
    """Draw what was found.

    Args:
        evidence: What `vision.reader.examine` returned.

    Returns:
        (H, W, 3) uint8, BGR: the frame, enlarged where it is small, with the verdict above and the dice below.
    """
    frame, reading = evidence.frame, evidence.reading
    zoom = max(1, -(-SHORTEST_SIDE // max(frame.shape[:2])))
    size = frame.shape[1] * zoom, frame.shape[0] * zoom
    picture = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    objection = evidence.objection
    _outline(picture, evidence.detections.tray, TRAY)
    _outline(picture, evidence.foreign, FOREIGN)
    if objection is not None and evidence.new is not None:
        _outline(picture, evidence.new.where.astype(np.float32), FOREIGN)
    shown = {die.face.centre for die in evidence.dice}
    for face in (one.face for one in evidence.candidates):
        if face.centre not in shown:
            _ring(picture, face.centre, face.half, zoom, PLACE)
            _write(picture, f"{face.score:.2f}", _at(face.centre, zoom), PLACE)
    colour = SURE if reading.ok else DOUBTFUL
    for die in evidence.dice:
        is_reason = objection is not None and objection.die is die
        _ring(picture, die.face.centre, die.face.half, zoom, REASON if is_reason else colour)
        x, y = _at(die.face.centre, zoom)
        corner = (x + round(die.face.half * zoom), y - round(die.face.half * zoom))
        _write(picture, f"{die.value}  {die.confidence:.3f}", corner, colour)
    verdict = " ".join(str(value) for value in reading.values) if reading.ok else f"{reading.reason}: {reading.detail}"
    if evidence.decided_by is not None:
        verdict += f"  ({title(evidence.decided_by[0])})"
    banner = np.zeros((28, picture.shape[1], 3), np.uint8)
    _write(banner, verdict, (6, 20), colour)
    return np.asarray(np.vstack([banner, picture, *_cards(evidence, picture.shape[1])]), np.uint8)


def _cards(evidence: Look, width: int) -> list[Frame]:
    """Return rows of dice as the values network sees them, each with its likeliest classes."""
    dice = evidence.dice
    rows: list[Frame] = []
    per_row = max(1, width // _CARD)
    for start in range(0, len(dice), per_row):
        row = np.zeros((_LOOK + CROP_PX, max(width, _CARD), 3), np.uint8)
        for place, die in enumerate(dice[start : start + per_row]):
            left = place * _CARD
            row[:_LOOK, left : left + _LOOK] = _with_pips(die)
            axes = axes_of(die.crop[FACE, FACE])
            row[_LOOK:, left : left + _LOOK] = np.hstack([along(die.crop, axes, which) for which in (0, 1)])
            for line, index in enumerate(die.chances.argsort()[::-1][:5]):
                text = f"{CLASSES[index]} {die.chances[index]:.4f}"
                _write(row, text, (left + _LOOK + 6, 22 + 24 * line), (255, 255, 255))
        rows.append(row[:, :width])
    return rows


def _with_pips(die: Candidate) -> Frame:
    """Return a crop of a die, enlarged, with rings where its value's pips fit best."""
    picture = np.asarray(cv2.resize(die.crop, (_LOOK, _LOOK), interpolation=cv2.INTER_CUBIC), np.uint8)
    fit = die.own_fit
    zoom, part = _LOOK // CROP_PX, 2**_FINE
    for place in fit.pips:
        x, y = (round((zoom * (float(along) + 0.5) - 0.5) * part) for along in place)
        cv2.circle(picture, (x, y), round(zoom * fit.radius * part), PLACE, 1, cv2.LINE_AA, _FINE)
    return picture


def _outline(picture: Frame, area: Map, colour: Colour) -> None:
    """Draw the edge of what is likelier than not in an area."""
    inside = cv2.resize(area, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR) > 0.5
    edges, _ = cv2.findContours(inside.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(picture, edges, -1, colour, 2, cv2.LINE_AA)


def _write(picture: Frame, text: str, place: tuple[int, int], colour: Colour) -> None:
    """Draw a text on a dark background, so it is legible anywhere; `place` is the start of its baseline."""
    (width, height), below = cv2.getTextSize(text, _FONT, _SCALE, 1)
    x, y = place
    cv2.rectangle(picture, (x - 2, y - height - 2), (x + width + 2, y + below), (0, 0, 0), -1)
    cv2.putText(picture, text, place, _FONT, _SCALE, colour, 1, cv2.LINE_AA)


def _ring(picture: Frame, centre: tuple[float, float], half: float, zoom: int, colour: Colour) -> None:
    cv2.circle(picture, _at(centre, zoom), max(2, round(1.2 * half * zoom)), colour, 2, cv2.LINE_AA)


def _at(point: tuple[float, float], zoom: int) -> tuple[int, int]:
    return round((point[0] + 0.5) * zoom - 0.5), round((point[1] + 0.5) * zoom - 0.5)
