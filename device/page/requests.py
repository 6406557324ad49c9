"""The page's requests, one row each: routes, allowed bodies, key checks, limits, dispatch and OpenAPI come from here.

A row that does not say who may ask is for paired phones alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

Schema = dict[str, Any]
"""A value as JSON Schema describes it."""


MOST_TEXT = 64
"""The longest text in a request, in characters."""


class Access(Enum):
    """Who may ask."""

    KEY = auto()
    """A paired phone."""
    LOOK = auto()
    """Anybody in the network; where the settings say `watch = false`, a paired phone."""
    ANYBODY = auto()


class Place(Enum):
    """Where the answer is made."""

    PAGE = auto()
    """In the page's own process."""
    QUICK = auto()
    """In the box's process, at once."""
    SLOW = auto()
    """In the box's process, by the thread that may wait for the camera."""
    ARCHIVE = auto()
    """In a process of its own that reads the journal."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        name: What the page asks the box for.
        method: The HTTP method.
        path: The address, with the names of its `parameters` in braces.
        summary: One sentence for the OpenAPI description.
        place: Where the answer is made.
        access: Who may ask.
        fields: The body's fields, all of them required; a body has no others.
        parameters: The values in the path.
        cost: What it counts among the requests of a second.
        press: Whether it counts among the phone's presses instead, which nothing else uses up.
        fresh_s: For how many seconds everybody who asks the same is given the same answer.
        kind: The answer's media type.
    """

    name: str
    method: str
    path: str
    summary: str
    place: Place
    access: Access = Access.KEY
    fields: Mapping[str, Schema] = field(default_factory=dict)
    parameters: Mapping[str, Schema] = field(default_factory=dict)
    cost: float = 1.0
    press: bool = False
    fresh_s: float = 0.0
    kind: str = "application/json"

    def needs_key(self, *, watch: bool) -> bool:
        """Whether only paired phones may ask.

        Args:
            watch: Whether the settings let anybody look.
        """
        return self.access is Access.KEY or (self.access is Access.LOOK and not watch)

    def problem(self, values: Mapping[str, object]) -> str:
        """Return what is wrong with the values of path and body; "" if they are as the table says."""
        for name, schema in {**self.parameters, **self.fields}.items():
            if not _fits(values.get(name), schema):
                return f"{name} is not what it is to be"
        return ""


def _fits(value: object, schema: Schema) -> bool:
    """Whether a value is as a schema of the table says, of which JSON Schema has the words that are used there."""
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


def _numbers(length: int, low: int, high: int) -> Schema:
    items = {"type": "integer", "minimum": low, "maximum": high}
    return {"type": "array", "items": items, "minItems": length, "maxItems": length}


_SHORT: Schema = {"type": "string", "maxLength": MOST_TEXT}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 10**9}
_PRESS: dict[str, Schema] = {
    "button": {"type": "string", "enum": ["A", "B", "C", "STOP"]},
    "long": {"type": "boolean"},
}
_DICE: dict[str, Schema] = {"dice": _numbers(4, 1, 6), "game": _COUNT, "steps": _COUNT}
_BOARD: dict[str, Schema] = {
    "markers": {"type": "array", "items": _numbers(13, 0, 13), "minItems": 1, "maxItems": 4},
    "runners": _numbers(13, 0, 13),
    "turn": {"type": "integer", "minimum": 0, "maximum": 3},
    "game": _COUNT,
    "steps": _COUNT,
    "language": {"type": "string", "enum": ["en", "nl", "de", "fr"]},
}
_PAIR: dict[str, Schema] = {"code": _SHORT, "name": _SHORT}
_GAME: dict[str, Schema] = {"number": {"type": "integer", "minimum": 1, "maximum": 10**9}}
_PHONE: dict[str, Schema] = {"phone": _SHORT}

PAGE, QUICK, SLOW, ARCHIVE = Place.PAGE, Place.QUICK, Place.SLOW, Place.ARCHIVE
LOOK, ANYBODY = Access.LOOK, Access.ANYBODY
ZIP, EVENTS = "application/zip", "text/event-stream"

# fmt: off
REQUESTS = (
    Request("table", "GET", "/api/table", "The table as it is now.", PAGE, LOOK),
    Request("events", "GET", "/api/events", "The table, whenever it changes.", PAGE, LOOK, kind=EVENTS),
    Request("whoami", "GET", "/api/me", "Whether this phone is paired, and what the box can do.", QUICK, ANYBODY),
    Request("picture", "GET", "/api/throw", "The last throw's picture and reading.", SLOW, LOOK, fresh_s=1),
    Request("tray", "GET", "/api/tray", "What the camera sees in a simulated tray.", SLOW, fresh_s=0.05),
    Request("live", "GET", "/api/live", "What the camera sees now, with measurements.", SLOW, fresh_s=0.3),
    Request("games", "GET", "/api/games", "The games that were played.", ARCHIVE, LOOK, fresh_s=1),
    Request("game", "GET", "/api/games/{number}", "A game, step by step.", ARCHIVE, LOOK, parameters=_GAME, fresh_s=1),
    Request("figures", "GET", "/api/figures", "Statistics of dice and players.", ARCHIVE, LOOK, fresh_s=1),
    Request("misread", "GET", "/api/misread", "The stored pictures of misread throws.", SLOW),
    Request("misread files", "GET", "/api/misread.zip", "These pictures with their labels.", SLOW, cost=20, kind=ZIP),
    Request("pair", "POST", "/api/pair", "Pairs a phone.", QUICK, ANYBODY, fields=_PAIR, cost=2),
    Request("press", "POST", "/api/press", "Presses a button.", QUICK, fields=_PRESS, press=True),
    Request("dice", "POST", "/api/dice", "Corrects the dice.", QUICK, fields=_DICE, press=True),
    Request("board", "POST", "/api/board", "Corrects the board.", QUICK, fields=_BOARD, press=True),
    Request("throw", "POST", "/api/roll", "Throws the dice of a simulated tray.", SLOW, press=True),
    Request("calibrate", "POST", "/api/calibrate", "Learns the empty tray.", SLOW, cost=10),
    Request("phones", "GET", "/api/phones", "The paired phones.", QUICK),
    Request("unpair", "DELETE", "/api/phones/{phone}", "Unpairs a phone.", QUICK, parameters=_PHONE, cost=2),
)
# fmt: on

BY_NAME = {request.name: request for request in REQUESTS}

_PATHS = [
    (request.method, re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(request.path))), request)
    for request in REQUESTS
]


def find(method: str, path: str) -> Request | None:
    """Return the row that a method and a path ask for; None if there is none."""
    for known, pattern, request in _PATHS:
        if method == known and pattern.fullmatch(path):
            return request
    return None
