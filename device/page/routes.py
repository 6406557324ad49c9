"""The page's requests, one row each: the source of URLs, request bodies, key checks, limits and dispatch.

A row without an access level is for paired phones only. The method `_answer_NAME` answers the request NAME: with the
`place` PAGE in `web_side.app.Page`, or the method NAME of `PastGames`; otherwise in `Answers`. In the latter case, a
method of this name in `Page` may handle it first; without one, the page's process forwards it to the box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from device.page.wire import RequestError

Schema = dict[str, Any]
"""A JSON Schema of a value."""


MOST_TEXT = 64
"""The longest text in a request, in characters."""
MOST_BODY = 1024
"""The longest body of fields, in bytes; the longest valid one of the page has about 300."""
MOST_FILE = 4_000_000
"""The longest file, in bytes: a backup of 2,000 games, or a photograph, which the page reduces to less than 1 MB where
the browser can."""
PICTURE_KINDS = ("image/jpeg", "image/png", "image/webp")
"""The media types of picture files."""


class Access(Enum):
    """The access levels of requests."""

    KEY = auto()
    """Paired phones."""
    LOOK = auto()
    """Everyone in the network; only paired phones if the settings say `watch = false`."""
    ANYBODY = auto()


class Place(Enum):
    """The places where requests are answered."""

    PAGE = auto()
    """The page's own side."""
    QUICK = auto()
    """The box's process, at once."""
    SLOW = auto()
    """The box's process, in the thread that may wait for the camera."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        name: The name of the request to the box, and of the methods that answer it.
        method: The HTTP method.
        path: The URL path, with the names of its `parameters` in braces.
        place: Where it is answered.
        access: Who may make it.
        fields: The body's fields. All of them are required, and no others are allowed.
        parameters: The values in the path.
        cost: Its weight in the limit of requests per second.
        press: Whether it counts towards the phone's limit of presses instead, which is separate.
        file: The media types of the body if it is a file instead of fields; only one is received and read at a time.
        wait_s: For how many seconds the page waits for the box's answer.
        kind: The answer's media type.
    """

    name: str
    method: str
    path: str
    place: Place
    access: Access = Access.KEY
    fields: Mapping[str, Schema] = field(default_factory=dict)
    parameters: Mapping[str, Schema] = field(default_factory=dict)
    cost: float = 1.0
    press: bool = False
    file: tuple[str, ...] = ()
    wait_s: float = 10.0
    kind: str = "application/json"

    @property
    def most_bytes(self) -> int:
        """The longest body, in bytes."""
        return MOST_FILE if self.file else MOST_BODY

    def admit(self, is_paired: Callable[[], bool], *, watch: bool) -> None:
        """Raise `RequestError` "key" for a request that only paired phones may make, unless it comes from one.

        Both halves of the page check: its own process turns strangers away without asking the box, and the box checks
        every request that reaches it once more, by the keys themselves.

        Args:
            is_paired: Called only if that matters.
            watch: Whether the settings let everyone watch.
        """
        needs_key = self.access is Access.KEY or (self.access is Access.LOOK and not watch)
        if needs_key and not is_paired():
            raise RequestError("key", "only paired phones may do this: pair yours with the code that the box shows")

    def problem(self, values: Mapping[str, object]) -> str:
        """Return what is wrong with the values of path and body; "" if they are valid."""
        for name, schema in {**self.parameters, **self.fields}.items():
            if not _fits(values.get(name), schema):
                return f"{name} is invalid"
        return ""


def _fits(value: object, schema: Schema) -> bool:
    """Whether a value is valid under a schema; supports only the keywords that the table uses."""
    kind: str = schema["type"]
    match value:
        case bool():
            return kind == "boolean"
        case int():
            return kind == "integer" and bool(schema["minimum"] <= value <= schema["maximum"])
        case str():
            return kind == "string" and value in schema.get("enum", [value]) and len(value) <= MOST_TEXT
        case list():
            is_long_enough = kind == "array" and schema["minItems"] <= len(value) <= schema["maxItems"]
            return is_long_enough and all(_fits(one, schema["items"]) for one in value)
    return False


def _numbers(length: int, low: int, high: int, *, least: int | None = None) -> Schema:
    items = {"type": "integer", "minimum": low, "maximum": high}
    return {"type": "array", "items": items, "minItems": length if least is None else least, "maxItems": length}


