"""The limit of connections: beyond it, the oldest connection of an unpaired client is closed.

No time limits are needed against slow clients: until it is closed, a connection costs little memory and delays nobody.
"""

from __future__ import annotations

import asyncio

from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 96
"""The most connections in all; a browser opens six."""


class Connection(H11Protocol):
    """A connection, which the application finds in the state of its requests."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, and close the oldest one of an unpaired client if there are now too many."""
        super().connection_made(transport)
        self.app_state = {"connection": self}
        self.since = self.loop.time()
        self.is_paired = False
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


def mark_paired(scope: Scope) -> None:
    """Keep the connection of a request, which comes from a paired phone."""
    connection = scope.get("state", {}).get("connection")
    if isinstance(connection, Connection):
        connection.is_paired = True
