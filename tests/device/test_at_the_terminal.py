"""A game with keys in a (pseudo) terminal that shows the expected screens, to its end and over a kill."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading

import numpy as np
import pyte
import pytest
from PIL import Image

from device.camera.simulated import SimulatedTray
from device.cli import main
from device.hardware.display import SHIFTS
from device.laptop import robot
from device.referee.inputs import Button, DiceRead
from device.referee.states import Busting, Choosing, Deciding, GameOver, Resume, Situation, Telling
from device.screens.draw import HEIGHT, WIDTH, draw
from device.screens.views import screen
from device.storage.journal import Journal
from engine import parse_transcript, transcript
from tests.device.helpers import Story
from tests.device.journals import leave_journal
from tests.waiting import PATIENCE_S, until
from tools.hardware.boot.player import Player

COLUMNS, ROWS = 80, 24
NEARLY_WON = "3 2:3,12:3,7:11,6:9,8:8/3:5,11:5,6:9,8:8 2 6:10,7:2,8:9 -"
SEEDS, ROLLS = (146, 13), 3
"""Dice with which the robot's policy soon wins from there: a bust and a roll, and after the kill one more roll."""


def in_its_places(situation: Situation) -> list[np.ndarray]:
    """The screen of a situation, everywhere that a display puts it against burning in."""
    picture = np.asarray(draw(screen(situation)))
    places = []
    for right, down in SHIFTS:
        places.append(np.zeros_like(picture))
        places[-1][down:, right:] = picture[: HEIGHT - down, : WIDTH - right]
    return places


class Terminal:
    """The program in a terminal of 80x24, with a person's eyes and fingers."""

    def __init__(self, journal, seed: int) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        command = [sys.executable, "-m", "device.cli", "play", "--simulate", "--no-browser", "--seed", str(seed)]
        self.program = subprocess.Popen(
            [*command, "--journal", str(journal)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self._lock = threading.Lock()
        self.raw = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # the program has left
                return
            if not data:
                return
            with self._lock:
                self.raw += data
                self._stream.feed(data)

    def text(self) -> str:
        with self._lock:
            return "\n".join(self.screen.display)

    def oled(self) -> np.ndarray | None:
        """The OLED's pixels, from the dots of the braille characters; None while they are not on the screen."""
        with self._lock:
            lines = [line[:64] for line in self.screen.display[:16]]
        cells = np.array([[ord(character) - 0x2800 for character in line] for line in lines])
        if cells.min() < 0 or cells.max() > 255:
            return None
        picture = np.zeros((64, 128), bool)
        for bit, (row, column) in enumerate([(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 0), (3, 1)]):
            picture[row::4, column::2] = cells >> bit & 1
        return picture

    def reads_to_the_end(self) -> None:
        self._reader.join(PATIENCE_S)

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def press(self, button: Button, *, long: bool = False) -> None:
        key = button.value[0]
        self.type(key if long else key.lower())

    def shows_one_of(self, situations: list[Situation]) -> bool:
        assert self.program.poll() is None, self.text()
        seen = self.oled()
        return any(np.array_equal(seen, place) for situation in situations for place in in_its_places(situation))

    def end(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait(PATIENCE_S)
        os.close(self.master)
        self._reader.join(PATIENCE_S)


class Person(Player):
    """A player who types keys, sees only the terminal, and knows the dice that its tray rolls with a seed."""

    def __init__(self, terminal: Terminal, situation: Situation, seed: int) -> None:
        super().__init__(situation, Image.Image, terminal.press, lambda *_: 0.0, seed)
        self.terminal = terminal
        self.tray = SimulatedTray(seed)

    def roll(self) -> None:
        self.terminal.type(" ")
        self.apply(DiceRead(self.tray.throw(4)))

    def _look_for(self, situations: list[Situation], what: str) -> float:
        until(lambda: self.terminal.shows_one_of(situations), what)
        return 0.0

    def play_until(self, *states: type) -> None:
        self.play(lambda: isinstance(self.situation.state, states))


@pytest.fixture
def sit_down(tmp_path, monkeypatch):
    """Starts the program in a terminal and sits down at it; all are ended after the test."""
    monkeypatch.setattr(robot, "ROLLS", ROLLS)
    terminals = []

    def sit_down(situation: Situation, seed: int) -> Person:
        terminals.append(Terminal(tmp_path / "journal.txt", seed))
        person = Person(terminals[-1], situation, seed)
        person.was_restarted()
        person.look()
        person.press(Button.C)
        return person

    yield sit_down
    for terminal in terminals:
        terminal.end()


def test_a_game_is_played_by_keys_to_a_win_with_an_undo_a_kill_and_a_resume(sit_down, tmp_path, capsys):
    file = tmp_path / "journal.txt"
    begun = Story.at(NEARLY_WON).now
    leave_journal(file, begun)
    person = sit_down(begun, SEEDS[0])
    person.play_until(Busting)
    person.play_until(Choosing)

    # A choice is taken back, and made again.
    person.play_until(Telling)
    told = person.situation
    person.press(Button.C, long=True)
    person.press(Button.C)  # the runners are put back
    assert isinstance(person.situation.state, Choosing)
    person.play_until(Telling)
    assert person.situation == told

    # A box killed during a decision returns to the same state.
    person.play_until(Deciding)
    now = person.situation
    os.kill(person.terminal.program.pid, signal.SIGKILL)
    person.terminal.program.wait(PATIENCE_S)
    found = Journal(file, to_write=False).situation()
    assert (found.state, found.game, found.number) == (Resume(now.state), now.game, now.number)
    person = sit_down(now, SEEDS[1])

    # What was kept is the game that was played, and the terminal is as before.
    person.play_until(GameOver)
    person.terminal.type("q")
    assert person.terminal.program.wait(PATIENCE_S) == 0
    person.terminal.reads_to_the_end()
    after = person.terminal.raw.split(b"\x1b[?1049l")[-1]
    assert b"The game is saved" in after, "told on the ordinary screen, after the box's own was left"
    assert main(["games", "1", "--journal", str(file)]) == 0
    kept = capsys.readouterr().out
    assert kept == transcript(person.situation.played)
    assert parse_transcript(kept).winner == person.situation.played.winner
