"""The page's routes: its own files, and the rows of `device.page.routes`."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from device.json_text import read_json
from device.page.routes import EVENTS, REQUESTS, ZIP, Place, Request
from device.page.web_side.assets import Assets
from device.page.web_side.box_connection import BoxConnection, RequestQueue
from device.page.web_side.past_games import PastGames
from device.page.web_side.request_filter import key_of, source_of
from device.page.wire import RequestError

PING_S = 15.0
"""The interval of keep-alive comments on an idle event stream, in seconds."""
UPLOAD_S = 30.0
"""The time limit for a file to arrive, in seconds."""
MOST_DIGITS = 9

STATUS = {
    "key": 401,
    "code": 403,
    "none": 404,
    "unknown": 404,
    "not now": 409,
    "moved on": 409,
    "busy": 429,
    "another": 429,
    "playing": 409,
    "tries": 429,
    "late": 504,
    "away": 503,
    "failed": 500,
}
"""The HTTP status of each kind of error that is not one of the request itself, which are 400."""

RequestHandler = Callable[[Request, str, dict[str, Any]], Awaitable[Response]]
"""A handler of a row of the table; receives the key and the values in path and body."""


class Page:
    """The page's application code."""

    def __init__(self, link: BoxConnection, assets: Assets, past: PastGames) -> None:
        self._link = link
        self._past = past
        self._assets = assets
        self._file = asyncio.Lock()
        """Held while a file is handled: two would need much memory."""
        self.app = Starlette(routes=self._routes(), exception_handlers={HTTPException: _http_error, Exception: _failed})

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", partial(self._asset, "index.html")),
            Route("/P/{code}", partial(self._asset, "index.html")),
            Route("/manifest.webmanifest", partial(self._asset, "manifest.webmanifest")),
            Route("/favicon.ico", partial(self._asset, "icon.svg")),
            Route("/assets/{name}", partial(self._asset, "")),
            *(Route(row.path, self._answers(row), methods=[row.method]) for row in REQUESTS),
        ]

    async def _asset(self, name: str, request: HttpRequest) -> Response:
        name = name or request.path_params["name"]
        if name not in self._assets.files:
            return _error("none", "there is no such file")
        return self._assets.answer(name, request.headers)

    def _answers(self, row: Request) -> Callable[[HttpRequest], Awaitable[Response]]:
        """Return the handler for a row of the table; errors become responses too."""
        otherwise = self._look_up if row.place is Place.PAGE else self._archive if row.kind == ZIP else self._forward
        handle: RequestHandler = getattr(self, f"_answer_{row.name}", otherwise)

        async def answer(request: HttpRequest) -> Response:
            key = key_of(request.headers)
            try:
                self.admit(row, key)
                if row.file and self._file.locked():
                    return _error("another", "another file is being read")
                async with self._file if row.file else contextlib.nullcontext():
                    more = await _values(row, request)
                    if row.name == "pair":
                        more["source"] = source_of(request.scope)
                    return await handle(row, key, more)
            except RequestError as error:
                return _error(error.kind, str(error))
            except ClientDisconnect:
                return _error("bad", "the body was cut off")

        return answer

    def admit(self, row: Request, key: str) -> None:
        """Raise `RequestError`: "away" without a box, or "key" if only paired phones may make the request."""
        if not self._link.is_up:
            raise RequestError("away", "the box is switched off or starting")
        row.admit(lambda: self._link.is_paired(key), watch=self._link.watch)

    async def _forward(self, row: Request, key: str, more: dict[str, Any]) -> Response:
        return JSONResponse(await self._ask(row, key, more))

    async def _ask(self, row: Request, key: str, more: dict[str, Any]) -> dict[str, Any]:
        queue = RequestQueue.PRESSES if row.press else RequestQueue.PHONES
        if not self._link.is_paired(key):
            queue, key = RequestQueue.STRANGERS, ""  # what a stranger sends as a key may be longer than a message
        return await self._link.ask(row.name, queue, row.wait_s, key=key, **more)

    async def _look_up(self, row: Request, _key: str, more: dict[str, Any]) -> Response:
        """Answer from the past games."""
        return JSONResponse(await getattr(self._past, row.name)(self._link.journal, **more))

    async def _answer_whoami(self, _row: Request, key: str, _more: dict[str, Any]) -> Response:
        return JSONResponse({"paired": self._link.is_paired(key)})

    async def _archive(self, row: Request, key: str, more: dict[str, Any]) -> Response:
        """Answer with the box's archive."""
        found = await self._ask(row, key, more)
        name = row.path.rpartition("/")[2]
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(base64.b64decode(found["zip"]), media_type=ZIP, headers=headers)

    async def _answer_events(self, row: Request, key: str, _more: dict[str, Any]) -> Response:
        return StreamingResponse(self._events(row, key), media_type=EVENTS, headers={"x-accel-buffering": "no"})

    async def _events(self, row: Request, key: str) -> AsyncIterator[bytes]:
        """Yield the table as server-sent events until the reader leaves or loses access.

        A stream that was opened with a key ends when the key does, so that the phone learns at once that it is
        unpaired.
        """
        is_paired = self._link.is_paired(key)
        told: bytes | None = None
        with self._link.viewing() as changed:
            while True:
                event = b"event: ping\ndata: {}\n\n"
                if changed.is_set():
                    changed.clear()
                    if self._link.is_up and self._has_ended(row, key, is_paired=is_paired):
                        return
                    if not self._link.is_up:
                        event = b"event: away\ndata: {}\n\n"
                    elif self._link.table and self._link.table is not told:
                        event = b"event: table\ndata: " + self._link.table + b"\n\n"
                    else:
                        event = b""
                    told = self._link.table
                if event:
                    yield event
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), PING_S)

    def _has_ended(self, row: Request, key: str, *, is_paired: bool) -> bool:
        """Whether a viewer has lost access."""
        try:
            self.admit(row, key)
        except RequestError:
            return True
        return is_paired and not self._link.is_paired(key)


