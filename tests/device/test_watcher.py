"""The worker that watches the tray: its inputs to the queue, and its recovery from a failing camera."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from device.camera import liveness, worker
from device.camera import watcher as watcher_module
from device.camera.port import CameraError, Shot
from device.camera.simulated import SimulatedTray
from device.camera.tray_look import FRAMES, NOT_KEPT, TrayLook
from device.camera.watcher import MOST_LOST, Watcher
from device.camera.worker import likely_rolls
from device.referee.inputs import CameraTrouble, DiceRead, TrayMeasured, TraySeen, TrayStill, TrayView
from tests.device.camera_helpers import Inbox, WholeCamera
from tests.vision.known import TABLE, THROWN
from tests.waiting import PATIENCE_S, until
from vision.render.draw import draw
from vision.render.table import table_scene
from vision.settling.movement import grey_of
from vision.tray.advice import Advice, Change
from vision.tray.calibrate import TrayFrame
from vision.tray.calibration import load, save
from vision.tray.known import Tray, with_pose
from vision.types import Die, Pose, Reading, Reason


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def started():
    """Starts watchers and ends them after the test."""
    running = []

    def start(open_camera, inbox, **options) -> Watcher:
        watcher = Watcher(open_camera, inbox.put, **options)
        watcher.start()
        running.append(watcher)
        return watcher

    yield start
    for watcher in running:
        watcher.close()


class Counting(SimulatedTray):
    """A tray that counts its shots, and notes from which of them the whole picture is fetched."""

    shots = 0
    fetched: tuple[int, ...] = ()

    def shot(self, timeout_s):
        time_s, frame = self.frame(timeout_s)
        self.shots += 1
        number = self.shots

        def fetch():
            self.fetched += (number,)
            return frame

        return Shot(time_s, grey_of(frame), fetch)


def test_a_roll_into_an_empty_tray_is_reported_once_from_few_whole_pictures_and_shows_the_pose(inbox, started):
    tray = Counting(seed=1, hurried=True)
    watcher = started(lambda: tray, inbox)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    watcher.tray = with_pose(watcher.tray, Pose((0.2, 0.0), (319.5, 239.5), 0.002), (640, 480))
    assert tray.throw(values=(3, 1, 6, 6)) == (1, 3, 6, 6)
    *_, read = inbox.until(lambda seen: isinstance(seen, DiceRead))
    assert read.dice == (1, 3, 6, 6)
    assert inbox.until(lambda seen: isinstance(seen, TraySeen))[-1] == TraySeen(TrayView.USED)
    until(lambda: abs(watcher.tray.pose.up[0]) < 0.15)
    until(lambda: tray.shots > 60)
    assert len(tray.fetched) <= 10


def test_the_first_pose_is_stored_with_a_calibrated_tray_and_its_loss_is_no_fault(inbox, started, tmp_path):
    known = Tray.learnt((640, 480), ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), None)
    file, folder = tmp_path / "calibration.json", tmp_path / "folder"
    folder.mkdir()
    for calibration in (file, folder):  # a folder cannot be written like a file
        tray = SimulatedTray(seed=1, hurried=True)
        watcher = started(lambda tray=tray: tray, inbox, tray=known, calibration=calibration)
        inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
        tray.throw(values=(3, 1, 6, 6))
        inbox.until(lambda seen: isinstance(seen, DiceRead))
        until(lambda watcher=watcher: watcher.tray.pose is not None)
        watcher.close()
    assert load(file).pose is not None


@pytest.mark.parametrize("is_pushed", [False, True])
def test_another_pose_is_stored_after_the_camera_was_moved_and_the_same_is_not(inbox, started, tmp_path, is_pushed):
    known = Tray.learnt((640, 480), ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), None)
    known = with_pose(known, Pose((0.25, 0.0), (319.5, 239.5), 0.002), (640, 480))
    file = tmp_path / "calibration.json"
    save(known, file)
    tray = SimulatedTray(seed=1, hurried=True)
    watcher = started(lambda: tray, inbox, tray=known, calibration=file)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    if is_pushed:
        watcher.tray = None
    tray.throw(values=(3, 1, 6, 6))
    inbox.until(lambda seen: isinstance(seen, DiceRead))
    until(lambda: abs(load(file).pose.up[0]) < 0.15)
    assert load(file).edge == known.edge
    before = load(file).pose
    tray.throw(values=(1, 2, 5, 6))
    inbox.until(lambda seen: isinstance(seen, DiceRead))
    inbox.until(lambda seen: isinstance(seen, TrayStill))
    assert load(file).pose == before


def test_an_empty_tray_is_kept_without_a_calibration_until_the_camera_sees_another_place(inbox, started, tmp_path):
    file = tmp_path / "calibration.json"
    watcher = started(lambda: SimulatedTray(seed=1, hurried=True), inbox, calibration=file)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    until(file.exists)
    watcher.close()
    kept = load(file)
    assert kept.edge is None
    assert np.array_equal(kept.empty, watcher.tray.empty)
    before = file.read_bytes()
    for tray, is_same in ((kept, True), (replace(kept, empty=255 - kept.empty[::-1]), False)):
        occupied = SimulatedTray(seed=3, hurried=True)
        occupied.throw(values=(2, 2, 4, 4))
        for _ in range(60):
            occupied.frame(0.0)  # the throw is over before the box is switched on
        again = started(lambda occupied=occupied: occupied, inbox, tray=tray, calibration=file)
        inbox.until(lambda seen: seen == TraySeen(TrayView.MISSED, values=(2, 2, 4, 4)))
        assert (again.tray is not None) == is_same
        again.close()
    assert file.read_bytes() == before


def test_one_die_is_read_if_one_is_wanted_and_four_are_then_too_many(inbox, started):
    tray = SimulatedTray(seed=2, hurried=True)
    started(lambda: tray, inbox).watch_for(1)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    tray.throw(values=(5,))
    assert inbox.until(lambda seen: isinstance(seen, DiceRead))[-1].dice == (5,)
    tray.throw(values=(1, 2, 3, 4))
    seen = inbox.until(lambda seen: isinstance(seen, TraySeen) and seen.view is TrayView.UNREADABLE)[-1]
    assert (seen.why, seen.dice) == ("count", 4)


def test_dice_that_lie_there_at_first_may_be_a_missed_roll_and_are_read_on_request(inbox, started):
    tray = SimulatedTray(seed=3, hurried=True)
    tray.throw(values=(2, 2, 4, 4))
    for _ in range(60):
        tray.frame(0.0)  # the throw is over before the box is switched on
    watcher = started(lambda: tray, inbox)
    inbox.until(lambda seen: seen == TraySeen(TrayView.MISSED, values=(2, 2, 4, 4)))
    watcher.read_again()
    read = inbox.until(lambda seen: isinstance(seen, DiceRead))[-1]
    assert (read.dice, read.asked) == ((2, 2, 4, 4), True)


def test_a_roll_does_not_count_as_requested_if_the_dice_were_removed(inbox, started):
    tray = SimulatedTray(seed=3, hurried=True)
    watcher = started(lambda: tray, inbox)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    watcher.read_again()
    tray.throw(values=(2, 2, 4, 4))
    assert not inbox.until(lambda seen: isinstance(seen, DiceRead))[-1].asked


def test_a_missing_camera_is_reported_and_retried(inbox, started, monkeypatch):
    monkeypatch.setattr(watcher_module, "RETRY_S", 0.01)
    tries = []
    tray = SimulatedTray(seed=4, hurried=True)

    def open_camera():
        tries.append(1)
        if len(tries) < 3:
            raise CameraError("no camera found")
        return tray

    tend = started(open_camera, inbox).tend
    assert inbox.until_a(TraySeen) == TraySeen(TrayView.NO_CAMERA, CameraTrouble.MISSING)
    seen = inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY), tend)
    assert TrayView.NO_CAMERA not in [one.view for one in seen], "the same trouble is reported once"
    assert len(tries) == 3


class Staged(WholeCamera):
    """A camera that shows one picture after another, each so often that it is still, with a sensor's noise."""

    def __init__(self, *pictures: np.ndarray) -> None:
        self.frames = [picture for picture in pictures for _ in range(12)]
        self.number = 0
        self.chance = np.random.default_rng(0)

    def frame(self, timeout_s):
        if self.number == len(self.frames):
            time.sleep(0.01)
        self.number = min(self.number + 1, len(self.frames))
        picture = self.frames[self.number - 1]
        return self.number / 15, picture ^ self.chance.integers(0, 2, picture.shape, np.uint8)


