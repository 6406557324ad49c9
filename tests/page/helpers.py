"""A box with its page as on a Raspberry Pi, without a camera: the publisher, the process of the page, and a client."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from device.page.box_side.answers import Answers
from device.page.box_side.phone_keys import PhoneKeys
from device.page.box_side.publisher import Publisher
from device.page.web_side.request_filter import PER_S
from device.referee.inputs import Input
from device.referee.states import Situation
from device.referee.transition_table import step
from device.screens.draw import draw
from device.screens.views import screen
from tests import waiting
from tests.waiting import PATIENCE_S
from tools.docs.screens import situations
from tools.hardware.boot.phone import table_in

until = partial(waiting.until, pause_s=1 / PER_S)
"""Waits without exceeding the page's limit: otherwise, the request that follows could be refused as one too many."""


@dataclass
class Told:
    """Where presses go, in place of a box's queue."""

    inputs: list[Input] = field(default_factory=list)

    def put(self, event: Input) -> None:
        self.inputs.append(event)


def answers_of(folder: Path, now: Situation | None = None, told: Told | None = None) -> tuple[Answers, str]:
    """Return the answers of a box without a camera in a situation, and a paired phone's key; `told` gets the inputs."""
    keys = PhoneKeys(None, invitation="X")
    put = (told or Told()).put
    answers = Answers(keys, folder / "journal.txt", folder / "misread", put=put)
    if now is not None:
        answers.see(now)
    return answers, keys.pair("X", "")


class Table:
    """A publisher of the snapshots of a box."""

    def __init__(self, folder: Path, watch: bool = True, watching: Any = None, throw: Any = None, **more: Any) -> None:
        self.file = folder / "table.sock"
        self.told = Told()
        self.keys = PhoneKeys(folder / "phones.json")
        self.journal = folder / "journal.txt"
        misread = folder / "misread"
        answers = Answers(
            self.keys, self.journal, misread, put=self.told.put, watching=watching, throw=throw, watch=watch, **more
        )
        self.publisher = Publisher(self.file, answers)

    def pair(self, web: Web, name: str = "Anna") -> str:
        """Pair a phone as with a code, and return its key once the page's process has it."""
        key = self.keys.pair(self.keys.new_code(), name)
        until(lambda: web.ask("GET", "/api/me", key=key)[2].get("paired"), "the phone's key")
        return key

    def show(self, situation: Situation | str) -> None:
        shown = situations()[situation] if isinstance(situation, str) else situation
        view = screen(shown)
        self.publisher.show(shown, view, draw(view))

    def show_after(self, now: Situation, event: Input) -> Situation:
        """Show what an input leads to, and return it."""
        outcome = step(now, event)
        assert outcome is not None
        self.show(outcome.situation)
        return outcome.situation

    def __enter__(self) -> Table:
        self.publisher.start()
        until(self._listens, "the socket")
        return self

    def _listens(self) -> bool:
        """Whether connections are taken, as the kernel lists it: a connection to find out would count as a reader."""
        rows = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()]
        is_there = any(row[-1] == str(self.file) and row[3] == "00010000" for row in rows)
        return is_there and self.file.stat().st_mode & 0o777 == 0o660  # the last step of opening it

    def __exit__(self, *_: object) -> None:
        self.publisher.close()


class Reader:
    """One connection to the publisher, as the page's process has it."""

    def __init__(self, file: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_S)
        # Its file is there a moment before it listens.
        until(lambda: self.socket.connect_ex(str(file)) == 0, "the publisher")
        self.lines = self.socket.makefile("rb")

    def read(self) -> Any:
        line = self.lines.readline()
        return json.loads(line) if line else None

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def ask(self, ask: str, **more: Any) -> Any:
        self.send(json.dumps({"id": "mine", "ask": ask, **more}).encode() + b"\n")
        while (found := self.read()) is not None:
            if found.get("id") == "mine":
                return found
        return None

    def close(self) -> None:
        self.lines.close()
        self.socket.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Web:
    """The page's process."""

    port: int
    process: subprocess.Popen[str]

    def ask(self, method: str, path: str, body: Any = None, key: str = "", **headers: str) -> tuple[int, Any, Any]:
        """Send a request; return status, headers and the decoded JSON, of events the first table."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            more = {name.replace("_", "-"): value for name, value in headers.items()}
            if key:
                more["authorization"] = f"Bearer {key}"
            if body is not None and not isinstance(body, bytes):
                more.setdefault("content-type", "application/json")
                body = json.dumps(body).encode()
            connection.request(method, path, body, more)
            answer = connection.getresponse()
            kind = answer.headers.get("content-type", "")
            if kind.startswith("text/event-stream"):
                return answer.status, answer.headers, table_in(answer)
            data = answer.read()
            return answer.status, answer.headers, json.loads(data) if kind.startswith("application/json") else data
        finally:
            connection.close()

    def answers(self) -> bool:
        """Whether anybody listens at the port."""
        try:
            return bool(self.ask("GET", "/api/me")[0])
        except OSError:
            return False

    def rss_kb(self) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0])


def free_port() -> int:
    """A free port, from a range that the system does not use for outgoing connections: one could take it meanwhile."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@contextlib.contextmanager
def program(*words: str, log: IO[bytes] | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run Python with a program for the page; `log` gets what it writes to its log."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        finally:
            process.kill()
            process.stdout.close()


SERVES = """
import logging, pathlib, sys
from device.page.web_side.server import PageServer, bound
logging.basicConfig(level=logging.WARNING, format="%(message)s")
server = PageServer(pathlib.Path(sys.argv[1]), bound("127.0.0.1", 0))
print(server.address)
server.serve()
"""


@contextlib.contextmanager
def page_process(file: Path, log: IO[bytes] | None = None) -> Iterator[Web]:
    """Serve the page as the simulated box does, at once and at any port, but in a process of its own."""
    with program("-c", SERVES, str(file), log=log) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        yield Web(int(address.rstrip("/").rpartition(":")[2]), process)


@contextlib.contextmanager
def page_unit(file: Path, folder: Path) -> Iterator[Web]:
    """Start the page's process as its unit does: it serves while the players want it to."""
    port = free_port()
    settings = folder / "config.toml"
    settings.write_text(f'[web]\nbind = "127.0.0.1"\nport = {port}\n')
    with program("-m", "device.cli", "web", "--socket", str(file), "--config", str(settings)) as process:
        yield Web(port, process)


@contextlib.contextmanager
def simulated_box(folder: Path, *options: str, ends_by: int = signal.SIGTERM) -> Iterator[tuple[str, Web]]:
    """Start `cantstop play --simulate` without a terminal; yield the page's link, and the box."""
    command = [sys.executable, "-m", "device.cli", "play", "--simulate", *options]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment
    ) as program:
        try:
            assert program.stdout is not None
            link = program.stdout.readline().split()[-1]
            yield link, Web(int(link.split(":")[2].partition("/")[0]), program)
        finally:
            program.send_signal(ends_by)
            program.wait(PATIENCE_S)
