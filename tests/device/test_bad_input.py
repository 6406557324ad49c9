"""Every command answers every kind of bad input with a status and a line or two about the error, not a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import pwd
import re
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli import COMMANDS, main
from device.hardware import oled
from device.hardware.oled import open_oled
from device.screens.draw import draw
from device.screens.views import failure
from tests.every import every
from tests.waiting import PATIENCE_S
from tools.sim.oled_bus import OledBus
from vision.types import Die, Reading

DICE = tuple(Die(value, (40.0 * value, 10.0, 40.0 * value + 20, 30.0), 0.9, value % 6 + 1) for value in (1, 2, 3, 6))

OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
"""What a terminal obeys, or cannot show: control characters, other ends of a line, turned directions, surrogates."""

NAME = "a\x1b[31m\nb"
"""A name that a terminal would obey, in two lines."""


def is_plain(line: str) -> bool:
    """Whether a terminal shows a line unchanged."""
    return OBEYED.search(line) is None


def late(*_: object) -> None:
    raise AssertionError("it waits")


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """Nothing of this machine's own box is read or written, and nothing waits."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.delenv("CANTSTOP_CONFIG", raising=False)
    monkeypatch.setattr("device.config.FILE", tmp_path / "none.toml")
    monkeypatch.setattr("vision.reader.read", lambda *_: Reading(DICE))
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(round(PATIENCE_S))  # a command that waits for a pipe waits for ever
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


# Files


def protected(path: Path) -> None:
    path.touch(0)
    if os.access(path, os.R_OK):  # root may read any file
        path.unlink()


THINGS = {
    "a pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a link to itself": lambda path: path.symlink_to(path),
    "missing": lambda path: None,
    "protected": protected,
}
"""What may be in a file's place and is no file."""

CONTENTS = {
    "deep": b"a = " + b"[" * 50_000,
    "deep JSON": b"[" * 50_000,
    "long number": b"[oled]\nbus = " + b"9" * 5000,
    "long JSON number": b'{"kind": "cantstop calibration", "version": ' + b"9" * 5000 + b"}",
    "lone surrogate": b"\xed\xa0\x80",
    "escaped surrogate": b'{"file": "\\ud800", "values": [1]}',
    "null byte in a name": b'{"file": "a\\u0000b", "values": [1]}',
    "controls": b"\x1b[31m = \x07",
    "long line": b"x" * 900_000,
    "large": b"\n" * 2_000_000,
    "UTF-16": "[oled]\n".encode("utf-16"),
    "no text": bytes(range(256)),
}
"""File contents that are invalid for every command that reads a file."""

READ = {
    "config check {}": 1,
    "config show {}": 2,
    "play --config {}": 1,
    "calibrate --config {}": 2,
    "web --config {}": 2,
    "doctor --config {}": 2,
    "replay {}": 2,
    "read {}": 2,
    "read x.png --calibration {}": 2,
    "games --journal {}": 2,
    "dice --journal {}": 2,
    "stats --journal {}": 2,
}
"""The commands that read a file, and the status if it cannot be used."""

WRITTEN = {"play --simulate --auto --journal {}": 1, "read x.png --debug {}": 2}
"""The commands that write to a file or play with it."""

WRITABLE = ["protected", *CONTENTS]
FINE = [*((command, "missing") for command in WRITTEN), ("read x.png --debug {}", "a folder")]
"""What is a file to write to, for all of them or for one."""


def put(kind: str, path: Path) -> None:
    """Put something unusable in a file's place."""
    if kind in CONTENTS:
        path.write_bytes(CONTENTS[kind])
    else:
        THINGS[kind](path)


@every(command=READ | WRITTEN, kind=[*THINGS, *CONTENTS])
def test_a_file_that_cannot_be_used_is_refused_at_once_in_short_and_printable_lines(
    command, kind, tmp_path_factory, capsys
):
    if command in WRITTEN and (kind in WRITABLE or (command, kind) in FINE):
        return
    file = tmp_path_factory.mktemp("bad") / NAME
    put(kind, file)
    assert main([word.format(file) for word in command.split()]) == (READ | WRITTEN)[command]
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert 1 <= len(lines) <= 3, told.err
    assert all(len(line) < 1200 and is_plain(line) and line.startswith("cantstop ") for line in lines), told.err
    assert "Traceback" not in told.err
    assert "Errno" not in told.err
    assert lines[0].startswith(f"cantstop {command.split()[0]}: ")


# The box's own display


@pytest.fixture
def bus(monkeypatch):
    """The bus with the box's display."""
    bus = OledBus()
    monkeypatch.setattr(oled, "open_oled", lambda config: open_oled(bus=bus, config=config))
    return bus


@every(kind=[*THINGS, *CONTENTS, "a folder as journal"])
def test_settings_or_a_journal_that_cannot_be_used_are_reported_on_the_display(kind, bus, tmp_path_factory, capsys):
    folder = tmp_path_factory.mktemp("bad")
    if kind == "a folder as journal":
        words = ["--journal", str(folder)]
    else:
        words = ["--config", str(folder / "config.toml")]
        put(kind, folder / "config.toml")
    assert main(["play", *words]) == 1
    why = capsys.readouterr().err.splitlines()[0].removeprefix("cantstop play: ").removeprefix(f"{folder}/")
    assert bus.picture().tobytes() == draw(failure(why)).tobytes()


