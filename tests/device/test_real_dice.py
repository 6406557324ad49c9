"""The game with real dice on a computer: nothing of a Raspberry Pi, typed dice, hints, and a camera from a stream."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device.camera.port import CameraError
from device.camera.sources import FoundCamera
from device.cli import main
from device.laptop import camera_choice
from device.laptop.camera_choice import CameraChoice
from device.laptop.keyboard import TypedDice
from device.referee.inputs import CameraTrouble, DiceCorrection, DiceRead, TraySeen, TrayView
from device.referee.states import Choosing, Situation, Waiting, WatchingTray
from device.session import Session
from engine import TOP, Game, Rolled
from tests.device.filmed_table import Browser, FilmedTable
from tests.waiting import until
from tools.hardware.mjpeg_server import MjpegServer
from tools.hardware.trees import TreeError
from vision.tray.advice import Change, advise_on_dice
from vision.types import Die, Reading, Reason

REPOSITORY = Path(__file__).parents[2]
PI_ONLY = ["lgpio", "gpiozero", "luma", "picamera2", "libcamera"]
PATH = [
    "device.laptop.game",
    "device.laptop.camera_choice",
    "device.laptop.keyboard",
    "device.cli.play",
    "device.camera.sources",
    "device.camera.watcher",
    "device.cli.calibrate",
    "device.cli.read",
]


def test_a_game_with_real_dice_imports_nothing_of_a_pi():
    program = f"""
        import sys
        for blocked in {PI_ONLY}:
            sys.modules[blocked] = None
        import {", ".join(PATH)}
        del sys.modules["luma"]  # doctor looks at a simulated display, too
        import device.cli.doctor
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def typed(keys: str, situation: Situation) -> list[object]:
    dice = TypedDice()
    return [event for key in keys if (event := dice.take(key, situation)) is not None]


def test_four_digits_are_a_roll_or_correct_it_and_backspace_and_other_keys_take_digits_back():
    waiting = Situation(Waiting(), Game.new(("yellow", "orange")), 1)
    assert typed("5231", waiting) == [DiceRead((1, 2, 3, 5))]
    assert typed("52\x7f631", waiting) == [DiceRead((1, 3, 5, 6))]
    assert typed("52a31", waiting) == []
    choosing = Situation(Choosing(), Game.new(("yellow", "orange")).do(Rolled((1, 2, 3, 5))), 7)
    assert typed("5234", choosing) == [DiceCorrection((2, 3, 4, 5), 7, 1)]


BRIGHT = np.full((480, 640, 3), 200, np.uint8)


def reading(dice: int, side: float, reason: Reason | None = None) -> Reading:
    return Reading(tuple(Die(3, (0.0, 0.0, side, side), 0.99, 4) for _ in range(dice)), reason)


