"""What stands before the page: who sends too much, too often, or to a name that is not the box's, is turned away."""

from __future__ import annotations

import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_PATH = 120
"""The longest path, in bytes."""
MOST_QUERY = 64
MOST_BODY = 1024
"""The longest body, in bytes; the longest that is of use has about 150."""
PER_S, BURST = 20.0, 60.0
"""Requests a second that one address may make for long, and how many at once."""
ASSET_COST = 0.2
"""What a file of the page counts, beside a question: a page that is opened asks for a dozen at once."""
MOST_ADDRESSES = 256
"""So many addresses are remembered, those that came last."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rate:
    """Counts requests by address: `PER_S` for long, `BURST` at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count.

        Args:
            clock: Seconds.
        """
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allows(self, address: str, cost: float = 1.0) -> bool:
        """Count a request, and tell whether it is one too many."""
        now = self._clock()
        bucket = self._buckets.pop(address, None) or _Bucket(BURST, now)
        bucket.left = min(BURST, bucket.left + (now - bucket.at) * PER_S)
        bucket.at = now
        self._buckets[address] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if bucket.left < cost:
            return False
        bucket.left -= cost
        return True


def host_is_known(host: str, names: Collection[str]) -> bool:
    """Tell whether a Host header names this box: by any address, or by one of its names.

    Another name may be one that a stranger's page has made to point here (DNS rebinding), so that it could read this
    page with the visitor's browser.
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    if name.lower().rstrip(".") in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Stands before the page's own code."""

    def __init__(self, page: ASGIApp, names: Collection[str], rate: Rate | None = None) -> None:
        """Stand there.

        Args:
            page: What is guarded.
            names: The box's names in small letters, such as "cantstop.local".
            rate: Counts requests.
        """
        self._page = page
        self._names = frozenset(names)
        self._rate = rate or Rate()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._page(scope, receive, send)
            return
        if scope["type"] != "http":  # no websockets here
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*headers, *HEADERS]}
            await send(message)

        if refusal := self._refusal(scope):
            status, kind, text = refusal
            await respond(answer, status, {"error": kind, "text": text})
            return
        await self._page(scope, _limited(receive), answer)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        method: str = scope["method"]
        host = headers.get(b"host", b"").decode("latin-1")
        if not host_is_known(host, self._names):
            return 421, "host", "this page is not served under that name"
        if method not in {"GET", "HEAD", "POST", "DELETE"}:
            return 405, "bad", "no such method here"
        if len(scope.get("raw_path") or b"") > MOST_PATH or len(scope["query_string"]) > MOST_QUERY:
            return 414, "bad", "too long an address"
        if method in {"POST", "DELETE"}:
            origin = headers.get(b"origin", b"").decode("latin-1")
            if origin and origin.lower() != f"http://{host}".lower():
                return 403, "origin", "asked by another site's page"
            length = headers.get(b"content-length", b"0")
            if not length.isdigit() or len(length) > 9 or int(length) > MOST_BODY:
                return 413, "bad", "too long a body"
        client = scope.get("client")
        cost = ASSET_COST if str(scope["path"]).startswith("/assets/") else 1.0 if method == "GET" else 2.0
        if not self._rate.allows(client[0] if client else "", cost):
            return 429, "busy", "too many requests: wait a second"
        return None


def _limited(receive: Receive) -> Receive:
    """Cut a body that is longer than it said, or than is allowed."""
    got = 0

    async def limited() -> Message:
        nonlocal got
        message = await receive()
        if message["type"] == "http.request":
            got += len(message.get("body", b""))
            if got > MOST_BODY:
                return {"type": "http.disconnect"}
        return message

    return limited


async def respond(send: Send, status: int, data: object) -> None:
    """Answer with JSON."""
    body = json.dumps(data).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