def test_every_reason_why_the_box_cannot_start_is_shown_on_its_display(bus, monkeypatch):
    broken = Mock(side_effect=RuntimeError("a fault of the program"))
    monkeypatch.setattr("device.cli.journal_options.journal_of", broken)
    with pytest.raises(RuntimeError):
        main(["play"])
    assert bus.picture().tobytes() == draw(failure("a fault of the program")).tobytes()


@every(command=["games", "dice", "stats", "calibrate --simulate", "doctor --simulate", "play"])
def test_without_a_home_folder_every_command_says_what_to_set_and_the_box_on_its_display(
    command, bus, monkeypatch, capsys
):
    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", Mock(side_effect=KeyError("no such user")))
    assert main(command.split()) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"cantstop {command.split()[0]}: this user has no home folder")
    assert "STATE_DIRECTORY" in line
    if command == "play":
        assert bus.picture().tobytes() == draw(failure(line.removeprefix("cantstop play: "))).tobytes()


# Arguments


NUMBERS = [
    ["play", "--simulate", "--seed", "{}"],
    ["play", "--players", "{}"],
    ["read", "--dice", "{}", "x.png"],
    ["games", "{}"],
    ["stats", "--last", "{}"],
    ["odds", "{}"],
    ["odds", "3 -/- {} - -"],
    ["odds", "3 7:{}/- 1 - -"],
]
"""Where commands take a number."""


@every(number=["9" * 5000, "9" * 18, "-9", "²", "", "1e3", "nan", NAME, "\ud800"], words=NUMBERS)
def test_an_invalid_number_is_refused_in_two_short_lines(words, number, capsys):
    assert main([word.format(number) for word in words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert 1 <= len(lines) <= 2, told.err
    assert all(len(line) < 700 and is_plain(line) and line.startswith("cantstop ") for line in lines), told.err
    assert lines[0].startswith(f"cantstop {words[0]}: ")


def test_unknown_arguments_are_printed_harmlessly(capsys):
    assert main(["games", "--\x1b[2J", "1", "2\n3"]) == 2
    assert "\x1b" not in capsys.readouterr().err


@every(command=[*COMMANDS, "config check", "config show"])
def test_every_command_has_a_help(command, capsys):
    assert main([*command.split(), "--help"]) == 0
    assert len(capsys.readouterr().out) > 100


def test_the_help_names_the_files_that_are_used_by_default(capsys, tmp_path):
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    for file in ("none.toml", "state/journal.txt", "state/simulated.txt", "state/calibration.json", "state/misread"):
        assert f"  {tmp_path / file}\n" in told


# Standard streams


def test_a_process_whose_reader_has_gone_ends_silently():
    reads, writes = os.pipe()
    os.close(reads)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}  # as a user's
    command = [sys.executable, "-m", "device.cli", "config", "show"]
    done = subprocess.run(command, check=False, env=environment, stdout=writes, stderr=subprocess.PIPE)
    os.close(writes)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


# Anything at all


def end(words: list[str]) -> tuple[int, str]:
    """Run a command; return its status and its output on both streams."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    assert "Traceback" not in err.getvalue()
    shown = out.getvalue() + err.getvalue()
    assert all(map(is_plain, shown.split("\n")))
    return status, shown


NASTY = ["\x1b[2J", "\ud800", "\u2028", "\x0b", "\r", "[/b]", "[red]", "9" * 5000, "٣", "é", "#", ":", "->", " "]
"""Parts of foreign texts: escapes, surrogates, separators, markup, very long and foreign numbers."""


def nasty(words: list[str]) -> st.SearchStrategy[bytes]:
    """Return texts made of a format's own words and of unexpected parts."""
    parts = st.sampled_from([*words, *NASTY, "\n"]) | st.text(max_size=4)
    return st.lists(parts, max_size=40).map(lambda some: "".join(some).encode("utf-8", "surrogatepass"))


HEADER = "Can't Stop\nplayers: Zoë, Bob\ncolumns to win: 3\nbegins: Zoë\n"
TRANSCRIPT = [
    HEADER, "Can't Stop\n", "players: ", "colours: ", "variants: ", "turn 1: Zoë\n", "stop\n", "bust\n",
    "3-3-5-6", " 8+9 ", "6+10: 6", "set 3 -/- 1 - -\n", "result: ", "1-2-3-4", "6-6-6-6", "1-1-1-1",
]  # fmt: skip


@given(st.binary(max_size=200) | nasty(TRANSCRIPT) | nasty(TRANSCRIPT).map(lambda text: HEADER.encode() + text))
def test_any_transcript_is_replayed_or_refused_in_one_line(tmp_path_factory, content):
    file = tmp_path_factory.getbasetemp() / "any.txt"
    file.write_bytes(content)
    status, shown = end(["replay", str(file)])
    assert status in (0, 2)
    assert status == 0 or len(shown.splitlines()) == 1


@given(st.lists(st.sampled_from([*NASTY, "3", "-/-", "7:3", "1", "-", "+leap", "/", ":"]), max_size=8).map(" ".join))
def test_any_position_has_its_odds_printed_or_is_refused(text):
    assert end(["odds", "--", text])[0] in (0, 2)
