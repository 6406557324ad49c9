"""A person at the simulated box: keys press buttons and throw dice, the terminal shows OLED and tray."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from device.camera.port import FRAMES_PER_S, CameraError
from device.referee.inputs import Button
from device.sim.table import SimulatedTable
from device.sim.table_view import TableSeen, TableView
from device.sim.terminal import Terminal
from vision.types import Frame

FRAME_S = 1 / FRAMES_PER_S
"""How often the terminal is looked after: as often as the tray's camera sees anything new."""

KEYS = {"a": Button.A, "b": Button.B, "c": Button.C, "s": Button.STOP}
"""Keys for the buttons; as capitals they hold the button."""

THROW, LEAVE = (" ", "t"), ("q",)


class Tray(Protocol):
    """The dice on the table."""

    def throw(self, dice: int = 4) -> object:
        """Throw so many dice."""

    def picture(self) -> Frame | None:
        """Return what the camera sees."""


def play(table: SimulatedTable, tray: Tray, notice: str = "") -> None:
    """Let somebody play until they leave; the game is kept.

    Args:
        table: The box, switched on.
        tray: Its dice.
        notice: A line that stays on the screen, such as the page's address.
    """
    trouble = ""
    # A held button takes its time; the picture must go on meanwhile. One finger: presses keep their order.
    with Terminal() as terminal, ThreadPoolExecutor(1) as finger:
        view = TableView(terminal.colours, terminal.graphics)
        while True:
            for key in terminal.keys(FRAME_S):
                if key in LEAVE:
                    return
                if key in THROW:
                    trouble = _throw(tray, table.box.wants_dice or 4)
                elif button := KEYS.get(key.lower()):
                    finger.submit(table.fingers.press, button, long=key.isupper())
            table.check()
            seen = TableSeen(table.picture(), tray.picture(), table.thrown, table.box.situation, trouble or notice)
            terminal.draw(view.panels(seen, *terminal.size()))


def _throw(tray: Tray, dice: int) -> str:
    try:
        tray.throw(dice)
    except CameraError as error:
        return str(error)
    return ""
