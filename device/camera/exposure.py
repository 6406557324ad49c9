"""Exposure and white balance: measured by the camera, then locked, and measured again when the light changes.

With continuous measuring, every passing hand changes the whole picture and its noise. With an exposure that is fixed
forever, the camera is blind in the evening. So the camera measures for some seconds, keeps what it has found, and
measures again once the picture has been much darker or brighter for a while. This module needs no hardware: it takes
brightness and returns controls.
"""

from __future__ import annotations

MEASURE_S = 3.0
"""The time to measure, in seconds; libcamera needs about one."""

OFF_FACTOR = 1.7
"""The factor by which the picture must be brighter or darker than when it was measured to count as another light. A
hand in the tray changes it by less than 1.4; the reader copes with factors of 2 to 3."""

OFF_S = 8.0
"""The time for which the light must have been different, in seconds; an arm does not stay over the tray for so long."""

_LEAST_LEVEL = 2.0
"""Added to levels before they are compared, in grey levels, so that ratios of dark levels stay finite."""

AUTOMATIC = {"AeEnable": True, "AwbEnable": True}
"""Controls that make the camera measure."""

HELD = {"AeEnable": False, "AwbEnable": False}
"""Controls that keep exposure, gain and colours as measured last: libcamera changes them no more."""


class Exposure:
    """Decides when a camera measures and when its values are locked. Starts with a camera that measures."""

    def __init__(self) -> None:
        """Start measuring at the first frame."""
        self._since_s: float | None = None
        self._level: float | None = None
        self.is_held = False
        """Whether exposure and white balance are locked."""

    def see(self, time_s: float, level: float) -> dict[str, bool]:
        """Update the state from a frame.

        Args:
            time_s: When the frame was taken, in seconds of a monotonic clock.
            level: The mean of the picture, 0 to 255.

        Returns:
            The controls to set now; empty if nothing changes.
        """
        if self._since_s is None:
            self._since_s = time_s
        if self.is_held:
            if self._level is None:
                self._level = level  # the first frame after locking gives the reference brightness
            factor = (level + _LEAST_LEVEL) / (self._level + _LEAST_LEVEL)
            if 1 / OFF_FACTOR < factor < OFF_FACTOR:
                self._since_s = time_s
        if time_s - self._since_s < (OFF_S if self.is_held else MEASURE_S):
            return {}
        self.is_held = not self.is_held
        self._since_s, self._level = time_s, None
        return HELD if self.is_held else AUTOMATIC
