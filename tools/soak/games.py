"""Boxes at simulated tables, each played on, killed and started again until all games are played.

The first box is never killed, so that its memory can be looked at over hours. Each of the others lives for a minute or
so, dies by SIGKILL, and half of the times finds one of its files damaged when it is started again. Each has a small
disk to itself, where that can be mounted: it is full at some of the starts, and is freed some seconds later.
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
from tools.soak.told import Ledger

LIVES_S = (20.0, 90.0)
"""How long a box plays until it is killed, at random between these."""

FULL_CHANCE = 0.3
"""How often a start finds the disk full, beside those after a kill while it was full."""

FULL_S = (2.0, 30.0)
"""How long it then stays full, at random between these."""

SHARED_CHANCE = 0.5
"""How often a start finds a file of shared memory, as an earlier release leaves it when it is killed."""

SILENCE_S = 600.0
"""A box that has told nothing for so long is stuck, on a machine however busy."""


@dataclass(slots=True)
class Totals:
    """What came of one box's games, or of all.

    Attributes:
        begun: Games that were begun; those that are neither played to the end nor under way at last were lost.
        games: Games that were played to their end.
        kills: How often a box was killed.
        stuck: How often one hung or ended by itself, or could not be followed.
        seconds: How long all took.
        resumed: How often a box told what it found at its start.
        lost: What was found instead of what had been shown.
        faults: What failed while boxes played, and what was damaged while they were off.
        throws: Throws of dice.
        wrong: Throws that were read otherwise than they lay.
        written_mb: What was sent to the disk.
        memory_mb: Resident memory of boxes that were killed, every two seconds.
        long_memory_mb: The same of the box that never was.
        rolls: From still dice to choices, part by part in seconds; and what failed then or shortly before, "" for none.
        gone: Played games that are no longer in the journal from end to end, as a file of it was damaged or deleted
            since, or as the box was killed while the disk was full: what was played last is in the spare copy, older
            games are not.
        full_starts: How often a box was started on a full disk.
        unlisted: Games that the journal listed once and then no longer, with no file of it damaged or deleted since.
        unlike: Played games of which the journal tells something else, or which are gone for no reason: what was
            played, and what is told.
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
        """Add what came of another box."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class _Played:
    transcript: str
    harm: int
    """How often the journal had been harmed until its last input was about to be recorded."""


class Life:
    """One box, from its start until it is killed."""

    def __init__(self, folder: Path, album: Path, seed: int, errors: IO[str]) -> None:
        """Start it."""
        self._heard, told = os.pipe()
        command = [sys.executable, "-m", "tools.soak.player", str(folder), str(album), str(told), str(seed)]
        # As in cantstop.service.
        environment = {**os.environ, "MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "1048576"}
        # A group of its own: Ctrl-C in the terminal is for the soak, which ends its boxes.
        self.player = subprocess.Popen(command, pass_fds=[told], stderr=errors, start_new_session=True, env=environment)
        os.close(told)
        self._text = ""
        self._last_s = time.monotonic()
        self.counts: dict[str, Any] = {"throws": 0, "wrong": 0}
        self.written_mb = 0.0
        self.has_played = False

    @property
    def is_stuck(self) -> bool:
        """Whether it has ended by itself, or tells nothing any more."""
        return self.player.poll() is not None or time.monotonic() - self._last_s > SILENCE_S

    def hear(self, *, to_end: bool = False) -> list[str]:
        """Return the lines that it tells within half a second or, once it is dead, to the end."""
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
        """Keep what it counts."""
        self.counts = counts
        self.written_mb = written(self.player.pid)
        self.has_played = True

    def kill(self) -> list[str]:
        """End it; give what it had told until then."""
        if self.player.poll() is None:
            self.written_mb = written(self.player.pid)
        self.player.send_signal(signal.SIGKILL)
        self.player.wait()
        lines = self.hear(to_end=True)
        os.close(self._heard)
        return lines


class Table:
    """One box's table: its folder, its lives one after another, and what came of them."""

    def __init__(self, folder: Path, album: Path, seed: int, *, kills: bool) -> None:
        """Lay it.

        Args:
            folder: Where its journal is to be; it is there and empty.
            album: Where the throws are.
            seed: Decides what is played, what fails, and when it is killed.
            kills: Whether it is killed at all.
        """
        self._folder, self._album, self._kills = folder, album, kills
        self._chance = random.Random(seed)
        self._ledger = Ledger()
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
        return self._folder / "journal.sqlite3"

    def play(self, is_over: threading.Event) -> None:
        """Let the box live again and again."""
        while not is_over.is_set():
            self._prepare()
            self._live(is_over)
            self._look_at_list()
        disk.free(self._folder)
        self._compare()

    def _prepare(self) -> None:
        """Let something happen to the files or the disk of a box that is off, one thing at a time."""
        if not self._ledger.is_up:
            return
        if self._chance.random() < SHARED_CHANCE:
            with suppress(OSError):
                self._file.with_name(f"{self._file.name}-shm").write_bytes(self._chance.randbytes(32768))
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
        """See that all games that were listed are listed still; what is damaged may be put right only with room."""
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
        """Take in what a box tells."""
        found = self.found
        self._ledger.hear_more([line for line in lines if not line.startswith("#")])
        for said in (json.loads(line[1:]) for line in lines if line.startswith("#")):
            if "roll" in said:
                found.rolls.append((said["roll"], said["fault"]))
            elif "failing" in said:  # told before it happens, so that none is missed when the box is killed
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
        """Compare the journal with what was played."""
        journal = Journal(self._file)
        for number, played in self._played.items():
            try:
                told = transcript(journal.game(number))
            except (KeyError, JournalError):  # the latter: a byte was changed in it that no start has looked at since
                told = ""
            steps = told.rpartition("result: ")[0].rstrip("\n")
            is_harmed = played.harm < self._harm or number in self._cut_off
            if played.transcript.startswith(steps) and told != played.transcript and is_harmed:
                self.found.gone += 1
            elif told != played.transcript:
                self.found.unlike.append(f"{self._folder.name}, game {number}:\n{played.transcript}\n---\n{told}")
        journal.close()


def written(process: int) -> float:
    """Return how many MB a process has sent to the disk."""
    with suppress(OSError, AttributeError):
        told = re.search(r"^write_bytes: (\d+)", Path(f"/proc/{process}/io").read_text(), re.MULTILINE)
        return int(told[1]) / 2**20 if told else 0.0
    return 0.0


def soak(games: int, boxes: int, seed: int, folder: Path, album: Path, progress: Progress) -> Totals:
    """Let boxes play so many games together; what there is is told also where Ctrl-C ends it.

    Args:
        games: How many.
        boxes: How many boxes play at once.
        seed: Decides what happens.
        folder: On which disk; each box gets a folder in it.
        album: Where the throws are.
        progress: Shows it.
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
