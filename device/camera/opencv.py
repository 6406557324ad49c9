"""Any camera that OpenCV opens: a webcam, a network camera or a phone's camera app by its URL, or a film file.

`cv2.VideoCapture.read` has no deadline of its own with most drivers, and drivers queue old frames. So a thread of its
own takes the frames and keeps the newest one. A thread that a driver never releases is abandoned, and ends when the
driver returns.
"""

from __future__ import annotations

import atexit
import logging
import math
import os
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np

from device.camera.port import FRAMES_PER_S, CameraError, Shot
from device.referee.inputs import CameraTrouble
from vision.settling.movement import grey_of
from vision.types import Frame

SIZE = (1280, 720)
"""The size to request, in pixels (width, height): almost every webcam has it, and a die in a frame half a metre wide
has 40 pixels."""

SMALL_SIZE = (640, 480)
"""The size to request from a camera that is slow at `SIZE`: one that sends uncompressed pictures over USB 2."""

OPEN_S = 20.0
"""The time that opening a camera may take, in seconds."""

LIGHT_S = 1.5
"""How long a camera measures light and focus before its first frame counts, in seconds."""

CLOSE_S = 1.0
"""The time to wait for the driver when a camera is closed, in seconds."""

MOST_ABANDONED = 3
"""The number of threads that drivers may hold at a time; beyond it no camera is opened by this process."""

_TIMEOUT_MS = 3000
"""The limit for one step of opening or reading a network stream, in milliseconds."""

# Each further thread of the decoder would delay the picture by a frame.
_STREAM_PARAMETERS = (
    cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _TIMEOUT_MS, cv2.CAP_PROP_N_THREADS, 1,
)  # fmt: skip

_LEAST_GAP_S = 0.55 / FRAMES_PER_S
"""Frames that come earlier after the last one are not decoded, which is most of the work: many cameras deliver 30 a
second when 15 were requested."""

_UNDECODED = -1
"""OpenCV's format for pictures as they were received, as JPEG. FFmpeg's decoder would fill the missing part of a
damaged one with an earlier picture, and stretch a picture of another size to that of the first."""

_AUTOMATIC_EXPOSURE = {"linux": 3}
"""The value that turns automatic exposure on, where it is not 1: V4L2's "aperture priority"."""

_ERRORS = 2
"""OpenCV's log level for errors only."""

_LEAST_RATE, _MOST_RATE = 1.0, 240.0
"""The range of plausible frame rates; some drivers and films report 0 or thousands."""

_abandoned: list[threading.Thread] = []

_log = logging.getLogger(__name__)


