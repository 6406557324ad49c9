"""The soak: `python -m tools.soak [--games N] [--kills N]`, or `make soak`.

First the box is killed at random instants while it plays without its wires (`tools.soak.kills`). Then it plays games
at a simulated table, camera, reading, gpiozero and luma included, with faults of all kinds, is killed now and then, and
its files are damaged while it is off. What came of it is printed as a table, and kept as JSON with --json. Stopped by
Ctrl-C, it tells what there is until then.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from device.keeping.journal import Journal
from engine import transcript
from tools.soak import kills
from tools.soak.damage import DAMAGES
from tools.soak.told import Ledger

LIVES_S = (20.0, 90.0)
"""How long a box plays until it is killed, at random between these."""

SILENCE_S = 600.0
"""A box that has told nothing for so long is stuck, on a machine however busy."""

PARTS = ("camera", "reading", "journal", "drawing", "display", "bus")


@dataclass(slots=True)
class Soak:
    """What came of the games."""

    games: int = 0
    kills: int = 0
    stuck: int = 0
    seconds: float = 0.0
    resumed: int = 0
    lost: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    damages: Counter[str] = field(default_factory=Counter)
    throws: int = 0
    wrong: int = 0
    written_mb: float = 0.0
    memory_mb: list[float] = field(default_factory=list)
    rolls: list[dict[str, float]] = field(default_factory=list)
    played: dict[int, str] = field(default_factory=dict)
    unlike: int = 0
    """Games whose journal does not tell what was played."""


def written(process: int) -> float:
    """Give how many MB a process has sent to the disk."""
    with suppress(OSError, AttributeError):
        found = re.search(r"^write_bytes: (\d+)", Path(f"/proc/{process}/io").read_text(), re.MULTILINE)
        return int(found[1]) / 2**20 if found else 0.0
    return 0.0


def soak(games: int, seed: int, folder: Path, progress: Progress) -> Soak:
    """Let a box play so many games."""
    found = Soak()
    chance = random.Random(seed)
    ledger = Ledger()
    file = folder / "journal.sqlite3"
    task = progress.add_task("games", total=games)
    began = time.monotonic()
    try:
        while found.games < games:
            if ledger.is_up and chance.random() < 0.5:
                damage = chance.choice(list(DAMAGES))
                found.damages[damage] += DAMAGES[damage](file, chance)
            _live(file, chance, ledger, found, games)
            progress.update(task, completed=found.games)
    except KeyboardInterrupt:
        pass
    found.seconds = time.monotonic() - began
    found.resumed, found.lost = ledger.resumed, ledger.lost
    journal = Journal(file)
    for number, told in found.played.items():
        try:
            found.unlike += transcript(journal.game(number)) != told
        except KeyError:
            found.unlike += 1
    journal.close()
    return found


class Life:
    """One box, from its start until it is killed."""

    def __init__(self, file: Path, seed: int, errors: IO[str]) -> None:
        """Start it."""
        self._heard, told = os.pipe()
        command = [sys.executable, "-m", "tools.soak.player", str(file.parent), str(told), str(seed)]
        self.player = subprocess.Popen(command, pass_fds=[told], stderr=errors)
        os.close(told)
        self._text = ""
        self._last_s = time.monotonic()
        self.memory_mb: list[float] = []
        self.counts: dict[str, Any] = {"faults": {}, "throws": 0, "wrong": 0}
        self.written_mb = 0.0

    @property
    def is_stuck(self) -> bool:
        """Whether it has ended by itself, or tells nothing any more."""
        return self.player.poll() is not None or time.monotonic() - self._last_s > SILENCE_S

    def listen(self, ledger: Ledger, found: Soak, *, to_end: bool = False) -> None:
        """Take in what it tells, for half a second or, once it is dead, to the end."""
        while to_end or select.select([self._heard], [], [], 0.5)[0]:
            more = os.read(self._heard, 1 << 16)
            self._last_s = time.monotonic()
            *lines, self._text = (self._text + more.decode()).split("\n")
            ledger.hear_more([line for line in lines if not line.startswith("#")])
            for line in lines:
                if line.startswith("#"):
                    self._note(json.loads(line[1:]), found)
            if not more or not to_end:
                return

    def _note(self, said: dict[str, Any], found: Soak) -> None:
        if "roll" in said:
            found.rolls.append(said["roll"])
        elif "game" in said:
            found.games += 1
            found.played[said["game"]] = said["transcript"]
        else:
            self.memory_mb.append(said["memory"])
            self.counts = said
            self.written_mb = written(self.player.pid)

    def kill(self, ledger: Ledger, found: Soak) -> None:
        """End it, and take in what it has told until then."""
        self.player.send_signal(signal.SIGKILL)
        self.player.wait()
        self.listen(ledger, found, to_end=True)
        os.close(self._heard)
        found.kills += 1
        found.faults += Counter(self.counts["faults"])
        found.throws += self.counts["throws"]
        found.wrong += self.counts["wrong"]
        found.written_mb += self.written_mb
        found.memory_mb += self.memory_mb


def _live(file: Path, chance: random.Random, ledger: Ledger, found: Soak, games: int) -> None:
    """Let the box play until it is killed, or all games are played."""
    until = time.monotonic() + chance.uniform(*LIVES_S)
    with tempfile.TemporaryFile("w+") as errors:
        life = Life(file, chance.getrandbits(31), errors)
        try:
            while found.games < games and (time.monotonic() < until or not life.memory_mb) and not life.is_stuck:
                life.listen(ledger, found)
        finally:
            if life.is_stuck:
                errors.seek(0)
                print(f"the box ended by itself, or hangs: {errors.read()[-2000:]}", file=sys.stderr)
                found.stuck += 1
            life.kill(ledger, found)


def table(found: Soak, killed: kills.Report) -> Table:
    """Give what came of it for people."""
    shown = Table("what", "how much")
    rows = [
        ("killed at random instants, without wires", f"{killed.kills}, {killed.before_start} of them while it started"),
        ("… inputs shown, files damaged in between", f"{killed.inputs}, {sum(killed.damages.values())}"),
        ("… situations lost; boxes that ended by themselves", f"{len(killed.lost)}; {killed.failed}"),
    ]
    if found.kills:
        faults = ", ".join(f"{name} {count}" for name, count in sorted((found.faults + found.damages).items()))
        memory = sorted(found.memory_mb)
        rows += [
            ("games at the table", f"{found.games} in {found.seconds / 60:.0f} min"),
            ("… throws; read wrong", f"{found.throws}; {found.wrong}"),
            ("… faults", faults),
            ("… kills; starts; situations lost", f"{found.kills}; {found.resumed}; {len(found.lost)}"),
            ("… boxes that were stuck or ended by themselves", str(found.stuck)),
            ("… games that the journal tells otherwise", str(found.unlike)),
            ("… resident memory, median and most, MB", f"{statistics.median(memory):.0f}, {memory[-1]:.0f}"),
            ("… written to disk, MB; MB a game", f"{found.written_mb:.1f}; {_share(found.written_mb, found.games)}"),
        ]
    if found.rolls:
        rolls = [{part: roll.get(part, 0.0) for part in PARTS} for roll in found.rolls]
        whole = [sum(roll.values()) for roll in rolls]
        rows.append(("from still dice to choices, median and worst, ms", _times(whole)))
        rows += [(f"… {part}", _times([roll[part] for roll in rolls])) for part in PARTS]
    for row in rows:
        shown.add_row(*row)
    return shown


def _share(whole: float, parts: int) -> str:
    return f"{whole / parts:.1f}" if parts else "no game was finished"


def _times(seconds: list[float]) -> str:
    return f"{1000 * statistics.median(seconds):.0f}, {1000 * max(seconds):.0f}"


def main() -> int:
    """Run the soak; exit with 1 if anything was lost."""
    words = argparse.ArgumentParser(prog="python -m tools.soak", description="Lets the box play with faults.")
    words.add_argument("--games", type=int, default=200, help="how many games at the simulated table (default 200)")
    words.add_argument("--kills", type=int, default=2000, help="how many kills without the wires (default 2000)")
    words.add_argument("--seed", type=int, default=0, help="decides what is played and what fails")
    words.add_argument("--folder", type=Path, help="on which disk, if not that of temporary files")
    words.add_argument("--json", type=Path, metavar="FILE", help="keep what came of it")
    args = words.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has started it in the background
        signal.signal(number, signal.default_int_handler)
    logging.disable(logging.CRITICAL)  # every fault is logged, and there are thousands
    console = Console(stderr=True)
    killed, found = kills.Report(), Soak()
    bars = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*bars, console=console) as progress, suppress(KeyboardInterrupt):
        if args.kills:
            task = progress.add_task("kills", total=args.kills)
            progress.stop()  # no thread of its own may run while this process forks

            def tell(done: int) -> None:
                progress.update(task, completed=done, refresh=True)

            kills.campaign(args.kills, args.seed, args.folder, tell, killed)
            progress.start()
        if args.games:
            with tempfile.TemporaryDirectory(dir=args.folder) as folder:
                found = soak(args.games, args.seed, Path(folder), progress)
    Console().print(table(found, killed))
    if args.json:
        args.json.write_text(json.dumps({"kills": _plain(killed), "games": _plain(found)}, indent=1))
    return int(bool(killed.lost or found.lost or found.unlike or found.stuck or killed.failed))


def _plain(report: object) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__slots__}  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
