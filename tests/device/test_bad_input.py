"""Every command answers every kind of bad input with a status and a line or two about the error, not a traceback."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import pwd
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device import cli
from device.cli import COMMANDS, batch, main
from device.hardware import oled
from device.hardware.oled import open_oled
from device.referee.states import Situation, Waiting
from device.screens.draw import draw
from device.screens.views import failure
from device.sim.oled_bus import OledBus
from device.storage.journal import Journal
from engine import Game, Rolled, transcript
from tests.every import every
from tests.waiting import PATIENCE_S
from vision.types import Die, Reading

POSITION = "3 -/- 1 - -"

DICE = tuple(Die(value, (40.0 * value, 10.0, 40.0 * value + 20, 30.0), 0.9, value % 6 + 1) for value in (1, 2, 3, 6))


OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
"""What a terminal obeys, or cannot show: control characters, other ends of a line, turned directions, surrogates."""


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


def _put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def protected(path: Path) -> Path:
    if os.geteuid() == 0:
        pytest.skip("root may read any file")
    _put(path, b"").chmod(0)
    return path


def endless(path: Path) -> Path:
    path.symlink_to("/dev/zero")
    return path


THINGS = {
    "pipe": pipe,
    "endless": endless,
    "folder": folder,
    "missing": lambda path: path,
    "protected": protected,
    "link to itself": lambda path: (path.symlink_to(path), path)[1],
}
"""What may be in a file's place and is no file."""

CONTENTS = {
    "deep": b"a = " + b"[" * 50_000,
    "deep JSON": b"[" * 50_000,
    "deep objects": b'{"a":' * 50_000,
    "long number": b"[oled]\nbus = " + b"9" * 5000,
    "long JSON number": b'{"kind": "cantstop calibration", "version": ' + b"9" * 5000 + b"}",
    "lone surrogate": b"\xed\xa0\x80",
    "escaped surrogate": b'{"file": "\\ud800", "values": [1]}',
    "null byte in a name": b'{"file": "a\\u0000b", "values": [1]}',
    "controls": b"\x1b[31m = \x07",
    "long line": b"x" * 900_000,
    "large": b"\n" * 2_000_000,
    "byte order mark alone": b"\xef\xbb\xbf=",
    "UTF-16": "[oled]\n".encode("utf-16"),
    "no text": bytes(range(256)),
}
"""File contents that are invalid for every command that reads a file."""


SLOTS = {
    "config check": (["config", "check", "{}"], 1),
    "config show": (["config", "show", "{}"], 2),
    "play --config": (["play", "--config", "{}"], 1),
    "calibrate --config": (["calibrate", "--config", "{}"], 2),
    "web --config": (["web", "--config", "{}"], 2),
    "doctor --config": (["doctor", "--config", "{}"], 2),
    "replay": (["replay", "{}"], 2),
    "read": (["read", "{}"], 2),
    "read --calibration": (["read", "x.png", "--calibration", "{}"], 2),
    "games": (["games", "--journal", "{}"], 2),
    "dice": (["dice", "--journal", "{}"], 2),
    "stats": (["stats", "--journal", "{}"], 2),
}
"""The commands that read a file: their arguments, with the file's place, and the status if it cannot be used."""

WRITTEN = {
    "play --journal": (["play", "--simulate", "--auto", "--journal", "{}"], 1),
    "play --frames": (["play", "--frames", "{}", "--auto"], 1),
    "read --debug": (["read", "x.png", "--debug", "{}"], 2),
}
"""The commands that write to a file or play with it; for them, only things that are not files are invalid."""

NAME = "a\x1b[31m\nb"
"""A name that a terminal would obey, in two lines."""


def refused(words: list[str], file: Path, status: int, capsys) -> str:
    """Run a command with a bad file; it must be refused, in short and printable lines."""
    made = [word.format(file) for word in words]
    assert main(made) == status
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert 1 <= len(lines) <= 3, told.err
    assert all(len(line) < 1200 and is_plain(line) and line.startswith("cantstop ") for line in lines), told.err
    assert "Traceback" not in told.err
    assert "Errno" not in told.err
    assert lines[0].startswith(f"cantstop {words[0]}: ")
    return told.err


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("thing", THINGS)
def test_a_path_that_is_not_a_file_is_refused_at_once(slot, thing, tmp_path, capsys):
    words, status = SLOTS[slot]
    refused(words, THINGS[thing](tmp_path / NAME), status, capsys)


