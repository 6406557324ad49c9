"""A whole game with keys in a (pseudo) terminal that shows the expected screens."""

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
import time

import numpy as np
import pyte
import pytest

from device.box import HASTY_S
from device.camera.simulated import SimulatedTray
from device.cli import main
from device.hardware.display import SHIFTS
from device.referee.box_care import first_start
from device.referee.inputs import Button, DiceRead, Input, Press
from device.referee.states import Choosing, Deciding, EnteringDice, GameOver, Resume, Situation, Telling, Welcome
from device.referee.transition_table import step
from device.screens.draw import HEIGHT, WIDTH, draw
from device.screens.views import screen
from device.sim import robot
from device.sim.robot import next_action
from device.storage.journal import Journal
from engine import SetTo, parse_position, parse_transcript, transcript
from tests.device.helpers import HOLD_A, HOLD_B, HOLD_C, A, B, C
from tests.waiting import PATIENCE_S

COLUMNS, ROWS = 80, 24

FIRST_SEED, SECOND_SEED, KILLED_AFTER, ROLLS = 2, 146, 2, 3
NEARLY_WON = "3 2:3,12:3,7:11,6:9,8:8/3:5,11:5,6:9,8:8 2 6:10,7:2,8:9 -"
"""Dice with which this policy wins soon: the tray's throws before the kill, and six after it from a position in which
both have two columns, with a bust and two stops."""


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

    def __init__(self, journal, seed: int, *words: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        command = [sys.executable, "-m", "device.cli", "play", "--simulate"]
        self.program = subprocess.Popen(
            [*command, "--seed", str(seed), "--journal", str(journal), *words],
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

    def see(self, situation: Situation) -> None:
        """Wait until the screen of this situation is seen."""
        expected = in_its_places(situation)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            seen = self.oled()
            if seen is not None and any(np.array_equal(seen, picture) for picture in expected):
                return
            assert self.program.poll() is None, self.text()
            time.sleep(0.02)
        pytest.fail(f"not seen: {situation.state}\n{self.text()}")

    def see_another_than(self, situation: Situation) -> None:
        """Wait until something else is seen than the screen of this situation."""
        left = in_its_places(situation)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            seen = self.oled()
            if seen is not None and not any(np.array_equal(seen, picture) for picture in left):
                return
            time.sleep(0.02)
        pytest.fail(f"still seen: {situation.state}")

    def end(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait(PATIENCE_S)
        os.close(self.master)
        self._reader.join(PATIENCE_S)


class Player:
    """A player who presses keys and computes the expected screens with a separate referee."""

    def __init__(self, journal) -> None:
        self.journal = journal
        self.now = Situation(first_start(with_page=False))
        self.throws = 0

    def sit_down(self, seed: int) -> Terminal:
        self.tray = SimulatedTray(seed)  # the same seed throws the same dice
        self.terminal = Terminal(self.journal, seed, *([] if self.journal.exists() else ["--first-start"]))
        return self.terminal

    def happens(self, event: Input) -> None:
        outcome = step(self.now, event)
        assert outcome is not None, f"{event} in {self.now.state}"
        self.now = outcome.situation

    def press(self, press: Press, *, look: bool = True) -> None:
        if press == Press(Button.STOP):
            time.sleep(HASTY_S)  # as people do: the box does not take one that follows a new screen at once
        key = press.button.value[0].lower()
        self.terminal.type(key.upper() if press.long else key)
        self.happens(press)
        if look:
            self.terminal.see(self.now)

    def throw(self) -> None:
        self.terminal.type(" ")
        self.happens(DiceRead(self.tray.throw(4)))
        self.throws += 1
        self.terminal.see(self.now)

    def play_on(self, until) -> None:
        while not until():
            action = next_action(self.now, players=2)
            if action is None:
                self.throw()
            else:
                self.press(action)


@pytest.fixture
def player(tmp_path, monkeypatch):
    monkeypatch.setattr(robot, "ROLLS", ROLLS)
    one = Player(tmp_path / "journal.txt")
    yield one
    one.terminal.end()


def test_a_game_is_played_by_keys_to_a_win_with_an_undo_a_correction_a_kill_and_a_resume(player, capsys):
    terminal = player.sit_down(FIRST_SEED)
    terminal.see(player.now)

    # A choice is taken back, and made again.
    player.play_on(lambda: isinstance(player.now.state, Telling))
    told = player.now
    player.press(HOLD_C)
    player.press(C)  # the runners are put back
    assert isinstance(player.now.state, Choosing)
    player.play_on(lambda: isinstance(player.now.state, Telling))
    assert player.now == told

    # A die is corrected, and corrected back. First the box offers what the camera took for likely: no referee
    # without that camera can know it, so it is passed over to entering dice by hand.
    player.play_on(lambda: player.throws == 2)
    read = player.now.played.position.roll
    terminal.type("A")
    terminal.see_another_than(player.now)
    terminal.type("c")
    player.happens(HOLD_A)
    assert isinstance(player.now.state, EnteringDice)
    terminal.see(player.now)
    other = (1, 1, 1, 1) if read != (1, 1, 1, 1) else (1, 1, 1, 2)
    for entered in (other, read):
        if entered is read:
            player.press(HOLD_A)
        for value in entered:
            player.press((A, B, C, HOLD_A, HOLD_B, HOLD_C)[value - 1])
        player.press(C)
        assert player.now.played.position.roll == entered

    # A box killed during a decision returns to the same state.
    player.play_on(lambda: player.throws >= KILLED_AFTER and isinstance(player.now.state, Deciding))
    os.kill(terminal.program.pid, signal.SIGKILL)
    terminal.end()
    journal = Journal(player.journal)
    found = journal.situation()
    assert (found.state, found.game, found.number) == (Resume(player.now.state), player.now.game, player.now.number)

    # Then both players are near the end: each throw takes the box a second.
    player.now = Situation(Deciding(), player.now.played.do(SetTo(parse_position(NEARLY_WON))), player.now.number)
    journal.record("made", player.now)
    journal.close()
    terminal = player.sit_down(SECOND_SEED)
    resumed = Situation(Resume(player.now.state), player.now.game, player.now.number)
    terminal.see(resumed)
    player.now = resumed
    player.press(C)

    player.play_on(lambda: isinstance(player.now.state, GameOver))
    terminal.type("q")
    assert terminal.program.wait(PATIENCE_S) == 0

    # What was kept is the game that was played.
    assert main(["games", "1", "--journal", str(player.journal)]) == 0
    kept = capsys.readouterr().out
    assert kept == transcript(player.now.played)
    assert " -> " in kept
    assert parse_transcript(kept).winner == player.now.played.winner


def test_nobody_else_plays_with_the_journal_until_q_saves_the_game_and_restores_the_terminal(player, capsys):
    terminal = player.sit_down(1)
    terminal.see(player.now)
    player.play_on(lambda: player.now.state == Welcome())
    for _ in range(6):
        player.press(C)
    assert main(["play", "--simulate", "--auto", "--journal", str(player.journal)]) == 1
    assert "in use by another box" in capsys.readouterr().err
    terminal.type("q")
    assert terminal.program.wait(PATIENCE_S) == 0
    terminal.reads_to_the_end()
    after = terminal.raw.split(b"\x1b[?1049l")[-1]
    assert b"The game is saved" in after, "told on the ordinary screen, after the box's own was left"
    journal = Journal(player.journal, to_write=False)
    assert journal.situation().game == player.now.game
    journal.close()
