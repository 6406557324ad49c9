"""Past games: one text file each in a folder, which people can read, copy and give to `cantstop replay`.

A file is the game's transcript (`engine.transcript`), followed by comments for statistics: when the game began, and
what the camera read.

    result: Anna wins

    # begun 2026-11-27T16:05:48+00:00
    # Camera: the roll's step, then the dice as they were read
    # read 1: 3-3-5-6

The step is `-` for dice that are no roll of the game: in a roll-off, undone, or rolled too early. The file's name is
the game's number.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine import BadText, Game, parse_transcript, transcript
from engine.transcript import TITLE

MOST_BYTES = 1_000_000
"""The largest file that is read, in bytes; a long game has some 20,000."""

_NAME = re.compile(r"([0-9]{1,9})\.txt")
_BEGUN = re.compile(r"# begun (\S+)")
_READING = re.compile(r"# read (-|[0-9]{1,6}): ([1-6](?:-[1-6])*)")
_RESULT = re.compile(r"result: (?:(.*) wins|unfinished)")
_EXPLANATION = "# Camera: the roll's step, then the dice as they were read"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reading:
    """Dice that the camera has read.

    Attributes:
        step: The index of the roll among the game's steps; None if it is no roll of the game.
        dice: The values, sorted.
    """

    step: int | None
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored. Its steps are not checked until it is replayed.

    Attributes:
        number: The game's number, from 1.
        begun: The start time in UTC, "" if unknown; a Pi's clock may be wrong.
        names: The players' names.
        winner: The winner's name; None if the game was not finished.
        steps: The steps as in the transcript, such as "3-3-5-6", "-> 1-4-5-6", "6+10: 6", "stop".
        readings: What the camera read, first to last.
        text: The whole file.
    """

    number: int
    begun: str
    names: tuple[str, ...]
    winner: str | None
    steps: tuple[str, ...]
    readings: tuple[Reading, ...]
    text: str

    def replay(self) -> Game:
        """Return the game, with each step checked.

        Raises:
            BadText: If a step is not allowed.
        """
        return parse_transcript(self.text)


def game_text(game: Game, begun: str, readings: Iterable[Reading]) -> str:
    """Return a game's file."""
    lines = ["", f"# begun {begun}"]
    if told := readings_text(readings):
        lines += [_EXPLANATION, told]
    return transcript(game) + "\n".join(lines) + "\n"


def readings_text(readings: Iterable[Reading]) -> str:
    """Return readings as a file's comments, one per line."""
    return "\n".join(
        f"# read {'-' if one.step is None else one.step + 1}: {'-'.join(map(str, one.dice))}" for one in readings
    )


def parse_readings(text: str) -> tuple[Reading, ...]:
    """Return the readings in a text's comments; a line that cannot be understood is left out."""
    found = (_READING.fullmatch(line) for line in text.split("\n"))
    return tuple(
        Reading(None if match[1] == "-" else int(match[1]) - 1, tuple(map(int, match[2].split("-"))))
        for match in found
        if match
    )


def parse_game(number: int, text: str) -> StoredGame:
    """Return the game in a text of `game_text`, without checking its steps.

    Raises:
        BadText: If it is not a game.
    """
    lines = text.split("\n")
    names = next((line.removeprefix("players: ") for line in lines if line.startswith("players: ")), "")
    joined = [line.removeprefix("  joins: ").split(", ")[0] for line in lines if line.startswith("  joins: ")]
    result = next((match for line in lines if (match := _RESULT.fullmatch(line))), None)
    if lines[0] != TITLE or not names or result is None:
        raise BadText("not a game: title, players or result is missing")
    begun = next((match[1] for line in lines if (match := _BEGUN.fullmatch(line))), "")
    steps = [step for line in lines if line.startswith("  ") for step in line.strip().split("  ")]
    return StoredGame(number, begun, (*names.split(", "), *joined), result[1], tuple(steps), parse_readings(text), text)


def game_path(folder: Path, number: int) -> Path:
    """Return the file of a game."""
    return folder / f"{number:05}.txt"


def game_files(folder: Path) -> list[tuple[int, Path]]:
    """Return the numbers and files of the games in a folder, by number; none if there is no such folder.

    Raises:
        OSError: If the folder cannot be read.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 - of thousands of files
    except FileNotFoundError:
        return []
    return sorted((int(match[1]), folder / name) for name in names if (match := _NAME.fullmatch(name)))


def read_game(number: int, path: Path) -> StoredGame:
    """Return the game in a file.

    Raises:
        OSError: If it cannot be read.
        BadText: If it is not a game; the message does not name the file.
    """
    # Without O_NONBLOCK, a pipe of this name would be waited for.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadText(f"larger than {MOST_BYTES // 1_000_000} MB")
    try:
        return parse_game(number, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadText("not text in UTF-8", data.count(b"\n", 0, error.start) + 1) from None


def past_games(folder: Path) -> Iterator[StoredGame]:
    """Yield the games in a folder, by number; a file that is not a game is left out, with a line in the log.

    Raises:
        OSError: If the folder cannot be read.
    """
    for number, path in game_files(folder):
        try:
            yield read_game(number, path)
        except (OSError, BadText) as error:
            _log.warning("%s is left out: %s", path, error)
