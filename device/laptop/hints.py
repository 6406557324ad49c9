"""What to change about the camera, for the terminal: why it was lost, or how the dice could be read better."""

from __future__ import annotations

from collections.abc import Callable

from device.camera.port import Camera, CameraError
from device.camera.seen_frame import SeenFrame
from device.referee.inputs import TrayView
from device.referee.playing import dice_wanted
from device.referee.states import WatchingTray
from device.screens import fault_texts
from device.screens.language import say, speaking
from device.session import Session
from vision.tray.advice import Change, advise_on_dice, change_for
from vision.types import Reason


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
        if isinstance(state, WatchingTray) and state.seen.view is TrayView.UNREADABLE:
            reasons = {each.value: each for each in Reason}
            unread = change_for(reasons.get(state.seen.why), state.seen.dice, dice_wanted(state) or 4)
            if unread is not None:
                self._advice = _text(unread, session)
            return self._advice
        thrown = session.thrown
        if thrown is not None and thrown is not self._thrown and thrown.reading is not None:
            self._thrown = thrown
            found = advise_on_dice(thrown.reading, thrown.frame)
            self._advice = _text(found[0].change, session) if found else ""
        return self._advice


def _text(change: Change, session: Session) -> str:
    with speaking(session.box.situation.preferences.language):
        return say(fault_texts.FINDINGS[change.value])
