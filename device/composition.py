"""Assembles the real box: files, display, buttons, camera, services and page for a `Session`.

Slow imports are deferred: the first screen is shown before OpenCV is loaded.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from device.config import Config, ConfigError, load, short_problem, usable_oled_settings
from device.hardware.display import Display, DisplayError, ReconnectingDisplay
from device.hardware.display_choice import DisplayChoice
from device.paths import CALIBRATION, DISPLAY, FOCUS, MISREAD, PHONES, PREFERENCES, beside, state_file
from device.printable import printable
from device.referee.states import Situation
from device.screens.draw import draw
from device.screens.language import speaking
from device.screens.views import failure, starting
from device.storage.journal import Journal, JournalError
from device.storage.preferences_file import PreferencesFile

if TYPE_CHECKING:
    from device.camera.port import Camera
    from vision.tray.known import Tray

_log = logging.getLogger(__name__)

Part = TypeVar("Part")

Start = Callable[[Situation], Situation | None]


def run_box(settings: Path | None, journal_file: Callable[[], Path], start: Start) -> None:
    """Run the box on a Raspberry Pi until a signal ends it.

    Args:
        settings: The settings' file; None for the default one.
        journal_file: Returns the journal's file; the error that it raises is shown on the display.
        start: Returns the situation to start with; None for the journal's.

    Raises:
        ConfigError, JournalError, DisplayError, OSError: If it cannot run; the display, if there is one, shows why.
    """
    from device.hardware.oled import open_oled

    # If lgpio is broken, gpiozero would choose another library, which would seem to work but lose presses.
    os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    try:
        config = load(settings)
    except ConfigError as error:
        oled = usable_oled_settings(error)
        with contextlib.suppress(JournalError, OSError):  # without a home folder there is no such file
            oled = DisplayChoice(oled, beside(journal_file(), DISPLAY)).config
        show_failure(lambda: open_oled(config=oled), short_problem(error))
        raise
    with _shown_on_failure(lambda: open_oled(config=config.oled)):
        file = journal_file()
        preferences = PreferencesFile(beside(file, PREFERENCES))
        displays = DisplayChoice(config.oled, beside(file, DISPLAY))
        if config.oled.interface == "none":
            config = replace(config, oled=config.oled.never_resting())
        open_display = _with_first_picture(lambda: open_oled(config=displays.config), preferences.load().language)
    with _shown_on_failure(open_display):
        _play(config, file, preferences, open_display, displays, start)


def _with_first_picture(open_display: Callable[[], Display], language: str) -> Callable[[], Display]:
    """Show the start picture in this language before anything slow is imported, OpenCV above all.

    Returns:
        Opens the display: the first time it returns the one with the picture.
    """
    opened = []
    with contextlib.suppress(DisplayError), speaking(language):  # the box reports it and retries once it runs
        display = open_display()
        display.show(draw(starting()))
        opened.append(display)
    return lambda: opened.pop() if opened else open_display()


@contextlib.contextmanager
def _shown_on_failure(open_display: Callable[[], Display]) -> Iterator[None]:
    """Show any error on the box's own display as the reason why it cannot start, and raise it again."""
    try:
        yield
    except Exception as error:
        show_failure(open_display, str(error) or type(error).__name__)
        raise


def _play(
    config: Config,
    file: Path,
    preferences: PreferencesFile,
    open_display: Callable[[], Display],
    displays: DisplayChoice,
    start: Start,
) -> None:
    # The next steps take seconds on a small Pi, so the screen shows that the box is starting.
    from device.box import Box
    from device.camera.misread import Misread
    from device.camera.sources import open_source
    from device.camera.watcher import Watcher
    from device.hardware.buttons import Buttons
    from device.hardware.signals import Buzzer, Lamp, Signals
    from device.hardware.speech import Speech
    from device.health.issue_report import RecentLog, of_running_box
    from device.health.machine import Machine
    from device.health.machine_control import MachineControl
    from device.page.box_side.answers import Answers
    from device.page.box_side.phone_keys import PhoneKeys
    from device.page.box_side.publisher import Publisher
    from device.page.wire import socket_file
    from device.session import Session

    def open_camera() -> Camera:
        return open_source(config.camera.source, config.camera, state_file(FOCUS))

    # Elsewhere than on a Pi all parts are missing: `cantstop play` says it once for all of them.
    is_pi = Machine().is_pi
    buzzer = if_possible(lambda: Buzzer(config.buzzer), is_told=is_pi) if config.buzzer.enabled else None
    lamp = if_possible(lambda: Lamp(config.lamp), is_told=is_pi) if config.lamp.enabled else None
    speech = if_possible(lambda: Speech(config.speech), is_told=is_pi) if config.speech.enabled else None
    log = RecentLog()
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[logging.StreamHandler(), log])

    def report() -> list[tuple[str, bytes]]:
        return [("report.json", of_running_box(config, file)), ("log.txt", log.text().encode(errors="replace"))]

    machine = MachineControl(file.parent, config, switches_off=True)
    keys = PhoneKeys(state_file(PHONES), shows_code=config.its_board.has_buttons)
    answers = Answers(keys, file, state_file(MISREAD), watch=config.web.watch, report=report, wifi=machine.wifi)
    journal = Journal(file)
    box = Box(
        journal,
        ReconnectingDisplay(open_display, config.oled),
        start(journal.situation()),
        preferences,
        machine=machine,
        signals=Signals(buzzer, lamp),
        publisher=Publisher(socket_file(), answers) if config.web.enabled else None,
        speech=speech,
        displays=displays if config.oled.interface != "none" else None,
        board=config.its_board,
        page=(f"{platform.node().partition('.')[0]}.local", config.web.port),
    )
    watcher = Watcher(
        open_camera,
        box.put,
        known_tray(state_file(CALIBRATION)),
        state_file(CALIBRATION),
        idle_after_s=config.camera.idle_after_s,
        misread=Misread(state_file(MISREAD)),
        light=lamp.looked if lamp is not None else lambda _: None,
    )
    has_buttons = config.its_board.has_buttons
    with Session(box, watcher, (lambda put: Buttons(config.buttons, put)) if has_buttons else None) as session:
        session.wait()


def if_possible(opens: Callable[[], Part], *, is_told: bool = True) -> Part | None:
    """Return an open optional part; None if that fails, with a warning if it `is_told`."""
    try:
        return opens()
    except OSError as error:
        if is_told:
            _log.warning("%s; playing without it", error)
        return None


def show_failure(open_display: Callable[[], Display], message: str) -> None:
    """Show on the box's own display, if there is one, why it cannot start; the text stays after the program's end."""
    with contextlib.suppress(DisplayError):
        display = open_display()
        display.show(draw(failure(printable(message))))
        display.leave()


def known_tray(calibration_file: Path) -> Tray | None:
    """Return the tray from the calibration file; None, with a warning, if it is unusable."""
    from vision.tray.calibration import CalibrationError, load

    if not calibration_file.exists():
        return None
    try:
        return load(calibration_file)
    except CalibrationError as error:
        _log.warning("%s; playing without it", error)
        return None
