"""What to change about the camera, for the terminal: why it was lost, or how the last roll could be read better."""

from __future__ import annotations

from collections.abc import Callable

from device.camera.port import Camera, CameraError
from device.camera.seen_frame import SeenFrame
from device.referee.inputs import TrayView
from device.referee.states import WatchingTray
from device.screens import fault_texts
from device.screens.language import say, speaking
from device.session import Session
from vision.tray.advice import advise_on_dice


class CameraHints:
    """Remembers why the camera last failed to open, and what the last roll shows about its place."""

    def __init__(self, open_camera: Callable[[], Camera]) -> None:
        """Start without hints; `open_camera` opens the camera or raises `CameraError`."""
        self._open = open_camera
        self._trouble = ""
        self._thrown: SeenFrame | None = None
        self._advice = ""

    def open(self) -> Camera:
        """Open the camera, and remember the error if that fails."""
        try:
            camera = self._open()
        except CameraError as error:
            self._trouble = str(error)
            raise
        self._trouble = ""
        return camera

    def text(self, session: Session) -> str:
        """Return the hint for now, in the game's language; "" for none."""
        state = session.box.situation.state
        if isinstance(state, WatchingTray) and state.seen.view is TrayView.NO_CAMERA and self._trouble:
            return self._trouble
        thrown = session.thrown
        if thrown is not None and thrown is not self._thrown and thrown.reading is not None:
            self._thrown = thrown
            found = advise_on_dice(thrown.reading, thrown.frame)
            with speaking(session.box.situation.preferences.language):
                self._advice = say(fault_texts.FINDINGS[found[0].change.value]) if found else ""
        return self._advice
