"""The camera of a game on a computer: chosen by its picture on the page or by a key, and what to change about it."""

from __future__ import annotations

from collections.abc import Callable

from device.camera.port import Camera, CameraError
from device.camera.sources import FoundCamera, cameras, open_source
from device.referee.inputs import CameraTrouble, TrayView
from device.referee.states import WatchingTray
from device.screens import fault_texts
from device.screens.language import say, speaking
from device.session import Session

NONE_FOUND = "no camera was found: plug one in, use a phone's (docs/cameras.md), or play with --no-camera"


class CameraChoice:
    """The camera in use; another one can be chosen at any time."""

    def __init__(self, source: str = "") -> None:
        """Use the given camera, else the only one that works.

        Args:
            source: The camera, see `open_source`; "" to choose one.

        Raises:
            CameraError: If one is to be chosen, and none works.
        """
        self._trouble = ""
        self._found: list[FoundCamera] = []
        self.source = source
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
        """Use one of the cameras that were found last; return whether it was one of them."""
        if source not in [each.source for each in self._found]:
            return False
        self.source = source
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
