"""Who may make a request: the check that a phone is paired, before anything is answered.

Both halves of the page check here. Its own process turns strangers away without asking the box; the box checks every
request that reaches it once more, by the keys themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from device.page.requests import Access, Request
from device.page.wire import RequestError


def admit(request: Request, is_paired: Callable[[], bool], *, watch: bool) -> None:
    """Raise `RequestError` "key" for a request that only paired phones may make, unless it comes from one.

    Args:
        request: The request.
        is_paired: Called only if that matters.
        watch: Whether the settings let everyone watch.
    """
    needs_key = request.access is Access.KEY or (request.access is Access.LOOK and not watch)
    if needs_key and not is_paired():
        raise RequestError("key", "only paired phones may do this: pair yours with the code that the box shows")
