"""Exposure and white balance: measured by the camera, then locked, and measured again when the light changes.

With continuous measuring, every passing hand changes the whole picture and its noise. With an exposure that is fixed
forever, the camera is blind in the evening. So the camera measures until its values are stable, locks them, and
measures again once the picture has been much darker or brighter for a while. This module needs no hardware: it takes
metadata and returns controls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

STEADY_FRAMES = 6
"""The number of consecutive frames that must agree; 6 are 0.4 s, about as long as libcamera's own damping."""

STEADY_PART = 0.03
"""The largest relative spread of values that agree; a difference in light of 3 % is invisible."""

MEASURE_S = 4.0
"""The longest time to measure, in seconds; under a flickering lamp the values never agree."""

OFF_FACTOR = 1.7
"""The factor by which the picture must be brighter or darker than when it was measured to count as another light. A
hand in the tray changes it by less than 1.4; the reader copes with factors of 2 to 3."""

OFF_S = 8.0
"""The time for which the light must have been different, in seconds; an arm does not stay over the tray for so long."""

_LEAST_LEVEL = 2.0
"""Added to levels before they are compared, in grey levels, so that ratios of dark levels stay finite."""

AUTOMATIC: dict[str, object] = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}
"""Controls that make the camera measure. A zero cancels a fixed exposure or gain (libcamera: "zero: automatic")."""


class Exposure:
    """Decides when a camera measures and when its values are locked. Starts with a camera that measures."""

    def __init__(self) -> None:
        """Start measuring at the first frame."""
        self._began_s: float | None = None
        self._last: deque[tuple[float, ...]] = deque(maxlen=STEADY_FRAMES)
        self._level: float | None = None
        self._fine_s = 0.0
        self.is_held = False
        """Whether exposure and white balance are locked."""

    def see(self, time_s: float, metadata: Mapping[str, object], level: float) -> dict[str, object]:
        """Update the state from a frame.

        Args:
            time_s: When the frame was taken, in seconds of a monotonic clock.
            metadata: libcamera's metadata. Used are ExposureTime (microseconds), AnalogueGain and ColourGains (red,
                blue).
            level: The mean of the picture, 0 to 255.

        Returns:
            The controls to set now; empty if nothing changes.
        """
        if self.is_held:
            return self._hold(time_s, level)
        if self._began_s is None:
            self._began_s = time_s
        exposure, gain, colours = (metadata.get(name) for name in ("ExposureTime", "AnalogueGain", "ColourGains"))
        if not isinstance(exposure, (int, float)) or not isinstance(gain, (int, float)):
            return {}  # this camera does not report its exposure, so it cannot be locked
        gains = tuple(float(one) for one in colours) if isinstance(colours, (tuple, list)) else ()
        self._last.append((exposure * gain, *gains))
        if not self._agree() and time_s - self._began_s < MEASURE_S:
            return {}
        self.is_held = True
        self._level = None  # the first frame after locking gives the reference brightness
        held: dict[str, object] = {"AeEnable": False, "ExposureTime": int(exposure), "AnalogueGain": float(gain)}
        if len(gains) == 2:
            held |= {"AwbEnable": False, "ColourGains": gains}
        return held

    def _agree(self) -> bool:
        if len(self._last) < STEADY_FRAMES:
            return False
        return all(max(values) <= (1 + STEADY_PART) * min(values) for values in zip(*self._last, strict=True))

    def _hold(self, time_s: float, level: float) -> dict[str, object]:
        if self._level is None:
            self._level, self._fine_s = level, time_s
        factor = (level + _LEAST_LEVEL) / (self._level + _LEAST_LEVEL)
        if 1 / OFF_FACTOR < factor < OFF_FACTOR:
            self._fine_s = time_s
        if time_s - self._fine_s < OFF_S:
            return {}
        self.is_held, self._began_s = False, time_s
        self._last.clear()
        return dict(AUTOMATIC)
