"""Which way is up in a picture."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tools.scenes.labels import own_rise, standing
from vision.render.geometry import after, corners, lying, matrix, quaternion, view
from vision.render.scene import Camera, DieBody, PlacedDie
from vision.stages.finding import Face
from vision.stages.pose import deviations, fit, rise, straighten_at

CAMERAS = st.builds(
    Camera,
    field_of_view_deg=st.floats(30, 105),
    tilt_deg=st.floats(0, 20),
    lean_deg=st.floats(0, 360),
    turn_deg=st.floats(0, 360),
    aim_mm=st.tuples(st.floats(-40, 40), st.floats(-40, 40)),
)


def a_die(x: float, y: float, size_mm: float = 16.0) -> PlacedDie:
    return PlacedDie(DieBody(size_mm=size_mm), (x, y, size_mm / 2), lying(3, 0.4))


@given(CAMERAS, st.floats(-60, 60), st.floats(-60, 60))
def test_a_straightened_level_face_is_a_square(camera: Camera, x: float, y: float) -> None:
    die = a_die(x, y, 0.5)
    eye = view(camera)
    spots = eye.project(corners(die))
    top = spots[corners(die)[:, 2] > die.centre[2]]
    middle = top.mean(axis=0)
    straight = (top - middle) @ straighten_at(standing(camera), (float(middle[0]), float(middle[1]))).T
    far = np.hypot(*straight.T)
    assert far.max() < 1.02 * far.min()


@given(CAMERAS, st.floats(-60, 60), st.floats(-60, 60))
def test_higher_points_are_further_up_in_a_straightened_crop(camera: Camera, x: float, y: float) -> None:
    eye, upright = view(camera), standing(camera)
    foot, head = eye.project(np.array([(x, y, 0.0), (x, y, 0.5)]))
    off = straighten_at(upright, (float(foot[0]), float(foot[1]))) @ (head - foot)
    if np.hypot(*(head - foot)) > 0.05:
        assert off[1] < 0
        assert abs(off[0]) < 0.03 * abs(off[1])


@given(CAMERAS, st.floats(-60, 60), st.floats(-60, 60), st.floats(0, 0.7), st.floats(0, 6.3))
def test_a_die_is_labelled_with_the_direction_of_its_own_edges(
    camera: Camera, x: float, y: float, tilt: float, towards: float
) -> None:
    turn = after(quaternion((np.cos(towards), np.sin(towards), 0.0), tilt), lying(3, 0.4))
    die = PlacedDie(DieBody(size_mm=1.0), (x, y, 1.0), turn)
    eye = view(camera)
    upright = matrix(turn)[:, 2]  # 3 is on the die's own z axis
    foot = np.array(die.centre) + 0.5 * upright
    edge = eye.project(foot + 1e-4 * upright) - eye.project(foot)
    away = float(eye.axes[2] @ (foot - eye.position))
    assert own_rise(eye, die, eye.project(foot)) == pytest.approx(edge / 1e-4 * away / eye.focal_px, abs=1e-3)


def faces_seen_by(camera: Camera) -> list[Face]:
    """Six dice, each of which shows rightly how uprights point."""
    upright = standing(camera)
    faces = []
    for place in ((80.0, 90.0), (330.0, 60.0), (560.0, 100.0), (120.0, 400.0), (300.0, 300.0), (590.0, 390.0)):
        x, y = rise(np.array(upright.up), np.array(upright.off_axis(place)))
        faces.append(Face(place, 20.0, 0.9, (float(x), float(y)), SURE))
    return faces


SURE = 0.005
"""Expected error of a die's edges so small that the usual camera poses hardly count."""


@given(CAMERAS)
def test_the_camera_pose_is_recovered_from_upright_edges(camera: Camera) -> None:
    found = fit(faces_seen_by(camera), camera.size)
    assert found.up == pytest.approx(standing(camera).up, abs=0.01)
    assert found.per_px == pytest.approx(standing(camera).per_px, rel=0.02)


@given(CAMERAS, st.integers(0, 5), st.floats(-0.6, 0.6), st.floats(-0.6, 0.6))
def test_one_leaning_die_does_not_change_the_estimated_pose(camera: Camera, which: int, x: float, y: float) -> None:
    faces = faces_seen_by(camera)
    faces[which] = replace(faces[which], rise=(faces[which].rise[0] + x, faces[which].rise[1] + y))
    assert fit(faces, camera.size).up == pytest.approx(standing(camera).up, abs=0.08)


@given(CAMERAS, st.floats(0.2, 0.4), st.floats(0, 2 * math.pi))
def test_dice_that_contradict_a_known_pose_outvote_it(camera: Camera, off: float, direction: float) -> None:
    truth = standing(camera)
    wrong = truth.up[0] + off * math.cos(direction), truth.up[1] + off * math.sin(direction)
    assume(math.hypot(*wrong) < 0.6)
    faces = [replace(face, rise_off=0.1) for face in faces_seen_by(camera)]
    found = fit(faces, camera.size, replace(truth, up=wrong))
    assert math.dist(found.up, truth.up) < off / 3


@given(st.floats(0, 15), st.floats(0, 360), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_a_die_deviates_by_its_mahalanobis_distance_from_the_others(
    tilt_deg: float, lean_deg: float, x: float, y: float
) -> None:
    camera = Camera(tilt_deg=tilt_deg, lean_deg=lean_deg)
    faces = [replace(face, rise_off=0.1) for face in faces_seen_by(camera)]
    across, down = ((np.array([face.centre for face in faces]) - (np.array(camera.size) - 1) / 2) / camera.size[0]).T
    rows = np.array([[[1, 0, to_right], [0, 1, below]] for to_right, below in zip(across, down, strict=True)])
    rises = np.array([face.rise for face in faces])
    weights = 0.9 / 0.1**2, *np.array((0.3, 0.3, 0.8)) ** -2.0  # of a die, and of the usual cameras
    certain = weights[0] * np.einsum("nij,nik->jk", rows[1:], rows[1:]) + np.diag(weights[1:])
    seen = weights[0] * np.einsum("nij,ni->j", rows[1:], rises[1:]) + np.multiply(weights[1:], (0.0, 0.0, 1.25))
    far = rises[0] + (x, y) - rows[0] @ np.linalg.solve(certain, seen)
    spread = rows[0] @ np.linalg.inv(certain) @ rows[0].T + 0.1**2 * np.eye(2)
    off = deviations(replace(faces[0], rise=tuple(rises[0] + (x, y))), faces[1:], camera.size)
    assert off == pytest.approx(math.sqrt(far @ np.linalg.solve(spread, far)), abs=1e-6)


def test_without_dice_the_camera_is_assumed_to_look_straight_down() -> None:
    assert fit([], (640, 480)).up == (0.0, 0.0)
