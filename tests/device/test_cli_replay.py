"""`cantstop replay`."""

from __future__ import annotations

import json

import pytest

from device.cli import main

GOOD = """\
Can't Stop
players: yellow, green
columns to win: 3
begins: yellow

turn 1: yellow
  3-3-5-6  8+9
  stop
turn 2: green
  1-4-5-6  7+9
  1-3-5-6
"""

WON = GOOD + "set 3 2:3,12:3/5:2 1 7:13,8:2 -\nstop\nresult: yellow wins\n"


def cantstop(*argv: str) -> int:
    return main(["replay", *map(str, argv)])


@pytest.fixture
def file(tmp_path):
    """Write a transcript and return its path as text."""

    def write(text: str | bytes) -> str:
        path = tmp_path / "game.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_an_unfinished_game_is_described_and_its_position_comes_last(file, capsys):
    assert cantstop(file(GOOD)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "6 steps, all legal (3 columns to win)",
        "yellow: markers 8 on space 1, 9 on space 1",
        "green: markers none",
        "green's turn, runners 7 on space 1, 9 on space 1",
        "rolled 1-3-5-6: 4+11: 4, 4+11: 11, 6+9, 7+8",
        "3 8:1,9:1/- 2 7:1,9:1 1-3-5-6",
    ]


def test_a_finished_game_names_its_winner_and_the_won_columns(file, capsys):
    assert cantstop(file(WON)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "8 steps, all legal (3 columns to win)",
        "yellow: won 2, 7, 12; markers 8 on space 2",
        "green: markers 5 on space 2",
        "yellow has won",
        "3 2:3,7:13,8:2,12:3/5:2 1 - -",
    ]
    assert cantstop(file(WON), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["winner"], told["roll"], told["legal"]) == ("yellow", None, [])


def test_an_unusable_roll_is_called_a_bust(file, capsys):
    assert cantstop(file(GOOD.replace("  1-3-5-6\n", "  2-2-6-6 4+12: 4\n  1-1-1-1\n"))) == 0
    assert "rolled 1-1-1-1: bust" in capsys.readouterr().out


def test_json_describes_the_final_position_completely(file, capsys):
    assert cantstop(file(GOOD), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "players": ["yellow", "green"],
        "variants": [],
        "columns_to_win": 3,
        "steps": 6,
        "position": "3 8:1,9:1/- 2 7:1,9:1 1-3-5-6",
        "markers": {"yellow": {"8": 1, "9": 1}, "green": {}},
        "won": {"yellow": [], "green": []},
        "runners": {"7": 1, "9": 1},
        "turn": "green",
        "roll": [1, 3, 5, 6],
        "legal": [
            {"text": "4+11: 4", "pairing": [4, 11], "columns": [4]},
            {"text": "4+11: 11", "pairing": [4, 11], "columns": [11]},
            {"text": "6+9", "pairing": [6, 9], "columns": [6, 9]},
            {"text": "7+8", "pairing": [7, 8], "columns": [7, 8]},
        ],
        "bust": False,
        "may_stop": False,
        "winner": None,
    }


def test_an_invalid_transcript_is_reported_with_its_line_on_stderr_only(file, capsys):
    for content, told in (
        (GOOD.replace("  stop\n", "  stop\n  stop\n"), "line 9: no stop: nothing has been rolled this turn yet"),
        (b"Can't Stop\n\xff\xd8\xff\xe0\n", "line 2 is not text in UTF-8; save the file as UTF-8"),
        ("", "line 1: the text ends where the title should be"),
    ):
        path = file(content)
        assert cantstop(path) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err == f"cantstop replay: {path}: {told}\n"


def test_a_byte_order_mark_and_windows_line_endings_are_accepted(file):
    assert cantstop(file(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())) == 0
