"""Benchmark of a paired phone during a stranger's flood of requests: `python -m bench.flood`.

It runs a simulated box with its page and a journal of finished games. A paired phone presses a button 40 times, first
alone, then while 24 connections request /api/figures as fast as they are answered: each from a different address, all
from one other address, and all from the address of the phone. For each case it prints the number of rejected presses,
the processor time of the box process and of the page process, and the time from a press until the OLED shows it.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import multiprocessing
import os
import queue
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

from PIL import Image

from bench.page import cpu_s
from device.camera.simulated import SimulatedTray
from device.camera.watcher import Watcher
from device.config import WebConfig
from device.page.box_side.publisher import Publisher, publisher_opener
from device.referee.inputs import Input
from device.referee.states import Deciding, Situation
from device.screens.screen import Screen
from device.sim.page_process import PageProcess
from device.sim.table import SimulatedTable
from device.storage.journal import Journal
from engine import Game
from tools.page import play_a_game

GAMES = 30
CONNECTIONS = 24
PRESSES = 40
EVERY_S = 0.25
SHOWN_S = 3.0
"""The time limit for the OLED after a press, in seconds."""
INVITATION = "INVITED"
PHONE = "127.0.0.1"
STRANGERS = [f"127.0.0.{number}" for number in range(2, 2 + CONNECTIONS)]


def box(folder: Path) -> None:
    """Play until the end of standard input; print the time of each picture on the OLED."""
    file = folder / "journal.sqlite3"
    for seed in range(GAMES):
        if seed:
            _add_a_game(file, seed)
        else:
            play_a_game(file, seed, is_seen=True)
    publish = publisher_opener(WebConfig(), folder / "table.sock", file, simulated=True, invitation=INVITATION)

    def open_publisher(put: Callable[[Input], None], watching: Watcher | None) -> Publisher:
        publisher = publish(put, watching)
        show = publisher.show

        def noted(situation: Situation, screen: Screen, oled: Image.Image) -> None:
            print(f"shown {time.monotonic()}", flush=True)
            show(situation, screen, oled)

        publisher.show = noted  # type: ignore[method-assign]
        return publisher

    start = Situation(Deciding(), Game.new(("yellow", "green")), GAMES + 1)
    table = SimulatedTable(Journal(file), SimulatedTray(seed=3), start=start, open_publisher=open_publisher)
    with table, PageProcess(folder / "table.sock", 0) as page:
        print(f"address {page.address} {page.pid}", flush=True)
        sys.stdin.read()


def _add_a_game(file: Path, seed: int) -> None:
    """Add a finished game: the rows of a game from a separate journal, with the next numbers."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "one.sqlite3"
        play_a_game(other, seed, is_seen=True)
        db = sqlite3.connect(file, isolation_level=None)
        db.execute("ATTACH ? AS other", (str(other),))
        db.execute("BEGIN")
        (rows,), (games,) = (
            db.execute("SELECT MAX(id) FROM input").fetchone(),
            db.execute("SELECT MAX(number) FROM game").fetchone(),
        )
        db.execute(f"INSERT INTO game SELECT number + {games}, begun, header, winner, NULL FROM other.game")
        db.execute(
            f"INSERT INTO input SELECT id + {rows}, game + {games}, at, input, undone, done, state, NULL"
            " FROM other.input"
        )
        db.execute(f"INSERT INTO reading SELECT input + {rows}, dice, asked FROM other.reading")
        db.execute("COMMIT")
        db.close()