@every(content=CONTENTS, slot=SLOTS)
def test_a_file_that_holds_something_else_is_refused(slot, content, tmp_path, capsys):
    words, status = SLOTS[slot]
    refused(words, _put(tmp_path / NAME, CONTENTS[content]), status, capsys)


@pytest.mark.parametrize(
    ("slot", "thing"),
    [
        *(("play --journal", thing) for thing in ("pipe", "endless", "folder", "link to itself")),
        *(("play --frames", thing) for thing in ("pipe", "endless", "folder", "missing", "link to itself")),
        *(("read --debug", thing) for thing in ("pipe", "endless", "link to itself")),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(slot, thing, tmp_path, capsys):
    words, status = WRITTEN[slot]
    refused(words, THINGS[thing](tmp_path / NAME), status, capsys)


# The box's own display


@pytest.fixture
def bus(monkeypatch):
    """The bus with the box's display."""
    bus = OledBus()
    monkeypatch.setattr(oled, "open_oled", lambda config: open_oled(bus=bus, config=config))
    return bus


@pytest.mark.parametrize("kind", [*THINGS, *CONTENTS])
def test_unusable_settings_are_reported_on_the_display(kind, bus, tmp_path, capsys):
    file = tmp_path / "config.toml"
    _put(file, CONTENTS[kind]) if kind in CONTENTS else THINGS[kind](file)
    assert main(["play", "--config", str(file)]) == 1
    why = capsys.readouterr().err.splitlines()[0].removeprefix(f"cantstop play: {tmp_path}/")
    assert why.startswith("config.toml")
    assert bus.picture().tobytes() == draw(failure(why)).tobytes()


def test_a_missing_state_folder_is_reported_on_the_display(bus, monkeypatch, capsys):
    without_folder(monkeypatch)
    assert main(["play"]) == 1
    why = capsys.readouterr().err.splitlines()[0].removeprefix("cantstop play: ")
    assert bus.picture().tobytes() == draw(failure(why)).tobytes()


def test_an_invalid_journal_is_reported_on_the_display(bus, tmp_path, capsys):
    assert main(["play", "--journal", str(tmp_path)]) == 1
    why = capsys.readouterr().err.splitlines()[0].removeprefix("cantstop play: ")
    assert bus.picture().tobytes() == draw(failure(why)).tobytes()


def test_every_reason_why_the_box_cannot_start_is_shown_on_its_display(bus, monkeypatch):
    def broken(_: object) -> None:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr("device.cli.journal_options.journal_of", broken)
    with pytest.raises(RuntimeError):
        main(["play"])
    assert bus.picture().tobytes() == draw(failure("a fault of the program")).tobytes()


# Numbers


NUMBERS = [
    ["play", "--simulate", "--seed", "{}"],
    ["play", "--simulate", "--auto", "--games", "{}"],
    ["play", "--players", "{}"],
    ["read", "--dice", "{}", "x.png"],
    ["games", "{}"],
    ["stats", "--last", "{}"],
    ["odds", "{}"],
    ["odds", "3 -/- {} - -"],
    ["odds", "3 7:{}/- 1 - -"],
    ["web", "--listener", "{}"],
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


# Standard streams


@pytest.fixture
def printing(tmp_path):
    """Arguments with which each command prints something."""
    game = Game.new(["Zoë", "Bob"]).do(Rolled((1, 2, 3, 4)))
    journal = Journal(tmp_path / "journal.txt")
    journal.record("made", Situation(Waiting(), game, 1))
    journal.close()
    (tmp_path / "game.txt").write_text(transcript(game))
    cv2.imwrite(str(tmp_path / "throw.png"), np.zeros((9, 9, 3), np.uint8))
    return {
        "play": ["play", "--help"],
        "calibrate": ["calibrate", "--help"],
        "read": ["read", str(tmp_path / "throw.png")],
        "replay": ["replay", str(tmp_path / "game.txt")],
        "games": ["games", "--journal", str(tmp_path / "journal.txt")],
        "dice": ["dice", "--help"],
        "stats": ["stats", "--jobs", "1", "--against", "child", "--journal", str(tmp_path / "journal.txt")],
        "odds": ["odds", POSITION],
        "config": ["config", "show"],
        "web": ["web", "--help"],
        "doctor": ["doctor", "--help"],
        "": [],
    }


def test_every_command_prints_through_the_one_way_of_printing():
    folder = Path(cli.__file__).parent
    own = {"output.py"}
    calls = [
        (file.name, ast.unparse(node))
        for file in sorted(folder.glob("*.py"))
        if file.name not in own
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "Console")
    ]
    # Progress is drawn on standard error.
    assert {call for _, call in calls} <= {"Console(stderr=True)"}, calls


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_the_help_of_every_command_names_the_files_that_it_uses(command, capsys, tmp_path):
    assert main([*([command] if command else []), "--help"]) == 0
    help_text = capsys.readouterr().out
    uses = {
        "games": "journal.txt", "dice": "journal.txt", "stats": "simulated.txt", "play": "journal.txt",
        "doctor": "journal.txt", "calibrate": "simulated-calibration.json",
    }  # fmt: skip
    if command in uses:
        assert f"  {tmp_path / 'state' / uses[command]}\n" in help_text
    if command in ("play", "calibrate", "web", "doctor"):
        assert f"  {tmp_path / 'none.toml'}\n" in help_text
    assert "Traceback" not in help_text


def test_config_names_its_file_in_the_help_of_both_actions(capsys, tmp_path):
    for action in ("check", "show"):
        assert main(["config", action, "--help"]) == 0
        assert f"  {tmp_path / 'none.toml'}\n" in capsys.readouterr().out


def test_without_a_subcommand_it_prints_its_help(capsys):
    assert main([]) == 0
    told = capsys.readouterr()
    assert all(command in told.out for command in COMMANDS)
    assert told.err == ""


WITHOUT_FOLDER = [
    ["games"],
    ["dice"],
    ["stats"],
    ["calibrate", "--simulate"],
    ["doctor", "--simulate"],
    ["play"],
]


def without_folder(monkeypatch):
    """An environment without the place of the box's files: no variable, and an unknown user."""

    def unknown(_: object) -> None:
        raise KeyError("no such user")

    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)


@pytest.mark.parametrize("words", WITHOUT_FOLDER, ids=" ".join)
def test_without_a_home_folder_every_command_says_what_to_set(words, monkeypatch, capsys):
    without_folder(monkeypatch)
    assert main(words) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"cantstop {words[0]}: this user has no home folder")
    assert "STATE_DIRECTORY" in line
    assert main([words[0], "--help"]) == 0


