"""The page's interface as an OpenAPI description, for `make fuzz`."""

from __future__ import annotations

from typing import Any

from device.page.routes import EVENTS, REQUESTS, Access, Request

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


def description() -> _Data:
    """Return the description, without the event stream, which OpenAPI cannot describe."""
    paths: _Data = {}
    for request in REQUESTS:
        if request.kind != EVENTS:
            paths.setdefault(request.path, {})[request.method.lower()] = _operation(request)
    return {
        "openapi": "3.0.3",
        "info": {"title": "The table's page of the Can't Stop box", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(request: Request) -> _Data:
    schema = {"type": "object"} if request.kind == "application/json" else {}
    done = {"description": "Done.", "content": {request.kind: {"schema": schema}}}
    operation: _Data = {"summary": request.summary, "responses": {"200": done, "default": _ERROR}}
    if request.access is Access.KEY:
        operation["security"] = [{"key": []}]
    if request.parameters:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": schema}
            for name, schema in request.parameters.items()
        ]
    if request.file:
        binary = {"schema": {"type": "string", "format": "binary"}}
        operation["requestBody"] = {"required": True, "content": dict.fromkeys(request.file, binary)}
    elif request.method == "POST":
        fields = dict(request.fields)
        body = {"type": "object", "required": list(fields), "properties": fields, "additionalProperties": False}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return operation