class RunningBox:
    """A box in a separate process."""

    def __init__(self, folder: Path) -> None:
        self.shown: queue.Queue[float] = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.flood", "box", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_STATE_HOME": str(folder)},
        )  # fmt: skip
        self.address: queue.Queue[list[str]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        _, address, page = self.address.get(timeout=120)
        self.port = int(address.rstrip("/").rpartition(":")[2])
        self.page = int(page)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("shown"):
                self.shown.put(float(line.split()[1]))
            else:
                self.address.put(line.split())

    def end(self) -> None:
        """End the box, and wait for its process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)


def ask(port: int, method: str, path: str, body: object = None, key: str = "") -> tuple[int, dict[str, Any]]:
    """Send a request as the phone, on a new connection; status 0 if it was cut off."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(PHONE, 0))
    headers = {"content-type": "application/json"} if body is not None else {}
    if key:
        headers["authorization"] = f"Bearer {key}"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    except (OSError, http.client.HTTPException):
        return 0, {}
    finally:
        connection.close()


def flood(port: int, addresses: list[str], path: str, told: Synchronized[int]) -> None:
    """Request a path on one connection per address as fast as it is answered, until killed; count the answers."""
    os.nice(15)  # it simulates another machine

    async def one(address: str, counts: Counter[str]) -> None:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        while True:
            try:
                lines, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
                while True:
                    writer.write(request)
                    head = await lines.readuntil(b"\r\n\r\n")
                    await lines.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                    counts[head[9:12].decode()] += 1
                    told.value = counts.total()
            except (OSError, asyncio.IncompleteReadError):
                counts["cut"] += 1
                await asyncio.sleep(0.01)

    async def all_of_them() -> None:
        counts = Counter[str]()
        await asyncio.gather(*(one(address, counts) for address in addresses))

    asyncio.run(all_of_them())


@contextlib.contextmanager
def flooded(port: int, addresses: list[str]) -> Iterator[Synchronized[int]]:
    """Flood the page within the context; yields the number of answers."""
    told = multiprocessing.Value("i", 0)
    stranger = multiprocessing.Process(target=flood, args=(port, addresses, "/api/figures", told), daemon=True)
    stranger.start()
    try:
        time.sleep(2.0)
        yield told
    finally:
        stranger.kill()
        stranger.join()


def measure(running: RunningBox, key: str, what: str, answers: Synchronized[int] | None = None) -> None:
    """Press 40 times, and print the result."""
    pids = running.process.pid, running.page
    before, begun, already = [cpu_s(pid) for pid in pids], time.monotonic(), answers.value if answers else 0
    refused, times = Counter[int](), list[float]()
    for count in range(PRESSES):
        while not running.shown.empty():
            running.shown.get()
        at = time.monotonic()
        status, _ = ask(running.port, "POST", "/api/press", {"button": "AB"[count % 2], "long": False}, key)
        if status == 200:
            with contextlib.suppress(queue.Empty):
                while (shown := running.shown.get(timeout=SHOWN_S)) < at:
                    pass
                times.append(1000 * (shown - at))
        else:
            refused[status] += 1
        time.sleep(max(0.0, EVERY_S - (time.monotonic() - at)))
    took = time.monotonic() - begun
    shares = [(cpu_s(pid) - was) / took for pid, was in zip(pids, before, strict=True)]
    delay = f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms" if times else "nothing was shown"
    why = f" ({', '.join(f'{count} with {status}' for status, count in refused.items())})" if refused else ""
    asked = f"; {(answers.value - already) / took:.0f} answers a second to the stranger" if answers else ""
    print(
        f"{what}: {refused.total()} of {PRESSES} presses refused{why}; press to OLED {delay} ({len(times)} shown); "
        f"of a core the referee's process {shares[0]:.0%}, the page's {shares[1]:.0%}{asked}",
        flush=True,
    )


def worked_out(port: int) -> None:
    """Wait for luck, nerve and fairness, whose computation takes a core."""
    deadline = time.monotonic() + 900
    while ask(port, "GET", "/api/figures")[1].get("worked_out", {}).get("working", True):
        if time.monotonic() > deadline:
            raise SystemExit("the figures are not worked out")
        time.sleep(1.0)


def main() -> None:
    """Measure alone and during floods."""
    with tempfile.TemporaryDirectory() as folder:
        running = RunningBox(Path(folder))
        try:
            deadline = time.monotonic() + 30
            while not (key := ask(running.port, "POST", "/api/pair", {"code": INVITATION, "name": "x"})[1].get("key")):
                if time.monotonic() > deadline:
                    raise SystemExit("the phone cannot be paired")
                time.sleep(0.2)
            ask(running.port, "POST", "/api/press", {"button": "STOP", "long": True}, key)  # a menu: A and B move in it
            worked_out(running.port)
            measure(running, key, "no flood")
            for what, addresses in (
                ("flood from 24 addresses", STRANGERS),
                ("flood from one address", STRANGERS[:1] * CONNECTIONS),
                ("flood from the phone's address", [PHONE] * CONNECTIONS),
            ):
                with flooded(running.port, addresses) as answers:
                    measure(running, key, what, answers)
                time.sleep(5.0)
        finally:
            running.end()
        print(f"{GAMES} games in the journal, {CONNECTIONS} connections, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["box"]:
        box(Path(sys.argv[2]))
    else:
        main()
