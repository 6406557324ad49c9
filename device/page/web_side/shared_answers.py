"""Shared answers: however many clients make the same request within a moment, the box gets it once."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

MOST_KEPT = 16
"""The number of cached answers, the most recent ones; each has up to 0.3 MB."""


class SharedAnswers:
    """Caches each answer for a moment; identical requests wait for the one in progress."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare; `clock` returns the time in seconds."""
        self._clock = clock
        self._known: OrderedDict[Hashable, tuple[float, bytes]] = OrderedDict()
        self._asking: dict[Hashable, asyncio.Future[bytes]] = {}

    async def get(self, key: Hashable, fresh_s: float, ask: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return an answer to the request `key` that is no older than `fresh_s` seconds; `ask` sends it to the box.

        An error is raised to all that waited for the same request.
        """
        if (known := self._known.get(key)) and self._clock() - known[0] < fresh_s:
            return known[1]
        if (asking := self._asking.get(key)) is None:
            asking = self._asking[key] = asyncio.ensure_future(ask())
            asking.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(asking)  # a client that leaves does not cancel the request for the others

    def _keep(self, key: Hashable, done: asyncio.Future[bytes]) -> None:
        del self._asking[key]
        if not done.cancelled() and done.exception() is None:
            self._known.pop(key, None)
            self._known[key] = self._clock(), done.result()
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
