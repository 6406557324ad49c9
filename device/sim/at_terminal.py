"""A person at the simulated box: keys press buttons and throw dice, the terminal shows OLED and tray."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from device.camera.port import FRAMES_PER_S, CameraError
from device.referee.inputs import Button
from device.sim.table import SimulatedTable
from device.sim.terminal import Terminal
from vision.reading import Frame

FRAME_S = 1 / FRAMES_PER_S
"""How often the terminal is drawn: as often as the tray's camera sees anything new."""

KEYS = {"a": Button.A, "b": Button.B, "c": Button.C, "s": Button.STOP}
"""Keys for the buttons; as capitals they hold the button."""

THROW, LEAVE = (" ", "t"), ("q",)


class Tray(Protocol):
    """The dice on the table."""

    def throw(self, dice: int = 4) -> object:
        """Throw so many dice."""

    def picture(self) -> Frame | None:
        """Give what the camera sees."""


def play(table: SimulatedTable, tray: Tray, status: str = "") -> None:
    """Let somebody play until they leave; the game is kept.

    Args:
        table: The box, switched on.
        tray: Its dice.
        status: A line for what there is to say at first.
    """
    # A held button takes its time; the picture must go on meanwhile. One finger: presses keep their order.
    with Terminal() as terminal, ThreadPoolExecutor(1) as finger:
        while True:
            for key in terminal.keys(FRAME_S):
                if key in LEAVE:
                    return
                if key in THROW:
                    status = _throw(tray, table.box.wants_dice or 4)
                elif button := KEYS.get(key.lower()):
                    finger.submit(table.fingers.press, button, long=key.isupper())
            table.check()
            terminal.draw(table.picture(), tray.picture(), status)


def _throw(tray: Tray, dice: int) -> str:
    try:
        tray.throw(dice)
    except CameraError as error:
        return str(error)
    return ""
