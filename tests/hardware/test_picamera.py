"""The camera's driver over a double of Picamera2."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from device.camera.exposure import MEASURE_S, OFF_S, Exposure
from device.camera.picamera import (
    BLIND_FOCUS_CM,
    FIELDS_DEG,
    FOCUS_S,
    PiCamera,
    forget_focus,
    load_focus,
    save_focus,
)
from device.camera.port import FRAMES_PER_S, CameraError, picture
from device.camera.worker import OPEN_S
from device.config import CameraConfig
from tests.every import every
from tests.hardware import picamera2_double

MOTOR = {"AfMode", "LensPosition"}


@pytest.fixture
def sensor(monkeypatch):
    return picamera2_double.plugged_in(monkeypatch)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "state" / "focus.json"


def look(camera: PiCamera) -> None:
    """Take a shot without its whole picture."""
    with camera.shot(1.0):
        pass


def controls_set(sensor) -> list[dict]:
    return [call[1] for call in sensor.calls if call[0] == "controls"]


def test_the_camera_has_one_configuration_with_the_whole_field_of_view(sensor):
    PiCamera()
    ((_, configuration),) = [call for call in sensor.calls if call[0] == "configure"]
    assert configuration["raw"] == {"size": (1640, 1232)}
    assert configuration["main"] == {"size": (640, 480), "format": "RGB888"}
    assert configuration["lores"] == {"size": (320, 240), "format": "YUV420"}
    assert configuration["colour_space"] == "sYCC"
    assert configuration["controls"] == {"FrameRate": FRAMES_PER_S}


@pytest.mark.parametrize(
    ("model", "field_deg"),
    [("imx219", 62.2), ("imx708", 53.0), ("imx708_wide", 83.0), ("imx708_wide_noir", 83.0), ("imx477", None)],
)
def test_a_shot_knows_the_field_of_view_of_cameras_with_a_lens_of_their_own(sensor, model, field_deg):
    sensor.infos[0]["Model"] = model
    with PiCamera().shot(1.0) as shot:
        assert shot.field_deg == field_deg


def test_the_full_picture_is_taken_once_and_on_demand_and_every_frame_is_returned_to_the_camera(sensor):
    camera = PiCamera()
    for _ in range(20):
        look(camera)
        assert sensor.requests_out == 0
    with camera.shot(1.0) as shot:
        assert shot.picture() is shot.picture()
        assert sensor.requests_out == 0, "while a picture is read the camera has its buffer again"
    assert sensor.requests_out == 0
    assert sensor.taken == ["lores"] * 21 + ["main"]


@every(given=["YUV420", "NV12"], padding=[0, 64])
def test_the_small_picture_is_grey_without_colours_or_padding(sensor, given, padding):
    sensor.small_format, sensor.padding = given, padding
    with PiCamera().shot(1.0) as shot:
        assert shot.small.shape == (240, 320)
        assert (shot.small == sensor.level).all()


def torn_out(*_):
    raise OSError("torn out")


def test_a_camera_lost_during_its_shot_or_before_its_picture_is_taken_says_so_and_gets_its_buffer_back(
    sensor, monkeypatch
):
    camera = PiCamera()
    with monkeypatch.context() as patch:
        patch.setattr(picamera2_double.CompletedRequest, "get_metadata", torn_out)
        with pytest.raises(CameraError, match="torn out"):
            camera.shot(1.0)
    assert sensor.requests_out == 0
    with camera.shot(1.0) as shot:
        monkeypatch.setattr(picamera2_double.CompletedRequest, "make_array", torn_out)
        with pytest.raises(CameraError, match="torn out"):
            shot.picture()
    assert sensor.requests_out == 0


@every(given=["RGB888", "XBGR8888", "NV12", "YUV420"])
def test_a_frame_is_a_bgr_picture_whatever_format_libcamera_gives(sensor, given):
    sensor.format = given
    frame = picture(PiCamera(), 1.0)
    assert (frame.shape, frame.dtype) == ((480, 640, 3), np.uint8)
    assert abs(float(frame.mean()) - 100) < 20
    assert frame.flags.c_contiguous


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"format": "MJPEG"}, "its picture format MJPEG is not supported"),
        ({"small_format": "RGB888"}, "its small pictures, RGB888, is not supported"),
        ({"infos": []}, "check the ribbon cable"),
        ({"is_taken": True}, "is another program using it"),
    ],
)
def test_a_camera_that_cannot_be_used_is_reported_and_released(sensor, changed, told):
    vars(sensor).update(changed)
    with pytest.raises(CameraError, match=told):
        PiCamera()
    assert sensor.open == 0


def test_exposure_gain_and_colours_are_locked_once_they_are_stable(sensor):
    sensor.light = [8_000, 12_000, 16_000, 19_000, 20_000, 20_100, 20_050, 20_000]
    camera = PiCamera()
    for _ in range(30):
        look(camera)
    locked = {"AeEnable": False, "ExposureTime": 20_000, "AnalogueGain": 2.0}
    assert controls_set(sensor) == [locked | {"AwbEnable": False, "ColourGains": (1.6, 1.9)}]


def test_a_dead_camera_is_reported_and_can_be_reopened(sensor):
    camera = PiCamera()
    sensor.is_dead = True
    with pytest.raises(CameraError, match="sends no picture: TimeoutError"):
        camera.shot(0.1)
    camera.close()
    assert sensor.calls[-3:] == ["flush", "stop", "close"]
    sensor.is_dead = False
    look(PiCamera())
    assert sensor.open == 1


def test_a_camera_that_fails_to_stop_is_closed_anyway_and_then_delivers_no_frame(sensor):
    camera = PiCamera()
    sensor.is_dead = "torn out"
    camera.close()
    camera.close()
    assert sensor.open == 0
    with pytest.raises(CameraError, match="closed"):
        camera.shot(1.0)


def test_a_camera_with_autofocus_focuses_once_and_stores_the_focus(sensor, file):
    sensor.controls |= MOTOR
    for _ in range(2):
        PiCamera(focus_file=file).close()
        assert sensor.lens == 3.5
    assert sensor.calls.count("autofocus") == 1


def test_the_configured_distance_has_priority_if_there_is_an_autofocus(sensor, file):
    PiCamera(CameraConfig(focus_cm=25), file)
    assert (controls_set(sensor), file.exists()) == ([], False)
    sensor.controls |= MOTOR
    save_focus(file, 2.0)
    PiCamera(CameraConfig(focus_cm=25), file)
    assert "autofocus" not in sensor.calls
    assert controls_set(sensor) == [{"AfMode": 0, "LensPosition": 4.0}]


@pytest.mark.parametrize("finds", [None, False])
def test_a_camera_that_finds_no_focus_uses_the_usual_distance(sensor, finds):
    sensor.controls |= MOTOR
    sensor.finds_focus = finds
    camera = PiCamera()
    assert sensor.lens == 100 / BLIND_FOCUS_CM
    look(camera)


def test_focusing_ends_before_the_watchers_timeout_for_opening():
    assert 2 * FOCUS_S + MEASURE_S < OPEN_S


def test_a_focus_is_stored_if_it_can_be_until_it_is_deleted_and_a_damaged_one_ignored(file, caplog):
    file.parent.mkdir()
    for content in (b"", b"[]", b"{}", b'{"dioptres": "near"}', b"\xff\x00"):
        file.write_bytes(content)
        assert load_focus(file) is None
        assert "focuses again" in caplog.text
        caplog.clear()
    forget_focus(file)
    save_focus(file, 3.25)
    assert load_focus(file) == 3.25
    forget_focus(file)
    assert load_focus(file) is None
    save_focus(Path("/dev/null/focus.json"), 3.0)
    assert "cannot be saved" in caplog.text


STILL = {"ExposureTime": 20_000, "AnalogueGain": 1.5, "ColourGains": (1.5, 2.0)}


def seen(exposure: Exposure, times, metadata, level=100.0) -> list[dict]:
    told = [exposure.see(time_s, metadata(number), level) for number, time_s in enumerate(times)]
    return [controls for controls in told if controls]


def at(seconds: float, begin: float = 0.0) -> list[float]:
    return [begin + number / FRAMES_PER_S for number in range(round(seconds * FRAMES_PER_S))]


def test_under_a_flickering_lamp_the_values_are_locked_after_the_deadline():
    exposure = Exposure()
    held = seen(exposure, at(MEASURE_S + 1), lambda number: STILL | {"ExposureTime": 10_000 + number % 2 * 9_000})
    assert len(held) == 1
    assert exposure.is_held
    (held,) = seen(Exposure(), at(2), lambda _: {"ExposureTime": 5_000, "AnalogueGain": 1.0})
    assert held == {"AeEnable": False, "ExposureTime": 5_000, "AnalogueGain": 1.0}, "without colour gains"


def test_a_hand_over_the_tray_does_not_restart_the_measurement():
    exposure = Exposure()
    seen(exposure, at(1), lambda _: STILL)
    assert exposure.is_held
    assert seen(exposure, at(5, begin=2), lambda _: STILL, level=70.0) == []
    assert seen(exposure, at(60, begin=7), lambda _: STILL) == []


@pytest.mark.parametrize("level", [40.0, 220.0, 0.0])
def test_after_a_lasting_change_of_light_the_camera_measures_again(level):
    exposure = Exposure()
    seen(exposure, at(1), lambda _: STILL)
    seen(exposure, at(1, begin=1), lambda _: STILL)
    (let_go, held) = seen(exposure, at(OFF_S + 2, begin=2), lambda _: STILL | {"ExposureTime": 60_000}, level=level)
    assert let_go == {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}
    assert held["ExposureTime"] == 60_000
    assert seen(exposure, at(60, begin=60), lambda _: STILL, level=level) == []


def test_a_camera_without_controls_for_exposure_or_their_metadata_is_left_alone(sensor):
    for metadata in ({}, {"ExposureTime": 1}, {"ExposureTime": "x", "AnalogueGain": 1.0}):
        assert seen(Exposure(), at(10), lambda _, metadata=metadata: metadata) == []
    sensor.controls = set()
    camera = PiCamera()
    for _ in range(10):
        look(camera)
    assert [controls for controls in controls_set(sensor) if controls] == []


def test_the_checklist_for_the_first_pi_has_the_widths_that_follow_from_the_fields_of_view():
    page = (Path(__file__).parents[2] / "docs" / "first-pi.md").read_text("utf-8")
    for name, model in (("2", "imx219"), ("3", "imx708"), ("3 Wide", "imx708_wide")):
        field_deg = FIELDS_DEG[model]
        (row,) = [line for line in page.splitlines() if line.startswith(f"| Module {name} (")]
        assert f"({field_deg}°" in row
        assert row.endswith(f"| {2 * 300 * math.tan(math.radians(field_deg / 2)):.0f} mm |")
