"""The camera of a game on a computer: chosen by its picture on the page or by a key, and what to change about it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from device.camera.port import Camera, CameraError
from device.camera.sources import FoundCamera, cameras, candidates, open_source
from device.referee.inputs import CameraTrouble, TrayView
from device.referee.states import WatchingTray
from device.screens import fault_texts
from device.screens.language import say, speaking
from device.session import Session
from vision.files import write_whole

NONE_FOUND = "no camera was found: plug one in, use a phone's (docs/cameras.md), or play with --no-camera"

_log = logging.getLogger(__name__)


class CameraChoice:
    """The camera in use; another one can be chosen at any time."""

    def __init__(self, file: Path, source: str = "") -> None:
        """Use the given camera, else the one chosen last if it is still there, else the only one that works.

        Args:
            file: Where a choice is stored.
            source: The camera, see `open_source`; "" to choose one.

        Raises:
            CameraError: If one is to be chosen, and none works.
        """
        self._file = file
        self._trouble = ""
        self._found: list[FoundCamera] = []
        self.source = source or _remembered(file)
        """The camera in use; "" while none is chosen."""
        self.changed: Callable[[], object] = lambda: None
        """Called when another camera was chosen."""
        if not self.source:
            found = cameras()
            self._found = _working(found)
            if not self._found:
                raise CameraError("; ".join(each.problem for each in found) or NONE_FOUND)
            if len(self._found) == 1:
                self.source = self._found[0].source

    def others(self) -> list[FoundCamera]:
        """Return the cameras that work, except the one in use."""
        self._found = _working(cameras(self.source))
        return self._found

    def choose(self, source: str) -> bool:
        """Use one of the cameras that were found last, and remember it; return whether it was one of them."""
        if source not in [each.source for each in self._found]:
            return False
        self.source = source
        try:
            write_whole(self._file, f"{source}\n".encode())
        except OSError as error:
            _log.warning("%s cannot be written (%s): the camera must be chosen again next time", self._file, error)
        self.changed()
        return True

    def open(self) -> Camera:
        """Open the camera in use, and remember the error if that fails."""
        if not self.source:
            raise CameraError("no camera is chosen yet", CameraTrouble.NOT_USED)
        self._trouble = ""
        try:
            return open_source(self.source)
        except CameraError as error:
            self._trouble = str(error)
            raise

    def notice(self, session: Session) -> str:
        """Return the line for the terminal: the choice, why the camera was lost, or how it could see better."""
        if not self.source:
            return "Which camera looks at the dice? Choose its picture on the page"
        situation = session.box.situation
        state = situation.state
        if isinstance(state, WatchingTray) and state.seen.view is TrayView.NO_CAMERA and self._trouble:
            return self._trouble
        change = session.watcher.advice() if session.watcher is not None else ""
        with speaking(situation.preferences.language):
            return say(fault_texts.FINDINGS[change]) if change else ""


def _working(found: list[FoundCamera]) -> list[FoundCamera]:
    return [each for each in found if each.picture is not None]


def _remembered(file: Path) -> str:
    """Return the camera that was chosen last, if it is still there; else ""."""
    try:
        source = file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
    return source if source in [found for found, _ in candidates()] else ""
