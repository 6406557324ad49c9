"""A game on a computer, with real dice (any camera or none) or simulated ones: the terminal's keys, and the page.

Nothing of a Raspberry Pi is needed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from device.box import Box
from device.camera.misread import Misread
from device.camera.simulated import SimulatedTray
from device.camera.watcher import Watcher
from device.composition import known_tray
from device.config import Config
from device.hardware.display import ReconnectingDisplay, ShownDisplay
from device.hardware.speech import Speech
from device.health.machine_control import MachineControl
from device.laptop.camera_choice import CameraChoice
from device.laptop.keyboard import play
from device.laptop.page import EVERYONE, THIS_COMPUTER, has_desktop, open_in_browser, served
from device.page.box_side.answers import Answers
from device.page.box_side.phone_keys import PhoneKeys
from device.page.box_side.publisher import Publisher
from device.paths import CALIBRATION, MISREAD, PHONES, PREFERENCES, beside, state_file
from device.referee.box_care import first_start_on_a_computer
from device.referee.states import Situation
from device.session import Session
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile

WARNINGS = "warnings.txt"
"""The file beside the journal with the warnings of the last game in the terminal."""

_STDERR = 2


def play_here(
    source: str | SimulatedTray | None,
    config: Config,
    file: Path,
    start: Callable[[Situation], Situation | None],
    say: Callable[[str], object],
    *,
    voice: Speech | None = None,
    for_phones: bool = False,
    with_browser: bool = True,
) -> None:
    """Play with this terminal's keys, if it is one, and on the page, until `q` or a signal ends the game.

    The game is stored. If the page cannot be served, the game goes on in the terminal.

    Args:
        source: The camera, see `open_source`; "" to choose one, None to enter the dice by hand; or a simulated tray.
        config: The settings.
        file: The journal's file.
        start: Returns the situation to start with; None for the journal's.
        say: Prints a line.
        voice: Reads the game aloud, closed at the end.
        for_phones: Whether others in the network may reach the page and pair.
        with_browser: Whether to open the page in a browser, if this is a terminal.

    Raises:
        JournalError, CameraError, OSError: If it cannot start.
    """
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    code = secrets.token_hex(8).upper()  # too long to be guessed, as it stays valid
    tray = source if isinstance(source, SimulatedTray) else None
    choice = CameraChoice(source) if isinstance(source, str) else None
    is_simulated = tray is not None
    misread = state_file(MISREAD, simulated=is_simulated)
    shown = ShownDisplay()

    def throw() -> None:
        assert tray is not None
        tray.throw(box.wants_dice or 4)

    with contextlib.ExitStack() as stack:
        if at_terminal:
            stack.enter_context(errors_into(file.parent / WARNINGS))
        socket_file = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cantstop-"))) / "table.sock"
        answers = Answers(
            PhoneKeys(state_file(PHONES, simulated=is_simulated), invitation=code), file, misread,
            throw=throw if tray else None, picture=tray.picture if tray else None, cameras=choice,
            needs_tray=is_simulated, watch=config.web.watch,
        )  # fmt: skip
        journal = Journal(file)
        box = Box(
            journal,
            ReconnectingDisplay(lambda: shown, config.oled.never_resting()),
            start(journal.situation()),
            PreferencesFile(beside(file, PREFERENCES)),
            machine=MachineControl(file.parent, Config()),
            publisher=Publisher(socket_file, answers),
            speech=voice,
            first_steps=first_start_on_a_computer(with_camera=source is not None),
            board=config.its_board,
        )
        watcher = None
        open_camera = choice.open if choice else (lambda: tray) if tray else None
        if open_camera is not None:
            calibration = state_file(CALIBRATION, simulated=True) if is_simulated else None
            learned = known_tray(calibration) if calibration else None
            idle_s = config.camera.idle_after_s
            watcher = Watcher(
                open_camera, box.put, learned, calibration, is_simulated, idle_after_s=idle_s, misread=Misread(misread)
            )
            if choice is not None:
                choice.changed = watcher.reopen
        session = Session(box, watcher)
        stack.enter_context(session)
        try:
            bind = EVERYONE if for_phones else THIS_COMPUTER
            link = f"{stack.enter_context(served(socket_file, config.web.port, bind))}P/{code}"
            address = f"The page: {link}"
            if at_terminal and with_browser and has_desktop(os.environ, sys.platform):
                open_in_browser(link)
        except OSError as error:
            address = f"The page cannot be served: {error}"
        say(address)
        if not at_terminal:
            session.wait()
            return
        notice = partial(choice.notice, session) if choice else str
        play(session, shown, throw if tray else None, lambda: notice() or address)
        say("The game is saved. Run the same command to continue it.")


@contextlib.contextmanager
def errors_into(file: Path) -> Iterator[None]:
    """Write standard error to a file, also that of native libraries and child processes; the file starts empty.

    In the terminal it would overwrite the board.

    Raises:
        OSError: If the file cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as errors:
        before = os.dup(_STDERR)
        sys.stderr.flush()
        os.dup2(errors.fileno(), _STDERR)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(before, _STDERR)
            os.close(before)
