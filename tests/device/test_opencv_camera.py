"""OpenCV's cameras: films and a stream through the real `cv2.VideoCapture`; drivers of webcams are doubles."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device.camera import opencv, sources
from device.camera.opencv import MOST_ABANDONED, SIZE, OpenCvCamera, shown
from device.camera.port import CameraError, picture
from device.camera.simulated import SimulatedTray
from device.camera.sources import cameras
from device.cli import main
from device.referee.inputs import CameraTrouble
from tests.device.camera_helpers import number_of, numbered, written_film
from tests.waiting import PATIENCE_S, until
from tools.hardware.mjpeg_server import MjpegServer

NOISE = np.random.default_rng(0)


@pytest.fixture
def server():
    with MjpegServer(numbered) as running:
        yield running


def empty_table(_number: int) -> np.ndarray:
    return NOISE.integers(90, 110, (480, 640, 3), np.uint8)


def error_of(camera, timeout_s: float) -> CameraError:
    """Take pictures, all of the same size, until one fails to come."""
    deadline = time.monotonic() + PATIENCE_S
    try:
        while time.monotonic() < deadline:
            assert picture(camera, timeout_s).shape == (240, 320, 3)
    except CameraError as error:
        return error
    raise AssertionError("pictures still come")


# Films


def test_each_frame_of_a_film_is_delivered_once_with_its_time_and_its_end_is_reported(tmp_path):
    film = written_film(tmp_path / "film.avi", map(numbered, range(20)), 30.0)
    with closing(OpenCvCamera(str(film))) as camera:
        for number in range(20):
            with camera.shot(PATIENCE_S) as shot:
                assert number_of(shot.picture()) == number
                assert shot.time_s == pytest.approx(number / 30)
        with pytest.raises(CameraError, match="the film has ended"):
            picture(camera, PATIENCE_S)


@pytest.mark.parametrize("name", ["nothing.mp4", "words.mp4"])
def test_a_file_that_is_no_film_is_named(tmp_path, name):
    (tmp_path / "words.mp4").write_text("no film")
    with pytest.raises(CameraError, match=name.replace(".", r"\.")) as raised:
        OpenCvCamera(str(tmp_path / name))
    assert raised.value.trouble is CameraTrouble.MISSING


# Streams


def test_a_stream_delivers_its_newest_picture_not_those_that_came_while_nobody_looked(server):
    with closing(OpenCvCamera(server.url)) as camera:
        picture(camera, PATIENCE_S)
        first = server.sent
        until(lambda: server.sent >= first + 15, "15 more pictures")
        server.stalls.set()
        last = until(lambda: server.stalled, "the end of the stream")
        shots = [number_of(picture(camera, PATIENCE_S))]
        while shots[-1] != last:
            shots.append(number_of(picture(camera, PATIENCE_S)))
    assert len(shots) < 7


def test_a_stream_that_stalls_is_given_up_in_time_and_used_again_when_it_comes_back(server):
    camera = OpenCvCamera(server.url)
    picture(camera, PATIENCE_S)
    server.stalls.set()
    error = error_of(camera, 0.5)
    assert "no picture in 0.5 seconds" in str(error)
    assert error.trouble is CameraTrouble.SILENT
    began = time.monotonic()
    camera.close()
    assert time.monotonic() - began < opencv.CLOSE_S + 1.0
    server.stalls.clear()
    with closing(OpenCvCamera(server.url)) as camera:
        assert picture(camera, PATIENCE_S).shape == (240, 320, 3)


def test_half_a_picture_is_never_delivered(server):
    with closing(OpenCvCamera(server.url)) as camera:
        server.cuts = lambda number: number % 2 == 1
        picture(camera, PATIENCE_S)
        first = server.sent
        while server.sent < first + 20:
            frame = picture(camera, PATIENCE_S)
            assert int(frame.max()) - int(frame.min()) <= 2
            assert abs(frame[0, 0].astype(int) - frame[-1, -1]).max() <= 2


def test_pictures_of_another_size_end_the_stream_and_the_next_one_has_that_size(server):
    camera = OpenCvCamera(server.url)
    picture(camera, PATIENCE_S)
    server.frame = lambda number: np.rot90(numbered(number)).copy()  # the phone was turned
    assert "size" in str(error_of(camera, PATIENCE_S))
    camera.close()
    with closing(OpenCvCamera(server.url)) as camera:
        assert picture(camera, PATIENCE_S).shape == (320, 240, 3)


def test_a_password_in_an_address_is_not_shown():
    url = "http://anna:secret@127.0.0.1:1/video"
    with pytest.raises(CameraError, match="127") as raised:
        OpenCvCamera(url)
    assert "secret" not in str(raised.value)
    assert shown(url) == "http://127.0.0.1:1/video"


# Webcams


class Webcam:
    """A double of `cv2.VideoCapture` whose driver can hang (`hangs` blocks it while it is not set) or be unplugged.

    `tests/hardware/test_webcam.py` has OpenCV's real one, with a simulated driver.
    """

    def __init__(self):
        self.hangs = threading.Event()
        self.hangs.set()
        self.is_plugged = True
        self.properties = {}
        self.opened = self.released = 0

    def __call__(self, *_):
        self.opened += 1
        return self

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.is_plugged

    def set(self, name, value):
        self.properties[name] = value
        return True

    def get(self, name):
        return 30.0 if name == cv2.CAP_PROP_FPS else self.properties.get(name, 0)

    def grab(self):
        self.hangs.wait()
        time.sleep(0.01)
        return self.is_plugged

    def retrieve(self):
        return True, NOISE.integers(90, 110, (SIZE[1], SIZE[0], 3), np.uint8)

    def release(self):
        self.released += 1


@pytest.fixture
def webcam(monkeypatch):
    camera = Webcam()
    monkeypatch.setattr(opencv, "cv2", SimpleNamespace(**{**vars(cv2), "VideoCapture": camera}))
    monkeypatch.setattr(opencv, "LIGHT_S", 0.05)
    monkeypatch.setattr(opencv, "CLOSE_S", 0.05)
    yield camera
    camera.hangs.set()


def test_drivers_that_hang_hold_only_a_few_threads_and_none_once_they_respond(webcam):
    webcam.hangs.clear()
    for _ in range(MOST_ABANDONED + 2):
        with pytest.raises(CameraError, match=r"camera 0 (does not respond within|.*plug it in)") as raised:
            OpenCvCamera("0", open_s=0.1)
        assert raised.value.trouble is CameraTrouble.HANGS
    assert webcam.opened == MOST_ABANDONED
    with pytest.raises(CameraError, match="unplug it and plug it in again"):
        OpenCvCamera("0")
    webcam.hangs.set()
    until(lambda: webcam.released == MOST_ABANDONED, "the release of each camera")
    with closing(OpenCvCamera("0")) as camera:
        picture(camera, PATIENCE_S)


def test_a_camera_that_needs_permission_is_reported_as_such(monkeypatch):
    monkeypatch.setattr(opencv.sys, "platform", "linux")
    monkeypatch.setattr(opencv.os, "access", lambda *_: False)
    with pytest.raises(CameraError, match="usermod -aG video"):
        OpenCvCamera("/dev/null")


# The list of cameras


@pytest.fixture
def three_nodes(tmp_path, monkeypatch):
    """Linux's devices on a Pi with a webcam: its two nodes, and a codec of the processor."""
    monkeypatch.setattr(sources.sys, "platform", "linux")
    listed = tmp_path / "class"
    for number, index, name, bus in (
        (0, 0, "HD Webcam C525", "soc/usb1/1-1"),
        (1, 1, "HD Webcam C525", "soc/usb1/1-1"),
        (10, 0, "bcm2835-codec-decode", "soc/codec"),
    ):
        node = tmp_path / "devices/platform" / bus / f"video{number}"
        node.mkdir(parents=True)
        (node / "name").write_text(f"{name}\n")
        (node / "index").write_text(f"{index}\n")
        listed.mkdir(exist_ok=True)
        (listed / node.name).symlink_to(node)
    monkeypatch.setattr(sources, "LISTED", listed)