def test_a_card_beside_the_dice_is_rejected_once_the_tray_was_seen_empty(inbox, started):
    dice = draw(THROWN, 2)
    with_card = dice.copy()
    with_card[168:190, 250:272] = (40, 60, 190)
    started(lambda: Staged(draw(TABLE, 1), *[with_card] * 4, dice), inbox)
    seen = inbox.until(lambda event: isinstance(event, TraySeen) and event.view is TrayView.UNREADABLE)
    assert TraySeen(TrayView.EMPTY) in seen
    assert seen[-1] == TraySeen(TrayView.UNREADABLE, "hand", 4)
    seen = inbox.until(lambda event: isinstance(event, DiceRead))
    assert seen[-1].dice == (1, 3, 4, 6)


def test_a_pushed_camera_is_reported_until_the_tray_is_checked(inbox, started, monkeypatch):
    monkeypatch.setattr(worker, "read", lambda *_, **__: Reading((), Reason.NO_DICE))
    scene = table_scene((320, 240))
    pushed = replace(scene, camera=replace(scene.camera, aim_mm=(12.0, -9.0)))
    watcher = started(lambda: Staged(draw(scene), draw(pushed)), inbox)
    seen = inbox.until(lambda seen: seen == TraySeen(TrayView.MOVED))
    assert TraySeen(TrayView.EMPTY) in seen
    assert watcher.tray is None, "what is known of it is of another place"
    watcher.tray_checked()
    assert inbox.until(lambda seen: isinstance(seen, TraySeen))[-1] == TraySeen(TrayView.EMPTY)


