"""The page's process, put together."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from pathlib import Path

from device.web.app import Page
from device.web.assets import Assets
from device.web.guard import Guard
from device.web.link import Link
from device.web.server import Connections, Server, address_of, listen, names_of


def serve(
    socket_file: Path, bind: str, port: int, name: str, told: Callable[[str], object], *, while_wanted: bool = False
) -> None:
    """Serve the page until a signal ends it.

    Args:
        socket_file: The box's socket; it may come later, and go and come again.
        bind: The address to serve on.
        port: The port; 0 for any that is free.
        name: What the box is called in its network, without ".local".
        told: Is told the page's address.
        while_wanted: Whether to end, and free the port, also when the players want no page any more.

    Raises:
        OSError: If the port cannot be had.
    """
    with listen(bind, port) as listener:
        asyncio.run(_serve(socket_file, listener, name, told, while_wanted))


async def _serve(
    socket_file: Path, listener: socket.socket, name: str, told: Callable[[str], object], while_wanted: bool
) -> None:
    def hear_wish(is_wanted: bool) -> None:
        if while_wanted and not is_wanted:
            server.end()

    link = Link(socket_file, lambda: address_of(listener), hear_wish)
    connections = Connections()
    page = Page(link, Assets(), connections.abort)
    server = Server(Guard(page.app, names_of(name)), connections)
    talking = asyncio.create_task(link.run())
    told(address_of(listener))
    try:
        await server.serve(sockets=[listener])
    finally:
        talking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await talking
