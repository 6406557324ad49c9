"""Boxes at simulated tables: each plays, is killed and restarted until all games are played.

The first box is never killed, so that its memory can be observed for hours. Each of the others lives for about a
minute, is killed by SIGKILL, and has a file damaged in half of the cases before it is restarted. Each has a small disk
of its own, if that can be mounted: it is full at some of the starts, and is freed some seconds later.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from rich.progress import Progress

from device.storage.journal import Journal, JournalError
from engine import transcript
from tools.soak import disk
from tools.soak.damage import DAMAGES
from tools.soak.fingerprints import PossibleSituations

LIVES_S = (20.0, 90.0)
"""The shortest and longest random life of a box, in seconds."""

FULL_CHANCE = 0.3
"""The probability of a full disk at a start, in addition to those after a kill with a full disk."""

FULL_S = (2.0, 30.0)
"""The shortest and longest random duration of a full disk, in seconds."""

SILENCE_S = 600.0
"""The time without messages after which a box counts as stuck, in seconds."""


@dataclass(slots=True)
class Totals:
    """The results of one box, or of all.

    Attributes:
        begun: The number of games begun; those that are neither finished nor in progress at the end were lost.
        games: The number of finished games.
        kills: The number of kills.
        stuck: How often a box hung, ended by itself, or could not be followed.
        seconds: The total time in seconds.
        resumed: How often a box reported its situation at the start.
        lost: Situations found instead of those that had been shown.
        faults: Failures while boxes played, and damage while they were off, with counts.
        throws: The number of rolls.
        wrong: The number of misread rolls.
        written_mb: The data written to the disk, in MB.
        memory_mb: Resident memory in MB of boxes that are killed, every two seconds.
        long_memory_mb: The same of the box that is never killed.
        rolls: The parts of the time from dice at rest to choices, in seconds; and a recent failure, "" for none.
        gone: Finished games that are no longer complete in the journal because of damage, deletion, or a kill with a
            full disk, when only the last game is in the spare copy.
        full_starts: The number of starts with a full disk.
        unlisted: Games that disappeared from the journal's list without any damage or deletion.
        unlike: Finished games that the journal has in another form, or that are gone without a reason: the game played,
            and the journal's.
    """

    begun: int = 0
    games: int = 0
    kills: int = 0
    stuck: int = 0
    seconds: float = 0.0
    resumed: int = 0
    lost: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    throws: int = 0
    wrong: int = 0
    written_mb: float = 0.0
    memory_mb: list[float] = field(default_factory=list)
    long_memory_mb: list[float] = field(default_factory=list)
    rolls: list[tuple[dict[str, float], str]] = field(default_factory=list)
    gone: int = 0
    full_starts: int = 0
    unlisted: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)

    def add(self, other: Totals) -> None:
        """Add the results of another box."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class _Played:
    transcript: str
    harm: int
    """The number of times the journal had been damaged before its last input was to be recorded."""


