"""The Raspberry Pi's camera through Picamera2, which comes from apt, not PyPI, and is imported only here.

Each request carries two pictures made by the hardware: "lores", whose first rows are the small grey picture at no cost,
and "main", copied from the request only when it is to be read. There is one configuration, which never changes while
the camera runs, because a mode switch needs more memory than a board of 512 MB has. Every wait has a deadline; the
caller closes and reopens a camera that stopped responding.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import importlib
import json
import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from device.camera.exposure import Exposure
from device.camera.port import FRAMES_PER_S, CameraError, Shot
from device.config import CameraConfig
from device.referee.inputs import CameraTrouble
from vision.files import read_parsed, write_whole
from vision.settling.movement import GREY_PX
from vision.types import Frame, Grey

if TYPE_CHECKING:
    from picamera2.request import CompletedRequest

DEFAULT = CameraConfig()

SIZE = (640, 480)
"""The frame's size in pixels (width, height); with a 25 cm tray in view, a 16 mm die is about 40 pixels wide."""

BUFFERS = 3
"""The least number of buffers with which no frame is dropped; each one costs memory that small boards lack."""

FOCUS_S = 8.0
"""The time limit for focusing, in seconds; over a blank tray libcamera can search for 25 s (picamera2#884)."""

FOCUS_BYTES = 10_000
"""The largest file of a focus that is read, in bytes; the usual size is about 30."""

BLIND_FOCUS_CM = 30.0
"""The focus distance in cm if autofocus fails: that of a usual box, see docs/case.md."""

FIELDS_DEG = {"imx219": 62.2, "imx708": 53.0, "imx708_wide": 83.0, "ov5647": 53.5}
"""The horizontal field of view of `SIZE` in degrees, by sensor name: Camera Modules 2, 3, 3 Wide and 1. A 4:3 picture
leaves out the sides of Module 3's 16:9 sensors (66x41 and 102x67 degrees in Raspberry Pi's documentation)."""

_NO_INFRARED_FILTER = "_noir"
"""The suffix of a sensor's name for a module without an infrared filter; its lens is the same."""

_FAULTS = (concurrent.futures.CancelledError, TimeoutError, RuntimeError, OSError, ValueError, IndexError, KeyError)
"""The exceptions of Picamera2 and libcamera, from a missing control to an unplugged cable."""

_AF_MANUAL = 0
"""libcamera's AfModeManual; its enumeration is in a module that exists only on machines with libcamera."""

_TO_BGR = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "BGR888": cv2.COLOR_RGB2BGR,
}
"""The conversion from Picamera2's formats to BGR; libcamera may deliver another format than requested."""

_GREY_FIRST = ("YUV420", "YVU420", "NV12", "NV21")
"""The formats whose first rows are the grey picture. Up to the Pi 4 the lores stream has no others, so every board is
asked for one of them."""

_log = logging.getLogger(__name__)


