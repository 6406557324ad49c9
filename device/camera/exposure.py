"""The camera's exposure and colours: measured by the camera itself, then held, and measured anew in another light.

A camera that goes on measuring changes the whole picture whenever a hand passes, and its noise with it. A camera whose
exposure was fixed once is blind when evening comes. So it measures until its values stand still, keeps them, and does
so again once the picture has been much darker or brighter than then for a while. No hardware here: metadata in,
controls out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

STEADY_FRAMES = 6
"""So many frames in a row must agree; at 15 a second 0.4 s. libcamera's own damping takes about as long."""

STEADY_PART = 0.03
"""Values agree if the largest exceeds the smallest by less than this part; 3 % of the light nobody sees."""

MEASURE_S = 4.0
"""After so long the values are held as they are: under a flickering lamp they never agree."""

OFF_FACTOR = 1.7
"""The light has changed if the picture is brighter or darker than when it was measured by more than this factor.
A hand in the tray changes it by less than 1.4; the reader takes factors up to 2 or 3 in its stride."""

OFF_S = 8.0
"""And has been for so long: nobody's arm stays over the tray for that."""

_LEAST_LEVEL = 2.0
"""Added to levels before they are compared, in grey levels, so that black is not infinitely darker than dark grey."""

AUTOMATIC: dict[str, object] = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}
"""Controls that let the camera measure. Zeros take back a fixed exposure and gain (libcamera: "zero: automatic")."""


class Exposure:
    """Decides when a camera measures and when its values are held. It begins with a camera that measures."""

    def __init__(self) -> None:
        """Begin to measure at the first frame."""
        self._began_s: float | None = None
        self._last: deque[tuple[float, ...]] = deque(maxlen=STEADY_FRAMES)
        self._level: float | None = None
        self._fine_s = 0.0
        self.is_held = False
        """Whether exposure and colours are held."""

    def see(self, time_s: float, metadata: Mapping[str, object], level: float) -> dict[str, object]:
        """Take note of a frame.

        Args:
            time_s: When it was taken, in seconds of a clock that only goes forwards.
            metadata: What libcamera says of it; of interest are ExposureTime (microseconds), AnalogueGain and
                ColourGains (red, blue).
            level: The mean of the picture, in grey levels of 255.

        Returns:
            The controls to set now; empty where nothing is to change.
        """
        if self.is_held:
            return self._hold(time_s, level)
        if self._began_s is None:
            self._began_s = time_s
        exposure, gain, colours = (metadata.get(name) for name in ("ExposureTime", "AnalogueGain", "ColourGains"))
        if not isinstance(exposure, (int, float)) or not isinstance(gain, (int, float)):
            return {}  # this camera does not say how it exposes, so nothing can be held
        gains = tuple(float(one) for one in colours) if isinstance(colours, (tuple, list)) else ()
        self._last.append((exposure * gain, *gains))
        if not self._agree() and time_s - self._began_s < MEASURE_S:
            return {}
        self.is_held = True
        self._level = None  # the first frame that is held says how bright the picture is
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
