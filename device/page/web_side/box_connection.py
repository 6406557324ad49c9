"""The page's connection to the box: one connection, reopened when it is lost, and idle while nobody watches."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path

from device.page.wire import MAX_REPLY_BYTES, VERSION, Data, RequestError, hash_of, pack, unpack

HELLO_S = 10.0
"""The time limit for the box's first message, in seconds."""
FIRST_RETRY_S, LONGEST_RETRY_S = 0.25, 5.0

_log = logging.getLogger(__name__)


class RequestQueue(Enum):
    """The queues of requests to the box, each with a limit of its own, which is the value."""

    STRANGERS = 8
    PHONES = 16
    PRESSES = 12


class BoxConnection:
    """Sends requests to the box, and holds its newest snapshot while somebody watches. Use it from one event loop."""

    def __init__(self, file: Path, address: Callable[[], str], on_wanted: Callable[[bool], object]) -> None:
        """Prepare; `run` connects.

        Args:
            file: The box's socket.
            address: Returns the address of this page for the OLED; "" if it cannot be reached.
            on_wanted: Called with whether the players want a page.
        """
        self._file = file
        self._address = address
        self._heard_wish = on_wanted
        self._writer: asyncio.StreamWriter | None = None
        self.met = asyncio.Event()
        """Set once the box was connected."""
        self._open: dict[int, asyncio.Future[Data]] = {}
        self._waiting: Counter[RequestQueue] = Counter()
        self._numbers = itertools.count(1)
        self._viewers: set[asyncio.Event] = set()
        self._phones: frozenset[str] = frozenset()
        self.watch = False
        """Whether phones that are not paired may watch."""
        self.journal = Path()
        """The box's journal; only the past games beside it are read."""
        self.table: bytes = b""
        """The newest snapshot as JSON; empty while the box is away or nobody watches."""

    @property
    def is_up(self) -> bool:
        """Whether the box is connected."""
        return self._writer is not None

    def is_paired(self, key: str) -> bool:
        """Whether a key belongs to a paired phone, by the box's last list; the box checks each request again."""
        return bool(key) and hash_of(key) in self._phones

    async def run(self) -> None:
        """Keep the connection open, forever."""
        retry_s = FIRST_RETRY_S
        while True:
            try:
                lines, writer = await asyncio.open_unix_connection(self._file, limit=MAX_REPLY_BYTES)
            except OSError:
                await asyncio.sleep(retry_s)
                retry_s = min(2 * retry_s, LONGEST_RETRY_S)
                continue
            try:
                await self._meet(lines, writer)
                retry_s = FIRST_RETRY_S
                while line := await lines.readline():
                    await self._take(unpack(line))
            except (OSError, ValueError, KeyError, TypeError) as error:
                _log.warning("lost the connection to the box: %s", error)
                await asyncio.sleep(FIRST_RETRY_S)
            finally:
                self._lost()
                writer.transport.abort()

    async def ask(self, ask: str, queue: RequestQueue, wait_s: float, file: bytes = b"", **more: object) -> Data:
        """Send a request, its values and a file to the box; return its answer, which may take `wait_s`.

        Raises:
            RequestError: With the box's own reason, or "away", "busy", "late".
        """
        if self._writer is None:
            raise RequestError("away", "the box is switched off or starting")
        if self._waiting[queue] >= queue.value:
            raise RequestError("busy", "too many requests at once")
        number = next(self._numbers)
        answer: asyncio.Future[Data] = asyncio.get_running_loop().create_future()
        self._open[number] = answer
        self._waiting[queue] += 1
        try:
            size = {"bytes": len(file)} if file else {}
            self._writer.write(pack({"id": number, "ask": ask, **size, **more}))
            self._writer.write(file)
            return await asyncio.wait_for(answer, wait_s)
        except TimeoutError:
            raise RequestError("late", "the box does not answer") from None
        finally:
            self._open.pop(number, None)
            self._waiting[queue] -= 1

    @contextlib.contextmanager
    def viewing(self) -> Iterator[asyncio.Event]:
        """Watch the table: yields an event that is set whenever `table`, `is_up` or the paired phones have changed."""
        changed = asyncio.Event()
        changed.set()
        self._viewers.add(changed)
        if len(self._viewers) == 1:
            self._send({"ask": "follow"})
        try:
            yield changed
        finally:
            self._viewers.discard(changed)
            if not self._viewers:
                self.table = b""
                self._send({"ask": "rest"})

    async def _meet(self, lines: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = unpack(await asyncio.wait_for(lines.readline(), HELLO_S))
        if hello.get("hello") != VERSION:
            raise ValueError(f"the box speaks version {hello.get('hello')}, this page {VERSION}: install both again")
        self.watch = bool(hello["watch"])
        self.journal = Path(hello["journal"])
        self._writer = writer
        self.met.set()
        self._hear(hello)
        self._tell_address()
        if self._viewers:
            self._send({"ask": "follow"})

    async def _take(self, message: Data) -> None:
        if "snapshot" in message:
            # The page's JSON is created once for all viewers.
            self.table = json.dumps(message["snapshot"], separators=(",", ":")).encode()
            self._changed()
        elif "phones" in message:
            self._hear(message)
        elif message.get("tell") == "address":
            self._tell_address()
        elif answer := self._open.get(message["id"]):
            if answer.done():
                return
            if "error" in message:
                answer.set_exception(RequestError(str(message["error"]), str(message["text"])))
            else:
                answer.set_result(message["data"])

    def _hear(self, known: Data) -> None:
        self._phones = frozenset(map(str, known["phones"]))
        self._changed()
        if known["wanted"] is not None:
            self._heard_wish(bool(known["wanted"]))

    def _tell_address(self) -> None:
        if address := self._address():
            self._send({"ask": "serves", "address": address})

    def _send(self, message: Data) -> None:
        if self._writer is not None:
            self._writer.write(pack(message))

    def _lost(self) -> None:
        self._writer = None
        self.table = b""
        for answer in self._open.values():
            if not answer.done():
                answer.set_exception(RequestError("away", "the box was switched off"))
        self._changed()

    def _changed(self) -> None:
        for viewer in self._viewers:
            viewer.set()


def wait_until_wanted(socket_file: Path) -> None:
    """Wait until the box at this socket, which may appear later, says that a page is wanted."""
    asyncio.run(_wait(socket_file))


async def _wait(socket_file: Path) -> None:
    wanted = asyncio.Event()
    link = BoxConnection(socket_file, lambda: "", lambda is_wanted: wanted.set() if is_wanted else None)
    talking = asyncio.create_task(link.run())
    await wanted.wait()
    talking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await talking
