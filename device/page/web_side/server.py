"""The page, assembled from its parts: the HTTP server, uvicorn, and its socket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from device.page.web_side.app import Page
from device.page.web_side.assets import Assets
from device.page.web_side.box_connection import BoxConnection
from device.page.web_side.past_games import PastGames
from device.page.web_side.request_filter import RequestFilter

KEEP_ALIVE_S = 15
BACKLOG = 64
MOST_HEADERS = 8192
"""The longest headers of a request, in bytes."""
MOST_CONNECTIONS = 96
"""The most connections in all, beyond which the oldest one of an unpaired client is closed; a browser opens six."""
MEETS_S = 5.0
"""The longest wait for the box before the first request is answered, in seconds: most need it."""


class PageServer:
    """Serves the page of one box at one socket."""

    def __init__(self, socket_file: Path, listener: socket.socket, *, while_wanted: bool = False) -> None:
        """Prepare; `serve` begins.

        Args:
            socket_file: The box's socket; it may appear later, and disappear and return.
            listener: A bound socket, which is closed at the end.
            while_wanted: Whether to end, and free the port, when the players no longer want a page.
        """
        self._listener = listener
        self._while_wanted = while_wanted
        self._link = BoxConnection(socket_file, lambda: self.address, self._heard_wish)
        self._past = PastGames()
        page = Page(self._link, Assets(), self._past)
        self._server = _made(RequestFilter(page.app, own_names(), self._link.is_paired))

    @property
    def address(self) -> str:
        """The page's address for other machines."""
        return address_of(self._listener)

    def serve(self) -> None:
        """Serve the page until `end`, or in the main thread until a signal ends it."""
        with self._listener:
            # A reader that blocks must not fill much memory before it is noticed.
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
            asyncio.run(self._run())

    def end(self) -> None:
        """End serving; may be called from any thread."""
        self._server.should_exit = True

    async def _run(self) -> None:
        talking = asyncio.create_task(self._link.run())
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._link.met.wait(), MEETS_S)
            await self._server.serve(sockets=[self._listener])
        finally:
            talking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await talking
            await self._past.close()

    def _heard_wish(self, is_wanted: bool) -> None:
        if self._while_wanted and not is_wanted:
            self.end()


class Connection(H11Protocol):
    """A connection; the request filter finds it in the state of its requests, and marks that of a paired phone.

    No time limits are needed against slow clients: until it is closed, a connection costs little memory and delays
    nobody.
    """

    is_paired = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, and close the oldest one of an unpaired client if there are now too many."""
        super().connection_made(transport)
        self.app_state = {"connection": self}
        self.since = self.loop.time()
        held = [each for each in self.connections if isinstance(each, Connection) and not each.transport.is_closing()]
        if len(held) > MOST_CONNECTIONS:
            min((each for each in held if not each.is_paired), key=lambda each: each.since).transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answer data that is not HTTP; a request that breaks off into such data is not answered."""
        if self.cycle is None:
            super().send_400_response(msg)
        else:
            self.cycle.disconnected = True  # its answer, if any, can no longer be sent
            self.transport.abort()


def _made(page: ASGIApp) -> uvicorn.Server:
    """Return a server of a page; set its `should_exit` to end it."""
    # uvicorn logs a warning for each invalid request: a stranger could fill the log.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    return uvicorn.Server(
        uvicorn.Config(
            page,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=MOST_HEADERS,
            backlog=BACKLOG,
        )
    )


def bound(bind: str, port: int) -> socket.socket:
    """Return a socket that listens at an address and a port.

    Raises:
        OSError: If the port is not available; the message names it and the remedy.
    """
    try:
        return socket.create_server((bind, port), family=socket.AF_INET6 if ":" in bind else socket.AF_INET)
    except OSError as error:
        raise OSError(
            error.errno,
            f"the page cannot be served on {bind}, port {port}: {os.strerror(error.errno or 0)}; is another program "
            "using it? Choose another [web] port or bind in the settings.",
        ) from error


def address_of(listener: socket.socket) -> str:
    """Return the page's address for other machines: http://ADDRESS:PORT/."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:
        host = _own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_address() -> str:
    """Return this machine's own address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # For documentation (RFC 5737); in NetworkManager's hotspots, which lead nowhere else.
        for other in ("192.0.2.1", "10.42.0.2"):
            with contextlib.suppress(OSError):
                probe.connect((other, 9))
                return str(probe.getsockname()[0])
    return f"{socket.gethostname().partition('.')[0]}.local"


def own_names() -> set[str]:
    """Return the names under which the page answers."""
    own = socket.gethostname().lower().partition(".")[0]
    return {"localhost", own, f"{own}.local"}
