"""The line between the box and its page: JSON objects, one a line, over a Unix socket. Both sides import this.

The page asks (`{"id": 7, "ask": "press", …}`) and the box answers (`{"id": 7, "data": …}`, or `"error"` and `"text"`).
After `follow` the box also tells each new snapshot, `{"snapshot": {…}}`; while its OLED shows the page's address it
asks for that address by `{"tell": "address"}`. At first, and when the players change their mind, it tells whether they
want a page at all: `{"tell": "wanted", "wanted": true}`; null while it has just begun and does not know yet. At first,
and when they change, it also tells the hashes of the keys of all paired phones: `{"tell": "phones", "phones": […]}`.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

Data = dict[str, Any]
"""A JSON object."""

VERSION = 2
"""Of these messages and of the snapshot in them."""

MOST_ASKED = 4096
"""The longest line that the page may send, in bytes; a longer one ends the connection."""

MOST_TOLD = 16 << 20
"""The longest line that the box may send, in bytes: pictures of misread throws are the longest."""


class WireError(Exception):
    """A line that is no message."""


def pack(message: Data) -> bytes:
    """Write a message as one line."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def unpack(line: bytes) -> Data:
    """Read a line.

    Raises:
        WireError: If it is no JSON object.
    """
    try:
        message = read_json(line)
    except ValueError as error:
        raise WireError(f"no message: {error}") from None
    if not isinstance(message, dict):
        raise WireError("a message is a JSON object")
    return message


def read_json(data: bytes) -> object:
    """Read JSON in UTF-8 all of whose texts can be written again.

    Raises:
        ValueError: If it is something else: broken, nested too deeply, or with half of a surrogate pair in a text.
    """
    text = data.decode()  # json.loads itself would let encoded surrogates pass
    try:
        found: object = json.loads(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return found


def hash_of(key: str) -> str:
    """Return what is stored and told of a phone's key: its SHA-256, in hexadecimal."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def socket_file() -> Path:
    """Return the socket's file: in systemd's runtime folder for the service, in the user's own otherwise."""
    folder = os.environ.get("RUNTIME_DIRECTORY") or os.environ.get("XDG_RUNTIME_DIR")
    return (Path(folder) if folder else Path(tempfile.gettempdir()) / f"cantstop-{os.getuid()}") / "table.sock"
