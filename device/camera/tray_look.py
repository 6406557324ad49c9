"""One look at the tray: some frames of it, and what they say of camera, lens, lamp and tray, for the referee."""

from __future__ import annotations

import logging
from pathlib import Path

from device.referee.inputs import TrayMeasured
from vision.tray.advice import advise
from vision.tray.calibrate import TrayFrame, look_at, measure
from vision.tray.calibration import Calibration, CalibrationError, save
from vision.tray.edge import CannotCalibrateError
from vision.types import Frame

FRAMES = 8
"""How many frames are looked at: enough for the noise to average out, and half a second of them."""

NOT_KEPT = "not kept"
"""Told as an advice where what was learnt could not be written: it holds until the box is switched off."""

_log = logging.getLogger(__name__)


class TrayLook:
    """Takes frames until there are enough, then measures."""

    def __init__(self, *, learn: bool = False, keep_in: Path | None = None) -> None:
        """Begin.

        Args:
            learn: Whether the tray is to be learnt, and not only looked at.
            keep_in: The file in which what was learnt is kept; None: it is kept nowhere.
        """
        self._learn = learn
        self._keep_in = keep_in
        self._looks: list[TrayFrame] = []
        self.told: TrayMeasured | None = None
        """What the frames say, once there were enough of them."""
        self.learnt: Calibration | None = None
        """What was learnt of the tray, once it was measured and if it was to be learnt."""

    def see(self, frame: Frame, field_deg: float | None = None) -> TrayMeasured | None:
        """Take a frame.

        Args:
            frame: What the camera sees now.
            field_deg: The camera's horizontal field of view in degrees; None where it is unknown.

        Returns:
            What the frames say once there are enough of them; None before.
        """
        self._looks.append(look_at(frame, field_deg=field_deg))
        if len(self._looks) == FRAMES:
            self.told = self._measured()
        return self.told

    def _measured(self) -> TrayMeasured:
        try:
            measured = measure(self._looks)
        except CannotCalibrateError as error:
            _log.info("no tray to learn: %s", error)
            return TrayMeasured("no tray")
        advice = tuple((each.change.value, each.hinders) for each in advise(measured))
        if self._learn and measured.has_edge:
            self.learnt = measured.calibration
            advice += self._keep(measured.calibration)
        return TrayMeasured(advice=advice)

    def _keep(self, calibration: Calibration) -> tuple[tuple[str, bool], ...]:
        """Write what was learnt, and give what there is to say of that."""
        if self._keep_in is None:
            return ()
        try:
            save(calibration, self._keep_in)
        except CalibrationError:
            _log.exception("what was learnt of the tray cannot be kept")
            return ((NOT_KEPT, False),)
        return ()
