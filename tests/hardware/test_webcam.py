"""OpenCV's real V4L2 code with a simulated webcam, `tools/hardware/v4l2.c`."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.waiting import PATIENCE_S

AUTOFOCUS = "10094860"
"""V4L2_CID_FOCUS_AUTO in linux/v4l2-controls.h."""

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


def taken(webcam):
    """What a program prints that takes one picture, and does not close the camera."""
    done = subprocess.run(
        [sys.executable, "-c", PICTURE, webcam.device],
        env=os.environ | webcam.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_a_webcam_delivers_jpeg_in_the_large_size_and_focuses_by_itself_only_at_first(webcam):
    assert taken(webcam) == "(720, 1280, 3) 1280x720 pixels, 30 frames a second, MJPG"
    controls = [line.split() for line in (webcam.device / "controls").read_text().splitlines()]
    assert [value for name, value in controls if name == AUTOFOCUS] == ["1", "0"]


def test_a_webcam_that_cannot_compress_delivers_the_small_size_at_full_rate(webcam):
    webcam.set("raw")
    assert taken(webcam) == "(480, 640, 3) 640x480 pixels, 30 frames a second, YUYV"


def test_a_webcam_in_use_or_not_plugged_in_is_reported_as_such(webcam):
    webcam.set("busy")
    assert taken(webcam) == f"camera {webcam.device} does not start: is another program using it?"
    webcam.unplug()
    assert f"there is no camera {webcam.device}: plug it in" in taken(webcam)
