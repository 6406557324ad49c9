"""Every camera fits the port: one contract, run on all; Picamera2 is a double (see tests/hardware)."""

from __future__ import annotations

import sys
from contextlib import closing

import numpy as np
import pytest

from device.camera.picamera import PiCamera
from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.camera.sources import open_source
from device.health.machine import Machine
from tests.device.camera_helpers import numbered, written_film
from tests.hardware.picamera2_double import plugged_in
from tests.waiting import PATIENCE_S
from tools.hardware.mjpeg_server import MjpegServer
from vision.settling.movement import GREY_PX, grey_of


@pytest.fixture
def picamera2(monkeypatch):
    return plugged_in(monkeypatch)


@pytest.fixture
def film(tmp_path):
    return written_film(tmp_path / "film.avi", map(numbered, range(60)))


@pytest.fixture
def stream():
    with MjpegServer(numbered) as server:
        yield server.url


@pytest.fixture(params=["simulated", "hurried", "picamera", "film", "stream"])
def camera(request):
    # Only what it takes, as a film takes a moment to write.
    opens = {
        "simulated": lambda: SimulatedTray(seed=1),
        "hurried": lambda: SimulatedTray(seed=1, hurried=True),
        "picamera": lambda: request.getfixturevalue("picamera2") and open_source("picamera"),
        "film": lambda: open_source(str(request.getfixturevalue("film"))),
        "stream": lambda: open_source(request.getfixturevalue("stream")),
    }
    with closing(opens[request.param]()) as opened:
        yield opened


def test_a_shot_has_a_small_grey_picture_and_a_whole_one_of_the_same_moment_by_a_steady_clock(camera):
    times = []
    for number in range(30):
        if number == 5 and hasattr(camera, "throw"):
            camera.throw()
        with camera.shot(PATIENCE_S) as shot:
            times.append(shot.time_s)
            assert (shot.small.dtype, shot.small.ndim) == (np.uint8, 2)
            assert shot.small.shape[0] <= GREY_PX[1]
            assert shot.small.shape[1] <= GREY_PX[0]
            if number > 20:
                continue  # a shot that nobody reads does not block the next one
            frame = shot.picture()
        assert (frame.dtype, frame.ndim, frame.shape[2]) == (np.uint8, 3, 3)
        assert np.abs(shot.small.astype(int) - grey_of(frame)).max() <= 1
    assert times == sorted(times)
    camera.close()
    camera.close()


def test_a_missing_picamera2_is_reported_with_the_remedy_on_a_pi(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setattr(Machine, "model", "Raspberry Pi 4 Model B Rev 1.4")
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        PiCamera()


def test_another_computer_is_not_asked_for_picamera2_but_for_a_webcam_or_a_phone(monkeypatch):
    monkeypatch.setattr("device.camera.sources.find_spec", lambda _: None)
    monkeypatch.setattr(Machine, "model", "")
    with pytest.raises(CameraError, match=r"--camera 0 .*--camera http://.*doctor --cameras") as raised:
        open_source("picamera")
    assert "picamera" not in str(raised.value).lower()
