"""The page's process, assembled from its parts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from device.page.web_side.app import Page
from device.page.web_side.assets import Assets
from device.page.web_side.box_connection import BoxConnection
from device.page.web_side.past_games import PastGames
from device.page.web_side.request_filter import RequestFilter
from device.page.web_side.server import address_of, listen, made, names_of

MEETS_S = 5.0
"""The longest wait for the box before the address is printed, in seconds: a request before it is connected fails."""


def serve(
    socket_file: Path,
    listener: socket.socket,
    name: str,
    told: Callable[[str], object],
    *,
    while_wanted: bool = False,
    while_open: int | None = None,
) -> None:
    """Serve the page until a signal ends it.

    Args:
        socket_file: The box's socket; it may appear later, and disappear and return.
        listener: A bound socket, which is closed at the end.
        name: The box's name in its network, without ".local".
        told: Called with the page's address, once the box is connected or `MEETS_S` have passed.
        while_wanted: Whether to end, and free the port, when the players no longer want a page.
        while_open: A pipe; the process ends when its other end is closed. None for none.
    """

    async def run() -> None:
        def on_wanted(is_wanted: bool) -> None:
            if while_wanted and not is_wanted:
                server.should_exit = True

        async def tell() -> None:
            with contextlib.suppress(TimeoutError), link.viewing() as changed:
                async with asyncio.timeout(MEETS_S):
                    while not link.is_up:
                        changed.clear()
                        await changed.wait()
            told(address_of(listener))

        link = BoxConnection(socket_file, lambda: address_of(listener), on_wanted)
        past = PastGames()
        server = made(RequestFilter(Page(link, Assets(), past).app, names_of(name), link.is_paired))
        if while_open is not None:
            asyncio.get_running_loop().add_reader(while_open, _end_if_closed, while_open, server)
        talking = asyncio.create_task(link.run())
        telling = asyncio.create_task(tell())
        try:
            await server.serve(sockets=[listener])
        finally:
            for task in (telling, talking):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
            await past.close()

    with listener:
        listen(listener)
        asyncio.run(run())


def _end_if_closed(pipe: int, server: uvicorn.Server) -> None:
    """End when the parent process is gone: the pipe is closed by its end, however that came."""
    if not os.read(pipe, 4096):
        asyncio.get_running_loop().remove_reader(pipe)
        server.should_exit = True
