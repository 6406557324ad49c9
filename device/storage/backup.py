"""A backup: the games and the players' preferences in one JSON file, which any box can take over."""

from __future__ import annotations

from dataclasses import asdict
from itertools import count
from typing import Any

from device.json_text import read_json
from device.referee.preferences import Preferences, from_data
from device.storage.past_game_file import StoredGame, parse_game
from engine import BadText, parse_transcript

VERSION = 1
"""The version of the format."""


class BadBackup(ValueError):
    """It is no backup, or a damaged one; the message says what is wrong."""


def backup(games: list[StoredGame], preferences: Preferences) -> dict[str, Any]:
    """Return a backup as plain data for JSON."""
    texts = {str(game.number): game.text for game in games}
    return {"cantstop backup": VERSION, "games": texts, "preferences": asdict(preferences)}


def read_backup(data: bytes, here: list[StoredGame], last: int) -> tuple[tuple[tuple[int, str], ...], Preferences]:
    """Return the games in a backup that are not here yet, with the numbers that they get, and its preferences.

    A game keeps its number if that is free.

    Args:
        data: The file.
        here: The games on this box.
        last: The highest number in use.

    Raises:
        BadBackup: If any part of it is invalid: nothing of it is to be used.
    """
    try:
        found = read_json(data)
    except ValueError as error:
        raise BadBackup(f"it is not JSON: {error}") from error
    if not isinstance(found, dict) or found.get("cantstop backup") != VERSION:
        raise BadBackup("it is not a backup of a Can't Stop box")
    preferences, wrong = from_data(found.get("preferences"))
    if wrong:
        raise BadBackup(f"its preferences are invalid: {'; '.join(wrong)}")
    texts = found.get("games")
    if not isinstance(texts, dict):
        raise BadBackup("it has no games")
    known, taken = {game.text for game in here}, {game.number for game in here}
    checked = [(_checked(key, text), text) for key, text in texts.items()]
    games = [(number, text) for number, text in checked if text not in known]
    free = count(max([last, *taken, *(number for number, _ in games)]) + 1)
    restored = []
    for number, text in games:
        own = next(free) if number in taken else number
        taken.add(own)
        restored.append((own, text))
    return tuple(restored), preferences


def _checked(key: str, text: object) -> int:
    """Return the number of a game, or raise `BadBackup` if it is none."""
    if not key.isascii() or not key.isdigit() or not 0 < len(key) < 10 or not isinstance(text, str):
        raise BadBackup(f"{key!r} is not the number of a game")
    try:
        parse_game(int(key), text)
        parse_transcript(text)
    except BadText as error:
        raise BadBackup(f"game {key}: {error}") from error
    return int(key)
