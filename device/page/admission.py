"""Who may make a request: the check that a phone is paired, before anything is answered.

Both halves of the page check here. Its own process turns strangers away without asking the box; the box checks every
request that reaches it once more, by the keys themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from device.page.requests import Access, Request
from device.page.wire import RequestError


def admit(request: Request, is_paired: Callable[[], bool], *, watch: bool) -> None:
    """Reject a request that only paired phones may make, unless it comes from one.

    Args:
        request: The request.
        is_paired: Returns whether it comes from a paired phone; called only if that matters.
        watch: Whether the settings let everyone watch.

    Raises:
        RequestError: "key" if only paired phones may make it.
    """
    needs_key = request.access is Access.KEY or (request.access is Access.LOOK and not watch)
    if needs_key and not is_paired():
        raise RequestError("key", "only paired phones may do this: pair yours with the code that the box shows")
