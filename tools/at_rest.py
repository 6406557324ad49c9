"""Pictures of dice that lie in a drawn tray, for the proofs on other machines."""

from __future__ import annotations

from device.camera.port import FRAMES_PER_S
from device.camera.simulated import SimulatedTray
from vision.reader import read
from vision.types import Frame

ROLLING_S = 6.0
"""After so long every simulated throw lies still."""


def dice_at_rest(values: tuple[int, ...], seed: int = 7) -> Frame:
    """Throw dice until this machine can read how they lie, for some come to lean on one another.

    Args:
        values: What they show, sorted.
        seed: Decides how they fall.
    """
    tray = SimulatedTray(seed, hurried=True)
    while True:
        tray.throw(values=values)
        for _ in range(round(ROLLING_S * FRAMES_PER_S)):
            _, frame = tray.frame(1.0)
        if read(frame).values == values:
            return frame