_SHORT: Schema = {"type": "string", "maxLength": MOST_TEXT}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 10**9}
_PRESS: dict[str, Schema] = {
    "button": {"type": "string", "enum": ["A", "B", "C", "STOP"]},
    "long": {"type": "boolean"},
}
_DICE: dict[str, Schema] = {"dice": _numbers(4, 1, 6, least=1), "game": _COUNT, "steps": _COUNT}
_BOARD: dict[str, Schema] = {
    "markers": {"type": "array", "items": _numbers(13, 0, 13), "minItems": 1, "maxItems": 4},
    "runners": _numbers(13, 0, 13),
    "turn": {"type": "integer", "minimum": 0, "maximum": 3},
    "game": _COUNT,
    "steps": _COUNT,
    "language": {"type": "string", "enum": ["en", "nl", "de", "fr"]},
}
_LINE: dict[str, Schema] = {"line": {"type": "integer", "minimum": 0, "maximum": 99}, "shown": _SHORT}
_SEATS: dict[str, Schema] = {
    **{
        name: {"type": "array", "items": _SHORT, "minItems": 1, "maxItems": 4}
        for name in ("names", "colours", "levels")
    },
    "columns_to_win": {"type": "integer", "minimum": 3, "maximum": 5},
    "variants": {"type": "array", "items": _SHORT, "minItems": 0, "maxItems": 2},
    "begins": {"type": "integer", "minimum": 0, "maximum": 4},
}
_PAIR: dict[str, Schema] = {"code": _SHORT, "name": _SHORT}
_GAME: dict[str, Schema] = {"number": {"type": "integer", "minimum": 1, "maximum": 10**9}}
_CAMERA: dict[str, Schema] = {"source": _SHORT}
_PHONE: dict[str, Schema] = {"phone": _SHORT}
_WIFI: dict[str, Schema] = {"name": _SHORT, "password": _SHORT}
_HOW: dict[str, Schema] = {"how": {"type": "string", "enum": ["once", "again"]}}

PAGE, QUICK, SLOW = Place.PAGE, Place.QUICK, Place.SLOW
LOOK, ANYBODY = Access.LOOK, Access.ANYBODY
ZIP, EVENTS = "application/zip", "text/event-stream"

# fmt: off
REQUESTS = (
    Request("events", "GET", "/api/events", PAGE, LOOK, kind=EVENTS),
    Request("whoami", "GET", "/api/me", PAGE, ANYBODY),
    Request("picture", "GET", "/api/throw", SLOW, LOOK),  # the last roll's, with its reading
    Request("tray", "GET", "/api/tray", SLOW),  # the simulated one
    Request("live", "GET", "/api/live", SLOW),  # what the camera sees, with measurements
    Request("games", "GET", "/api/games", PAGE, LOOK),
    Request("game", "GET", "/api/games/{number}", PAGE, LOOK, parameters=_GAME),
    Request("figures", "GET", "/api/figures", PAGE, LOOK),
    Request("misread", "GET", "/api/misread", SLOW),
    Request("misread_files", "GET", "/api/misread.zip", SLOW, cost=20, kind=ZIP),
    Request("backup", "GET", "/api/backup", SLOW, cost=20),
    Request("restore", "POST", "/api/restore", SLOW, file=("application/json",), cost=20, wait_s=60),
    Request("networks", "GET", "/api/wifi", SLOW, cost=5, wait_s=60),
    Request("wifi", "POST", "/api/wifi", QUICK, fields=_WIFI, cost=5),
    Request("report", "GET", "/api/report.zip", SLOW, cost=20, kind=ZIP, wait_s=30),
    Request("pair", "POST", "/api/pair", QUICK, ANYBODY, fields=_PAIR, cost=2),
    Request("press", "POST", "/api/press", QUICK, fields=_PRESS, press=True),
    Request("dice", "POST", "/api/dice", QUICK, fields=_DICE, press=True),
    Request("board", "POST", "/api/board", QUICK, fields=_BOARD, press=True),
    Request("line", "POST", "/api/line", QUICK, fields=_LINE, press=True),
    Request("seats", "POST", "/api/seats", QUICK, fields=_SEATS, press=True),
    Request("throw", "POST", "/api/roll", SLOW, press=True),
    # "again" if its values are those of the last roll
    Request("photograph", "POST", "/api/photograph/{how}", SLOW, parameters=_HOW, file=PICTURE_KINDS, cost=5,
            wait_s=30),
    Request("coach", "GET", "/api/coach", SLOW, wait_s=60),
    Request("cameras", "GET", "/api/cameras", SLOW, cost=10, wait_s=60),
    Request("camera", "POST", "/api/camera", SLOW, fields=_CAMERA, cost=2),
    Request("calibrate", "POST", "/api/calibrate", SLOW, cost=10),
    Request("phones", "GET", "/api/phones", QUICK),
    Request("unpair", "DELETE", "/api/phones/{phone}", QUICK, parameters=_PHONE, cost=2),
)
# fmt: on

BY_NAME = {request.name: request for request in REQUESTS}

_PATHS = [
    (request.method, re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(request.path))), request)
    for request in REQUESTS
]


def find(method: str, path: str) -> Request | None:
    """Return the row for a method and a path; None for an unknown request."""
    for known, pattern, request in _PATHS:
        if method == known and pattern.fullmatch(path):
            return request
    return None