class Scripted(WholeCamera):
    """A camera whose frames are made by a function of their number."""

    def __init__(self, make) -> None:
        self.make = make
        self.number = 0
        self.closed = 0

    def frame(self, timeout_s):
        self.number += 1
        return self.number / 15, self.make(self.number)

    def close(self):
        self.closed += 1


def noise(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(100, 110, (48, 64, 3), np.uint8)


def frozen(number: int) -> np.ndarray:
    return noise(0)


def black(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 6, (48, 64, 3), np.uint8)


def raising(error: Exception):
    def make(number: int) -> np.ndarray:
        if number > 2:
            raise error
        return noise(number)

    return make


@pytest.mark.parametrize(
    ("make", "trouble"),
    [
        (frozen, CameraTrouble.FROZEN),
        (black, CameraTrouble.BLACK),
        (raising(CameraError("no frame")), CameraTrouble.SILENT),
        (raising(MemoryError()), CameraTrouble.HANGS),
        (raising(ValueError("a driver's own fault")), CameraTrouble.HANGS),
    ],
)
def test_a_failing_camera_is_reported_and_released_and_reading_resumes_even_if_it_cannot_be_closed(
    inbox, started, monkeypatch, make, trouble
):
    monkeypatch.setattr(watcher_module, "RETRY_S", 0.01)
    monkeypatch.setattr(worker, "read", lambda *_, **__: Reading((), Reason.NO_DICE))

    class Torn(Scripted):
        def close(self):
            super().close()
            raise RuntimeError("torn out")

    cameras = [Torn(make)]

    def open_camera():
        if cameras[-1].closed:
            cameras.append(Scripted(noise))
        return cameras[-1]

    tend = started(open_camera, inbox).tend
    inbox.until(lambda seen: seen == TraySeen(TrayView.NO_CAMERA, trouble))
    seen = inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY), tend)
    assert cameras[0].closed == 1
    assert all(one.view is not TrayView.NO_CAMERA for one in seen)


