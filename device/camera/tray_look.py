"""A look at the tray: a few frames, and what they say about camera, lens, lamp and tray, for the referee."""

from __future__ import annotations

import logging
from pathlib import Path

from device.referee.inputs import TrayMeasured
from vision.tray.advice import advise
from vision.tray.calibrate import TrayFrame, look_at, measure
from vision.tray.calibration import CalibrationError, save
from vision.tray.edge import CannotCalibrateError
from vision.tray.known import Tray
from vision.types import Frame

FRAMES = 8
"""The number of frames: enough to average out the noise; they take half a second."""

NOT_KEPT = "not kept"
"""The advice shown if the calibration could not be stored; it is lost when the box is switched off."""

_log = logging.getLogger(__name__)


class TrayLook:
    """Collects frames until there are enough, then measures."""

    def __init__(self, *, learn: bool = False, keep_in: Path | None = None) -> None:
        """Start without frames; `learn` calibrates the tray, and stores the calibration in the file, if any."""
        self._learn = learn
        self._keep_in = keep_in
        self._looks: list[TrayFrame] = []
        self.told: TrayMeasured | None = None
        """The result, once there were enough frames."""
        self.learnt: Tray | None = None
        """The tray as it was learned, once it was measured; only if `learn`."""

    def see(self, frame: Frame, field_deg: float | None = None) -> TrayMeasured | None:
        """Add the camera's current frame, of `field_deg` degrees; return the result once there are enough frames."""
        self._looks.append(look_at(frame, field_deg=field_deg))
        if len(self._looks) == FRAMES:
            self.told = self._measured()
        return self.told

    def _measured(self) -> TrayMeasured:
        try:
            measured = measure(self._looks)
        except CannotCalibrateError as error:
            _log.info("the tray cannot be learnt: %s", error)
            return TrayMeasured("no tray")
        advice = tuple((each.change.value, each.is_required) for each in advise(measured))
        if self._learn and measured.has_edge:
            self.learnt = measured.tray
            try:
                if self._keep_in is not None:
                    save(measured.tray, self._keep_in)
            except CalibrationError:
                _log.exception("what was learnt about the tray cannot be saved")
                advice += ((NOT_KEPT, False),)
        return TrayMeasured(advice=advice)