def test_a_camera_that_does_not_work_is_listed_with_the_reason(webcam, three_nodes):
    webcam.is_plugged = False
    (found,) = cameras()
    assert found.picture is None
    assert "/dev/video0" in found.problem


def test_the_command_lists_each_camera_once_and_writes_a_picture_of_it(
    webcam, three_nodes, tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--cameras"]) == 0
    file = "cantstop-camera-0.png"
    assert cv2.imread(file).shape == (SIZE[1], SIZE[0], 3)
    shown_lines = capsys.readouterr().out
    assert "--camera /dev/video0  HD Webcam C525" in shown_lines
    assert shown_lines.count("/dev/video") == 1
    assert f"1280x720 pixels, 30 frames a second, MJPG; picture: {file}" in shown_lines


def test_without_a_camera_the_command_says_how_to_get_one(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sources, "LISTED", tmp_path / "none")
    assert main(["doctor", "--cameras"]) == 1
    out = capsys.readouterr().out
    assert "No camera found. Plug one in, or use a phone" in out
    assert "ribbon" not in out


def test_read_takes_a_picture_with_the_camera_and_reads_it(tmp_path, capsys):
    tray = SimulatedTray(seed=1, hurried=True)
    tray.throw(values=(3, 1, 6, 6))
    frames = [tray.frame(1.0)[1] for _ in range(45)]
    film = written_film(tmp_path / "roll.avi", frames[-2:])
    assert main(["read", "--camera", str(film)]) == 0
    assert f"{film}: 1 3 6 6 " in capsys.readouterr().out


def test_doctor_says_what_the_camera_delivers(server, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    server.frame = empty_table
    main(["doctor", "--camera", server.url])
    assert f"camera {server.url}: 640x480 pixels" in " ".join(capsys.readouterr().out.split())
