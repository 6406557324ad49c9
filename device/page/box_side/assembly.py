"""The box's side of the page, assembled from the settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from device.config import WebConfig
from device.page.box_side.answers import Answers, Reach
from device.page.box_side.phone_keys import PhoneKeys
from device.page.box_side.publisher import Publisher
from device.paths import misread_folder, phones_file
from device.referee.inputs import Input
from vision.tray.known import Tray
from vision.types import Frame

if TYPE_CHECKING:
    from device.camera.watcher import Watcher
    from device.session import OpenPublisher


def opener(
    settings: WebConfig,
    socket_file: Path,
    journal: Path,
    *,
    simulated: bool = False,
    tray: Tray | None = None,
    throw: Callable[[], object] | None = None,
    picture: Callable[[], Frame | None] | None = None,
    invitation: str = "",
) -> OpenPublisher:
    """Return a function that makes a session publish the table.

    Args:
        settings: The section [web].
        socket_file: Where to publish.
        journal: The journal's file.
        simulated: Whether the box is simulated; its phones and pictures are stored separately.
        tray: The calibration of the tray; None before the tray is calibrated.
        throw: Throws the dice of a simulated tray.
        picture: The newest picture of a simulated tray.
        invitation: A code that pairs phones for as long as the program runs, for a person who started it in a terminal.
    """

    def open_publisher(put: Callable[[Input], None], watching: Watcher | None) -> Publisher:
        keys = PhoneKeys(phones_file(simulated=simulated), settings.phone_days, invitation=invitation)
        misread = misread_folder(simulated=simulated)
        reach = Reach(put, journal, misread, watching, throw, tray, settings.watch, picture)
        return Publisher(socket_file, Answers(reach, keys), keys)

    return open_publisher
