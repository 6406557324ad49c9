"""The simulated box with its page: `cantstop play --simulate --web`."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from device.camera.folder import FolderCamera
from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.config import WebConfig
from device.hardware.display import ReconnectingDisplay
from device.health.machine_control import MachineControl
from device.page.box_side.publisher import publisher_opener
from device.paths import calibration_file, journal_file, misread_folder, preferences_file
from device.referee.states import Situation
from device.sim.at_terminal import play
from device.sim.page import PageProcess, has_desktop, invitation, open_in_browser
from device.sim.table import SimulatedTable
from device.sim.temporary import temporary_folder
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from vision.tray.known import Tray

LOOK_S = 0.5
"""The interval of checks for a failure of the box, in seconds."""


def play_at_page(
    file: Path | None,
    world: FolderCamera | SimulatedTray,
    tray: Tray | None,
    start: Callable[[Journal], Situation | None],
    machine: Callable[[Path], Callable[[ReconnectingDisplay], MachineControl]],
    *,
    with_browser: bool,
) -> int:
    """Play in a browser, until the terminal's `q` or a signal ends it.

    If the page cannot be served, the game goes on in the terminal.

    Args:
        file: The journal; None for the default one.
        world: The dice.
        tray: The calibration of the tray; None before the tray is calibrated.
        start: Returns the situation to start with instead of the journal's.
        machine: Creates the control of the machine. The argument is the journal's file.
        with_browser: Whether to open the page in a browser if there is a desktop.
    """
    path = file or journal_file(simulated=True)
    settings = WebConfig(enabled=True, bind="127.0.0.1")
    code = invitation()
    with contextlib.ExitStack() as stack:
        journal = Journal(path)
        folder = stack.enter_context(temporary_folder())

        def throw() -> None:
            with contextlib.suppress(CameraError):  # there are no more pictures
                world.throw(table.box.wants_dice or 4)

        publish = publisher_opener(
            settings,
            folder / "table.sock",
            path,
            simulated=True,
            tray=tray,
            throw=throw,
            picture=world.picture,
            invitation=code,
        )
        table = SimulatedTable(
            journal,
            world,
            tray=tray,
            start=start(journal),
            preferences=PreferencesFile(preferences_file(path)),
            calibration=calibration_file(simulated=True) if isinstance(world, SimulatedTray) else None,
            misread=misread_folder(simulated=True),
            open_machine=machine(path),
            open_publisher=publish,
        )
        stack.enter_context(table)
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        try:
            page = stack.enter_context(PageProcess(folder / "table.sock", settings.port))
        except OSError as error:
            notice = f"The page cannot be served: {error}"
        else:
            link = f"{page.address}P/{code}"
            notice = f"The page: {link}"
            if with_browser and at_terminal and has_desktop(os.environ, sys.platform):
                open_in_browser(link)
        print(notice, flush=True)
        if at_terminal:
            play(table, world, notice)
            print("The game is saved. Run the same command to continue it.")
        else:
            _wait(table)
    return 0


def _wait(table: SimulatedTable) -> None:
    """Wait for a signal, or for a failure of the box."""
    ended = threading.Event()
    before = {number: signal.signal(number, lambda *_: ended.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        while not ended.wait(LOOK_S):
            table.check()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
