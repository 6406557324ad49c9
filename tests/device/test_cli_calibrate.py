"""The command `cantstop calibrate`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from device.camera.port import CameraError
from device.camera.tray_look import FRAMES
from device.cli import main
from device.composition import known_tray
from tests.device.camera_helpers import WholeCamera
from tests.vision.looks import tray_map
from vision.render.draw import draw
from vision.render.scene import Scene
from vision.render.table import table_scene
from vision.tray.calibrate import TrayFrame
from vision.tray.calibration import load
from vision.types import Frame

TRAY = tray_map(table_scene())
NOTHING = np.zeros_like(TRAY)

Looker = Callable[..., TrayFrame]


@pytest.fixture
def look(monkeypatch):
    """Replace the reader's look by one that the test chooses; by default of the table's empty tray."""

    def put(looker: Looker) -> None:
        monkeypatch.setattr("device.cli.calibrate.look_at", looker)

    put(lambda frame, **_: TrayFrame(frame, TRAY))
    return put


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The file in which the simulated tray is kept."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "state" / "simulated-calibration.json"


def calibrate(*argv: object) -> int:
    return main(["calibrate", *map(str, argv)])


def test_the_simulated_tray_is_calibrated_and_saved(look, file, capsys):
    assert calibrate("--simulate") == 0
    output = capsys.readouterr().out
    assert "Fine." in output
    assert f"saved in {file}" in output
    assert load(file).frame_size == (640, 480)
    assert load(file).empty is not None


def test_problems_and_suggestions_are_reported_and_the_calibration_is_saved(look, file, monkeypatch, capsys):
    scene = table_scene()
    blurred = replace(scene, sensor=replace(scene.sensor, blur_px=5.0))
    tilted = replace(scene, camera=replace(scene.camera, tilt_deg=32.0, height_mm=400.0))
    kept = file.with_name("calibration.json")
    monkeypatch.setattr("device.cli.calibrate.WARM_UP_FRAMES", 0)
    for seen, status, told in (
        (blurred, 1, "* Blurred: turn the lens or wipe it (the blur is"),
        (tilted, 0, "- Point the camera straight down (it seems to be tilted"),  # a mere suggestion
    ):
        look(lambda frame, seen=seen, **_: TrayFrame(frame, tray_map(seen)))
        camera = CountingCamera(seen)
        monkeypatch.setattr("device.cli.camera_option.open_source", lambda *_, camera=camera: camera)
        assert calibrate() == status
        assert told in capsys.readouterr().out
        assert load(kept).empty is not None


def test_without_a_tray_or_its_edge_or_interrupted_the_old_file_stays(look, file, tmp_path, capsys):
    calibrate("--simulate")
    before = file.read_bytes()
    look(lambda frame, **_: TrayFrame(frame, NOTHING))
    assert calibrate("--simulate", "--picture", tmp_path / "seen.png") == 1
    assert "no tray found" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert cv2.imread(str(tmp_path / "seen.png")).shape == (480, 640, 3)
    look(Mock(side_effect=KeyboardInterrupt))
    assert calibrate("--simulate") == 130
    capsys.readouterr()
    look(lambda frame, **_: TrayFrame(frame, np.ones_like(TRAY)))
    assert calibrate("--simulate") == 1
    output = capsys.readouterr().out
    assert "tray: no edge found" in output
    assert "Raise the camera (no edge of the tray is in view" in output
    assert f"nothing saved; {file} is unchanged" in output
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


class CountingCamera(WholeCamera):
    """A camera that counts; fits the port `Camera`."""

    frames = 0
    closed = 0

    def __init__(self, scene: Scene | None = None) -> None:
        self.scene = scene or table_scene()

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        self.frames += 1
        return self.frames / 15, draw(self.scene, self.frames)

    def close(self) -> None:
        self.closed += 1


def test_the_camera_gets_time_to_find_its_exposure_and_is_released(look, file, tmp_path, monkeypatch, capsys):
    camera = CountingCamera()
    monkeypatch.setattr("device.cli.camera_option.open_source", lambda *_: camera)
    monkeypatch.setattr("device.cli.calibrate.WARM_UP_FRAMES", 5)
    assert calibrate() == 0
    assert (camera.frames, camera.closed) == (5 + FRAMES, 1)


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ([], "no camera found"),
        (["--simulate", "--picture", "seen.jpg"], "name it seen.png"),
        (["--simulate", "--picture", "gone/seen.png"], "seen.png"),
    ],
)
def test_what_cannot_be_done_is_reported_and_changes_nothing(look, file, monkeypatch, capsys, argv, told):
    none = Mock(side_effect=CameraError("no camera found: check the ribbon cable"))
    monkeypatch.setattr("device.cli.camera_option.open_source", none)
    assert calibrate(*argv) == 2
    assert told in capsys.readouterr().err
    assert not file.exists()


def test_the_box_uses_the_calibration_unless_its_file_is_damaged(look, file, caplog):
    assert known_tray(file) is None
    calibrate("--simulate")
    known = known_tray(file)
    assert known is not None
    assert known.edge == load(file).edge
    assert not caplog.text
    file.write_text("{}")
    assert known_tray(file) is None
    assert "playing without it" in caplog.text
