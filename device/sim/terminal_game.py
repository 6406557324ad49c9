"""A person at the simulated box: keys press buttons and roll dice, the terminal shows OLED and tray."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from device.camera.folder import FolderCamera
from device.camera.port import FRAMES_PER_S, CameraError
from device.camera.simulated import SimulatedTray
from device.referee.inputs import Button
from device.sim.table import SimulatedTable
from device.sim.table_view import TableSnapshot, TableView
from device.sim.terminal import Terminal

FRAME_S = 1 / FRAMES_PER_S
"""The interval of the terminal's updates in seconds: that of the tray's camera."""

KEYS = {"a": Button.A, "b": Button.B, "c": Button.C, "s": Button.STOP}
"""The keys for the buttons; as capitals they hold the button."""

THROW, LEAVE = (" ", "t"), ("q",)


def play(table: SimulatedTable, tray: FolderCamera | SimulatedTray, notice: str = "") -> None:
    """Play until the person quits; the game is stored.

    Args:
        table: The running box.
        tray: Its dice.
        notice: A permanent line of text, such as the page's address.
    """
    trouble = ""
    # Holding a button takes time, during which the picture must be updated. One worker keeps presses in order.
    with Terminal() as terminal, ThreadPoolExecutor(1) as finger:
        view = TableView(terminal.colours, terminal.graphics)
        while True:
            for key in terminal.keys(FRAME_S):
                if key in LEAVE:
                    return
                if key in THROW:
                    try:
                        tray.throw(table.box.wants_dice or 4)
                        trouble = ""
                    except CameraError as error:
                        trouble = str(error)
                elif button := KEYS.get(key.lower()):
                    finger.submit(table.buttons.press, button, long=key.isupper())
            table.check()
            seen = TableSnapshot(table.picture(), tray.picture(), table.thrown, table.box.situation, trouble or notice)
            terminal.draw(view.panels(seen, *terminal.size()))