@pytest.mark.parametrize(
    ("seen", "frame", "change"),
    [
        (reading(4, 30), BRIGHT, None),
        (reading(4, 12), BRIGHT, Change.LOWER),
        (reading(4, 24), np.repeat(np.repeat(BRIGHT, 2, 0), 2, 1), Change.LOWER),  # half as wide in this picture
        (reading(4, 30), BRIGHT // 4, Change.MORE_LIGHT),
        (reading(0, 0, Reason.NEAR), BRIGHT, Change.HIGHER),
        (reading(6, 30, Reason.COUNT), BRIGHT, Change.PLAIN),
        (reading(3, 30, Reason.COUNT), BRIGHT, None),
    ],
)
def test_dice_without_a_tray_show_what_to_change_about_the_camera(seen, frame, change):
    found = advise_on_dice(seen, frame)
    assert [each.change for each in found] == ([] if change is None else [change])


def test_warnings_of_a_game_in_the_terminal_go_to_a_file_and_not_onto_the_screen(tmp_path):
    program = f"""
        import logging, pathlib, subprocess, sys
        from device.laptop.game import errors_into
        with errors_into(pathlib.Path({str(tmp_path)!r}) / "warnings.txt"):
            logging.getLogger("camera").warning("camera lost")
            subprocess.run([sys.executable, "-c", "import sys; print('page lost', file=sys.stderr)"], check=True)
        print("as before", file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "as before\n")
    assert (tmp_path / "warnings.txt").read_text() == "camera lost\npage lost\n"


# The camera


@pytest.fixture
def playing(tmp_path, monkeypatch, capsys):
    """Runs a game on a computer with its page, in place of a person's terminal: `play(what, *options)`."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def play(what, *options: str) -> None:
        def at_the_page(session) -> None:
            what(session, Browser(capsys.readouterr().out.rpartition(" ")[2].strip()))

        monkeypatch.setattr(Session, "wait", at_the_page)
        assert main(["play", "--no-browser", *options]) == 0

    return play


def listed(monkeypatch, *servers: MjpegServer, works: bool = True) -> None:
    """Let the system list network cameras."""
    found = [
        FoundCamera(server.url, f"camera {number}", picture=server.frame(0) if works else None, problem="in use")
        for number, server in enumerate(servers, start=1)
    ]
    monkeypatch.setattr(camera_choice, "cameras", lambda in_use="": [each for each in found if each.source != in_use])


def grey(level: int):
    noise = np.random.default_rng(level)
    return lambda _number: noise.integers(level, level + 20, (360, 640, 3), np.uint8)


def level_of(told) -> int:
    data = np.frombuffer(base64.b64decode(told["jpeg"]), np.uint8)
    return round(float(cv2.imdecode(data, cv2.IMREAD_COLOR).mean()))


def test_the_camera_is_chosen_by_its_picture_on_the_page_and_changed(playing, monkeypatch):
    def choose_second_and_change(_session, page) -> None:
        assert page.table()["can"]["choose"], "nobody knows which one looks at the dice"
        first, second = page.ask("/api/cameras")["cameras"]
        assert [level_of(each) // 50 for each in (first, second)] == [1, 3]
        assert (first["name"], second["name"]) == ("camera 1", "camera 2")
        page.ask("/api/camera", source=second["source"])
        assert level_of(until(lambda: live(page), "its picture")) // 50 == 3
        (other,) = page.ask("/api/cameras")["cameras"]
        page.ask("/api/camera", source=other["source"])
        until(lambda: (seen := live(page)) and level_of(seen) // 50 == 1, "the other camera's picture")

    with MjpegServer(grey(60)) as one, MjpegServer(grey(160)) as other:
        listed(monkeypatch, one, other)
        playing(choose_second_and_change, "--camera")


def table_where(page, is_it, what: str):
    """Wait until the page shows a table like this, and return it."""
    return until(lambda: now if is_it(now := page.table()) else None, what, pause_s=0.1)


def live(page):
    try:
        return page.ask("/api/live")
    except TreeError:
        return None


def test_a_camera_is_chosen_from_several_and_the_only_one_needs_no_choice(monkeypatch):
    with MjpegServer(grey(60)) as one, MjpegServer(grey(160)) as other:
        listed(monkeypatch, one, other)
        choice = CameraChoice()
        assert choice.notice(SimpleNamespace()).endswith("Choose its picture on the page")
        with pytest.raises(CameraError, match="no camera is chosen"):
            choice.open()
        assert not choice.choose("elsewhere")
        assert choice.choose(other.url)
        with closing(choice.open()):
            assert choice.source == other.url
        listed(monkeypatch, one)
        assert CameraChoice().source == one.url
        listed(monkeypatch, one, works=False)
        with pytest.raises(CameraError, match="in use"):
            CameraChoice()
        listed(monkeypatch)
        with pytest.raises(CameraError, match="no camera was found"):
            CameraChoice()


def test_a_camera_lost_in_a_game_is_shown_and_the_game_goes_on_when_it_comes_back(playing):
    film = FilmedTable(1, [(1, 2, 3, 4), (1, 1, 6, 6)])

    def lose_it(session, page) -> None:
        now = page.table()
        while now["state"] != "Waiting":  # the rules, the order
            now = page.press_from("C", now)
        until(lambda: (tray := session.watcher.tray) and tray.empty is not None, "the empty place")
        film.throw(4)
        now = table_where(page, lambda now: now["state"] == "Choosing", "the roll")
        assert now["game"]["position"]["roll"] == [1, 2, 3, 4]
        now = page.press_from("A", now)
        camera.refuses.set()
        camera.breaks.set()
        now = table_where(page, lambda now: not now["camera"], "the loss")
        assert now["tray"]["view"] == "no camera"
        situation = session.box.situation
        assert isinstance(situation.state, WatchingTray)
        assert situation.state.seen.why in {CameraTrouble.SILENT, CameraTrouble.MISSING}
        assert page.ask("/api/events")["words"]["en"]["oled"][0] in {"No picture", "No camera"}
        camera.refuses.clear()
        table_where(page, lambda now: now["tray"] is None, "the dice that lie there")
        film.throw(4)
        now = table_where(page, lambda now: now["state"] == "Choosing", "the next roll")
        assert now["game"]["position"]["roll"] == [1, 1, 6, 6]

    with MjpegServer(film.frame) as camera:
        playing(lose_it, "--camera", camera.url, "--names", "Ann,Ben")


ROLLS = (*[(1, 1, 6, 6)] * 3, (1, 1, 1, 1), *[(1, 1, 2, 2)] * 3)
"""Ann wins columns 2 and 12 in three rolls, Ben is bust, as column 2 is won, and Ann wins column 3 in three more."""


@pytest.mark.skipif(not os.environ.get("CANTSTOP_BROWSER"), reason="takes minutes: make browser")
def test_a_whole_game_from_a_film_stream_is_read_without_a_mistake(playing, capsys):
    film = FilmedTable(1, ROLLS)

    def play_it(session, page) -> None:
        now, rolls = page.table(), 0
        while now["state"] != "GameOver":
            if now["state"] == "Deciding" and rolls in (3, 7):
                now = page.press_from("STOP", now)
            elif now["state"] in ("Waiting", "Deciding"):
                until(lambda: (tray := session.watcher.tray) and tray.empty is not None, "the empty place")
                values, rolls = film.throw(4), rolls + 1
                now = table_where(page, lambda now: now["state"] in ("Choosing", "Busting"), "the roll")
                assert tuple(sorted(now["game"]["position"]["roll"])) == values
            elif now["state"] == "Choosing":
                climbs = [sum(1 / TOP[move["column"]] for move in one["plays"][0]) for one in now["choices"][:2]]
                now = page.press_from("AB"[climbs.index(max(climbs))], now)
            else:
                now = page.press_from("C", now)

    with MjpegServer(film.frame) as camera:
        playing(play_it, "--camera", camera.url, "--names", "Ann,Ben")
    assert main(["games", "1"]) == 0
    told = capsys.readouterr().out
    print(told)
    assert "result: Ann wins" in told


@pytest.mark.parametrize(
    ("change", "trouble", "hint"),
    [("lower", "", "lower the camera: dice are too small"), ("", "", ""), ("lower", "unplugged", "unplugged")],
)
def test_the_terminal_says_why_the_camera_was_lost_or_else_what_to_change(tmp_path, change, trouble, hint):
    choice = CameraChoice(str(tmp_path / trouble))
    seen = TraySeen(TrayView.NO_CAMERA if trouble else TrayView.USED)
    now = Situation(WatchingTray(Waiting(), seen), Game.new(("yellow", "orange")), 1)
    with pytest.raises(CameraError):
        choice.open()
    session = SimpleNamespace(box=SimpleNamespace(situation=now), watcher=SimpleNamespace(advice=lambda: change))
    assert hint in choice.notice(session)
    assert bool(hint) == bool(choice.notice(session))
