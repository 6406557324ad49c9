"""The page's interface as an OpenAPI description: for those who write to it, and for the fuzz test."""

from __future__ import annotations

from typing import Any

_Data = dict[str, Any]

_ERROR: _Data = {
    "description": "Not done: which kind of reason, and a sentence.",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["error", "text"],
                "properties": {"error": {"type": "string"}, "text": {"type": "string"}},
            }
        }
    },
}
_KEY: list[_Data] = [{"key": []}]


def _answers(kind: str = "application/json", schema: _Data | None = None) -> _Data:
    found = {"description": "Done.", "content": {kind: {"schema": schema or {"type": "object"}}}}
    return {"200": found, "default": _ERROR}


def _get(
    what: str, *, key: bool = False, parameters: list[_Data] | None = None, kind: str = "application/json"
) -> _Data:
    operation: _Data = {"summary": what, "responses": _answers(kind, None if kind == "application/json" else {})}
    if key:
        operation["security"] = _KEY
    if parameters:
        operation["parameters"] = parameters
    return {"get": operation}


def _post(what: str, fields: dict[str, _Data], *, key: bool = True) -> _Data:
    schema = {"type": "object", "required": list(fields), "properties": fields, "additionalProperties": False}
    operation: _Data = {
        "summary": what,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": _answers(),
    }
    if key:
        operation["security"] = _KEY
    return {"post": operation}


def _list(length: int, low: int, high: int) -> _Data:
    items = {"type": "integer", "minimum": low, "maximum": high}
    return {"type": "array", "items": items, "minItems": length, "maxItems": length}


def _path(name: str, schema: _Data) -> list[_Data]:
    return [{"name": name, "in": "path", "required": True, "schema": schema}]


def description() -> _Data:
    """Give the description."""
    short = {"type": "string", "maxLength": 64}
    count = {"type": "integer", "minimum": 0, "maximum": 10**9}
    about = {"game": count, "steps": count}
    return {
        "openapi": "3.0.3",
        "info": {"title": "The table's page of the Can't Stop box", "version": "1"},
        "paths": {
            "/api/table": _get("The table as it is now."),
            "/api/me": _get("Whether this phone is paired, and what the box can do."),
            "/api/throw": _get("The picture of the last throw and what was read in it."),
            "/api/live": _get("What the camera sees now, with what is measured.", key=True),
            "/api/games": _get("The games that were played."),
            "/api/figures": _get("How often each face was thrown; games and wins of each player."),
            "/api/games/{number}": _get(
                "A game, step by step.", parameters=_path("number", {"type": "integer", "minimum": 1})
            ),
            "/api/misread": _get("Which pictures of misread throws are kept.", key=True),
            "/api/misread.zip": _get("These pictures with their labels.", key=True, kind="application/zip"),
            "/api/pair": _post("Pairs a phone.", {"code": short, "name": short}, key=False),
            "/api/press": _post(
                "Presses a button.",
                {"button": {"type": "string", "enum": ["A", "B", "C", "STOP"]}, "long": {"type": "boolean"}},
            ),
            "/api/dice": _post("Puts the dice right.", {"dice": _list(4, 1, 6), **about}),
            "/api/board": _post(
                "Puts the board right.",
                {
                    "markers": {"type": "array", "items": _list(13, 0, 13), "minItems": 1, "maxItems": 4},
                    "runners": _list(13, 0, 13),
                    "turn": {"type": "integer", "minimum": 0, "maximum": 3},
                    **about,
                    "language": {"type": "string", "enum": ["en", "nl", "de", "fr"]},
                },
            ),
            "/api/roll": _post("Throws the dice of a simulated tray.", {}),
            "/api/calibrate": _post("Learns the empty tray.", {}),
            "/api/phones": _get("The phones that are paired.", key=True),
            "/api/phones/{phone}": {
                "delete": {
                    "summary": "Sends a phone away.",
                    "security": _KEY,
                    "parameters": _path("phone", short),
                    "responses": _answers(),
                }
            },
        },
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    }
