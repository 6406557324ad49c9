"""A look at the tray as the box takes it: through the watcher, during play, with and without a camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.camera.tray_look import FRAMES, NOT_KEPT, TrayLook
from device.camera.watcher import Watcher
from device.referee.inputs import DiceRead, TrayMeasured, TraySeen, TrayView
from tests.device.camera_helpers import Inbox
from vision.render import draw, table_scene
from vision.tray.calibrate import TrayFrame
from vision.tray.calibration import load


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def watch(inbox, tmp_path):
    """Start watchers that store what they learn in a file, and end them after the test."""
    running = []

    def start(open_camera) -> Watcher:
        watcher = Watcher(open_camera, inbox.put, calibration=tmp_path / "calibration.json")
        watcher.start()
        running.append(watcher)
        return watcher

    yield start
    for watcher in running:
        watcher.close()


def test_an_empty_tray_is_calibrated_and_dice_are_read_afterwards(inbox, watch, tmp_path):
    tray = SimulatedTray(seed=4, hurried=True)
    watcher = watch(lambda: tray)
    watcher.measure(learn=True)
    assert inbox.until_a(TrayMeasured) == TrayMeasured()
    assert load(tmp_path / "calibration.json").empty is not None
    tray.throw(values=(1, 3, 5, 6))
    assert inbox.until_a(DiceRead).dice == (1, 3, 5, 6)


def test_a_mere_look_stores_nothing(inbox, watch, tmp_path):
    watch(lambda: SimulatedTray(seed=4, hurried=True)).measure(learn=False)
    assert inbox.until_a(TrayMeasured) == TrayMeasured()
    assert list(tmp_path.iterdir()) == []


def test_without_a_camera_a_look_is_answered_at_once(inbox, watch):
    def missing():
        raise CameraError("no camera found")

    watcher = watch(missing)
    assert inbox.until_a(TraySeen).view is TrayView.NO_CAMERA
    for _ in range(2):
        watcher.measure(learn=True)
        assert inbox.until_a(TrayMeasured) == TrayMeasured("no camera")


def test_a_camera_lost_during_a_look_is_reported(inbox, watch):
    class Torn(SimulatedTray):
        frames = 0

        def frame(self, timeout_s):
            self.frames += 1
            if self.frames > FRAMES // 2:
                raise CameraError("the cable is out")
            return super().frame(timeout_s)

    tray = Torn(seed=4, hurried=True)
    watch(lambda: tray).measure(learn=True)
    assert inbox.until_a(TrayMeasured) == TrayMeasured("no camera")


def measured(scene, tmp_path=None) -> TrayMeasured:
    look = TrayLook(learn=tmp_path is not None, keep_in=tmp_path and tmp_path / "file" / "calibration.json")
    answers = [look.see(draw(scene, number)) for number in range(FRAMES)]
    assert answers[:-1] == [None] * (FRAMES - 1)
    return answers[-1]


def test_problems_that_prevent_reading_are_reported():
    scene = table_scene()
    told = measured(replace(scene, sensor=replace(scene.sensor, blur_px=5.0)))
    assert ("turn the lens", True) in told.advice


def test_without_a_visible_tray_nothing_is_calibrated(monkeypatch):
    nothing = np.zeros((60, 80), np.float32)
    monkeypatch.setattr("device.camera.tray_look.look_at", lambda frame, **_: TrayFrame(frame, nothing))
    assert measured(table_scene()) == TrayMeasured("no tray")


def test_without_an_edge_nothing_is_calibrated_and_the_camera_should_go_higher(monkeypatch, tmp_path):
    every = np.ones((60, 80), np.float32)
    monkeypatch.setattr("device.camera.tray_look.look_at", lambda frame, **_: TrayFrame(frame, every))
    assert ("higher", True) in measured(table_scene(), tmp_path).advice
    assert list(tmp_path.iterdir()) == []


def test_a_calibration_that_cannot_be_saved_is_used_and_reported(tmp_path):
    (tmp_path / "file").write_text("")
    assert (NOT_KEPT, False) in measured(table_scene(), tmp_path).advice
