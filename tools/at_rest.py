"""Pictures of dice at rest in a rendered tray, for tests on other machines."""

from __future__ import annotations

from device.camera.port import FRAMES_PER_S
from device.camera.simulated import SimulatedTray
from vision.reader import read
from vision.types import Frame

ROLLING_S = 6.0
"""The time after which every simulated roll has come to rest, in seconds."""


def dice_at_rest(values: tuple[int, ...], seed: int = 7) -> Frame:
    """Return a picture of dice that this machine can read; dice that lean on each other are rolled again.

    Args:
        values: The values, sorted.
        seed: The random seed of the rolls.
    """
    tray = SimulatedTray(seed, hurried=True)
    while True:
        tray.throw(values=values)
        for _ in range(round(ROLLING_S * FRAMES_PER_S)):
            _, frame = tray.frame(1.0)
        if read(frame).values == values:
            return frame
