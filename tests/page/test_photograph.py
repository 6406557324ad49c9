"""A photograph from a paired phone is a roll like the camera's, or is refused with the reason."""

from __future__ import annotations

import base64
import io
import socket
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from device.page.box_side import pictures as photograph
from device.page.box_side.answers import Answers
from device.page.box_side.phone_keys import PhoneKeys
from device.page.routes import MOST_FILE
from device.referee.inputs import DiceRead
from device.referee.states import Deciding
from device.referee.transition_table import step
from engine import Game, Rolled, plays
from tests.device.camera_helpers import simulated_frame
from tests.every import every
from tests.page.helpers import PATIENCE_S, until
from tools.docs.screens import situations

DICE = (2, 3, 4, 5)
PRESS = {"button": "A", "long": False}


def file_of(frame: np.ndarray, kind: str = "JPEG", **options) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(frame[:, :, ::-1])).save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def frame():
    return simulated_frame(DICE)


@pytest.fixture(scope="module")
def jpeg(frame):
    return file_of(frame, quality=90)


@pytest.fixture
def key(table, web):
    """The key of a paired phone, at a table that waits for a roll."""
    table.show("waiting")
    until(lambda: web.ask("GET", "/api/events")[2]["state"] == "Waiting", "the table")
    return table.pair(web)


def send(web, data: bytes, key: str, how: str = "once", kind: str = "image/jpeg"):
    status, _, told = web.ask("POST", f"/api/photograph/{how}", data, key=key, content_type=kind)
    return status, told


def test_a_photograph_counts_as_a_roll_and_is_shown_as_the_last_one(web, table, key, jpeg):
    status, told = send(web, jpeg, key)
    assert (status, told["counts"], told["reason"]) == (200, True, "")
    (roll,) = table.told.inputs
    assert isinstance(roll, DiceRead)
    assert roll.dice == DICE
    assert roll.by_camera
    assert roll.dice == tuple(sorted(die["value"] for die in told["dice"]))
    assert web.ask("GET", "/api/throw")[2]["values"] == list(DICE)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_photograph_is_turned_by_its_exif_data(web, table, key, frame, kind):
    exif = Image.Exif()
    exif[0x0112] = 6  # turn it clockwise to see it upright
    lying = np.rot90(frame, 1)
    status, told = send(web, file_of(lying, kind, exif=exif), key, kind=f"image/{kind.lower()}")
    assert (status, told["counts"]) == (200, True)
    assert told["width"] / told["height"] == pytest.approx(frame.shape[1] / frame.shape[0], rel=0.01)
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(told["jpeg"]))).resize((64, 48))).astype(int)
    upright = np.asarray(Image.fromarray(frame[:, :, ::-1]).resize((64, 48))).astype(int)
    assert np.abs(shown - upright).mean() < np.abs(shown - upright[::-1, ::-1]).mean() / 2


def test_a_photograph_without_a_reading_comes_back_with_the_reason_and_what_was_found(web, table, key):
    status, told = send(web, file_of(simulated_frame((2, 3, 4))), key)
    assert (status, told["counts"], told["reason"]) == (200, False, "count")
    assert sorted(die["value"] for die in told["dice"]) == [2, 3, 4]
    assert table.told.inputs == []


def test_who_begins_is_rolled_with_one_die(web, table, key, jpeg):
    table.show("roll-off")
    until(lambda: web.ask("GET", "/api/events")[2]["wants_dice"] == 1, "the roll-off")
    assert send(web, jpeg, key)[1]["reason"] == "count"
    assert send(web, file_of(simulated_frame((6,))), key)[1]["counts"] is True
    assert [roll.dice for roll in table.told.inputs] == [(6,)]


@every(state=["choosing", "menu", "welcome", "game-over"])
def test_a_photograph_counts_only_where_a_roll_is_awaited(web, table, key, jpeg, state):
    table.show(state)
    until(lambda: web.ask("GET", "/api/events")[2]["wants_dice"] == 0, "the state")
    status, told = send(web, jpeg, key)
    assert (status, told["error"]) == (409, "not now")
    assert table.told.inputs == []


def test_the_values_of_the_last_roll_count_again_only_if_the_players_say_so(web, table, key, jpeg):
    now = situations()["waiting"]
    game = Game.new(("Anna", "Ben")).do(Rolled(DICE))
    game = game.do(plays(game.position)[0])
    table.show(replace(now, state=Deciding(), game=game))
    until(lambda: web.ask("GET", "/api/events")[2]["state"] == "Deciding", "the state")
    assert send(web, jpeg, key)[1]["same"] is True
    assert table.told.inputs == []
    assert send(web, jpeg, key, "again")[1]["counts"] is True
    (roll,) = table.told.inputs
    outcome = step(replace(now, state=Deciding(), game=game), roll)
    assert outcome is not None
    assert outcome.situation.played.position.roll == DICE


def test_what_is_no_picture_is_refused_and_changes_nothing(web, table, key, jpeg):
    kinds = ("image/heic", "application/json", "text/plain")
    refused = [(data, "image/jpeg") for data in (b"dice: 2 3 4 5\n", jpeg[: len(jpeg) // 2], b"")]
    for data, kind in [*refused, *((jpeg, kind) for kind in kinds)]:
        status, told = send(web, data, key, kind=kind)
        assert (status, told["error"]) == (400, "picture"), (data[:20], kind)
    assert table.told.inputs == []
    assert send(web, jpeg, key)[1]["counts"] is True


def test_a_picture_file_has_a_limit_of_its_own_and_no_other_request_has_it(web, table, key):
    assert send(web, bytes(MOST_FILE + 1), key)[1]["error"] == "large"
    assert send(web, bytes(MOST_FILE), key)[1]["error"] == "picture"
    assert web.ask("POST", "/api/press", bytes(2000), key=key, content_type="application/json")[0] == 413
    assert web.ask("GET", "/api/events")[0] == 200


def half_sent(web, key: str, data: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", web.port), PATIENCE_S)
    head = f"POST /api/photograph/once HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
    line.sendall(f"{head}Content-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n".encode())
    line.sendall(data[: len(data) // 2])
    return line


def test_one_photograph_is_received_at_a_time_and_presses_go_on(web, table, key, jpeg):
    other = table.pair(web, "Ben")
    with half_sent(web, key, jpeg) as line:
        until(lambda: send(web, jpeg, other)[1].get("error") == "another", "the first photograph")
        assert web.ask("POST", "/api/press", PRESS, key=key)[0] == 200
        table.told.inputs.clear()
        line.sendall(jpeg[len(jpeg) // 2 :])
        assert line.recv(12).endswith(b"200")
        assert [roll.dice for roll in table.told.inputs] == [DICE]
    with half_sent(web, key, jpeg):
        until(lambda: send(web, jpeg, other)[1].get("error") == "another", "the next photograph")
    until(lambda: send(web, jpeg, other)[0] == 200, "the end of the phone that has left")


def test_a_simulated_box_takes_no_photographs(tmp_path, jpeg):
    keys = PhoneKeys(None, invitation="X")
    answers = Answers(keys, tmp_path / "journal", tmp_path / "misread", throw=lambda: None)
    assert not answers.can()["photograph"]


def test_a_larger_photograph_is_reduced_before_it_is_read(frame):
    enlarged = np.asarray(Image.fromarray(frame).resize((4032, 3024)))
    evidence = photograph.examine_photograph(file_of(enlarged, quality=80), 4)
    assert max(evidence.frame.shape) == photograph.LONGEST_PX
    assert evidence.reading.values == DICE
