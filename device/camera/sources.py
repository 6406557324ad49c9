"""Which camera a source names, and which cameras there are."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from device.camera.opencv import OpenCvCamera
from device.camera.port import Camera, CameraError, picture
from device.config import CameraConfig
from device.health.machine import Machine
from device.referee.inputs import CameraTrouble
from vision.types import Frame

DEFAULT = CameraConfig()

PICAMERA = DEFAULT.source
"""The source that names the Pi's own camera."""

LISTED = Path("/sys/class/video4linux")
"""Where Linux lists its cameras, codecs and other video devices."""

MOST_NUMBERS = 4
"""The number of camera numbers to try on systems that do not list their cameras."""

LIST_S = 10.0
"""The time limit for opening a camera of the list, in seconds."""

FRAME_S = 3.0
"""The longest wait for one of its frames, in seconds."""


def open_source(source: str, config: CameraConfig = DEFAULT, focus_file: Path | None = None) -> Camera:
    """Open the camera that a source names.

    Args:
        source: `PICAMERA`, or see `OpenCvCamera`.
        config: The settings of the Pi's camera.
        focus_file: Where the Pi's camera stores its focus; None not to store it.

    Raises:
        CameraError: If it cannot be opened, or if no camera is chosen on a computer that is no Pi.
    """
    if source != PICAMERA:
        return OpenCvCamera(source)
    if find_spec("picamera2") is None and not Machine().is_pi:
        raise CameraError(
            "no camera chosen: add --camera 0 for this computer's webcam, or --camera http://... for a phone's camera "
            "app; cantstop doctor --cameras lists what there is. Without a camera: cantstop play --no-camera, and type "
            "the dice or photograph them on the page with a phone",
            CameraTrouble.MISSING,
        )
    # Imported here, as only a Pi has Picamera2.
    from device.camera.picamera import PiCamera  # noqa: PLC0415

    return PiCamera(config, focus_file)


@dataclass(frozen=True, slots=True, eq=False)
class FoundCamera:
    """A camera that is there.

    Attributes:
        source: The source that opens it.
        name: Its name; "" if the system does not say.
        obtained: What it delivers; "" if it does not work.
        picture: A picture, (H, W, 3) uint8 BGR; None if it does not work.
        problem: Why it does not work; "" if it does.
    """

    source: str
    name: str
    obtained: str = ""
    picture: Frame | None = None
    problem: str = ""


def cameras(besides: str = "") -> list[FoundCamera]:
    """Return the cameras that OpenCV can open, each with a picture, except one in use; each one has its deadlines."""
    in_use = f"/dev/video{besides}" if besides.isdecimal() and sys.platform == "linux" else besides
    tried = [_tried(source, name) for source, name in candidates() if source != in_use]
    # Elsewhere than on Linux a number without a camera fails in the same way as a camera in use.
    return [one for one in tried if one.obtained or sys.platform == "linux"]


def candidates() -> list[tuple[str, str]]:
    """Return the sources that may be cameras, with their names: what Linux lists, elsewhere the first numbers."""
    if sys.platform != "linux":
        return [(str(number), "") for number in range(MOST_NUMBERS)]
    nodes = sorted(LISTED.glob("video*"), key=lambda node: int(node.name.removeprefix("video")))
    return [(f"/dev/{node.name}", _read(node / "name")) for node in nodes if _is_camera(node)]


def _is_camera(node: Path) -> bool:
    """Whether a device may be a camera: the first node of a USB or virtual one, not a codec of the processor."""
    bus = str(node.resolve())
    return _read(node / "index") == "0" and ("/usb" in bus or "/virtual/" in bus)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _tried(source: str, name: str) -> FoundCamera:
    """Return a camera with a picture, or with the reason why it sends none."""
    try:
        camera = OpenCvCamera(source, open_s=LIST_S)
    except CameraError as error:
        return FoundCamera(source, name, problem=str(error))
    try:
        return FoundCamera(source, name, camera.obtained, picture(camera, FRAME_S))
    except CameraError as error:
        return FoundCamera(source, name, camera.obtained, problem=str(error))
    finally:
        camera.close()