def cantstop(*words: str, env: Mapping[str, str] = os.environ, **streams: object) -> subprocess.CompletedProcess[bytes]:
    """Run it as a separate process with these streams, buffered like a user's."""
    command = [sys.executable, "-m", "device.cli", *words]
    env = {name: value for name, value in env.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(command, check=False, timeout=PATIENCE_S, env=env, **{"stderr": subprocess.PIPE} | streams)


def test_a_process_whose_output_disk_is_full_ends_with_one_line():
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = cantstop("--help", stdout=full)
    assert (done.returncode, done.stderr) == (1, b"cantstop: standard output: No space left on device\n")


def test_a_process_whose_reader_has_gone_ends_silently():
    reads, writes = os.pipe()
    os.close(reads)
    done = cantstop("config", "show", stdout=writes)
    os.close(writes)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_a_process_whose_input_is_closed_or_empty_says_so():
    done = cantstop("replay", "-", stdin=subprocess.DEVNULL)
    told = b"cantstop replay: standard input: is empty; pipe a transcript into it\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_names_are_escaped_if_only_ascii_can_be_printed(tmp_path):
    locale = os.environ | {
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "LC_ALL": "C",
        "PYTHONIOENCODING": "ascii",
    }
    game = tmp_path / "game.txt"
    game.write_text(transcript(Game.new(["Zoë", "Bob"])))
    done = cantstop("replay", str(game), stdout=subprocess.PIPE, env=locale)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Zo\\xeb" in done.stdout


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


# Long work


def test_a_job_interrupted_before_its_first_piece_only_says_so(printing, capsys, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "_done", interrupted)
    assert main(printing["stats"]) == 130
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[-1] == "cantstop stats: interrupted"
