"""The soak test: `python -m tools.soak [--games N] [--kills N]`, or `make soak`.

A box plays without hardware (`tools.soak.lives`). It is killed at random instants; between two lives a file may be
damaged, as by a power cut or a bad card, or its disk may be full for a while, which needs root. After each start it
must be where it was, with all finished games. After Ctrl-C the results so far are printed.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from device.referee.states import Situation, Welcome
from device.screens.draw import draw
from device.screens.views import screen
from device.storage.journal import Journal, JournalError
from engine import transcript
from tools.soak import disk
from tools.soak.lives import ENDED, INTENDS, RESUMED, SHOWN, fork, heard_from

SHORT_S, LONG_S = (0.004, 1.0), (1.0, 20.0)
"""The shortest and longest lives in seconds, their logarithm uniformly distributed: for kills, and for whole games."""

PATIENCE_S = 60.0
"""The time limit for a box to report its start, in seconds, on a busy machine."""

CARD_LIVES = 100
"""The number of lives after which a new journal is started; by then it has some thousand rows."""

SPARE_INPUTS = 8
"""The number of inputs with room, after a damage, before the disk may be full: a full disk needs both spare copies."""

DAMAGE_CHANCE, FULL_CHANCE, UNSTARTED_CHANCE = 0.2, 0.2, 0.2
"""The probabilities, for a life, of a damaged file before it, of a full disk, and of a kill while it starts."""


@dataclass(slots=True)
class Report:
    """The results.

    Attributes:
        counts: How often each thing has happened, by its words.
        faults: What must not happen: situations restored by mistake, and finished games that are gone although their
            file was not damaged, or that differ from what was played; lives that ended by themselves.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def damage(folder: Path, chance: random.Random) -> tuple[str, Path]:
    """Damage one file below a folder, like a torn write, a worn card or a curious person.

    Returns:
        The kind of damage and the file.
    """
    file = chance.choice(sorted(file for file in folder.rglob("*") if file.is_file() and file.stat().st_size))
    kind = chance.choice(("byte flipped", "last page torn", "file cut off", "file deleted"))
    at = chance.randrange(size := file.stat().st_size)
    if kind == "byte flipped":  # the rest stays as it is, as after a power cut or with a worn cell
        content = file.read_bytes()
        _write(file, at, bytes([content[at] ^ chance.randint(1, 255)]))
    elif kind == "last page torn":  # other data in up to a page at the end
        length = min(size, chance.randint(1, 4096))
        _write(file, size - length, chance.randbytes(length))
    elif kind == "file cut off":
        os.truncate(file, at)
    else:
        file.unlink()
    return kind, file


def _write(file: Path, at: int, data: bytes) -> None:
    """Write over a part of a file, in place."""
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(data)


