"""OpenCV's real V4L2 code with a simulated webcam, `tools/hardware/v4l2.c`."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from tests.device.camera_helpers import Inbox
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

WATCH = """
import sys, time
from device.camera.opencv import OpenCvCamera
from device.camera.watcher import Watcher
watcher = Watcher(lambda: OpenCvCamera(sys.argv[1]), lambda seen: print(repr(seen), flush=True))
watcher.start()
sys.stdin.read()
watcher.close()
"""


def run(webcam, program):
    return subprocess.Popen(
        [sys.executable, "-c", program, webcam.device],
        env=os.environ | webcam.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def taken(webcam):
    """What a program prints that takes one picture, and does not close the camera."""
    program = run(webcam, PICTURE)
    out, errors = program.communicate(timeout=PATIENCE_S)
    assert (program.returncode, errors) == (0, "")
    return out.strip()


def test_a_webcam_delivers_jpeg_in_the_large_size(webcam):
    assert taken(webcam) == "(720, 1280, 3) 1280x720 pixels, 30 frames a second, MJPG"


def test_a_webcam_that_cannot_compress_delivers_the_small_size_at_full_rate(webcam):
    webcam.set("raw")
    assert taken(webcam) == "(480, 640, 3) 640x480 pixels, 30 frames a second, YUYV"


def test_the_driver_focuses_by_itself_at_first_and_then_no_more(webcam):
    taken(webcam)
    controls = [line.split() for line in (webcam.device / "controls").read_text().splitlines()]
    assert [value for name, value in controls if name == AUTOFOCUS] == ["1", "0"]


def test_a_webcam_in_use_is_reported_as_such(webcam):
    webcam.set("busy")
    assert taken(webcam) == f"camera {webcam.device} does not start: is another program using it?"


def test_a_webcam_that_is_not_plugged_in_is_reported_as_such(webcam):
    webcam.unplug()
    assert f"there is no camera {webcam.device}: plug it in" in taken(webcam)


def test_a_webcam_that_is_unplugged_during_play_is_used_again_once_it_is_back(webcam):
    webcam.set("raw")  # then its pictures have noise, as live ones do
    with run(webcam, WATCH) as watching:
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