class OpenCvCamera:
    """One camera, stream or film; implements the port `Camera`.

    A camera or stream delivers its newest frame. A film delivers each frame once, with its time in the film.
    """

    def __init__(self, source: str, *, open_s: float = OPEN_S) -> None:
        """Open a source.

        Args:
            source: A camera's number ("0") or device ("/dev/video2"), a URL (http, https, rtsp) or a film file.
            open_s: The time limit for opening, in seconds.

        Raises:
            CameraError: If there is no such camera or file, it does not open, or it does not answer in time.
        """
        self.source = source
        self.is_film = not (is_device(source) or is_url(source))
        self._news = threading.Condition()
        self._frame: tuple[float, Frame] | None = None
        self._failure: CameraError | None = None
        self.obtained = ""
        """What the camera delivers, which may differ from what was requested: size, rate and pixel format."""
        self._size = 0, 0
        self._is_closed = False
        if self.is_film and not Path(source).is_file():
            raise CameraError(f"{source}: there is no such camera or film", CameraTrouble.MISSING)
        _abandoned[:] = [thread for thread in _abandoned if thread.is_alive()]
        if len(_abandoned) >= MOST_ABANDONED:
            raise CameraError(f"camera {source} does not respond: unplug it and plug it in again", CameraTrouble.HANGS)
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()
        # Python's end would abort a thread that returns from the driver meanwhile, and the process with it.
        atexit.register(self.close)
        with self._news:
            self._news.wait_for(lambda: self.obtained or self._failure, open_s)
            failure = self._failure
        if not self.obtained:
            self.close()
            raise failure or CameraError(
                f"camera {shown(source)} does not respond within {open_s:g} seconds", CameraTrouble.HANGS
            )

    def shot(self, timeout_s: float) -> Shot:
        """Wait for the next shot; see `Camera.shot`."""
        with self._news:
            self._news.wait_for(lambda: self._frame or self._failure or self._is_closed, timeout_s)
            taken, self._frame = self._frame, None
            self._news.notify_all()  # the next frame of a film waits until this one was taken
        if taken is None:
            name = shown(self.source)
            if self._is_closed and self._failure is None:
                raise CameraError(f"camera {name}: it is closed", CameraTrouble.SILENT)
            raise self._failure or CameraError(
                f"camera {name}: no picture in {timeout_s:g} seconds", CameraTrouble.SILENT
            )
        time_s, frame = taken
        return Shot(time_s, grey_of(frame), lambda: frame)

    def close(self) -> None:
        """Release the camera; may be called twice. Waits at most `CLOSE_S` for the driver."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()
        atexit.unregister(self.close)
        self._thread.join(CLOSE_S)
        if self._thread.is_alive() and self._thread not in _abandoned:
            _log.warning("camera %s does not let go; its thread is abandoned", shown(self.source))
            _abandoned.append(self._thread)

    def _run(self) -> None:
        capture = None
        failure = None
        try:
            capture = _opened(self.source)
            width, height = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
            rate = _rate(capture)
            told = [f"{width}x{height} pixels", f"{rate:.0f} frames a second" if rate else "", _pixel_format(capture)]
            if is_device(self.source):
                _measure_light(capture)
            with self._news:
                self._size, self.obtained = (width, height), ", ".join(filter(None, told))
                self._news.notify_all()
            self._take_frames(capture, rate or FRAMES_PER_S)
        except CameraError as error:
            failure = error
        except Exception as error:  # OpenCV and its drivers fail in any way
            _log.exception("camera %s failed", shown(self.source))
            failure = CameraError(f"camera {shown(self.source)} failed: {error}")
        finally:
            if capture is not None:
                capture.release()
            with self._news:
                self._failure = failure
                self._news.notify_all()

    def _take_frames(self, capture: cv2.VideoCapture, rate: float) -> None:
        """Take frames until the camera is closed or lost."""
        began_s = next_s = time.monotonic()
        number = 0
        while not self._is_closed:
            if not capture.grab():
                name = shown(self.source)
                if self.is_film and number:
                    raise CameraError(f"camera {name}: the film has ended", CameraTrouble.SILENT)
                raise CameraError(f"camera {name}: no more pictures come: is it unplugged?", CameraTrouble.SILENT)
            if self.is_film:
                time_s = number / rate
                number += 1
                time.sleep(max(0.0, began_s + time_s - time.monotonic()))
            else:
                time_s = time.monotonic()
                if time_s < next_s:
                    continue
                next_s = time_s + _LEAST_GAP_S
            picture = _decoded(capture)
            if picture is not None:  # otherwise it is damaged
                self._hand_over(time_s, picture)

    def _hand_over(self, time_s: float, picture: Frame) -> None:
        with self._news:
            if self.is_film:
                self._news.wait_for(lambda: self._frame is None or self._is_closed)
            elif self._size != (picture.shape[1], picture.shape[0]):
                raise CameraError(f"camera {shown(self.source)}: the size of its pictures has changed")
            self._frame = time_s, picture
            self._news.notify_all()


def is_device(source: str) -> bool:
    """Whether a source is a camera of this computer."""
    return source.isdecimal() or source.startswith("/dev/")


def is_url(source: str) -> bool:
    """Whether a source is the address of a stream."""
    return "://" in source


def shown(source: str) -> str:
    """Return a source for messages: a URL without the name and password in it."""
    scheme, separator, rest = source.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"


def _opened(source: str) -> cv2.VideoCapture:
    """Return an open capture, for `SIZE` and `FRAMES_PER_S` if that can be chosen.

    Raises:
        CameraError: If it does not open; the message says why and what to do.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # FFmpeg prints each damaged picture
    cv2.setLogLevel(_ERRORS)  # its warnings repeat what the message below says
    if is_device(source):
        interface = {"linux": cv2.CAP_V4L2, "darwin": cv2.CAP_AVFOUNDATION}.get(sys.platform, cv2.CAP_ANY)
        capture = cv2.VideoCapture(int(source) if source.isdecimal() else source, interface)
        if capture.isOpened():
            _configure(capture)
            return capture
    else:
        capture = cv2.VideoCapture(source, cv2.CAP_FFMPEG, _STREAM_PARAMETERS if is_url(source) else ())
        if capture.isOpened():
            if is_url(source) and _pixel_format(capture) == "MJPG":
                capture.set(cv2.CAP_PROP_FORMAT, _UNDECODED)
            return capture
    raise CameraError(_why_not(source), CameraTrouble.MISSING)


