"""uvicorn as this page needs it: asleep without requests, and strict with connections that send nothing."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from device.page.web_side.request_filter import source

HEADERS_S = 8.0
"""The time limit for a new connection to send its first request, in seconds."""
BODY_S = 8.0
KEEP_ALIVE_S = 15
MOST_CONNECTIONS = 96
"""The most connections in all."""
MOST_OF_ONE = 24
"""The most connections of one source; a browser opens six."""
BACKLOG = 64
MOST_HEADERS = 8192
"""The longest headers of a request, in bytes."""


class Connections:
    """All connections. If there are too many, strangers' are closed before those of paired phones."""

    def __init__(self, may_err: Callable[[str], bool] = lambda _: True) -> None:
        """Start; `may_err` counts an invalid request from a source and returns whether it is still answered."""
        self.open: dict[tuple[str, int], Connection] = {}
        self.may_err = may_err

    def take_in(self, connection: Connection) -> None:
        """Add a connection, and close another one if there are now too many.

        If one source has too many, its oldest is closed; if there are too many in all, the oldest of the source with
        the most. A connection on which a paired phone has made a request stays. If all others are such, the new one is
        closed.
        """
        if connection.client is None:
            return
        self.open[connection.client] = connection
        counts = Counter(each.source for each in self.open.values())
        if counts[connection.source] > MOST_OF_ONE:
            crowd = {connection.source}
        elif counts.total() > MOST_CONNECTIONS:
            crowd = {each.source for each in self.open.values() if not each.is_phones}
            most = max((counts[each] for each in crowd), default=0)
            crowd = {each for each in crowd if counts[each] == most}
        else:
            return
        others = [each for each in self.open.values() if each.source in crowd and not each.is_phones]
        gone = others[0] if others else connection
        self.lost(gone)  # it ends in the loop's next iteration, and many may be accepted in this one
        gone.transport.abort()

    def lost(self, connection: Connection) -> None:
        """Remove a connection that has ended."""
        if connection.client is not None and self.open.get(connection.client) is connection:
            del self.open[connection.client]

    def mark_paired(self, client: tuple[str, int]) -> None:
        """Mark a connection as a paired phone's."""
        if connection := self.open.get((client[0], client[1])):
            connection.is_phones = True

    def abort(self, client: tuple[str, int]) -> None:
        """Close the connection of a reader that blocks."""
        if connection := self.open.get((client[0], client[1])):
            connection.transport.abort()


class Connection(H11Protocol):
    """One connection, with a deadline for its next request."""

    who: Connections
    """The registry of this server's connections; set in a subclass of each server."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, unless there are too many."""
        super().connection_made(transport)
        self.source = source(self.client[0] if self.client else "")
        self.is_phones = False
        self._deadline = self.loop.call_later(HEADERS_S, self._late)
        self.who.take_in(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._deadline.cancel()
        self.who.lost(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle received data; each request must be complete within its time."""
        super().data_received(data)
        # The next request may follow at once, or arrive while the last response is still being sent.
        self._deadline.cancel()
        if self.cycle is None or (self.cycle.response_complete and self.timeout_keep_alive_task is None):
            self._deadline = self.loop.call_later(HEADERS_S, self._late)
        elif self.cycle.more_body and not self.cycle.response_complete:
            self._deadline = self.loop.call_later(BODY_S, self._late)

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid request, as long as its source has sent few of them."""
        if self.who.may_err(self.source):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _late(self) -> None:
        self.transport.abort()


class Server(uvicorn.Server):
    """A server that sleeps until there is a request or it is to end; uvicorn's own wakes up ten times a second."""

    def __init__(self, page: ASGIApp, connections: Connections) -> None:
        """Prepare; `serve` begins."""
        # uvicorn logs a warning for each invalid request: a stranger could fill the log.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        protocol = type("PageConnection", (Connection,), {"who": connections})
        super().__init__(
            uvicorn.Config(
                page,
                http=protocol,
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,  # it would need the clock that wakes up ten times a second
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=2,
                h11_max_incomplete_event_size=MOST_HEADERS,
                backlog=BACKLOG,
            )
        )
        self._told = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        """Wait until the server is to end."""
        self._loop = asyncio.get_running_loop()
        await self.on_tick(0)
        if not self.should_exit:
            await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down; connections accepted a moment ago are answered or closed like all others.

        asyncio forgets a connection whose port is closed between its acceptance and its first step; it would stay open
        and never be answered (python/cpython#109564). So no more connections are accepted, and the accepted ones take
        that step and are registered, before the port is closed.
        """
        for listener in sockets or []:
            asyncio.get_running_loop().remove_reader(listener)
        await asyncio.sleep(0)  # they take that step,
        await asyncio.sleep(0)  # and are registered
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        super().handle_exit(sig, frame)
        self.end()

    def end(self) -> None:
        """End the server; from any thread."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._told.set)


def bound(bind: str, port: int) -> socket.socket:
    """Return a socket bound to an address and a port.

    Raises:
        OSError: If the port is not available; the message names it and the remedy.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((bind, port))
    except OSError as error:
        listener.close()
        raise OSError(
            error.errno,
            f"the page cannot be served on {bind}, port {port}: {error.strerror}; is another program using it? "
            "Choose another [web] port or bind in the settings.",
        ) from error
    return listener


def listen(listener: socket.socket) -> None:
    """Accept connections at a bound socket from now on, so that the address can be published."""
    # A reader that blocks must not fill much memory before it is noticed.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
    listener.listen(BACKLOG)
    listener.setblocking(False)


def address_of(listener: socket.socket) -> str:
    """Return the page's address for other machines: http://ADDRESS:PORT/."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:
        host = _own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_address() -> str:
    """Return this machine's own address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # for documentation (RFC 5737): nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return f"{socket.gethostname().partition('.')[0]}.local"


def names_of(name: str) -> set[str]:
    """Return the names under which the page answers."""
    own = socket.gethostname().lower().partition(".")[0]
    known: list[Any] = [name, own]
    return {"localhost", *known, *(f"{each}.local" for each in known)}
