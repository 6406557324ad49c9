"""Power cuts as a disk sees them: any part of the writes that were not flushed may be missing."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from device.storage.journal import Journal
from tests.hardware.conftest import SHIMS
from tests.waiting import PATIENCE_S
from tools.hardware.bench import build
from tools.soak.lives import fingerprint

INPUTS = 900
"""Enough for several games to end, which then get files of their own."""

CUTS = 80
SECTOR = 512
"""What a disk writes as a whole, in bytes."""


@dataclass(frozen=True)
class Operation:
    """One thing that was asked of the disk."""

    kind: str
    path: str
    offset: int
    data: bytes


def parse(log: bytes) -> list[Operation]:
    operations = []
    while log:
        head, _, log = log.partition(b"\n")
        kind, path, offset, length = head.decode().split(" ")
        operations.append(Operation(kind, path, int(offset), log[: int(length)]))
        log = log[int(length) :]
    return operations


def do(files: dict[str, bytearray], operation: Operation) -> None:
    if operation.kind == "F":  # perhaps of a folder
        return
    if operation.kind == "U":
        files.pop(operation.path, None)
        return
    if operation.kind == "R":
        if operation.path in files:
            files[operation.data.decode()] = files.pop(operation.path)
        return
    content = files.setdefault(operation.path, bytearray())
    if operation.kind == "T":
        del content[operation.offset :]
        content.extend(bytes(operation.offset - len(content)))
    elif operation.kind == "W":
        content.extend(bytes(max(0, operation.offset - len(content))))
        content[operation.offset : operation.offset + len(operation.data)] = operation.data


def left_by_a_cut(operations: list[Operation], chance: random.Random) -> dict[str, bytearray]:
    """Return the disk's content after a power cut following these writes, with any part of the unflushed ones."""
    forced = {one.path: index for index, one in enumerate(operations) if one.kind == "F"}
    files: dict[str, bytearray] = {}
    for index, operation in enumerate(operations):
        if index > forced.get(operation.path, -1) and operation.kind == "W":
            fate = chance.random()
            if fate < 0.4:
                continue
            if fate < 0.7:
                sectors = chance.randint(0, len(operation.data) // SECTOR)
                do(files, replace(operation, data=operation.data[: sectors * SECTOR]))
                continue
        do(files, operation)
    return files


@pytest.fixture(scope="module")
def watched():
    """All that a box asked of its disk during some games."""
    if shutil.which("gcc") is None:
        pytest.skip("the watched disk needs gcc: sudo apt install gcc libc6-dev")
    (shim,) = build(SHIMS, ("disk",))
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as folder:
        card, log = Path(folder) / "card", Path(folder) / "log"
        card.mkdir()
        subprocess.run(
            [sys.executable, "-m", "tests.hardware.power_program", card / "journal.txt", card / "shown", str(INPUTS)],
            check=True,
            timeout=PATIENCE_S,
            env={**os.environ, "LD_PRELOAD": str(shim), "DISK_FOLDER": str(card), "DISK_LOG": str(log)},
        )
        operations = parse(log.read_bytes())
        assert {one.path for one in operations} >= {"journal.txt", "journal.txt.copy", "games/00001.txt.new", "shown"}
        files: dict[str, bytearray] = {}
        for operation in operations:
            do(files, operation)
        for name in ("journal.txt", "journal.txt.copy", "games/00001.txt", "shown"):
            assert bytes(files[name]) == (card / name).read_bytes(), "the log of the writes reproduces the disk"
        yield operations, Path(folder)


def test_a_power_cut_at_any_instant_leaves_what_was_shown(watched):
    operations, folder = watched
    chance = random.Random(0)
    marks = [index for index, one in enumerate(operations) if one.path == "shown"]
    shown = [operations[index].data.decode().strip() for index in marks]
    # Around the ends of games, which are few, as often as anywhere else.
    busy = [index for index, one in enumerate(operations) if one.path.startswith("games/")]
    cuts = [chance.randrange(marks[0], len(operations)) for _ in range(CUTS // 2)] + chance.choices(busy, k=CUTS // 2)
    for number, cut in enumerate(cuts):
        files = left_by_a_cut(operations[: cut + 1], chance)
        card = folder / f"cut-{number}"
        card.mkdir()
        for name, content in files.items():
            (card / name).parent.mkdir(exist_ok=True)
            (card / name).write_bytes(content)
        last = sum(mark <= cut for mark in marks) - 1
        journal = Journal(card / "journal.txt")
        found = fingerprint(journal.situation())
        numbers = [game.number for game in journal.games()]
        journal.close()
        assert found in shown[last : last + 2], f"a cut after operation {cut}, seed 0: {operations[cut].kind}"
        assert journal.warning is None, "a power cut is not damage"
        assert numbers == list(range(1, journal.situation().number + 1))
        shutil.rmtree(card)
