"""The HTTP server, uvicorn, and its socket."""

from __future__ import annotations

import logging
import socket

import uvicorn
from starlette.types import ASGIApp

from device.page.web_side.connection_limit import Connection

KEEP_ALIVE_S = 15
BACKLOG = 64
MOST_HEADERS = 8192
"""The longest headers of a request, in bytes."""


def made(page: ASGIApp) -> uvicorn.Server:
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
    known = [name, own]
    return {"localhost", *known, *(f"{each}.local" for each in known)}