def test_a_camera_that_worked_in_between_or_is_chosen_is_opened_after_the_shortest_pause(inbox, started, monkeypatch):
    monkeypatch.setattr(watcher_module, "RETRY_S", 0.01)
    monkeypatch.setattr(worker, "read", lambda *_, **__: Reading((), Reason.NO_DICE))
    lost = [Scripted(raising(CameraError("no frame"))) for _ in range(12)]  # twice 0.01 s each time were minutes
    cameras = [*lost, Scripted(noise), Scripted(noise)]
    watcher = started(lambda: cameras.pop(0), inbox)
    tend_until(watcher, lambda: len(cameras) == 1)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    monkeypatch.setattr(watcher_module, "RETRY_S", 2 * PATIENCE_S)
    watcher.reopen()
    tend_until(watcher, lambda: not cameras)


def test_frames_of_a_dead_camera_are_never_read(inbox, started, monkeypatch):
    monkeypatch.setattr(worker, "read", lambda *_, **__: pytest.fail("it was read"))
    monkeypatch.setattr(worker.Worker, "_warm_up", lambda _: None)
    started(lambda: Scripted(black), inbox)
    assert inbox.until(lambda seen: True) == [TraySeen(TrayView.NO_CAMERA, CameraTrouble.BLACK)]


def test_a_dark_room_is_not_a_black_camera():
    alive = liveness.LivenessCheck()
    for number in range(100):
        assert alive.is_live(number / 15, grey_of(black(number) + np.uint8(liveness.BLACK_LEVEL)))


class Hanging(Scripted):
    """A camera whose frames stay away until the test ends."""

    def __init__(self) -> None:
        super().__init__(noise)
        self.hold = threading.Event()

    def frame(self, timeout_s):
        self.hold.wait(PATIENCE_S)
        return super().frame(timeout_s)


def tend_until(watcher: Watcher, condition) -> None:
    until(lambda: watcher.tend() or condition())


def test_a_hung_worker_is_replaced_and_its_later_inputs_are_ignored_and_leave_the_lamp_on(inbox, monkeypatch):
    monkeypatch.setattr(worker, "STEP_S", 0.5)
    monkeypatch.setattr(worker, "read", lambda *_, **__: Reading((), Reason.NO_DICE))
    cameras = [Hanging(), Staged(noise(1), np.full((48, 64, 3), 200, np.uint8))]
    first = cameras[0]
    monkeypatch.setattr(watcher_module, "RETRY_S", 2 * PATIENCE_S)  # the first one is replaced at once
    lit = []
    watcher = Watcher(lambda: cameras.pop(0), inbox.put, light=lit.append)
    watcher.start()
    hung = [thread for thread in threading.enumerate() if thread.name == "watcher"][-1]
    tend_until(watcher, lambda: not cameras)
    inbox.until(lambda seen: seen == TraySeen(TrayView.NO_CAMERA, CameraTrouble.HANGS))
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    first.hold.set()
    until(lambda: first.closed and not hung.is_alive(), "the end of the first worker, which lets its camera go")
    assert lit == [True, True]
    watcher.close()
    assert lit == [True, True, False]
    assert not [seen for seen in inbox.inputs.queue if seen == TraySeen(TrayView.NO_CAMERA, CameraTrouble.SILENT)]


def test_slow_reading_is_not_a_hang(inbox, monkeypatch):
    def slow(*_, **__):
        time.sleep(0.05)
        return Reading((), Reason.NO_DICE)

    monkeypatch.setattr(worker, "STEP_S", 0.01)
    monkeypatch.setattr(worker, "read", slow)
    camera = Staged(noise(1), np.full((48, 64, 3), 200, np.uint8))
    slowly = worker.Worker(worker.WorkerRequests(lambda: camera, inbox.put))
    inbox.until(lambda seen: isinstance(seen, TraySeen))
    hung = [slowly.hangs for _ in range(50) if not time.sleep(0.01)]
    slowly.let_go()
    slowly.join(PATIENCE_S)
    assert not any(hung)


