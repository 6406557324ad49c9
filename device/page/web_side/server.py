"""uvicorn as this page needs it: asleep while nobody asks, and impatient with who holds a connection for nothing."""

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

from device.page.web_side.guard import source

HEADERS_S = 8.0
"""How long a new connection may take to send its first request."""
BODY_S = 8.0
KEEP_ALIVE_S = 15
MOST_CONNECTIONS = 96
"""In all."""
MOST_OF_ONE = 24
"""Of one source; a browser opens six."""
BACKLOG = 64
MOST_HEADERS = 8192
"""The longest headers of a request, in bytes."""


class Connections:
    """All connections. Where there are too many, strangers lose theirs before a paired phone does."""

    def __init__(self, may_err: Callable[[str], bool] = lambda _: True) -> None:
        """Begin with none.

        Args:
            may_err: Counts a request that makes no sense, told its source; whether it is still worth an answer.
        """
        self.open: dict[tuple[str, int], Connection] = {}
        self.may_err = may_err

    def take_in(self, connection: Connection) -> None:
        """Take a connection in, and cut off another if there are too many now.

        Of too many from one source the oldest goes, of too many in all the oldest of the source that has the most; a
        connection by which a paired phone has asked stays. Where all others are such, the new one goes.
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
        self.lost(gone)  # it ends in the loop's next round, and many may come in this one
        gone.transport.abort()

    def lost(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        if connection.client is not None and self.open.get(connection.client) is connection:
            del self.open[connection.client]

    def vouch(self, client: tuple[str, int]) -> None:
        """Take a connection for one of a paired phone's."""
        if connection := self.open.get((client[0], client[1])):
            connection.is_phones = True

    def abort(self, client: tuple[str, int]) -> None:
        """Cut the connection of a reader that takes nothing."""
        if connection := self.open.get((client[0], client[1])):
            connection.transport.abort()


class Connection(H11Protocol):
    """One connection, with a deadline for what it is to send."""

    who: Connections
    """Of all connections of this server; set in a subclass of it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many."""
        super().connection_made(transport)
        self.source = source(self.client[0] if self.client else "")
        self.is_phones = False
        self._deadline = self.loop.call_later(HEADERS_S, self._late)
        self.who.take_in(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._deadline.cancel()
        self.who.lost(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take data; each request must be whole within its time."""
        super().data_received(data)
        # Data of the next request may follow the last one's at once, or come while its answer is still on its way.
        self._deadline.cancel()
        if self.cycle is None or (self.cycle.response_complete and self.timeout_keep_alive_task is None):
            self._deadline = self.loop.call_later(HEADERS_S, self._late)
        elif self.cycle.more_body and not self.cycle.response_complete:
            self._deadline = self.loop.call_later(BODY_S, self._late)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, as long as its source has sent little of that."""
        if self.who.may_err(self.source):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _late(self) -> None:
        self.transport.abort()


class Server(uvicorn.Server):
    """A server that sleeps until it is asked or told to end; uvicorn's own wakes ten times a second."""

    def __init__(self, page: ASGIApp, connections: Connections) -> None:
        """Prepare; `serve` begins.

        Args:
            page: What answers.
            connections: Counts who is connected.
        """
        # uvicorn warns of each request that makes no sense: a stranger could fill the log.
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
                date_header=False,  # it would need the clock that wakes ten times a second
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=2,
                h11_max_incomplete_event_size=MOST_HEADERS,
                backlog=BACKLOG,
            )
        )
        self._told = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        """Wait for the end."""
        self._loop = asyncio.get_running_loop()
        await self.on_tick(0)
        if not self.should_exit:
            await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; who was let in a moment ago is answered or cut off, as all others are.

        asyncio forgets a connection whose port is closed between its acceptance and its first step: it would stay open
        and never be answered (python/cpython#109564). So nobody else is let in, and those take that step and are
        known, before the port is closed.

        Args:
            sockets: The open ports.
        """
        for listener in sockets or []:
            asyncio.get_running_loop().remove_reader(listener)
        await asyncio.sleep(0)  # they take that step,
        await asyncio.sleep(0)  # and are known
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal."""
        super().handle_exit(sig, frame)
        self.end()

    def end(self) -> None:
        """End; from any thread."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._told.set)


def bound(bind: str, port: int) -> socket.socket:
    """Return a socket bound to an address and a port.

    Raises:
        OSError: If it cannot be had; the message names it and the remedy.
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
            f"the page cannot be served on {bind}, port {port}: {error.strerror}; is another program there? "
            "Choose another [web] port or bind in the settings.",
        ) from error
    return listener


def listen(listener: socket.socket) -> None:
    """Take connections at a bound socket from now on; whoever is told its address may ask at once."""
    # A reader that takes nothing is to fill little memory before it is noticed.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
    listener.listen(BACKLOG)
    listener.setblocking(False)


def address_of(listener: socket.socket, prefer: str = "") -> str:
    """Tell where the page can be had from another machine: http://ADDRESS:PORT/.

    Args:
        listener: The open port.
        prefer: What to say instead of an address.
    """
    bind, port = listener.getsockname()[:2]
    host: str = prefer or bind
    if host in {"0.0.0.0", "::"}:
        host = _own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_address() -> str:
    """Return the address that this machine has in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples (RFC 5737): a datagram's connect only looks up
            return str(probe.getsockname()[0])
        except OSError:
            return f"{socket.gethostname().partition('.')[0]}.local"


def names_of(name: str) -> set[str]:
    """List the names under which the page answers."""
    own = socket.gethostname().lower().partition(".")[0]
    known: list[Any] = [name, own]
    return {"localhost", *known, *(f"{each}.local" for each in known)}