class Life:
    """One life of a box, from its start until it is killed."""

    def __init__(self, folder: Path, album: Path, seed: int, errors: IO[str]) -> None:
        """Start it."""
        self._heard, told = os.pipe()
        command = [sys.executable, "-m", "tools.soak.player", str(folder), str(album), str(told), str(seed)]
        # As in cantstop.service.
        environment = {**os.environ, "MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "1048576"}
        # A process group of its own: Ctrl-C in the terminal is for the soak test, which ends its boxes.
        self.player = subprocess.Popen(command, pass_fds=[told], stderr=errors, start_new_session=True, env=environment)
        os.close(told)
        self._text = ""
        self._last_s = time.monotonic()
        self.counts: dict[str, Any] = {"throws": 0, "wrong": 0}
        self.written_mb = 0.0
        self.has_played = False

    @property
    def is_stuck(self) -> bool:
        """Whether it has ended by itself, or sends no messages."""
        return self.player.poll() is not None or time.monotonic() - self._last_s > SILENCE_S

    def hear(self, *, to_end: bool = False) -> list[str]:
        """Return the lines that it sends within half a second, or after its death all remaining ones."""
        lines: list[str] = []
        while to_end or select.select([self._heard], [], [], 0.5)[0]:
            more = os.read(self._heard, 1 << 16)
            self._last_s = time.monotonic()
            *whole, self._text = (self._text + more.decode()).split("\n")
            lines += whole
            if not more or not to_end:
                break
        return lines

    def note(self, counts: dict[str, Any]) -> None:
        """Store its counts."""
        self.counts = counts
        self.written_mb = written(self.player.pid)
        self.has_played = True

    def kill(self) -> list[str]:
        """Kill it; return the lines sent until then."""
        if self.player.poll() is None:
            self.written_mb = written(self.player.pid)
        self.player.send_signal(signal.SIGKILL)
        self.player.wait()
        lines = self.hear(to_end=True)
        os.close(self._heard)
        return lines


class Table:
    """One box's table: its folder, its lives, and the results."""

    def __init__(self, folder: Path, album: Path, seed: int, *, kills: bool) -> None:
        """Prepare.

        Args:
            folder: The journal's folder, which exists and is empty.
            album: The album's folder.
            seed: The random seed of play, faults and kills.
            kills: Whether it is killed.
        """
        self._folder, self._album, self._kills = folder, album, kills
        self._chance = random.Random(seed)
        self._ledger = PossibleSituations()
        self._played: dict[int, _Played] = {}
        self._ending: dict[int, int] = {}
        self._harm = 0
        self._is_full = False
        self._unsaved: set[int] = set()
        self._cut_off: set[int] = set()
        self._listed: set[int] = set()
        self._is_harmed = self._was_full = False
        self.found = Totals()

    @property
    def _file(self) -> Path:
        return self._folder / "journal.txt"

    def play(self, is_over: threading.Event) -> None:
        """Run life after life."""
        while not is_over.is_set():
            self._prepare()
            self._live(is_over)
            self._look_at_list()
        disk.free(self._folder)
        self._compare()

    def _prepare(self) -> None:
        """Damage the files or the disk of a box that is off, one thing at a time."""
        if not self._ledger.is_up:
            return
        if disk.is_full(self._folder):
            return
        if self._folder.is_mount() and self._chance.random() < FULL_CHANCE:
            disk.fill(self._folder)
        elif self._chance.random() < 0.5:
            damage = self._chance.choice(list(DAMAGES))
            if DAMAGES[damage](self._file, self._chance):
                self.found.faults[damage] += 1
                self._harms()

    def _harms(self) -> None:
        self._harm += 1
        self._is_harmed = True

    def _look_at_list(self) -> None:
        """Check that all games that were listed still are; damage may be repaired only if there is space."""
        try:
            with closing(Journal(self._file, to_write=False)) as journal:
                listed = {entry.number for entry in journal.games()}
        except JournalError as error:
            if not self._is_harmed and self._listed:
                self.found.unlisted.append(f"{self._folder.name}: {error}")
            return
        if not self._is_harmed:
            missing = self._listed - listed
            self.found.unlisted += [f"{self._folder.name}, game {number}" for number in sorted(missing)]
        elif self._ledger.is_up and not self._was_full:
            self._is_harmed = False
        self._listed = listed

    def _live(self, is_over: threading.Event) -> None:
        lasts_s = self._chance.uniform(*LIVES_S) if self._kills else float("inf")
        until = time.monotonic() + lasts_s
        found = self.found
        self._is_full = self._was_full = disk.is_full(self._folder)
        found.full_starts += self._is_full
        free_s = time.monotonic() + self._chance.uniform(*FULL_S) if self._is_full else float("inf")
        with tempfile.TemporaryFile("w+") as errors:
            life = Life(self._folder, self._album, self._chance.getrandbits(31), errors)
            try:
                while not is_over.is_set() and not life.is_stuck:
                    self._take(life, life.hear())
                    if time.monotonic() > free_s:
                        free_s = float("inf")
                        disk.free(self._folder)
                    if time.monotonic() > until and life.has_played:
                        break
            finally:
                if life.is_stuck:
                    errors.seek(0)
                    print(f"a box ended by itself, or hangs: {errors.read()[-2000:]}", file=sys.stderr)
                    found.stuck += 1
                self._take(life, life.kill())
        found.kills += not is_over.is_set()
        self._cut_off |= self._unsaved
        self._unsaved = set()
        found.throws += life.counts["throws"]
        found.wrong += life.counts["wrong"]
        found.written_mb += life.written_mb
        found.resumed, found.lost = self._ledger.resumed, self._ledger.lost

    def _take(self, life: Life, lines: list[str]) -> None:
        """Handle messages of a box."""
        found = self.found
        self._ledger.hear_more([line for line in lines if not line.startswith("#")])
        for said in (json.loads(line[1:]) for line in lines if line.startswith("#")):
            if "roll" in said:
                found.rolls.append((said["roll"], said["fault"]))
            elif "failing" in said:  # sent before it happens, so that none is missed when the box is killed
                found.faults[said["failing"]] += 1
                if said["failing"] == "journal deleted":
                    self._harms()
                self._is_full = said["failing"] == "disk full"
                self._was_full |= self._is_full
                self._unsaved = set()
            elif "begun" in said:
                found.begun += 1
            elif "ending" in said:
                self._ending[said["ending"]] = self._harm
            elif "game" in said:
                found.games += 1
                number = said["game"]
                self._played[number] = _Played(said["transcript"], self._ending[number])
                if self._is_full:
                    self._unsaved.add(number)
            else:
                (found.memory_mb if self._kills else found.long_memory_mb).append(said["memory"])
                life.note(said)

    def _compare(self) -> None:
        """Compare the journal with the games played."""
        journal = Journal(self._file)
        for number, played in self._played.items():
            try:
                told = transcript(journal.game(number))
            except (KeyError, JournalError):  # the latter: a byte was changed that no start has checked since
                told = ""
            steps = told.rpartition("result: ")[0].rstrip("\n")
            is_harmed = played.harm < self._harm or number in self._cut_off
            if played.transcript.startswith(steps) and told != played.transcript and is_harmed:
                self.found.gone += 1
            elif told != played.transcript:
                self.found.unlike.append(f"{self._folder.name}, game {number}:\n{played.transcript}\n---\n{told}")
        journal.close()


def written(process: int) -> float:
    """Return the data that a process has written to the disk, in MB."""
    with suppress(OSError, AttributeError):
        told = re.search(r"^write_bytes: (\d+)", Path(f"/proc/{process}/io").read_text(), re.MULTILINE)
        return int(told[1]) / 2**20 if told else 0.0
    return 0.0


def soak(games: int, boxes: int, seed: int, folder: Path, album: Path, progress: Progress) -> Totals:
    """Let boxes play the given number of games; return the results, or partial results after Ctrl-C.

    Args:
        games: The number of games.
        boxes: The number of boxes that play at a time.
        seed: The random seed.
        folder: A folder on the disk to use; each box gets a folder in it.
        album: The album's folder.
        progress: The progress bar.
    """
    with ExitStack() as disks:
        places = []
        for number in range(boxes):
            places.append(folder / f"box-{number}")
            places[-1].mkdir()
            disks.enter_context(disk.small_disk(places[-1], folder / f"disk-{number}"))
        return _soak(games, places, seed, album, progress)


def _soak(games: int, places: list[Path], seed: int, album: Path, progress: Progress) -> Totals:
    tables = []
    for number, place in enumerate(places):
        tables.append(Table(place, album, seed * 1000 + number, kills=number > 0))
    is_over = threading.Event()
    task = progress.add_task("games", total=games)
    began = time.monotonic()
    with ThreadPoolExecutor(len(tables)) as pool:
        lives = [pool.submit(table.play, is_over) for table in tables]
        with suppress(KeyboardInterrupt):
            while (played := sum(table.found.games for table in tables)) < games and not all(map(Future.done, lives)):
                progress.update(task, completed=played)
                time.sleep(0.5)
        is_over.set()
    whole = Totals()
    for table, life in zip(tables, lives, strict=True):
        whole.add(table.found)
        if error := life.exception():
            whole.stuck += 1
            traceback.print_exception(error)
    whole.seconds = time.monotonic() - began
    return whole