class PiCamera:
    """One camera in one fixed configuration; implements the port `Camera`."""

    def __init__(self, config: CameraConfig = DEFAULT, focus_file: Path | None = None) -> None:
        """Open a camera, start it and focus it. The first frames measure the exposure, which is then locked.

        Args:
            config: The distance of the dice.
            focus_file: Where the focus is stored for the next start; None not to store it.

        Raises:
            CameraError: If Picamera2 is not installed, the camera does not exist, or another program uses it.
        """
        try:
            from libcamera import ColorSpace  # noqa: PLC0415 - see the module's docstring

            library = _picamera2()
        except ImportError as error:
            raise CameraError(
                "Picamera2 is missing: sudo apt install python3-picamera2", CameraTrouble.MISSING
            ) from error
        self._camera: Any = None
        self._exposure = Exposure()
        try:
            found = library.global_camera_info()
            if not found:
                raise CameraError(
                    "no camera found: check the ribbon cable and its direction, then restart", CameraTrouble.MISSING
                )
            model = str(found[0].get("Model", ""))
            self._field_deg = FIELDS_DEG.get(model.replace(_NO_INFRARED_FILTER, ""))
            self._camera = library(0)
            # Full-range grey, 0 to 255; the default for small streams is 16 to 235.
            self._start(config, focus_file, ColorSpace.Sycc())
        except _FAULTS as error:
            self.close()
            raise CameraError(f"the camera does not start: {error}; is another program using it?") from error

    def shot(self, timeout_s: float) -> Shot:
        """Wait for the next shot; see `Camera.shot`."""
        if self._camera is None:
            raise CameraError("the camera is closed")
        with _told():
            # Without a timeout a camera that stopped responding would block forever.
            request = self._camera.capture_request(wait=timeout_s)
            try:
                time_s = time.monotonic()
                # A YUV picture begins with the grey one; its rows are padded.
                width, height = self._small_size
                small: Grey = np.ascontiguousarray(request.make_array("lores")[:height, :width], dtype=np.uint8)
                self._set(self._exposure.see(time_s, request.get_metadata(), float(small[::4, ::4].mean())))
            except BaseException:
                request.release()
                raise
        return Shot(time_s, small, lambda: self._main(request), lambda: _give_back(request), self._field_deg)

    def close(self) -> None:
        """Stop and release the camera; may be called twice."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        # A job that the camera never finished would block what follows. If one step fails, the next one is tried.
        for let_go in (camera.cancel_all_and_flush, camera.stop, camera.close):
            try:
                let_go()
            except _FAULTS as error:
                _log.warning("closing the camera: %s failed: %s", let_go.__name__, error)

    def _start(self, config: CameraConfig, focus_file: Path | None, full_range: object) -> None:
        camera = self._camera
        width, height = camera.sensor_resolution
        configuration = camera.create_video_configuration(
            # Picamera2's "RGB888" has its bytes in the order blue, green, red, as OpenCV expects.
            main={"size": SIZE, "format": "RGB888"},
            lores={"size": GREY_PX, "format": "YUV420"},
            # Half the sensor's resolution is its binned mode with the whole field of view; modes of other shapes are
            # crops of the middle.
            raw={"size": (width // 2, height // 2)},
            colour_space=full_range,
            buffer_count=BUFFERS,
            controls=self._known({"FrameRate": FRAMES_PER_S}),
        )
        camera.configure(configuration)
        given = camera.camera_configuration()
        self._format, self._size = str(given["main"]["format"]), tuple(given["main"]["size"])
        if self._format != "RGB888" and self._format not in _TO_BGR:
            raise ValueError(f"its picture format {self._format} is not supported")
        self._small_size = tuple(given["lores"]["size"])
        if str(given["lores"]["format"]) not in _GREY_FIRST:
            raise ValueError(f"the format of its small pictures, {given['lores']['format']}, is not supported")
        camera.start()
        if "LensPosition" in camera.camera_controls:
            self._focus(config, focus_file)

    def _focus(self, config: CameraConfig, focus_file: Path | None) -> None:
        """Focus by the settings, by the stored focus or by autofocus, and store the result."""
        kept = load_focus(focus_file) if focus_file is not None else None
        if config.focus_cm:
            dioptres = 100 / config.focus_cm
        elif kept is not None:
            dioptres = kept
        else:
            dioptres = self._found_focus()
            if focus_file is not None:
                save_focus(focus_file, dioptres)
        self._set({"AfMode": _AF_MANUAL, "LensPosition": dioptres})

    def _found_focus(self) -> float:
        """Run autofocus and return the focus in dioptres."""
        found = False
        with contextlib.suppress(TimeoutError):
            found = bool(self._camera.autofocus_cycle(wait=FOCUS_S))
        if not found:
            self._camera.cancel_all_and_flush()  # cancels the autofocus cycle that timed out
            _log.warning("the camera cannot focus; %g cm is assumed, see [camera] focus_cm", BLIND_FOCUS_CM)
            return 100 / BLIND_FOCUS_CM
        return float(self._camera.capture_metadata(wait=FOCUS_S)["LensPosition"])

    def _set(self, controls: dict[str, object]) -> None:
        if controls:
            self._camera.set_controls(self._known(controls))

    def _known(self, controls: dict[str, object]) -> dict[str, object]:
        """Return the controls that this camera supports; Picamera2 rejects others."""
        known = self._camera.camera_controls
        # "FrameRate" is Picamera2's own name for limits that libcamera calls otherwise.
        names = {name: "FrameDurationLimits" if name == "FrameRate" else name for name in controls}
        return {name: value for name, value in controls.items() if names[name] in known}

    def _main(self, request: CompletedRequest) -> Frame:
        with _told():
            picture = request.make_array("main")
            if self._format in _TO_BGR:
                picture = cv2.cvtColor(picture, _TO_BGR[self._format])
            # Rows may be padded for the hardware.
            return np.ascontiguousarray(picture[:, : self._size[0], :3], dtype=np.uint8)


def load_focus(file: Path) -> float | None:
    """Return the stored focus in dioptres; None if it is missing or unusable.

    Over a blank tray the camera could not focus at the next start.
    """
    return read_parsed(file, FOCUS_BYTES, lambda data: float(data["dioptres"]), "the camera focuses again")


def save_focus(file: Path, dioptres: float) -> None:
    """Store a focus. If that fails, the camera only has to focus again at the next start."""
    try:
        write_whole(file, json.dumps({"dioptres": dioptres}).encode() + b"\n")
    except OSError as error:
        _log.warning("the focus cannot be saved in %s: %s", file, error)


def forget_focus(file: Path) -> None:
    """Delete the stored focus, so that the camera focuses again at its next start."""
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)


class _Deferred(ModuleType):
    """A module that is loaded when something in it is used. importlib's LazyLoader loads it at its second import."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # attributes that the import system itself asks for
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def _picamera2() -> Any:  # noqa: ANN401 - Picamera2 has no types
    """Return the class `Picamera2`, without its video encoders of 15 MB, which are not needed."""
    sys.modules.setdefault("av", _Deferred("av"))
    from picamera2 import Picamera2  # noqa: PLC0415 - see the module's docstring

    return Picamera2


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Convert Picamera2's exceptions to `CameraError`."""
    try:
        yield
    except _FAULTS as error:
        raise CameraError(f"the camera sends no picture: {str(error) or type(error).__name__}") from error


def _give_back(request: CompletedRequest) -> None:
    with _told():
        request.release()
