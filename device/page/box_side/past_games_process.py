"""The process that reads the journal for the page: one request per line of input, one answer per line of output.

Usage: `python -m device.page.box_side.past_games_process JOURNAL`. Answers are cached until the journal changes.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from device.page.box_side.board import replay
from device.page.box_side.figures import NICE, OOM_SCORE, Figures
from device.page.wire import Data, RequestError, pack, unpack
from device.statistics.readings import throws
from device.storage.journal import Journal, JournalError

IDLE_S = 120.0
"""Seconds without a request after which the process ends, to free its memory."""
MOST_KEPT = 16
"""The number of cached answers, the most recent ones."""
RACE_S = 0.1
"""The age in seconds below which a file may still change without a new modification time."""

Answer = TypeVar("Answer")

_log = logging.getLogger(__name__)


class PastGamesReader:
    """Answers questions about past games from the journal, which it only reads."""

    def __init__(self, journal: Path, figures: Figures) -> None:
        """Prepare; `figures` computes luck, nerve and fairness."""
        self._journal = journal
        self._figures = figures
        self._state: Hashable = None
        self._known: OrderedDict[Hashable, Data] = OrderedDict()
        self._mark: Hashable = ()

    def answer(self, question: Data) -> Data:
        """Return the answer for the page: an object with "data", or with "error" and "text".

        The box has checked the request: its name and its values are those of a row with the place ARCHIVE.
        """
        ask = question["ask"]
        try:
            data = self._once((ask, question.get("number")), lambda: getattr(self, f"_answer_{ask}")(question))
        except RequestError as error:
            return {"error": error.kind, "text": str(error)}
        if ask == "figures":
            data = {**data, "worked_out": self._figures.answer(self._mark)}
        return {"data": data}

    def _once(self, key: Hashable, make: Callable[[], Data]) -> Data:
        """Return the cached answer, unless the journal has changed since."""
        state = self._state_of_file()
        if state is None or state != self._state:
            self._known.clear()
            self._state = state
        if key not in self._known:
            self._known[key] = make()
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def _state_of_file(self) -> Hashable:
        """Return a value that differs after each change of the journal; None if it has just been changed."""
        state: list[tuple[int, ...]] = []
        for path in (self._journal, self._journal.with_name(self._journal.name + "-wal")):
            with contextlib.suppress(OSError):
                status = path.stat()
                if not status.st_size:
                    continue  # opening it for reading would create an empty journal
                if abs(time.time() - status.st_mtime) < RACE_S:
                    return None
                state.append((status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size))
        return tuple(state) or None

    def _answer_games(self, _: Data) -> Data:
        return {"games": [asdict(entry) for entry in self._read(lambda journal: journal.games())]}

    def _answer_game(self, question: Data) -> Data:
        number = question["number"]
        try:
            return {"number": number, **replay(self._read(lambda journal: journal.game(number)))}
        except KeyError:
            raise RequestError("none", f"there is no game {number}") from None

    def _answer_figures(self, _: Data) -> Data:
        """Return how often each face was rolled, and how many games each person has played and won."""
        faces, players = Counter[int](), dict[str, list[int]]()
        for throw in self._read(lambda journal: throws(journal.rows())):
            faces.update(die.value for die in throw.dice)
        games = self._read(lambda journal: journal.games())
        for entry in games:
            for name in entry.names:
                counts = players.setdefault(name, [0, 0])
                counts[0] += 1
                counts[1] += name == entry.winner
        # For a game in progress, luck and nerve up to an earlier move are good enough.
        self._mark = tuple((entry.number, entry.winner) for entry in games)
        return {
            "faces": [faces[value] for value in range(1, 7)],
            "players": [
                {"name": name, "games": played, "wins": wins}
                for name, (played, wins) in sorted(players.items(), key=lambda one: (-one[1][1], one[1][0]))
            ],
        }

    def _read(self, what: Callable[[Journal], Answer]) -> Answer:
        try:
            with contextlib.closing(Journal(self._journal, to_write=False)) as journal:
                return what(journal)
        except JournalError as error:
            raise RequestError("none", str(error)) from error


def main(journal: Path) -> None:
    """Answer requests until standard input ends, or there has been none for `IDLE_S`."""
    os.nice(NICE)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE))
    figures = Figures(journal)
    past = PastGamesReader(journal, figures)
    try:
        while True:
            ready, _, _ = select.select([sys.stdin.buffer], [], [], IDLE_S)
            if not ready:
                if figures.is_working:
                    continue
                return
            # Requests come one at a time, so none waits in the buffer, which select cannot see.
            line = sys.stdin.buffer.readline()
            if not line:
                return
            try:
                told = past.answer(unpack(line))
            except Exception:
                _log.exception("a request for past games failed")
                told = {"error": "failed", "text": "past games cannot be read; see the box's log"}
            sys.stdout.buffer.write(pack(told))
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing is left to flush at exit
    finally:
        figures.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