class Card:
    """A memory card with the files of one box, and what they must contain."""

    def __init__(self, folder: Path, chance: random.Random, report: Report) -> None:
        """Start with an empty folder.

        Args:
            folder: The folder, which may be a small disk of its own.
            chance: The random numbers.
            report: Receives the results.
        """
        self._folder, self._chance, self._report = folder, chance, report
        self._file = folder / "journal.txt"
        self._possible: set[str] = set()
        """The situations that are possible after a kill: the last one shown, or one that was about to follow."""
        self._ended: dict[int, str] = {}
        self._is_settled = self._is_game_damaged = False
        self._safe = 0

    def live(self, lasts_s: float) -> None:
        """Let the box live once, perhaps after damage or with a full disk, kill it, and check its games.

        Args:
            lasts_s: The time from its start to its kill, in seconds.
        """
        counts, chance = self._report.counts, self._chance
        counts["kills"] += 1
        is_full = self._folder.is_mount() and self._safe >= SPARE_INPUTS and chance.random() < FULL_CHANCE
        # One fault at a time: a damaged file of the current game is repaired by the next inputs, if there is room.
        if self._is_settled and not is_full and chance.random() < DAMAGE_CHANCE:
            kind, file = damage(self._folder, chance)
            counts[kind] += 1
            self._is_game_damaged, self._safe = file.parent != self._folder, 0
        heard, child = fork(self._file, chance.getrandbits(32))
        try:
            if is_full:
                counts["lives with a full disk"] += 1
                disk.fill(self._folder)
            messages = b""
            if chance.random() > UNSTARTED_CHANCE:
                messages = heard_from(heard, PATIENCE_S, until_any=True)
            messages += heard_from(heard, lasts_s)
            if os.waitpid(child, os.WNOHANG)[0]:
                self._report.faults.append("a life ended by itself")
                child = 0
        finally:
            if child:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        messages += heard_from(heard, PATIENCE_S)
        os.close(heard)
        disk.free(self._folder)
        shown = self._take(messages.decode())
        self._is_settled = shown > 1 and not is_full
        self._safe += self._is_settled * shown
        if self._is_settled:
            self._check()
            self._is_game_damaged = False

    def _take(self, messages: str) -> int:
        """Handle the messages of a life, and return the number of inputs shown; an incomplete message is ignored."""
        counts = self._report.counts
        lines = [line.split(" ", 1) for line in messages.split("\n")[:-1]]
        counts["kills before the game was restored"] += not lines
        for kind, told in lines:
            if kind == ENDED:
                number, played = json.loads(told)
                self._ended[number] = played
                counts["games played"] += 1
                continue
            if kind == RESUMED and self._possible and told not in self._possible:
                self._report.faults.append(f"situation lost: {told} was restored")
            self._possible = self._possible | {told} if kind == INTENDS else {told}
        # The first one shown is what it has found.
        shown = max(0, sum(kind == SHOWN for kind, _ in lines) - 1)
        counts["inputs shown"] += shown
        return shown

    def _check(self) -> None:
        """Check that the journal has all finished games, except one whose own file was damaged."""
        found: dict[int, str] = {}
        if self._ended:
            try:
                with closing(Journal(self._file, to_write=False)) as journal:
                    found = {number: _transcript(journal, number) for number in self._ended}
            except JournalError as error:
                found = dict.fromkeys(self._ended, f"{error}")
        for number, told in found.items():
            played = self._ended[number]
            if told == played:
                continue
            del self._ended[number]
            if self._is_game_damaged and played.startswith(told.rpartition("result: ")[0].rstrip("\n")):
                self._report.counts["games gone with a damaged file"] += 1
            else:
                self._report.faults.append(f"game {number} was wrong:\n{played}\n---\n{told}")


def _transcript(journal: Journal, number: int) -> str:
    """Return a game as the journal has it; "" if it is missing or damaged."""
    try:
        return transcript(journal.game(number))
    except (KeyError, JournalError):
        return ""


def play(span: tuple[float, float], is_done: Callable[[], bool], chance: random.Random, report: Report) -> None:
    """Run lives of these lengths, from card to card, until it is done."""
    while not is_done():
        with tempfile.TemporaryDirectory() as place:
            mounted = Path(place) / "card"
            mounted.mkdir()
            with disk.small_disk(mounted, Path(place) / "image"):
                card = Card(mounted, chance, report)
                for _ in range(CARD_LIVES):
                    if is_done():
                        break
                    card.live(span[0] * (span[1] / span[0]) ** chance.random())
        print(f"{report.counts['kills']} kills, {report.counts['games played']} games", file=sys.stderr)


def main() -> int:
    """Run the soak: first short lives, then long ones with whole games; exit with 1 if anything was lost."""
    words = argparse.ArgumentParser(prog="python -m tools.soak", description="Plays with kills, damage and full disks.")
    words.add_argument("--kills", type=int, default=2000, help="how many kills in short lives (default 2000)")
    words.add_argument("--games", type=int, default=200, help="how many games are then played in longer lives (200)")
    words.add_argument("--seed", type=int, default=0, help="decides what is played and what fails")
    args = words.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # even if a shell has started it in the background
        signal.signal(number, signal.default_int_handler)
    logging.disable(logging.CRITICAL)  # every fault is logged, and there are thousands
    draw(screen(Situation(Welcome())))  # types are loaded once, not in every life
    report, chance = Report(), random.Random(args.seed)
    counts = report.counts
    with suppress(KeyboardInterrupt):
        play(SHORT_S, lambda: counts["kills"] >= args.kills, chance, report)
        goal = counts["games played"] + args.games
        play(LONG_S, lambda: counts["games played"] >= goal, chance, report)
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")
    print(f"faults: {len(report.faults)}", *report.faults, sep="\n")
    return int(bool(report.faults))


if __name__ == "__main__":
    sys.exit(main())