async def _values(row: Request, request: HttpRequest) -> dict[str, Any]:
    """Return the values in path and body, or raise `RequestError` "bad" if they do not match the table."""
    found: dict[str, Any] = {}
    for name, schema in row.parameters.items():
        text: str = request.path_params[name]
        is_number = schema["type"] == "integer" and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
        found[name] = int(text) if is_number else text
    if row.file:
        found["file"] = await _file(row, request)
    elif row.method == "POST":
        found |= await _body(row, request)
    if problem := row.problem(found):
        raise RequestError("bad", problem)
    return found


async def _file(row: Request, request: HttpRequest) -> bytes:
    """Return the body, a file; raise `RequestError` if it is of another kind or does not come in time."""
    if _kind(request) not in row.file:
        raise RequestError("picture", f"the body must be one of {', '.join(row.file)}")
    try:
        async with asyncio.timeout(UPLOAD_S):
            return await request.body()
    except TimeoutError:
        raise RequestError("late", "the file did not come in time") from None


def _kind(request: HttpRequest) -> str:
    """Return the media type of the body."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _body(row: Request, request: HttpRequest) -> dict[str, Any]:
    """Return the body's fields, or raise `RequestError` "bad" if they are not those in the table."""
    if _kind(request) != "application/json":
        raise RequestError("bad", "the body must be application/json")
    try:
        body = read_json(await request.body())
    except ValueError:
        raise RequestError("bad", "the body is not valid JSON in UTF-8") from None
    if not isinstance(body, dict) or set(body) != set(row.fields):
        raise RequestError("bad", f"the body must have these fields: {', '.join(row.fields) or 'none'}")
    return body


def _error(kind: str, text: str, status: int = 0) -> JSONResponse:
    headers = {"www-authenticate": "Bearer"} if kind == "key" else {}
    return JSONResponse({"error": kind, "text": text}, status or STATUS.get(kind, 400), headers)


async def _http_error(_: HttpRequest, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error("none" if error.status_code == 404 else "bad", error.detail, error.status_code)


async def _failed(_: HttpRequest, __: Exception) -> Response:
    return _error("failed", "the page failed; its log says why")
