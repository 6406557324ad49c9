"""OpenCV's real V4L2 code with a simulated webcam, `tools/hardware/v4l2.c`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.device.camera_helpers import Inbox
from tests.hardware.conftest import SHIMS
from tests.waiting import PATIENCE_S
from tools.hardware.bench import build

AUTOFOCUS = "10094860"
"""V4L2_CID_FOCUS_AUTO in linux/v4l2-controls.h."""

DEVICES = Path("/dev/shm")
"""A folder below /dev in which a test may write."""

PICTURE = """
import sys
from device.camera.opencv import OpenCvCamera
from device.camera.port import CameraError, picture
try:
    camera = OpenCvCamera(sys.argv[1])
    print(picture(camera, 20.0).shape, camera.obtained)
except CameraError as error:
    print(error)
"""

WATCH = """
import sys, time
from device.camera.opencv import OpenCvCamera
from device.camera.watcher import Watcher
watcher = Watcher(lambda: OpenCvCamera(sys.argv[1]), lambda seen: print(repr(seen), flush=True))
watcher.start()
sys.stdin.read()
watcher.close()
"""


class Webcam:
    """A webcam that is plugged in, by the folder that controls it."""

    def __init__(self, folder: Path, shim: Path):
        self.device = folder / "video0"
        self._environment = os.environ | {"CANTSTOP_BENCH": str(folder), "LD_PRELOAD": str(shim)}
        self.plug_in()

    def plug_in(self):
        self.device.mkdir()
        for width, height in ((1280, 720), (640, 480)):
            noise = np.random.default_rng(0).integers(90, 110, (height, width, 3), np.uint8)
            cv2.imwrite(str(self.device / f"{width}x{height}.jpg"), noise)

    def unplug(self):
        shutil.rmtree(self.device)

    def set(self, name):
        (self.device / name).touch()

    def run(self, program):
        return subprocess.Popen(
            [sys.executable, "-c", program, self.device],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def taken(self):
        """What a program prints that takes one picture, and does not close the camera."""
        program = self.run(PICTURE)
        out, errors = program.communicate(timeout=PATIENCE_S)
        assert (program.returncode, errors) == (0, "")
        return out.strip()


@pytest.fixture
def webcam():
    if shutil.which("gcc") is None or not os.access(DEVICES, os.W_OK):
        pytest.skip("the simulated webcam needs gcc and /dev/shm")
    (shim,) = build(SHIMS, ("v4l2",))
    with tempfile.TemporaryDirectory(dir=DEVICES) as folder:
        yield Webcam(Path(folder), shim)


def test_a_webcam_delivers_jpeg_in_the_large_size(webcam):
    assert webcam.taken() == "(720, 1280, 3) 1280x720 pixels, 30 frames a second, MJPG"


def test_a_webcam_that_cannot_compress_delivers_the_small_size_at_full_rate(webcam):
    webcam.set("raw")
    assert webcam.taken() == "(480, 640, 3) 640x480 pixels, 30 frames a second, YUYV"


def test_the_driver_focuses_by_itself_at_first_and_then_no_more(webcam):
    webcam.taken()
    controls = [line.split() for line in (webcam.device / "controls").read_text().splitlines()]
    assert [value for name, value in controls if name == AUTOFOCUS] == ["1", "0"]


def test_a_webcam_in_use_is_reported_as_such(webcam):
    webcam.set("busy")
    assert webcam.taken() == f"camera {webcam.device} does not start: is another program using it?"


def test_a_webcam_that_is_not_plugged_in_is_reported_as_such(webcam):
    webcam.unplug()
    assert f"there is no camera {webcam.device}: plug it in" in webcam.taken()


def test_a_webcam_that_is_unplugged_during_play_is_used_again_once_it_is_back(webcam):
    webcam.set("raw")  # then its pictures have noise, as live ones do
    with webcam.run(WATCH) as watching:
        inbox = Inbox()
        reader = threading.Thread(target=lambda: [inbox.put(line) for line in watching.stdout], daemon=True)
        reader.start()
        inbox.until(lambda line: "NO_CAMERA" not in line)
        webcam.unplug()
        inbox.until(lambda line: "silent" in line)
        inbox.until(lambda line: "missing" in line)
        webcam.plug_in()
        webcam.set("raw")
        inbox.until(lambda line: "NO_CAMERA" not in line)
        watching.stdin.close()
        assert watching.wait(PATIENCE_S) == 0
        reader.join(PATIENCE_S)
