"""A camera made of whole pictures, for tests that say what it sees."""

from __future__ import annotations

from device.camera.port import Shot
from vision.settling.movement import grey_of
from vision.types import Frame


class WholeCamera:
    """Fits the port `Camera` with what a subclass's `frame` gives."""

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        raise NotImplementedError

    def shot(self, timeout_s: float) -> Shot:
        time_s, frame = self.frame(timeout_s)
        return Shot(time_s, grey_of(frame), lambda: frame)

    def close(self) -> None:
        pass
