"""The worker that watches the tray: what it puts into the queue, and how it lives with a camera that fails."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from device.camera import watcher as watching
from device.camera.port import CameraError
from device.camera.simulated import SimulatedTray
from device.camera.watcher import Watcher, likely_rolls
from device.referee.inputs import DiceRead, TraySeen, View
from vision.reading import Die, Reading, Reason
from vision.render import draw, table_scene

PATIENCE_S = 30.0


class Inbox:
    """What was put in, waited for with a deadline."""

    def __init__(self) -> None:
        self.inputs: queue.Queue = queue.Queue()
        self.put = self.inputs.put

    def until(self, wanted) -> list:
        seen = []
        deadline = time.monotonic() + PATIENCE_S
        while not seen or not wanted(seen[-1]):
            seen.append(self.inputs.get(timeout=max(0.01, deadline - time.monotonic())))
        return seen


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def started():
    """Starts watchers and ends them after the test."""
    running = []

    def start(open_camera, inbox) -> Watcher:
        worker = Watcher(open_camera, inbox.put)
        worker.start()
        running.append(worker)
        return worker

    yield start
    for worker in running:
        worker.close()


def test_a_throw_into_an_empty_tray_is_told_once_with_what_it_shows(inbox, started):
    tray = SimulatedTray(seed=1, hurried=True)
    started(lambda: tray, inbox)
    inbox.until(lambda seen: seen == TraySeen(View.EMPTY))
    assert tray.throw(values=(3, 1, 6, 6)) == (1, 3, 6, 6)
    *_, read = inbox.until(lambda seen: isinstance(seen, DiceRead))
    assert read.dice == (1, 3, 6, 6)
    assert inbox.until(lambda seen: isinstance(seen, TraySeen))[-1] == TraySeen(View.USED)


def test_one_die_is_read_where_one_is_wanted_and_four_are_then_too_many(inbox, started):
    tray = SimulatedTray(seed=2, hurried=True)
    started(lambda: tray, inbox).watch_for(1)
    inbox.until(lambda seen: seen == TraySeen(View.EMPTY))
    tray.throw(values=(5,))
    assert inbox.until(lambda seen: isinstance(seen, DiceRead))[-1].dice == (5,)
    tray.throw(values=(1, 2, 3, 4))
    seen = inbox.until(lambda seen: isinstance(seen, TraySeen) and seen.view is View.UNREADABLE)[-1]
    assert (seen.why, seen.dice) == ("count", 4)


def test_dice_that_lie_there_are_told_when_the_box_asks(inbox, started):
    tray = SimulatedTray(seed=3, hurried=True)
    tray.throw(values=(2, 2, 4, 4))
    for _ in range(60):
        tray.frame(0.0)  # the throw is over before the box is switched on
    worker = started(lambda: tray, inbox)
    inbox.until(lambda seen: seen == TraySeen(View.USED))
    worker.read_again()
    assert inbox.until(lambda seen: isinstance(seen, DiceRead))[-1].dice == (2, 2, 4, 4)


def test_a_missing_camera_is_told_and_tried_again_until_it_is_there(inbox, started, monkeypatch):
    monkeypatch.setattr(watching, "RETRY_S", 0.01)
    tries = []
    tray = SimulatedTray(seed=4, hurried=True)

    def open_camera():
        tries.append(1)
        if len(tries) < 3:
            raise CameraError("no camera found")
        return tray

    worker = started(open_camera, inbox)
    assert inbox.until(lambda seen: isinstance(seen, TraySeen))[-1].view is View.NO_CAMERA
    inbox.until(lambda seen: seen == TraySeen(View.EMPTY))
    assert len(tries) == 3
    assert worker.alive()


class Staged:
    """A camera that shows one picture after another, each so often that it is still."""

    def __init__(self, *pictures: np.ndarray) -> None:
        self.frames = [picture for picture in pictures for _ in range(12)]
        self.number = 0

    def frame(self, timeout_s):
        if self.number == len(self.frames):
            time.sleep(0.01)
        self.number = min(self.number + 1, len(self.frames))
        return self.number / 15, self.frames[self.number - 1]

    def close(self):
        pass


def test_a_pushed_camera_is_told_until_the_tray_was_checked(inbox, started, monkeypatch):
    monkeypatch.setattr(watching, "read", lambda frame, params: Reading((), Reason.NO_DICE))
    scene = table_scene((320, 240))
    pushed = replace(scene, camera=replace(scene.camera, aim_mm=(12.0, -9.0)))
    worker = started(lambda: Staged(draw(scene), draw(pushed)), inbox)
    seen = inbox.until(lambda seen: seen == TraySeen(View.MOVED))
    assert TraySeen(View.EMPTY) in seen
    worker.tray_checked()
    assert inbox.until(lambda seen: isinstance(seen, TraySeen))[-1] == TraySeen(View.EMPTY)


class Failing:
    """A camera that gives some frames and then fails."""

    def __init__(self, frames: int, closed: list) -> None:
        self.left = frames
        self.closed = closed
        self.time_s = 0.0

    def frame(self, timeout_s):
        if not self.left:
            raise CameraError("the camera gives no frame")
        self.left -= 1
        self.time_s += 0.1
        return self.time_s, np.full((48, 64, 3), 90, np.uint8)

    def close(self):
        self.closed.append(self)


def test_a_camera_that_dies_is_let_go_and_opened_anew(inbox, started, monkeypatch):
    monkeypatch.setattr(watching, "RETRY_S", 0.01)
    closed = []
    opened = []

    def open_camera():
        opened.append(Failing(3, closed))
        return opened[-1]

    started(open_camera, inbox)
    inbox.until(lambda seen: isinstance(seen, TraySeen) and seen.view is View.NO_CAMERA)
    deadline = time.monotonic() + PATIENCE_S
    while len(opened) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(opened) >= 3
    assert closed[:2] == opened[:2]


def test_a_watcher_that_hangs_is_not_alive(inbox, monkeypatch):
    monkeypatch.setattr(watching, "SILENCE_S", 0.05)
    monkeypatch.setattr(watching, "FRAME_TIMEOUT_S", 0.1)
    hold = threading.Event()

    class Hanging(Failing):
        def frame(self, timeout_s):
            hold.wait(PATIENCE_S)
            return super().frame(timeout_s)

    worker = Watcher(lambda: Hanging(1, []), inbox.put)
    worker.start()
    deadline = time.monotonic() + PATIENCE_S
    while worker.alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not worker.alive()
    hold.set()
    worker.close()


def test_the_likeliest_other_roll_changes_the_least_sure_die_to_its_runner_up():
    box = (0.0, 0.0, 9.0, 9.0)
    dice = (Die(6, box, 0.99, 4), Die(2, box, 0.8, 3), Die(5, box, 0.95, 4), Die(1, box, 0.999, 2))
    assert likely_rolls(Reading(dice))[:2] == ((1, 3, 5, 6), (1, 2, 4, 6))


def test_likely_rolls_are_different_from_one_another():
    box = (0.0, 0.0, 9.0, 9.0)
    dice = (Die(6, box, 0.9, 4), Die(6, box, 0.8, 4), Die(5, box, 0.95, 4), Die(1, box, 0.999, 2))
    rolls = likely_rolls(Reading(dice))
    assert len(set(rolls)) == len(rolls) == 3
