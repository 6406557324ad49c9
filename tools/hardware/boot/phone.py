"""A phone in the box's network, which reads the OLED's QR code as with a camera, and uses the page through HTTP."""

from __future__ import annotations

import base64
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from PIL import Image

from device.referee.inputs import Button, PageReady
from tools.hardware.trees import TreeError

ANSWER_S = 30.0
"""The time limit for a response, in seconds, on a busy machine."""


class Phone:
    """Reads the page, and presses its buttons once it is paired."""

    def __init__(self, address: str) -> None:
        """Set the address of the box's page, such as "http://127.0.0.1:8017"."""
        self._address = address
        self._key = ""

    def ask(self, path: str, **body: object) -> dict[str, Any]:
        """Send a request, with a body to change something, and return the answer.

        Raises:
            TreeError: If the request is rejected, or there is no page.
        """
        headers = {
            "content-type": "application/json",
            **({"authorization": f"Bearer {self._key}"} if self._key else {}),
        }
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self._address + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
                told: dict[str, Any] = table_in(answer) if path == "/api/events" else json.load(answer)
        except urllib.error.HTTPError as error:
            raise TreeError(f"{path}: {error.code} {error.read().decode(errors='replace')}") from error
        except OSError as error:
            raise TreeError(f"{path}: {error}") from error
        return told

    def is_served(self) -> bool:
        """Whether the page responds and is connected to the box."""
        try:
            return bool(self.ask("/api/events"))
        except TreeError:
            return False

    def table(self) -> dict[str, Any]:
        """Return what the page shows, at most five times a second: a phone that asks too often is refused."""
        time.sleep(0.2)
        return self.ask("/api/events")

    def oled(self) -> bytes:
        """Return the OLED's pixels from the page."""
        return base64.b64decode(self.ask("/api/events")["oled"])

    def pair(self, code: str) -> None:
        """Pair this phone by the code on the OLED."""
        self._key = str(self.ask("/api/pair", code=code, name="a test's phone")["key"])

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press one of the box's buttons on the page."""
        self.ask("/api/press", button=button.value, long=long)


def table_in(events: Iterable[bytes]) -> dict[str, Any]:
    """Return the first table in the page's stream of events; empty without one."""
    found = (line for before, line in pairwise(events) if before == b"event: table\n")
    table: dict[str, Any] = json.loads(next(found, b"data: {}").removeprefix(b"data: "))
    return table


def page_on(oled: Image.Image) -> PageReady | None:
    """Return the contents of the QR code on the OLED: the page's address, and the code that pairs a phone."""
    lit = np.asarray(oled.convert("L")).repeat(6, axis=0).repeat(6, axis=1)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.copyMakeBorder(lit, 48, 48, 48, 48, cv2.BORDER_CONSTANT))
    address, path, code = text.partition("P/")  # it is in capitals: a smaller code for a small display
    return PageReady(address.lower(), code) if path else None
