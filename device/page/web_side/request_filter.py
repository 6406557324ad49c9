"""Request filter: rejects oversized or too frequent requests and unknown Host headers."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from device.page.routes import MOST_BODY, find

PER_S, BURST = 20.0, 60.0
"""The sustained requests per second for each phone or stranger's address, and the burst on top."""
ASSET_COST = 0.2
"""The cost of a file of the page, relative to a request: opening the page loads a dozen at once."""
MOST_COUNTED = 256
"""The number of phones and addresses remembered, the most recent ones."""
HOLD_S = 0.5
"""The delay of the response to a stranger's request over the limit, in seconds."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimiter:
    """Limits the requests of each source: `PER_S` sustained, `BURST` at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with full allowances; `clock` returns the time in seconds."""
        self._clock = clock
        self._buckets: OrderedDict[Hashable, _Bucket] = OrderedDict()

    def allows(self, who: Hashable, cost: float = 1.0) -> bool:
        """Count a request; return whether it is allowed."""
        now = self._clock()
        bucket = self._buckets.pop(who, None) or _Bucket(BURST, now)
        bucket.left = min(BURST, bucket.left + (now - bucket.at) * PER_S)
        bucket.at = now
        self._buckets[who] = bucket
        if len(self._buckets) > MOST_COUNTED:
            self._buckets.popitem(last=False)
        if bucket.left < cost:
            return False
        bucket.left -= cost
        return True


def source_of(scope: Scope) -> str:
    """Return the source of a request for counting, see `source`."""
    client = scope.get("client")
    return source(client[0] if client else "")


def source(address: str) -> str:
    """Return the part of an address that a machine cannot choose freely: of an IPv6 address, the network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    # All machines of a network share the prefix of link-local addresses.
    return address if found.is_link_local else str(ipaddress.ip_network((int(found), 64), strict=False))


def key_of(headers: Headers) -> str:
    """Return a phone's key from a request's headers, or ""."""
    kind, _, key = headers.get("authorization", "").partition(" ")
    return key if kind.lower() == "bearer" else ""


_HOST = re.compile(r"(?:\[(?P<bracketed>[^\[\]]*)\]|(?P<name>[^\[\]:]*))(?::[0-9]{1,5})?")


def host_is_known(host: str, names: Collection[str]) -> bool:
    """Whether a Host header names this box: an address, or one of its names.

    Any other name may belong to a stranger's page and point here (DNS rebinding), so that it could read this page
    through the visitor's browser.
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    if found["bracketed"] is not None:
        return _is_address(found["bracketed"], ipaddress.IPv6Address)
    return found["name"].lower().removesuffix(".") in names or _is_address(found["name"], ipaddress.IPv4Address)


def _is_address(text: str, kind: type[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


class RequestFilter:
    """ASGI middleware that filters requests to the page."""

    def __init__(
        self,
        page: ASGIApp,
        names: Collection[str],
        is_paired: Callable[[str], bool] = lambda _: False,
        rate: RateLimiter | None = None,
    ) -> None:
        """Wrap the page.

        Args:
            page: The application to protect.
            names: The box's names in lower case, such as "cantstop.local".
            is_paired: Returns whether a key belongs to a paired phone.
            rate: The rate limiter.
        """
        self._page = page
        self._names = frozenset(names)
        self._is_paired = is_paired
        self._rate = rate or RateLimiter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] != "http":  # websockets are not supported
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*headers, *HEADERS]}
            await send(message)

        key = key_of(Headers(scope=scope))
        is_paired = self._is_paired(key)
        if is_paired and (connection := scope.get("state", {}).get("connection")):
            connection.is_paired = True
        if not self._rate.allows(*self._counted(scope, key if is_paired else "")):
            if not is_paired:
                await asyncio.sleep(HOLD_S)  # a flood costs no more than its connections
            refusal: tuple[int, str, str] | None = (429, "busy", "too many requests: wait a second")
        else:
            refusal = self._refusal(scope)
        if refusal is None:
            await self._page(scope, receive, answer)
        else:
            status, kind, text = refusal
            await JSONResponse({"error": kind, "text": text}, status)(scope, receive, answer)

    def _counted(self, scope: Scope, key: str) -> tuple[Hashable, float]:
        """Return the source by which a request is counted, and its cost: a phone's key, or a stranger's address."""
        path = str(scope["path"])
        row = find(scope["method"], path)
        cost = row.cost if row is not None else ASSET_COST if path.startswith("/assets/") else 1.0
        if key:
            return ("press" if row is not None and row.press else "phone", key), cost
        return source_of(scope), cost

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = Headers(scope=scope)
        method: str = scope["method"]
        host = headers.get("host", "")
        if not host_is_known(host, self._names):
            return 421, "host", "this page is not served under that name"
        if method in {"POST", "DELETE"}:
            origin = headers.get("origin", "")
            if origin and origin.lower() != f"http://{host}".lower():
                return 403, "origin", "asked by another site's page"
            row = find(method, str(scope["path"]))
            most = MOST_BODY if row is None else row.most_bytes
            length = headers.get("content-length", "0")  # the server itself takes no more than this
            is_known = "transfer-encoding" not in headers and length.isdecimal() and len(length) < 10
            if not is_known or int(length) > most:
                return 413, "bad" if most == MOST_BODY else "large", "too long a body, or one of unknown length"
        return None
