from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageSequence

from device.sim.gif import GifRecorder
from tests.device.helpers import noise

LAST_MS = 3000
"""How much longer the last frame is shown than it was seen."""


def tray(die_x: int = 100, seed: int = 0) -> np.ndarray:
    picture = np.full((480, 640, 3), (60, 90, 30), np.uint8)
    cv2.rectangle(picture, (die_x, 100), (die_x + 60, 160), (230, 240, 250), -1)
    grain = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def frames(path) -> list[Image.Image]:
    with Image.open(path) as picture:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(picture)]


def durations_ms(path) -> list[int]:
    with Image.open(path) as picture:
        return [frame.info["duration"] for frame in ImageSequence.Iterator(picture)]


def oled_in(frame: Image.Image) -> np.ndarray:
    """Give the OLED's pixels, from the middle of each of their 3x3."""
    return np.asarray(frame.convert("L"))[15 + 1 : 15 + 192 : 3, 15 + 1 : 15 + 384 : 3] > 128


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.gif"


@pytest.fixture
def recorder(path):
    return GifRecorder(path)


def test_each_frame_shows_the_oled_of_its_time(recorder, path):
    for seed in range(4):
        recorder.add(noise(seed), tray())
    recorder.save()
    seen = frames(path)
    assert len(seen) == 4
    for seed, frame in enumerate(seen):
        assert np.array_equal(oled_in(frame), np.asarray(noise(seed)))


def test_the_tray_is_beside_the_oled_in_its_own_colours(recorder, path):
    recorder.add(noise(), tray())
    recorder.save()
    (frame,) = frames(path)
    assert frame.size == (414 + 296, 222)
    assert frame.getpixel((414 + 200, 150)) == pytest.approx((30, 90, 60), abs=12)
    assert frame.getpixel((414 + 60, 60)) == pytest.approx((250, 240, 230), abs=12)


def test_a_game_without_a_camera_shows_only_the_oled(recorder, path):
    recorder.add(noise(), None)
    recorder.save()
    assert frames(path)[0].size == (414, 222)


def test_durations_are_kept_and_the_last_frame_stays_longer(recorder, path):
    for number in (0, 0, 0, 1, 1, 1, 1, 1, 1):
        recorder.add(noise(number), None)
    recorder.save()
    assert durations_ms(path) == [200, 400 + LAST_MS]


def test_equal_frames_are_merged_despite_the_cameras_noise(recorder, path):
    for seed in range(10):
        recorder.add(noise(), tray(seed=seed))
    recorder.add(noise(1), tray())
    recorder.save()
    assert durations_ms(path) == [670, 70 + LAST_MS]


def test_a_die_that_moves_a_little_is_another_frame(recorder, path):
    recorder.add(noise(), tray(100))
    recorder.add(noise(), tray(106))
    recorder.save()
    assert len(frames(path)) == 2


def test_a_long_game_keeps_its_length_with_a_bounded_number_of_frames(path, monkeypatch):
    monkeypatch.setattr("device.sim.gif._MOST_FRAMES", 20)
    recorder = GifRecorder(path)
    for seed in range(300):
        recorder.add(noise(seed), None)
    recorder.save()
    times = durations_ms(path)
    assert len(times) <= 20
    assert sum(times) == pytest.approx(20_000 + LAST_MS, abs=10 * len(times))


def test_pictures_of_different_sizes_are_shown_whole(recorder, path):
    recorder.add(noise(0), None)
    recorder.add(noise(0), tray()[:, :480])
    recorder.add(noise(0), tray())
    recorder.save()
    assert [frame.size for frame in frames(path)] == [(414 + 296, 222)] * 3


def test_the_animation_repeats_forever(recorder, path):
    recorder.add(noise(0), None)
    recorder.add(noise(1), None)
    recorder.save()
    with Image.open(path) as picture:
        assert picture.info["loop"] == 0


def test_an_impossible_file_name_is_an_error_before_the_game(tmp_path):
    with pytest.raises(OSError, match="game"):
        GifRecorder(tmp_path / "missing" / "game.gif")
    with pytest.raises(OSError, match=str(tmp_path)):
        GifRecorder(tmp_path)


def test_an_unsaved_recording_leaves_files_unchanged(path):
    GifRecorder(path)
    assert not path.exists()
    path.write_bytes(b"an older picture")
    GifRecorder(path).add(noise(), None)
    assert path.read_bytes() == b"an older picture"


def test_a_folder_that_vanishes_is_an_error_that_names_the_file(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    recorder = GifRecorder(folder / "game.gif")
    recorder.add(noise(), None)
    folder.rmdir()
    with pytest.raises(OSError, match=r"game\.gif"):
        recorder.save()
