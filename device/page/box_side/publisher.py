"""Publishes the table over a Unix socket, for the page's process. The loop hands over what it has shown and goes on.

Everything here runs in a thread of its own. A slow reader gets only the newest snapshot, and one that accepts none for
`SLOW_S` is dropped. A socket that cannot be opened is logged and retried, and never affects a game.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from device.page.box_side.answers import Answers
from device.page.box_side.snapshot import Shown, snapshot
from device.page.routes import MOST_FILE, Place
from device.page.wire import MAX_REQUEST_BYTES, VERSION, Data, RequestError, pack, unpack
from device.referee.inputs import PageReady
from device.referee.states import ShowingPage, Situation
from device.screens.screen import Screen
from engine import Position
from engine.opponents.strongest import value

SLOW_S = 5.0
"""The time after which a blocked reader is dropped, in seconds."""
RETRY_S = 10.0
"""The pause after which a failed socket is retried, in seconds."""
ADDRESS_S = 2.0
"""The time limit for the page's process to send its address, in seconds."""
BEGINS_S = 20.0
"""The same while the page may still be starting, in seconds; a Zero 2 W needs some seconds to load it."""
END_S = 3.0
LAST_ROUNDS = 20
"""The loop's iterations in which a connection that was being accepted is accepted and closed."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Reader:
    """One connection."""

    writer: asyncio.StreamWriter
    news: asyncio.Event = field(default_factory=asyncio.Event)
    follows: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    knows: Data = field(default_factory=dict)

    async def send(self, message: Data) -> None:
        """Send a message."""
        async with self.lock:
            self.writer.write(pack(message))
            await asyncio.wait_for(self.writer.drain(), SLOW_S)


class Publisher:
    """Serves the socket from its own thread."""

    def __init__(self, file: Path, answers: Answers) -> None:
        """Prepare; `start` begins. The socket's folder is created if it is missing."""
        self._file = file
        self.answers = answers
        """Answers the page's requests."""
        self._keys = answers.keys
        self._shown: Shown | None = None
        self._told: Shown | None = None
        self._data: Data = {}
        self._chance: tuple[Position | None, float | None] = None, None
        self._serial = 0
        self._page: ShowingPage | None = None
        self._asking: asyncio.Task[None] | None = None
        self._wanted: bool | None = None
        self._address = ""
        self._readers: set[_Reader] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = asyncio.Event()
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="answers")
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        """Start serving."""
        self._loop = asyncio.new_event_loop()
        self._keys.changed = lambda: self._call(self._tell_all)
        self._thread.start()

    def close(self) -> None:
        """Stop, and remove the socket."""
        self._call(self._ended.set)
        self._thread.join(END_S)
        self._slow.shutdown(wait=False, cancel_futures=True)

    def show(self, situation: Situation, screen: Screen, oled: Image.Image) -> None:
        """Publish what the loop has shown. Never waits: it sets a note and returns."""
        self._shown = Shown(situation, screen, oled)
        self._call(self._changed)

    def _call(self, what: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe(what)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # it also ends what serves the readers
                runner.run(self._serve())
        except Exception:
            _log.exception("the table is no longer published; the game goes on without the page")

    async def _serve(self) -> None:
        """Serve until the end; a socket that fails is retried."""
        while not self._ended.is_set():
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
                self._file.unlink(missing_ok=True)
                server = await asyncio.start_unix_server(self._meet, self._file, limit=MAX_REQUEST_BYTES)
                self._file.chmod(0o660)
            except OSError as error:
                _log.warning("no page: %s: %s", self._file, error)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), RETRY_S)
                continue
            await self._ended.wait()
            for listener in server.sockets:
                # A server that is closed while it accepts a connection leaks that socket.
                self._loop.remove_reader(listener.fileno())
            for _ in range(LAST_ROUNDS):
                await asyncio.sleep(0)
            server.close()
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)

    def _changed(self) -> None:
        shown = self._shown
        if shown is None:
            return
        self._tell_all()
        situation = shown.situation
        self.answers.see(situation)
        state = situation.beneath
        wish, self._wanted = self._wanted, situation.preferences.page
        page = state if isinstance(state, ShowingPage) else None
        was, self._page = self._page, page
        if page is None:
            if was is not None:
                self._keys.no_code()
        elif page.send_away:
            self._keys.unpair_all()
            self._tell_page()
        elif page.page is None and (was is None or was.page is not None or wish != self._wanted):
            if self._asking is not None:
                self._asking.cancel()
            self._asking = self._spawn(self._show_page())

    async def _show_page(self) -> None:
        """Request the page's address and show it with a code on the OLED; create another code when that one expires."""
        self._address = ""
        for reader in list(self._readers):
            with contextlib.suppress(OSError, TimeoutError):
                await reader.send({"tell": "address"})
        until = self._loop.time() + (BEGINS_S if self._wanted else ADDRESS_S)
        while not self._address and self._page is not None and self._loop.time() < until:
            await asyncio.sleep(0.05)
        if self._page is not None:
            self._keys.new_code()
            self._tell_page()
        while self._page is not None:
            await asyncio.sleep(0.5)
            page = self._page.page if self._page is not None else None
            if page is not None and page.address:
                is_void = self._keys.code_is_void
                if is_void:
                    self._keys.new_code()
                if is_void or page.guessed_at != self._keys.is_guessed_at:
                    self._tell_page()

    def _tell_page(self) -> None:
        code = self._keys.code if self._address else ""
        self.answers.put(PageReady(self._address, code, len(self._keys.phones()), guessed_at=self._keys.is_guessed_at))

    def _tell_all(self) -> None:
        """Send all readers what has changed."""
        for reader in self._readers:
            reader.news.set()

    def _known(self) -> Data:
        """Return what each reader must know: whether a page is wanted, and the valid keys."""
        return {"wanted": self._wanted, "phones": self._keys.hashes()}

    async def _tell_known(self, reader: _Reader) -> None:
        """Send what a reader must know, if it has changed."""
        if (known := self._known()) != reader.knows:
            reader.knows = known
            await reader.send(known)

    def _spawn(self, what: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = self._loop.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _meet(self, lines: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reader = _Reader(writer)
        if self._ended.is_set():
            writer.transport.abort()
            return
        self._readers.add(reader)
        teller = self._loop.create_task(self._tell(reader))
        try:
            reader.knows = self._known()
            await reader.send({"hello": VERSION, **reader.knows, **self.answers.told()})
            # A line over the limit is a ValueError of asyncio, and cannot come from the page.
            while line := await lines.readline():
                message = unpack(line)
                message["file"] = await _file(lines, message.get("bytes", 0))
                self._take(reader, message)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError) as error:
            _log.info("a reader of the table was dropped: %s", error)
        except asyncio.CancelledError:
            pass
        finally:
            teller.cancel()
            self._readers.discard(reader)
            writer.transport.abort()

    async def _tell(self, reader: _Reader) -> None:
        """Send whatever is new, above all the newest snapshot."""
        try:
            while True:
                await reader.news.wait()
                reader.news.clear()
                await self._tell_known(reader)
                if reader.follows and self._shown is not None:
                    await reader.send({"snapshot": self._newest()})
        except (OSError, TimeoutError):
            reader.writer.transport.abort()

    def _newest(self) -> Data:
        """Return the newest snapshot, created once for all readers, and only on demand."""
        shown = self._shown
        assert shown is not None
        if shown is not self._told:
            self._serial += 1
            self._data = snapshot(shown, self._serial) | {"can": self.answers.can(), "hint": self.answers.hint()}
            self._told = shown
            if self._data["odds"]:
                position = shown.situation.played.position
                if self._chance[0] != position:
                    self._chance = position, None
                    if position.players > 1:
                        self._spawn(self._find_chance(position))
                self._data["odds"]["win"] = self._chance[1]
        return self._data

    async def _find_chance(self, position: Position) -> None:
        """Compute the chance to win, which can take seconds, and send the snapshot again."""
        chance = await self._loop.run_in_executor(self._slow, value, position)
        if self._chance[0] == position:  # the game may have gone on
            self._chance = position, chance
            self._told = None
            self._tell_all()

    def _take(self, reader: _Reader, message: Data) -> None:
        """Handle one message from the page."""
        ask = message.get("ask")
        if ask == "serves":
            self._address = str(message.get("address", ""))[:80]
            return
        if ask in ("follow", "rest"):
            reader.follows = ask == "follow"
            reader.news.set()
            return
        self._spawn(self._answer(reader, message))

    async def _answer(self, reader: _Reader, message: Data) -> None:
        """Answer a request; quick ones in the order in which they came."""
        reply: Data = {"id": message.get("id")}
        try:
            place, answer = self.answers.admit(message)
            is_quick = place is Place.QUICK
            data = answer(message) if is_quick else await self._loop.run_in_executor(self._slow, answer, message)
            reply |= {"data": data}
        except RequestError as error:
            reply |= {"error": error.kind, "text": str(error)}
        except Exception:
            _log.exception("a request from the page failed")
            reply |= {"error": "failed", "text": "the box could not answer; its log says why"}
        with contextlib.suppress(OSError, TimeoutError):  # it may have disconnected
            await self._tell_known(reader)  # a newly paired phone is known before it uses its key
            await reader.send(reply)


async def _file(lines: asyncio.StreamReader, size: object) -> bytes:
    """Return the file that follows a request; raise ValueError if its size is invalid."""
    if not isinstance(size, int) or not 0 <= size <= MOST_FILE:
        raise ValueError(f"a file cannot have {size} bytes")
    return await lines.readexactly(size)
