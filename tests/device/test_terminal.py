from __future__ import annotations

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import textwrap
import time
from dataclasses import replace
from fcntl import ioctl
from pathlib import Path

import pyte
import pytest
from rich.text import Text

from device.box import HASTY_S
from device.camera.simulated import SimulatedTray
from device.laptop.table_view import oled_lines
from device.laptop.terminal import Terminal
from device.referee.states import Choosing, PutBack, Resume, Situation, Stopped, Telling, Waiting
from device.screens.draw import draw
from device.screens.views import screen
from device.storage.journal import Journal
from engine import Game
from tests.device.journals import leave_journal
from tests.waiting import PATIENCE_S, until

REPOSITORY = Path(__file__).parents[2]


def resize(fd: int, columns: int, rows: int) -> None:
    ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def read(master: int, until: str, within_s: float = PATIENCE_S) -> str:
    """Return the output on the terminal up to and including a text."""
    seen, deadline = "", time.monotonic() + within_s
    while until not in seen:
        ready, _, _ = select.select([master], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{until!r} never came, but {seen!r}"
        seen += os.read(master, 65536).decode(errors="replace")
    return seen


def drain(master: int) -> str:
    seen = b""
    while select.select([master], [], [], 0.05)[0]:
        seen += os.read(master, 65536)
    # `read` stops where its text came, which may be amid the bytes of a character.
    return seen.decode(errors="replace")


@pytest.fixture
def ends():
    master, slave = pty.openpty()
    resize(slave, 80, 24)
    yield master, slave
    os.close(master)
    os.close(slave)


@pytest.fixture
def master(ends):
    return ends[0]


@pytest.fixture
def terminal(ends):
    master, slave = ends
    with Terminal(slave, slave) as opened:
        yield opened
        drain(master)


def type_in(master: int, keys: bytes) -> None:
    os.write(master, keys)


def test_arrow_and_function_keys_are_not_letters_even_if_they_come_in_two_parts(master, terminal):
    type_in(master, b"\x1b[A\x1b[1;5C\x1bOB\x1bba\x1b[15~c")
    assert terminal.keys(PATIENCE_S) == ["a", "c"]
    type_in(master, b"a\x1b[")
    assert terminal.keys(PATIENCE_S) == ["a"]
    type_in(master, b"Ab")
    assert terminal.keys(PATIENCE_S) == ["b"]

    type_in(master, b"\x1b")
    assert terminal.keys(PATIENCE_S) == []
    assert terminal.keys(0.0) == []
    type_in(master, b"a")
    assert terminal.keys(PATIENCE_S) == ["a"], "a letter well after an escape"


def seen_on(screen: pyte.Screen, master: int) -> list[str]:
    pyte.Stream(screen).feed(drain(master))
    return [line.rstrip() for line in screen.display]


def test_what_is_drawn_fills_the_terminal_and_nothing_of_before_stays(master, terminal):
    screen = pyte.Screen(80, 24)
    terminal.draw(Text("hello\n" + "x" * 80 + "\nyou"))
    assert seen_on(screen, master) == ["hello", "x" * 80, "you"] + [""] * 21
    terminal.draw(Text("hello\ntwo"))
    assert seen_on(screen, master) == ["hello", "two"] + [""] * 22
    resize(master, 3, 1)
    terminal.draw(Text("hello\ntwo", no_wrap=True, overflow="crop"))
    assert "hel" in (text := drain(master))
    assert "hell" not in text
    assert "two" not in text
    resize(master, 0, 0)
    assert terminal.size() == (80, 24), "without a size"


def test_the_terminal_and_its_signals_are_as_before_after_an_exception(ends):
    master, slave = ends
    before = termios.tcgetattr(slave)
    inside = []
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
    handlers = [signal.getsignal(number) for number in numbers]

    def fail() -> None:
        assert [signal.getsignal(number) for number in numbers] != handlers
        inside.append(termios.tcgetattr(slave))
        raise RuntimeError("oh")

    with pytest.raises(RuntimeError, match="oh"), Terminal(slave, slave):
        fail()
    assert [signal.getsignal(number) for number in numbers] == handlers
    assert inside != [before]
    assert termios.tcgetattr(slave) == before
    assert read(master, "\x1b[?1049l").endswith("\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, -signal.SIGINT)]
)
def test_a_program_ended_by_a_signal_restores_the_terminal(ends, number, status):
    master, slave = ends
    before = termios.tcgetattr(slave)
    program = textwrap.dedent("""
        from device.laptop.terminal import Terminal
        with Terminal() as terminal:
            while True:
                terminal.draw("running")
                terminal.keys(1)
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=slave,
        stdout=slave,
        stderr=subprocess.DEVNULL,
        cwd=REPOSITORY,
        # In the background, the tests may run with signals ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509 - no other thread runs
    ) as process:
        try:
            read(master, "running")
            process.send_signal(number)
            seen = read(master, "\x1b[?1049l")
            assert process.wait(PATIENCE_S) == status
        finally:
            process.kill()
    assert seen.endswith("\x1b[?25h\x1b[?1049l")
    assert termios.tcgetattr(slave) == before


def test_a_terminal_that_was_closed_is_an_error():
    master, slave = pty.openpty()
    with Terminal(slave, slave) as terminal:
        os.close(master)
        with pytest.raises(OSError, match=r"closed|error"):
            terminal.keys(PATIENCE_S)
    os.close(slave)


@pytest.mark.parametrize(
    ("environ", "sequence"),
    [
        ({"COLORTERM": "truecolor", "TERM": "xterm-256color"}, "38;2;255;0;0;48;2;30;90;60m"),
        ({"COLORTERM": "truecolor", "NO_COLOR": "1", "TERM": "xterm"}, ""),
        ({"TERM": "dumb"}, ""),
    ],
)
def test_colours_are_those_that_the_terminal_has_by_its_environment(ends, monkeypatch, environ, sequence):
    for name in ("COLORTERM", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    master, slave = ends
    with Terminal(slave, slave) as terminal:
        drain(master)
        terminal.draw(Text("red", "#ff0000 on #1e5a3c"))
        assert drain(master).startswith(f"\x1b[H\x1b[{sequence}red" if sequence else "\x1b[Hred ")


def test_a_game_is_played_by_keys_and_goes_on_after_a_kill(ends, tmp_path):
    master, slave = ends
    file = tmp_path / "journal.txt"
    begun = Situation(Waiting(), Game.new(["yellow", "orange"]), 1)
    leave_journal(file, begun)

    def started(*, seed: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "device.cli", "play", "--simulate", "--no-browser", "--seed", str(seed)]
        return subprocess.Popen(
            [*command, "--journal", file], stdin=slave, stdout=slave, stderr=slave, env=os.environ | {"TERM": "xterm"}
        )

    def comes_to(state: type, steps: int) -> Game:
        """Wait until this is in the journal, which the program writes before it shows it."""

        def found() -> Game | None:
            drain(master)  # or it could not write on
            now = Journal(file, to_write=False).situation()
            at = now.state.before if isinstance(now.state, Resume) else now.state
            return now.played if isinstance(at, state) and len(now.played.steps) == steps else None

        return until(found, f"{state.__name__} after {steps} steps")

    first = started(seed=3)
    try:
        read(master, oled_lines(draw(screen(replace(begun, state=Resume(begun.state)))))[5].plain)
        type_in(master, b"c ")
        roll = comes_to(Choosing, 1).position.roll
        assert roll == SimulatedTray(3).throw(4)
        pressed = ((b"a", Telling, 2), (b"C", PutBack, 1), (b"c", Choosing, 1), (b"a", Telling, 2), (b"s", Stopped, 3))
        for key, state, steps in pressed:
            time.sleep(HASTY_S)  # a STOP right after a change is ignored
            type_in(master, key)
            played = comes_to(state, steps)
    finally:
        first.kill()
    first.wait(PATIENCE_S)
    drain(master)
    second = started(seed=4)
    try:
        read(master, "q: leave")
        type_in(master, b"cc")
        assert comes_to(Waiting, 3) == played
        type_in(master, b"q")
        said = read(master, "The game is saved").rpartition("The game is saved")[0]
        assert "\x1b[?1049l" in said, "told on the ordinary screen, after the game's own was left"
        assert second.wait(PATIENCE_S) == 0
    finally:
        second.kill()
