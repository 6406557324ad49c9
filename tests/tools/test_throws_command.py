"""The tool `tools.throws`."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace

import pytest

from tests.vision.played import RIGHT
from tools import throws as throws_command
from tools.scenes.films import Played
from tools.scenes.trouble import Kind


def throws(*argv: str) -> int:
    return throws_command.main(["--jobs", "1", *map(str, argv)])


def told(monkeypatch, **changes: object) -> None:
    """Films that all end the same way."""

    def play_seed(seed: int, *, clean: bool, calibrated: bool) -> Played:
        return replace(RIGHT, seed=seed, **changes)

    monkeypatch.setattr(throws_command, "play_seed", play_seed)


@pytest.mark.parametrize("changes", [{"reported": (6, 6, 6, 6)}, {"doubles": 1}, {"phantoms": 1}])
def test_a_phantom_roll_gives_status_1_and_names_its_seed(monkeypatch, capsys, changes):
    told(monkeypatch, **changes)
    assert throws("--count", "2", "--seed", "70") == 1
    printed = capsys.readouterr().out
    assert "seed 70, hand in and out" in printed
    assert "seed 71" in printed


def test_each_disturbance_and_all_films_have_a_row_with_the_number_of_each_fault(monkeypatch, capsys):
    told(monkeypatch, doubles=1, wait_s=0.5)
    throws("--count", "2")
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[-8:] for row in rows if row[:1] in (["hand"], ["all"])] == 2 * [list("20020020")]


def test_late_and_refused_rolls_are_named_with_their_delay_or_reason_and_do_not_count_as_wrong(monkeypatch, capsys):
    told(monkeypatch)
    assert throws("--count", "3") == 0
    assert "seed" not in capsys.readouterr().out
    told(monkeypatch, reported=None, why="unreadable: glare")
    assert throws("--count", "1") == 0
    assert "missed (unreadable: glare)" in capsys.readouterr().out
    told(monkeypatch, wait_s=0.5)
    assert throws("--count", "2", "--seed", "5") == 0
    printed = capsys.readouterr().out
    assert all(f"seed {seed}, hand in and out: late, after 0.50 s" in printed for seed in (5, 6))
    assert "rolls come 0.50 s after the dice lie still (median), 0.50 s at most" in printed


@pytest.mark.parametrize("option", [None, "clean", "calibrated"])
def test_the_options_apply_to_every_roll(monkeypatch, option):
    asked = []
    monkeypatch.setattr(throws_command, "play_seed", lambda _, **options: asked.append(options) or RIGHT)
    throws("--count", "2", *([f"--{option}"] if option else []))
    meant = {name: name == option for name in ("clean", "calibrated")}
    assert asked == [meant, meant]


def test_an_interrupted_run_prints_its_partial_results(monkeypatch, capsys):
    def play_seed(seed: int, *, clean: bool, calibrated: bool) -> Played:
        if seed == 12:
            raise KeyboardInterrupt
        return RIGHT

    monkeypatch.setattr(throws_command, "play_seed", play_seed)
    assert throws("--count", "5", "--seed", "10") == 130
    shown = capsys.readouterr()
    assert "interrupted after 2 of 5 throws" in shown.err
    assert str(Kind.HAND) in shown.out


@pytest.mark.parametrize("argv", [["--count", "0"], ["--count", "x"], ["--jobs", "-1"], ["--seed", "-3"]])
def test_invalid_numbers_are_refused_with_the_allowed_range(argv, capsys):
    assert throws(*argv) == 2
    assert "is not a whole number" in capsys.readouterr().err


def test_a_full_disk_and_a_reader_that_has_gone_end_a_tool_like_a_command(monkeypatch, capsys):
    told(monkeypatch)
    reads, writes = os.pipe()
    os.close(reads)
    for stream, status, said in (
        (open("/dev/full", "w"), 1, "standard output: No space left on device"),  # noqa: PTH123, SIM115
        (os.fdopen(writes, "w"), 128 + signal.SIGPIPE, ""),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            assert throws("--count", "1") == status
            stream.close()
        assert capsys.readouterr().err.rstrip().endswith(said)