def _configure(capture: cv2.VideoCapture) -> None:
    """Request format, size and rate, in this order; a driver ignores what it does not support."""
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # uncompressed, USB 2 carries 5 to 10 a second
    _request(capture, SIZE)
    if 0 < _rate(capture) < FRAMES_PER_S - 1:
        _request(capture, SMALL_SIZE)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    # Another program may have left them fixed.
    capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC_EXPOSURE.get(sys.platform, 1))
    capture.set(cv2.CAP_PROP_AUTO_WB, 1)
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 1)


def _request(capture: cv2.VideoCapture, size: tuple[int, int]) -> None:
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, FRAMES_PER_S)


def _measure_light(capture: cv2.VideoCapture) -> None:
    """Drop the first frames, which are dark or blurred, and then lock the focus.

    A hand would change the focus, and over an empty table it may never be found again. The exposure stays automatic:
    few drivers report the one that they have found, and even changes of light are not movement to settling.
    """
    until = time.monotonic() + LIGHT_S
    while time.monotonic() < until and capture.grab():
        pass
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)


def _rate(capture: cv2.VideoCapture) -> float:
    rate = capture.get(cv2.CAP_PROP_FPS)
    return rate if math.isfinite(rate) and _LEAST_RATE <= rate <= _MOST_RATE else 0.0


def _decoded(capture: cv2.VideoCapture) -> Frame | None:
    """Return the picture that was grabbed; None if it is damaged."""
    is_there, picture = capture.retrieve()
    if is_there and capture.get(cv2.CAP_PROP_FORMAT) == _UNDECODED:
        picture = cv2.imdecode(picture, cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8) if is_there and picture is not None else None


def _pixel_format(capture: cv2.VideoCapture) -> str:
    code = int(capture.get(cv2.CAP_PROP_FOURCC))
    letters = bytes(code >> shift & 0xFF for shift in (0, 8, 16, 24)) if code > 0 else b""
    return letters.decode("ascii", "replace").strip() if letters.isalnum() else ""


def _why_not(source: str) -> str:
    """Return why a source does not open, and what to do."""
    name = shown(source)
    if is_url(source):
        return f"no pictures come from {name}: is the address right, and is the camera's program running?"
    if not is_device(source):
        return f"{name} is not a film that can be played"
    device = Path(f"/dev/video{source}" if source.isdecimal() else source)
    if sys.platform == "linux":
        if not device.exists():
            return f"there is no camera {name}: plug it in; cantstop doctor --cameras lists those that were found"
        if not os.access(device, os.R_OK | os.W_OK):
            return f"no permission to use camera {name}: sudo usermod -aG video $USER, then log in again"
    return f"camera {name} does not start: is another program using it?"
