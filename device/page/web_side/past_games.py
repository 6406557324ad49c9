"""Past games and statistics, from the text files of the games, which are only read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from device.page.board import replay
from device.page.wire import Data, RequestError
from device.paths import GAMES, beside
from device.statistics.fairness import Throw, as_json, throws
from device.storage.past_game_file import StoredGame, game_files, game_path, past_games, read_game
from engine import BadText

LAST = 10
"""The number of most recent games for luck and nerve; each takes 3 s on a PC, many times that on a Zero 2 W."""
LONGEST_S = 1800.0
"""The longest time that luck and nerve may take, in seconds."""
MOST_LINES = 4096
"""The number of games whose lines are kept, so that their files are not read again."""
MOST_WAITING = 8
"""The most questions that may wait for an answer."""
STATS = (sys.executable, "-m", "device.cli", "stats", "--json", "--last", str(LAST), "--journal")
"""The command that computes luck and nerve. It loads numpy, which the page's process on a box does without."""

Answer = TypeVar("Answer")

_log = logging.getLogger(__name__)


class PastGames:
    """Answers questions about past games, one at a time in a thread; most answers are kept until a file changes."""

    def __init__(self, stats: Sequence[str] = STATS) -> None:
        """Prepare; `stats` is the command that computes luck and nerve, with the journal's path after it."""
        self._stats = stats
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="past games")
        self._people: Data | None = None
        self._judged: Hashable = None
        self._judging: asyncio.Task[None] | None = None
        self._waiting = 0

    async def games(self, journal: Path) -> Data:
        """Return a line for each past game of a journal."""
        return {"games": await self._aside(lambda: _list(beside(journal, GAMES)))}

    async def game(self, journal: Path, number: int) -> Data:
        """Return a past game step by step.

        Raises:
            RequestError: "none" if the game is missing or its file is damaged.
        """
        return await self._aside(lambda: {"number": number, **replay(_read(beside(journal, GAMES), number).replay())})

    async def figures(self, journal: Path) -> Data:
        """Return how often each face was rolled, the games that each person played and won, and how fair the dice are.

        Luck and nerve come later: "working" says that the request should be repeated.
        """
        mark, found = await self._aside(lambda: _count(beside(journal, GAMES)))
        if mark and mark != self._judged and (self._judging is None or self._judging.done()):
            self._judging = asyncio.create_task(self._judge(journal, mark))
        is_working = self._judging is not None and not self._judging.done()
        return {**found, "people": self._people, "working": is_working}

    async def close(self) -> None:
        """End what is running."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._judging is not None:
            self._judging.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._judging

    async def _aside(self, find: Callable[[], Answer]) -> Answer:
        if self._waiting >= MOST_WAITING:
            raise RequestError("busy", "too many requests at once")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, find)
        except (OSError, BadText) as error:
            raise RequestError("none", str(error)) from error
        finally:
            self._waiting -= 1

    async def _judge(self, journal: Path, mark: Hashable) -> None:
        """Compute luck and nerve in a process of its own, which has the memory and the time for it."""
        process = None
        try:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(*self._stats, str(journal), stdout=pipe, stderr=pipe)
            said, complaint = await asyncio.wait_for(process.communicate(), LONGEST_S)
            self._people = json.loads(said) if process.returncode == 0 else None
            if process.returncode not in (0, 1):  # 1: there are no games
                _log.warning("no luck and nerve for the page: %s", complaint.decode(errors="replace")[-500:])
        except (OSError, ValueError, TimeoutError) as error:
            self._people = None
            _log.warning("no luck and nerve for the page: %s", error)
        finally:
            self._judged = mark
            if process is not None and process.returncode is None:
                process.kill()
                await process.wait()


def _mark(path: Path) -> Hashable:
    """Return what changes with a file; None if it is gone."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _read(folder: Path, number: int) -> StoredGame:
    try:
        return read_game(number, game_path(folder, number))
    except FileNotFoundError:
        raise RequestError("none", f"there is no game {number}") from None


def _list(folder: Path) -> list[Data]:
    """Return the games' lines."""
    lines = []
    for number, path in game_files(folder):
        try:
            lines.append(_line(number, path, _mark(path)))
        except (OSError, BadText) as error:
            _log.warning("%s is left out: %s", path, error)
    return lines


@lru_cache(MOST_LINES)
def _line(number: int, path: Path, _: Hashable) -> Data:
    """Return a game's line; only a file that is new or has changed is read."""
    game = read_game(number, path)
    return {"number": game.number, "begun": game.begun, "names": game.names, "winner": game.winner}


def _count(folder: Path) -> tuple[Hashable, Data]:
    """Return a mark of all files, and what they say about dice and players."""
    mark = tuple((number, _mark(path)) for number, path in game_files(folder))
    return mark, _figures(folder, mark)


@lru_cache(1)
def _figures(folder: Path, _: Hashable) -> Data:
    played, won = Counter[str](), Counter[str]()
    made: list[Throw] = []
    for game in past_games(folder):
        made += throws([game])
        if game.winner is not None:
            played.update(game.names)
            won[game.winner] += 1
    return {
        "players": [
            {"name": name, "games": count, "wins": won[name]}
            for name, count in sorted(played.items(), key=lambda one: (-won[one[0]], one[0]))
        ],
        "dice": as_json(made) if made else None,
    }