def test_hung_workers_do_not_pile_up(inbox, monkeypatch):
    monkeypatch.setattr(worker.Worker, "_warm_up", lambda _: None)  # seconds each, on a busy machine
    monkeypatch.setattr(worker, "STEP_S", 0.1)
    monkeypatch.setattr(watcher_module, "RETRY_S", 0.01)
    monkeypatch.setattr(watcher_module, "LONGEST_RETRY_S", 0.02)
    opened = []

    def open_camera():
        opened.append(Hanging())
        return opened[-1]

    lit = []
    watcher = Watcher(open_camera, inbox.put, light=lit.append)
    watcher.start()
    tend_until(watcher, lambda: len(opened) == MOST_LOST)
    for _ in range(100):
        watcher.tend()
        time.sleep(0.01)
    assert len(opened) == MOST_LOST
    assert not lit[-1]
    for camera in opened:
        camera.hold.set()
    tend_until(watcher, lambda: len(opened) > MOST_LOST)
    for camera in opened:
        camera.hold.set()
    watcher.close()


def test_a_lamp_over_hung_workers_is_dark_when_nobody_is_there_and_stays_lit_when_they_end_later(inbox, monkeypatch):
    monkeypatch.setattr(worker.Worker, "_warm_up", lambda _: None)
    monkeypatch.setattr(worker, "STEP_S", 0.1)
    cameras, lit = [], []

    def open_camera():
        cameras.append(Hanging())
        return cameras[-1]

    watcher = Watcher(open_camera, inbox.put, idle_after_s=1800, light=lit.append)
    watcher.start()
    tend_until(watcher, lambda: len(cameras) == 2)  # the first one hangs
    watcher.tend(1800)
    assert lit == [True, True, False]
    tend_until(watcher, lambda: len(cameras) == 3)
    for camera in cameras[:2]:
        camera.hold.set()
        until(lambda camera=camera: camera.closed)
    assert lit == [True, True, False, True]
    cameras[2].hold.set()
    watcher.close()
    assert not lit[-1]


def test_the_likeliest_other_rolls_change_one_die_to_its_runner_up_and_differ_from_each_other():
    box = (0.0, 0.0, 9.0, 9.0)
    dice = (Die(6, box, 0.99, 4), Die(2, box, 0.8, 3), Die(5, box, 0.95, 4), Die(1, box, 0.999, 2))
    assert likely_rolls(Reading(dice))[:2] == ((1, 3, 5, 6), (1, 2, 4, 6))
    rolls = likely_rolls(Reading((*dice[:1], replace(dice[0], confidence=0.8), *dice[2:])))
    assert len(set(rolls)) == len(rolls) == 3


def test_a_requested_picture_is_taken_after_the_request(inbox, started):
    tray = Counting(seed=3, hurried=True)
    watcher = started(lambda: tray, inbox)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    shots, fetched = tray.shots, len(tray.fetched)
    sight = watcher.current_frame(PATIENCE_S)
    assert sight is not None
    assert sight.frame.shape == (480, 640, 3)
    (taken,) = tray.fetched[fetched:]
    assert taken >= shots


def test_the_camera_and_its_lamp_are_stopped_without_activity_and_restarted_by_activity(inbox):
    opened, closed, lit = [], [], []

    class Camera(SimulatedTray):
        def close(self) -> None:
            closed.append(self)

    def open_camera() -> Camera:
        assert lit[-1]
        opened.append(Camera(seed=1))
        return opened[-1]

    watcher = Watcher(open_camera, inbox.put, idle_after_s=1800, light=lit.append)
    watcher.start()
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    watcher.tend(1799)
    assert closed == []
    watcher.tend(1800)
    until(lambda: closed == opened)
    watcher.tend(4000)
    assert len(opened) == 1
    watcher.tend(0)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    assert len(opened) == 2
    watcher.close()
    assert lit == [True, False, True, False]
    assert CameraTrouble.MISSING not in [getattr(one, "why", None) for one in inbox.inputs.queue]


