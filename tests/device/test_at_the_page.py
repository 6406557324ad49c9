"""The simulated box with its page: opening a browser, a port that is in use, a page that cannot be served."""

from __future__ import annotations

import socket
import urllib.request

import pytest

from device.cli import main
from device.laptop.page_process import PageProcess, has_desktop
from device.referee.inputs import Button, Press
from device.referee.states import Menu
from device.session import Session
from device.sim.table import SimulatedTable
from tests.waiting import PATIENCE_S


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
        with PageProcess(tmp_path / "table.sock", port) as page:
            assert not page.address.endswith(f":{port}/")
            with urllib.request.urlopen(page.address) as answer:
                assert answer.status == 200


def test_the_game_continues_if_the_page_cannot_be_served(tmp_path, monkeypatch, capsys):
    def fail(_: PageProcess) -> PageProcess:
        raise OSError("no page today")

    monkeypatch.setattr(PageProcess, "__enter__", fail)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    seen = []

    def press_and_look(table: SimulatedTable) -> None:
        table.box.put(Press(Button.STOP, long=True))
        with table.box.changed:
            table.box.changed.wait_for(lambda: isinstance(table.box.situation.state, Menu), PATIENCE_S)
        seen.append(table.box.situation.state)

    monkeypatch.setattr(Session, "wait", press_and_look)
    assert main(["play", "--simulate", "--web", "--journal", str(tmp_path / "journal.txt")]) == 0
    assert "The page cannot be served: no page today" in capsys.readouterr().out
    assert isinstance(seen[0], Menu)
