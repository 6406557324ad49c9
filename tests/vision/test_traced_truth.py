"""The labels that `tools.training.traced` derives for another renderer's picture, from its plan and its pixels."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tools.scenes.labels import Flaw, upright_of
from tools.training.path_traced.plan import LaidDie, Plan, Thing, axes, label, linear, plan, plan_to_learn, with_room
from tools.training.traced import Truth, areas, planned, truth, turned, view
from vision.pictures.labelled import LabelsError
from vision.render.geometry import View
from vision.stages.pose import rise

SIZE = (560, 420)


def bare_table(seed: int) -> Plan:
    made = with_room(lambda rng: plan(rng, ""), np.random.default_rng(seed))
    return replace(made, tray=made.tray._replace(shape="bare"), thing=None)


def painted(made: Plan, eye: View, *, body: int, pip: int) -> NDArray[np.uint8]:
    """The picture of flat dice as plain squares of one grey with pips of another."""
    picture = np.full((*SIZE[::-1], 3), 90, np.uint8)
    signs = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)])
    patterns = {2: signs[[0, 2]], 3: signs[[0, 2]], 4: signs, 5: signs, 6: np.vstack([signs, [(-1, 0), (1, 0)]])}

    def fill(die: LaidDie, ring: NDArray[np.float64], level: int) -> None:
        points = np.column_stack([ring, np.ones(len(ring))]) * die.look.size_cm / 2 @ turned(die).T + die.middle
        spots = np.rint(eye.project(points) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, spots, (level, level, level), lineType=cv2.LINE_AA, shift=4)

    angles = np.arange(40) * math.tau / 40
    disc = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for die in made.dice:
        fill(die, signs.astype(float), body)
        places = [*patterns.get(die.value, ()), *([(0, 0)] if die.value in (1, 3, 5) else [])]
        for place in places:
            radius = die.look.one if die.value == 1 else die.look.pip
            fill(die, 2 * (np.array(place) * die.look.spread + disc * radius), pip)
    return picture


def told(made: Plan, body: int, pip: int) -> list[Truth]:
    eye = view(made.camera, SIZE)
    return truth(made, eye, painted(made, eye, body=body, pip=pip))


@pytest.mark.parametrize("seed", range(3))
def test_a_top_face_is_where_the_camera_projects_it(seed: int) -> None:
    made = bare_table(seed)
    eye = view(made.camera, SIZE)
    for die, found in zip(made.dice, told(made, 230, 20), strict=True):
        top = np.array(die.middle) + np.array((0, 0, die.look.size_cm / 2))
        right, up, back = axes(made.camera) @ (top - made.camera.place)
        wide = math.tan(made.camera.field_rad / 2)
        assert found.centre[0] == pytest.approx((1 + right / -back / wide) * SIZE[0] / 2 - 0.5, abs=1e-6)
        assert found.centre[1] == pytest.approx(SIZE[1] / 2 - up / -back / wide * SIZE[0] / 2 - 0.5, abs=1e-6)
        assert found.rise == pytest.approx(
            rise(np.array(upright_of(eye).up), np.array(upright_of(eye).off_axis(found.centre)))
        )


@pytest.mark.parametrize("seed", range(3))
def test_dice_with_visible_pips_have_their_values(seed: int) -> None:
    made = bare_table(seed)
    assert [(die.value, die.flaw) for die in told(made, 230, 20)] == [(die.value, None) for die in made.dice]


def test_dice_that_are_burnt_out_are_in_glare_and_dark_ones_faint() -> None:
    made = bare_table(3)
    assert {die.flaw for die in told(made, 255, 252)} == {Flaw.GLARE}
    assert {die.flaw for die in told(made, 30, 34)} == {Flaw.FAINT}


def test_a_leaning_die_is_cocked_and_its_upright_edges_are_not_vertical() -> None:
    made = bare_table(3)
    leaning = made.dice[0]._replace(lean_rad=0.3, lean_way_rad=1.0)
    before, after = (told(replace(made, dice=(die, *made.dice[1:])), 230, 20)[0] for die in (made.dice[0], leaning))
    assert after.flaw is Flaw.COCKED
    assert math.dist(before.rise, after.rise) == pytest.approx(0.3, abs=0.08)


def test_a_die_under_a_card_is_covered_and_the_card_is_foreign() -> None:
    made = bare_table(3)
    x, y, _ = made.dice[0].middle
    card = Thing("card", (x, y, 2.2), 0.0, made.dice[0].look.body._replace(colour=linear("ffffff")))
    made = replace(made, thing=card)
    eye = view(made.camera, SIZE)
    die = told(made, 230, 20)[0]
    column, row = (round(part) for part in die.centre)
    assert die.flaw is Flaw.COVERED
    assert areas(made, eye, SIZE)[1][row, column] == 1.0


def test_only_the_opening_of_a_tray_counts_as_inside() -> None:
    made = with_room(lambda rng: plan(rng, ""), np.random.default_rng(3))
    made = replace(made, tray=made.tray._replace(shape="box"))
    eye = view(made.camera, SIZE)
    tray, foreign = areas(made, eye, SIZE)
    height = made.tray.high
    for part, is_inside in ((0.3, 1.0), (0.6, 0.0)):
        column, row = np.rint(eye.project(np.array([part * made.tray.wide, 0.0, height]))).astype(int)
        if 0 <= column < SIZE[0] and 0 <= row < SIZE[1]:
            assert tray[row, column] == is_inside
    assert not foreign.any()


def test_training_pictures_have_many_dice_some_of_them_tilted() -> None:
    dice = [die for seed in range(30) for die in with_room(plan_to_learn, np.random.default_rng(seed)).dice]
    assert len(dice) > 30 * 4
    tipped = [die for die in dice if die.lean_rad]
    assert 0.05 < len(tipped) / len(dice) < 0.3
    for die in tipped:
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * die.look.size_cm / 2
        assert (corners @ turned(die).T + die.middle)[:, 2].min() == pytest.approx(0.0, abs=1e-9)


def drawn(folder: Path, name: str, how: Callable[[np.random.Generator], Plan]) -> Path:
    made = with_room(how, np.random.default_rng(7))
    (folder / name).write_bytes(b"")
    (folder / "labels.jsonl").write_text(json.dumps(label(name, made)) + "\n")
    return folder


def test_a_labelled_training_picture_has_the_plan_of_its_seed(tmp_path: Path) -> None:
    (path, made), *others = planned(drawn(tmp_path, "000007.png", plan_to_learn))
    assert path == tmp_path / "000007.png"
    assert made == with_room(plan_to_learn, np.random.default_rng(7))
    assert not others


@pytest.mark.parametrize(("name", "how"), [("000007.png", plan), ("table.png", plan_to_learn)])
def test_a_picture_that_does_not_match_the_plan_of_its_name_is_rejected_by_name(
    tmp_path: Path, name: str, how: Callable[[np.random.Generator], Plan]
) -> None:
    with pytest.raises(LabelsError, match=rf"{name}: .*--learn"):
        planned(drawn(tmp_path, name, how))