def swaying(number: int) -> np.ndarray:
    picture = noise(number)
    picture[:, 8 * (number % 5) : 8 * (number % 5) + 24] //= 3
    return picture


def test_if_something_moves_all_the_time_that_is_reported_and_a_request_for_stillness_answered(inbox, started):
    camera = Scripted(swaying)
    started(lambda: camera, inbox).await_still()
    seen = inbox.until(lambda one: getattr(one, "view", None) not in (None, TrayView.HAND, TrayView.ROLLING))
    assert seen[-1] == TraySeen(TrayView.UNREADABLE, Reason.MOVING.value)
    answers = [one for one in seen if isinstance(one, TrayStill)] or [inbox.until_a(TrayStill)]
    assert answers[0].asked
    assert camera.number / 15 > worker.MOVING_S


def test_without_a_tray_the_last_dice_show_what_to_change_about_the_camera(inbox, started, monkeypatch):
    lower = Advice(Change.LOWER, "", is_required=True)
    monkeypatch.setattr(watcher_module, "advise_on_dice", lambda reading, *_: [lower] if reading.values else [])
    tray = SimulatedTray(seed=1, hurried=True)
    watcher = started(lambda: tray, inbox, needs_tray=False)
    inbox.until(lambda seen: seen == TraySeen(TrayView.EMPTY))
    assert watcher.advice() == ""
    tray.throw(values=(3, 1, 6, 6))
    inbox.until_a(DiceRead)
    assert watcher.advice() == "lower"


# A look at the tray, as the box takes it during play


def test_an_empty_tray_is_calibrated_if_asked_for_and_dice_are_read_afterwards(inbox, started, tmp_path):
    tray = SimulatedTray(seed=4, hurried=True)
    watcher = started(lambda: tray, inbox, calibration=tmp_path / "calibration.json")
    watcher.measure(learn=False)
    assert inbox.until_a(TrayMeasured) == TrayMeasured()
    assert list(tmp_path.iterdir()) == [], "a mere look"
    watcher.measure(learn=True)
    assert inbox.until_a(TrayMeasured) == TrayMeasured()
    assert load(tmp_path / "calibration.json").empty is not None
    tray.throw(values=(1, 3, 5, 6))
    assert inbox.until_a(DiceRead).dice == (1, 3, 5, 6)


def test_without_a_camera_a_look_is_answered_at_once_and_there_is_no_picture(inbox, started):
    def missing():
        raise CameraError("no camera found")

    lit = []
    watcher = started(missing, inbox, light=lit.append)
    assert inbox.until_a(TraySeen).view is TrayView.NO_CAMERA
    tend_until(watcher, lambda: lit[-1] is False)
    for _ in range(2):
        watcher.measure(learn=True)
        assert inbox.until_a(TrayMeasured, watcher.tend) == TrayMeasured("no camera")
    assert watcher.current_frame(0.05) is None


def test_a_camera_lost_during_a_look_is_reported(inbox, started):
    class Torn(SimulatedTray):
        frames = 0

        def frame(self, timeout_s):
            self.frames += 1
            if self.frames > FRAMES // 2:
                raise CameraError("the cable is out")
            return super().frame(timeout_s)

    tray = Torn(seed=4, hurried=True)
    watcher = started(lambda: tray, inbox)
    watcher.measure(learn=True)
    assert inbox.until_a(TrayMeasured, watcher.tend) == TrayMeasured("no camera")


def measured(scene, tmp_path=None) -> TrayMeasured:
    look = TrayLook(learn=tmp_path is not None, keep_in=tmp_path and tmp_path / "file" / "calibration.json")
    answers = [look.see(draw(scene, number)) for number in range(FRAMES)]
    assert answers[:-1] == [None] * (FRAMES - 1)
    return answers[-1]


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
