"""The protocol between the box and its page: JSON objects, one per line, over a Unix socket. Both sides import this.

The page sends requests (`{"id": 7, "ask": "press", …}`) and the box answers (`{"id": 7, "data": …}`, or `"error"` and
`"text"`). A request with `"bytes": 8000` is followed by as many bytes of a file. After `follow` the box also
sends each new snapshot, `{"snapshot": {…}}`. While its OLED shows the page's address, it requests that address by
`{"tell": "address"}`. At first and after each change it sends `{"wanted": true, "phones": […]}`: whether the players
want a page, null while it is starting and does not know yet, and the hashes of the keys of all paired phones.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from device.json_text import read_json

Data = dict[str, Any]
"""A JSON object."""

VERSION = 6
"""The version of these messages and of the snapshot in them."""

MAX_REQUEST_BYTES = 4096
"""The longest line that the page may send, in bytes; a longer one ends the connection."""

MAX_REPLY_BYTES = 16 << 20
"""The longest line that the box may send, in bytes: pictures of misread rolls are the longest."""


class RequestError(Exception):
    """A request was rejected; `kind` is one of the words that the page translates."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def pack(message: Data) -> bytes:
    """Return a message as one line."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def unpack(line: bytes) -> Data:
    """Return the message in a line.

    Raises:
        ValueError: If the line is not a JSON object.
    """
    message = read_json(line)
    if not isinstance(message, dict):
        raise ValueError("a message must be a JSON object")  # noqa: TRY004 - any other line is wrong content too
    return message


def hash_of(key: str) -> str:
    """Return the SHA-256 of a phone's key, in hexadecimal, which is stored and sent instead of the key."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def socket_file() -> Path:
    """Return the socket's file: in systemd's runtime folder for the service, in the user's own otherwise."""
    folder = os.environ.get("RUNTIME_DIRECTORY") or os.environ.get("XDG_RUNTIME_DIR")
    return (Path(folder) if folder else Path(tempfile.gettempdir()) / f"cantstop-{os.getuid()}") / "table.sock"
