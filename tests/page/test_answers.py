"""What the box answers a paired phone: dice that are entered, and the camera's pictures."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.camera.seen_frame import SeenFrame
from device.page.box_side import pictures
from device.page.box_side.pictures import live_picture, throw_picture, tray_picture
from device.page.wire import RequestError
from device.referee.inputs import Input
from device.referee.playing import dice_wanted
from device.referee.preferences import Preferences
from device.referee.states import Choosing, Deciding, Situation, StopPending, Thinking
from device.referee.transition_table import step
from device.screens.draw import draw
from device.screens.views import screen
from engine.opponents import level
from tests.device.camera_helpers import sight_of_a_throw
from tests.device.helpers import game_at
from tests.page.helpers import Told, answers_of
from tools.docs.screens import situations
from vision.types import Reading

WAITING = {
    name: now
    for name, now in situations().items()
    if dice_wanted(now.state) and not isinstance(now.state, StopPending)  # then only a roll that the camera sees counts
}


def entered(folder, now: Situation, dice: int) -> list[Input]:
    """What the box is told when a paired phone enters this number of dice, all sixes."""
    told = Told()
    answers, key = answers_of(folder, now, told)
    game, steps = (0, 0) if now.game is None else (now.number, len(now.game.steps))
    message = {"ask": "dice", "key": key, "dice": [6] * dice, "game": game, "steps": steps}
    _, answer = answers.admit(message)
    answer(message)
    return told.inputs


def test_dice_entered_on_the_page_count_wherever_as_many_are_awaited(tmp_path):
    assert {dice_wanted(now.state) for now in WAITING.values()} == {1, 4}
    for name, now in WAITING.items():
        (told,) = entered(tmp_path, now, dice_wanted(now.state))
        assert step(now, told) is not None, name
        with pytest.raises(RequestError) as refused:
            entered(tmp_path, now, 3)
        assert refused.value.kind in {"moved on", "not now"}, name


@pytest.fixture
def sight():
    return sight_of_a_throw()


def decoded(data) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(base64.b64decode(data["jpeg"]), np.uint8), cv2.IMREAD_COLOR)


def test_the_picture_of_a_roll_marks_each_die_where_it_was_read(sight):
    told = throw_picture(sight)
    assert told["values"] == (2, 3, 4, 5)
    assert decoded(told).shape == (told["height"], told["width"], 3)
    for die, read_die in zip(told["dice"], sight.reading.dice, strict=True):
        x0, y0, x1, y1 = die["box"]
        assert 0 <= x0 < x1 <= 1
        assert 0 <= y0 < y1 <= 1
        assert die["value"] == read_die.value


def test_a_large_picture_is_scaled_down_for_a_phone():
    frame = np.full((1232, 1640, 3), 90, np.uint8)
    told = throw_picture(SeenFrame(frame, Reading(())))
    assert decoded(told).shape[1] == told["width"] == pictures.MOST_SIDE


def test_the_picture_of_the_simulated_tray_marks_the_dice_until_they_move(sight):
    lying = tray_picture(sight.frame, None, sight)
    assert sorted(die["value"] for die in lying["dice"]) == [2, 3, 4, 5]
    empty = np.full_like(sight.frame, 90)
    assert tray_picture(empty, sight.frame, sight)["dice"] == []


def test_the_picture_of_the_simulated_tray_counts_as_moving_while_more_than_noise_changes(sight):
    noise = np.random.default_rng(1).integers(-6, 7, sight.frame.shape)
    noisy = np.clip(sight.frame + noise, 0, 255).astype(np.uint8)
    assert not tray_picture(noisy, sight.frame, None)["moves"]
    assert tray_picture(np.full_like(sight.frame, 90), sight.frame, None)["moves"]


def test_the_live_picture_has_the_trays_edge_the_dice_and_the_measurements(sight):
    told = live_picture(sight, None)
    assert len(told["edge"]) >= 4
    assert sorted(die["value"] for die in told["dice"]) == [2, 3, 4, 5]
    assert told["figures"]["blur_px"] < 3
    assert "empty the tray" not in [advice["change"] for advice in told["advice"]]
    json.dumps(told)


def test_without_a_tray_the_live_picture_has_no_outline_and_only_advice_from_the_dice():
    with_edge = sight_of_a_throw()
    told = live_picture(with_edge, None, needs_tray=False)
    assert told["edge"] == []
    assert told["advice"] == []
    small = cv2.resize(with_edge.frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    far = cv2.copyMakeBorder(small, 120, 120, 160, 160, cv2.BORDER_REPLICATE)
    advice = live_picture(SeenFrame(far, None), None, needs_tray=False)["advice"]
    assert {"change": "lower", "required": True} in advice
    assert {each["change"] for each in advice} <= {"lower", "more light", "less tilt"}


def test_a_box_without_a_camera_says_so(tmp_path):
    at, key = answers_of(tmp_path)
    for ask in ("live", "calibrate", "picture", "tray"):
        message = {"ask": ask, "key": key}
        _, answer = at.admit(message)
        with pytest.raises(RequestError) as refused:
            answer(message)
        assert refused.value.kind == "none"


def test_the_qr_code_on_the_oled_can_be_read_and_says_the_address_with_the_code():
    drawn = np.array(draw(screen(situations()["page"])).convert("L").resize((1024, 512)))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(drawn)
    assert text == "HTTP://192.168.178.24:8017/P/48192037"


def coached(folder, now: Situation) -> dict:
    """What a paired phone is answered when it asks what Master would do."""
    answers, key = answers_of(folder, now)
    _, answer = answers.admit({"ask": "coach", "key": key})
    return answer({})


def test_a_person_who_decides_is_told_what_master_would_do_if_the_odds_are_on(tmp_path):
    game = game_at("3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6")
    choosing = Situation(Choosing(), game, 7, preferences=Preferences(odds="on"))
    (best,) = [one for one in coached(tmp_path, choosing)["choices"] if one["best"]]
    play = level("strongest").make().choose(game.position, (3, 3, 5, 6))
    assert best["play"] == play
    deciding = replace(choosing, state=Deciding(), game=game.do(play))
    (only,) = coached(tmp_path, deciding)["choices"]
    assert only["roll"] == pytest.approx(best["roll"], abs=1e-5)
    thinking = replace(choosing, state=Thinking())
    for refused in (replace(choosing, preferences=Preferences()), thinking, situations()["welcome"]):
        with pytest.raises(RequestError, match="coach"):
            coached(tmp_path, refused)
