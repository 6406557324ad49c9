"""Answers that several askers share: the box is asked once, however many ask the same within a moment."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

MOST_KEPT = 16
"""The number of answers kept, the latest; one has up to 0.3 MB."""


class SharedAnswers:
    """Keeps each answer for a moment, and lets who asks meanwhile wait for the question under way."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare.

        Args:
            clock: Seconds.
        """
        self._clock = clock
        self._known: OrderedDict[Hashable, tuple[float, bytes]] = OrderedDict()
        self._asking: dict[Hashable, asyncio.Future[bytes]] = {}

    async def get(self, key: Hashable, fresh_s: float, ask: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return an answer that is no older than `fresh_s`; a question that fails is everybody's who waited for it.

        Args:
            key: What is asked.
            fresh_s: How old the answer may be, in seconds.
            ask: Asks the box.
        """
        if (known := self._known.get(key)) and self._clock() - known[0] < fresh_s:
            return known[1]
        if (asking := self._asking.get(key)) is None:
            asking = self._asking[key] = asyncio.ensure_future(ask())
            asking.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(asking)  # one who leaves does not end the question of the others

    def _keep(self, key: Hashable, done: asyncio.Future[bytes]) -> None:
        del self._asking[key]
        if not done.cancelled() and done.exception() is None:
            self._known.pop(key, None)
            self._known[key] = self._clock(), done.result()
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
