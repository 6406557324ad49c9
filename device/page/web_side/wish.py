"""Waits until the players want a page. The page's code is loaded only then, so an unwanted page costs nothing."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from device.page.web_side.link import Link


def await_wish(socket_file: Path) -> None:
    """Wait until the box says that a page is wanted.

    Args:
        socket_file: The box's socket; it may appear later, and disappear and return.
    """
    asyncio.run(_wait(socket_file))


async def _wait(socket_file: Path) -> None:
    wanted = asyncio.Event()
    link = Link(socket_file, lambda: "", lambda is_wanted: wanted.set() if is_wanted else None)
    talking = asyncio.create_task(link.run())
    await wanted.wait()
    talking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await talking
