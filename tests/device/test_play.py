"""`cantstop play` and `cantstop games` as commands: an automatic game, and rejected arguments."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest.mock import Mock

import pytest

from device.cli import main
from device.composition import show_failure
from device.hardware.boards import BOARDS
from device.hardware.oled import open_oled
from device.laptop.page import has_desktop, served
from device.page.web_side import server
from device.referee.inputs import Button, Press
from device.referee.states import Menu, Situation, Waiting
from device.session import Session
from device.storage.journal import Journal
from engine import Game, Rolled, SetTo, parse_position, parse_transcript
from tests.device.journals import leave_journal
from tests.every import every
from tests.waiting import PATIENCE_S
from tools.sim.oled_bus import OledBus


def run(*words: object, **how) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "device.cli", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        stdin=subprocess.DEVNULL,
        **how,
    )


def nearly_won(file: Path) -> None:
    """Write a journal with a game in which both players have two columns, and three more are nearly won."""
    near = SetTo(parse_position("3 2:3,12:3,7:11,6:9,8:9/3:5,11:5,6:8,8:8 1 - -"))
    leave_journal(file, Situation(Waiting(), Game.new(["yellow", "orange"]).do(near), 1))


def test_a_game_plays_itself_to_the_end_and_is_saved(tmp_path, capsys):
    file = tmp_path / "j.txt"
    nearly_won(file)
    result = run("play", "--simulate", "--auto", "--seed", 50, "--journal", file)
    assert result.returncode == 0, result.stderr
    game = parse_transcript(result.stdout)
    assert game.winner is not None
    assert sum(isinstance(made, Rolled) for made in game.steps) == 6
    assert "not saved" not in result.stderr, "it was told to save it"
    assert main(["games", "1", "--journal", str(file)]) == 0
    assert capsys.readouterr().out.strip() == result.stdout.strip()
    (tmp_path / "game.txt").write_text(result.stdout)
    assert main(["replay", str(tmp_path / "game.txt"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["winner"] == game.winner


@every(
    options={
        "--seed 1": "--seed needs --simulate",
        "--simulate --seed -1": "'-1' is not a whole number from 0",
        "--auto": "--auto needs --simulate",
        "--speech": "--speech needs --camera",
        "--simulate --auto --speech": "--speech needs --camera",
        "--simulate --auto --config nowhere.toml": "nowhere.toml",
        "--simulate --players 5": "--players: invalid choice: ",
        "--simulate --auto --journal pyproject.toml/journal": "pyproject.toml",
    }.items()
)
def test_options_that_cannot_be_used_are_reported_and_nothing_is_played(options, capsys):
    words, reason = options
    assert main(["play", *words.split()]) in (1, 2)
    told = capsys.readouterr()
    assert reason in told.err
    assert told.out == ""


def test_a_simulated_box_has_the_settings_of_a_file(monkeypatch, tmp_path, capsys):
    given = {}

    def refused(journal: Journal, *_: object, **parts: object) -> None:
        given.update(parts)
        journal.close()
        raise OSError("only looked at")

    monkeypatch.setattr("device.laptop.game.Box", refused)
    (tmp_path / "box.toml").write_text('[board]\nkind = "adafruit-bonnet"\n')
    assert main(["play", "--simulate", "--config", str(tmp_path / "box.toml")]) == 1
    assert given["board"] == BOARDS["adafruit-bonnet"]
    assert "only looked at" in capsys.readouterr().err


@pytest.mark.parametrize("world", ["--no-camera", "--simulate --no-browser"])
def test_a_missing_voice_is_an_error_with_its_remedy_if_the_command_asks_for_one(world, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["play", *world.split(), "--speech", "--journal", str(tmp_path / "j.txt")]) == 1
    assert "sudo apt install espeak-ng" in capsys.readouterr().err


def test_on_a_computer_that_is_no_box_the_games_that_can_be_played_there_are_listed(tmp_path):
    result = run("play", "--journal", tmp_path / "j.txt")
    assert result.returncode == 1
    for offered in ("--camera 0", "--no-camera", "--simulate"):
        assert f"cantstop play {offered}" in result.stderr
    for puzzling in ("Traceback", "lgpio", "pin"):
        assert puzzling not in result.stderr


def test_a_box_that_cannot_start_and_has_no_display_reports_only_the_first_problem():
    bus = OledBus()
    bus.unplugged = True
    show_failure(lambda: open_oled(bus=bus), "the journal is damaged")
    assert bus.bytes_written == 0


# The page beside the simulated box


@pytest.mark.parametrize(
    ("environ", "platform", "there"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "linux", False),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "1 2 3 4"}, "linux", False),
        ({"SSH_TTY": "/dev/pts/1"}, "darwin", False),
    ],
)
def test_a_browser_is_opened_on_a_desktop_and_never_over_ssh(environ, platform, there):
    assert has_desktop(environ, platform) is there


def test_the_page_is_served_on_another_port_if_the_usual_one_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with served(tmp_path / "table.sock", port) as address:
            assert not address.endswith(f":{port}/")
            with urllib.request.urlopen(address) as answer:
                assert answer.status == 200


def test_the_game_continues_if_the_page_cannot_be_served(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(server, "bound", Mock(side_effect=OSError("no page today")))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    seen = []

    def press_and_look(table: Session) -> None:
        table.box.put(Press(Button.STOP, long=True))
        with table.box.changed:
            table.box.changed.wait_for(lambda: isinstance(table.box.situation.state, Menu), PATIENCE_S)
        seen.append(table.box.situation.state)

    monkeypatch.setattr(Session, "wait", press_and_look)
    assert main(["play", "--simulate", "--journal", str(tmp_path / "journal.txt")]) == 0
    assert "The page cannot be served: no page today" in capsys.readouterr().out
    assert isinstance(seen[0], Menu)
