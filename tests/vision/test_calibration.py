"""The calibration file, and which points lie out of the tray."""

from __future__ import annotations

import json
import math
import os
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.every import every
from vision.tray.calibration import KIND, CalibrationError, load, save
from vision.tray.known import EMPTY_SIZE, Tray
from vision.types import Pose

SQUARE = Tray.learnt(
    (640, 480),
    ((0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9)),
    np.arange(3 * EMPTY_SIZE[0] * EMPTY_SIZE[1], dtype=np.uint8).reshape(EMPTY_SIZE[1], EMPTY_SIZE[0], 3),
)


def is_same(one: Tray, other: Tray) -> bool:
    same = (one.frame_size, one.edge, one.pose) == (other.frame_size, other.edge, other.pose)
    return same and np.array_equal(one.empty, other.empty)


def saved(tmp_path, **changes):
    """A file like that of SQUARE, with some entries of its JSON changed."""
    file = tmp_path / "calibration.json"
    save(SQUARE, file)
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))
    return file


edges = st.builds(
    lambda angles, x, y, r: tuple(
        (x + r * math.cos(angle * math.tau / 90), y + r * math.sin(angle * math.tau / 90)) for angle in sorted(angles)
    ),
    st.sets(st.integers(0, 89), min_size=3, max_size=24),
    st.floats(0.3, 0.7),
    st.floats(0.3, 0.7),
    st.floats(0.05, 0.3),
)
calibrations = st.builds(
    Tray,
    frame_size=st.tuples(st.integers(1, 5000), st.integers(1, 5000)),
    edge=edges,
    empty=st.none() | arrays(np.uint8, (60, 80, 3)),
    pose=st.none()
    | st.builds(Pose, st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4)), st.none(), st.floats(0, 0.1)),
).map(lambda tray: replace(tray, pose=tray.pose and Pose.centred(tray.pose.up, tray.pose.per_px, tray.frame_size)))


@given(calibrations)
def test_a_saved_calibration_is_loaded_unchanged(tmp_path_factory, tray):
    file = tmp_path_factory.mktemp("kept") / "state" / "calibration.json"
    save(tray, file)
    assert is_same(load(file), tray)


def test_a_tray_that_was_only_seen_empty_is_loaded_with_its_inside(tmp_path):
    seen = replace(SQUARE, edge=None)
    save(seen, tmp_path / "calibration.json")
    loaded = load(tmp_path / "calibration.json")
    assert is_same(loaded, seen)
    assert np.array_equal(loaded.inside, SQUARE.inside)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(
    st.binary(max_size=300)
    | json_values.map(lambda value: json.dumps(value).encode())
    | st.sampled_from([b"[" * 500_000, json.dumps({"kind": KIND, "version": 2, "tray": [], "empty": None}).encode()])
)
def test_any_other_file_is_refused_by_name_without_a_crash(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("kept") / "calibration.json"
    file.write_bytes(data)
    with pytest.raises(CalibrationError, match=r"calibration\.json is not a calibration .*run cantstop calibrate"):
        load(file)


def test_the_figures_in_an_older_file_are_ignored(tmp_path):
    assert load(saved(tmp_path, die_side=0.05, brightness=90.0, noise=None, blur_px="spoilt")).edge == SQUARE.edge


def test_a_missing_file_and_a_folder_in_its_place_are_reported_with_the_remedy(tmp_path):
    with pytest.raises(CalibrationError, match=r"gone\.json: there is no such file.*run cantstop calibrate"):
        load(tmp_path / "gone.json")
    with pytest.raises(CalibrationError, match="a folder"):
        load(tmp_path)
    with pytest.raises(CalibrationError, match="cannot be written"):
        save(SQUARE, tmp_path)


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, failure):
    file = tmp_path / "calibration.json"
    save(SQUARE, file)
    monkeypatch.setattr(os, "fsync", Mock(side_effect=failure))
    with pytest.raises((CalibrationError, KeyboardInterrupt)):
        save(replace(SQUARE, empty=None), file)
    assert is_same(load(file), SQUARE)
    assert list(tmp_path.iterdir()) == [file]


REMEDY = r".*run cantstop calib"
SPOILT = {
    "two corners": ({"tray": ((0.2, 0.1), (0.8, 0.1))}, "tray"),
    "counter-clockwise": ({"tray": ((0.2, 0.1), (0.2, 0.9), (0.8, 0.9), (0.8, 0.1))}, "tray"),
    "a dent": ({"tray": ((0.2, 0.1), (0.8, 0.1), (0.5, 0.2), (0.8, 0.9))}, "tray"),
    "out of the picture": ({"tray": ((0.2, 0.1), (0.8, 0.1), (0.8, 1.1), (0.2, 0.9))}, "tray"),
    "a star": ({"tray": ((0.5, 0.1), (0.8, 0.9), (0.1, 0.4), (0.9, 0.4), (0.2, 0.9))}, "tray"),
    "no number": ({"tray": ((0.2, 0.1), (0.8, 0.1), (0.8, math.nan), (0.2, 0.9))}, "tray"),
    **{
        f"pose {pose}": ({"pose": pose}, "pose is not ")
        for pose in ({}, [0.1, 0.1], [0.9, 0.9, 0.002], [0.1, 0.1, -0.002], [0.1, math.nan, 0.002])
    },
    **{f"size {size}": ({"frame_size": size}, "frame_size is ") for size in ([0, 480], [640, True], [640])},
    **{f"empty {empty}": ({"empty": empty}, "is not a calibration ") for empty in (7, "?", "QUJD")},
    **{f"version {other}": ({"version": other}, "another version of the box .*update this one") for other in (1, 3)},
}
"""Entries of a file that no tray has, and what is said about them."""


@every(what=SPOILT)
def test_a_file_with_an_impossible_entry_is_refused_with_its_name_and_the_remedy(tmp_path, what):
    changes, told = SPOILT[what]
    with pytest.raises(CalibrationError, match=told + REMEDY):
        load(saved(tmp_path, **changes))


def test_points_beyond_the_edge_are_outside_in_frames_of_any_size():
    points = [(320.0, 240.0), (130.0, 240.0), (120.0, 240.0), (320.0, 470.0), (630.0, 10.0)]
    assert SQUARE.outside(points, (640, 480)) == [False, False, True, True, True]
    twice = [(2 * x, 2 * y) for x, y in points]
    assert SQUARE.outside(twice, (1280, 960)) == SQUARE.outside(points, (640, 480))
    assert SQUARE.outside([(5.0, 5.0)], (640, 360)) == [False], "a frame of another shape"
