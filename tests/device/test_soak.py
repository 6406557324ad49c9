"""The soak's own parts: the throws of its album are as good as any, and its camera fails as it is told."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from device.camera.port import CameraError, picture
from tools.soak.album import AlbumTray, draw_one
from tools.soak.world import FailingCamera
from vision.params import Params
from vision.read import read
from vision.settle import Settle


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    folder = tmp_path_factory.mktemp("album")
    for number in (0, 1, 2, 10):  # two of one die, two of four
        draw_one(folder, 3, number)
    return folder


def test_an_albums_throw_is_settled_on_and_read_as_what_it_shows_once_each_time_it_is_thrown(album):
    tray = AlbumTray(album, seed=1)
    settle = Settle(lambda frame: read(frame, Params(dice=4)))
    told_rolls, thrown = [], []
    for _ in range(3):
        thrown.append(tray.throw(4))
        while tray.still_s < 0.6:
            with tray.shot(1.0) as shot:
                roll = settle.step(shot.time_s, shot.small, shot.picture).roll
            if roll is not None:
                assert tray.still_s >= 0
                told_rolls.append(roll.reading.values)
    assert told_rolls == thrown


def test_an_albums_pictures_of_dice_that_lie_still_are_never_the_same_twice(album):
    tray = AlbumTray(album, seed=1)
    tray.throw(1)
    smalls = []
    while tray.still_s < 0.5:
        with tray.shot(0.1) as shot:
            smalls.append(shot.small)
    assert all((one != other).any() for one, other in itertools.pairwise(smalls))


def test_a_camera_fails_as_it_is_told_and_comes_right(album):
    tray = AlbumTray(album, seed=1)
    camera = FailingCamera(tray)
    camera.fault = "black"
    with camera.shot(1.0) as shot:
        assert not shot.small.any()
        assert not shot.picture().any()
    camera.fault = None
    with camera.shot(1.0) as sound:
        assert sound.small.any()
    camera.fault = "frozen"
    with camera.shot(1.0) as one, camera.shot(1.0) as other:
        assert np.array_equal(one.small, sound.small)
        assert np.array_equal(other.small, sound.small)
    camera.fault = "silent"
    with pytest.raises(CameraError):
        camera.shot(1.0)
    camera.fault = None
    assert picture(camera, 1.0).shape == (480, 640, 3)
