"""The page's addresses: what may be asked, and by whom. `device.web.openapi` describes them for machines."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from device.web.assets import Assets
from device.web.link import Link, Unanswered
from device.web.openapi import description
from device.web.replay import replay
from engine import BadText, IllegalAction

PING_S = 15.0
"""How often a reader hears that the line is open though nothing happens."""
SLOW_S = 10.0
"""A reader that takes nothing for so long is dropped."""
MOST_VIEWERS = 48
MOST_VIEWERS_OF_ONE = 8
MOST_KEY = 100

STATUS = {
    "key": 401,
    "code": 403,
    "none": 404,
    "unknown": 404,
    "bad": 400,
    "board": 400,
    "not now": 409,
    "moved on": 409,
    "busy": 429,
    "tries": 429,
    "late": 504,
    "away": 503,
}

Handler = Callable[[Request], Awaitable[Response]]
Abort = Callable[[tuple[str, int]], None]


class Page:
    """The page's own code."""

    def __init__(self, link: Link, assets: Assets, abort: Abort) -> None:
        """Prepare.

        Args:
            link: To the box.
            assets: The page's files.
            abort: Cuts the connection of a reader that takes nothing.
        """
        self._link = link
        self._assets = assets
        self._abort = abort
        self._viewers: Counter[str] = Counter()
        self.app = Starlette(
            routes=self._routes(),
            exception_handlers={HTTPException: _http_error, Exception: _failed},
        )

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", self._asset("index.html")),
            Route("/P/{code}", self._asset("index.html")),
            Route("/manifest.webmanifest", self._asset("manifest.webmanifest")),
            Route("/favicon.ico", self._asset("icon.svg")),
            Route("/assets/{name}", self._any_asset),
            Route("/openapi.json", self._openapi),
            Route("/api/events", _Stream(self)),
            Route("/api/table", self._answers(self._table)),
            Route("/api/me", self._answers(self._me)),
            Route("/api/throw", self._answers(self._picture)),
            Route("/api/live", self._answers(self._live)),
            Route("/api/games", self._answers(self._games)),
            Route("/api/figures", self._answers(self._figures)),
            Route("/api/games/{number}", self._answers(self._game)),
            Route("/api/misread", self._answers(self._misread)),
            Route("/api/misread.zip", self._answers(self._misread_zip)),
            Route("/api/pair", self._answers(self._pair), methods=["POST"]),
            Route("/api/press", self._answers(self._press), methods=["POST"]),
            Route("/api/dice", self._answers(self._dice), methods=["POST"]),
            Route("/api/board", self._answers(self._board), methods=["POST"]),
            Route("/api/roll", self._answers(self._roll), methods=["POST"]),
            Route("/api/calibrate", self._answers(self._calibrate), methods=["POST"]),
            Route("/api/phones", self._answers(self._phones)),
            Route("/api/phones/{phone}", self._answers(self._unpair), methods=["DELETE"]),
        ]

    def _asset(self, name: str) -> Handler:
        async def give(request: Request) -> Response:
            return self._assets.answer(name, request.headers)

        return give

    async def _any_asset(self, request: Request) -> Response:
        name: str = request.path_params["name"]
        if name not in self._assets:
            return _error("none", "there is no such file")
        return self._assets.answer(name, request.headers)

    async def _openapi(self, _: Request) -> Response:
        return JSONResponse(description())

    def _answers(self, handle: Callable[[Request], Awaitable[Response | dict[str, Any]]]) -> Handler:
        """Turn what goes wrong into an answer."""

        async def answer(request: Request) -> Response:
            try:
                given = await handle(request)
            except Unanswered as error:
                return _error(error.kind, str(error))
            except ClientDisconnect:
                return _error("bad", "the body is too long, or was cut off")
            return given if isinstance(given, Response) else JSONResponse(given)

        return answer

    async def may_look(self, request: Request) -> None:
        """Refuse who may not look.

        Raises:
            Unanswered: "away", or "key" where only phones that are paired may.
        """
        if not self._link.is_up:
            raise Unanswered("away", "the box is switched off or starting")
        if not self._link.can.get("watch"):
            me = await self._link.ask("whoami", key=key_of(request))
            if not me["paired"]:
                raise Unanswered("key", "only phones that are paired may look at this table")

    async def _table(self, request: Request) -> Response:
        await self.may_look(request)
        with self._link.viewing() as changed:
            while not self._link.table:
                changed.clear()
                try:
                    await asyncio.wait_for(changed.wait(), SLOW_S)
                except TimeoutError:
                    raise Unanswered("late", "the box does not tell of the table") from None
                if not self._link.is_up:
                    raise Unanswered("away", "the box was switched off")
            return Response(self._link.table, media_type="application/json")

    async def _me(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("whoami", key=key_of(request))

    async def _picture(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("picture", key=key_of(request))

    async def _live(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("live", key=key_of(request))

    async def _games(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("games", key=key_of(request))

    async def _figures(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("figures", key=key_of(request))

    async def _game(self, request: Request) -> dict[str, Any]:
        number: str = request.path_params["number"]
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            raise Unanswered("bad", "games are numbered from 1 on")
        found = await self._link.ask("game", key=key_of(request), number=int(number))
        try:
            return replay(found["transcript"])
        except (BadText, IllegalAction) as error:
            raise Unanswered("none", f"this game cannot be replayed: {error}") from error

    async def _misread(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("misread", key=key_of(request))

    async def _misread_zip(self, request: Request) -> Response:
        found = await self._link.ask("misread files", key=key_of(request))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:  # stored as they are: PNG has no air left
            for file in found["files"]:
                with contextlib.suppress(binascii.Error):
                    archive.writestr(str(file["name"]).replace("/", "_"), base64.b64decode(file["data"]))
        headers = {"content-disposition": 'attachment; filename="misread.zip"'}
        return Response(packed.getvalue(), media_type="application/zip", headers=headers)

    async def _pair(self, request: Request) -> dict[str, Any]:
        body = await _json(request, code=str, name=str)
        return await self._link.ask("pair", code=body["code"], name=body["name"])

    async def _press(self, request: Request) -> dict[str, Any]:
        body = await _json(request, button=str, long=bool)
        return await self._link.ask("press", key=key_of(request), button=body["button"], long=body["long"])

    async def _dice(self, request: Request) -> dict[str, Any]:
        body = await _json(request, dice=list, game=int, steps=int)
        return await self._link.ask("dice", key=key_of(request), **body)

    async def _board(self, request: Request) -> dict[str, Any]:
        body = await _json(request, markers=list, runners=list, turn=int, game=int, steps=int, language=str)
        return await self._link.ask("board", key=key_of(request), **body)

    async def _roll(self, request: Request) -> dict[str, Any]:
        await _json(request)
        return await self._link.ask("throw", key=key_of(request))

    async def _calibrate(self, request: Request) -> dict[str, Any]:
        await _json(request)
        return await self._link.ask("calibrate", key=key_of(request))

    async def _phones(self, request: Request) -> dict[str, Any]:
        return await self._link.ask("phones", key=key_of(request))

    async def _unpair(self, request: Request) -> dict[str, Any]:
        phone: str = request.path_params["phone"]
        return await self._link.ask("unpair", key=key_of(request), phone=phone)

    @contextlib.asynccontextmanager
    async def seat(self, client: tuple[str, int]) -> AsyncIterator[None]:
        """Count a viewer.

        Raises:
            Unanswered: "busy" if there are too many.
        """
        if self._viewers.total() >= MOST_VIEWERS or self._viewers[client[0]] >= MOST_VIEWERS_OF_ONE:
            raise Unanswered("busy", "too many look at this table already")
        self._viewers[client[0]] += 1
        try:
            yield
        finally:
            self._viewers[client[0]] -= 1
            if not self._viewers[client[0]]:
                del self._viewers[client[0]]

    async def stream(self, request: Request, receive: Receive, send: Send) -> None:
        """Tell the table as server-sent events until the reader leaves or takes nothing any more."""
        client = request.client or ("", 0)
        with self._link.viewing() as changed:
            headers = [(b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
            gone = asyncio.create_task(_gone(receive))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                while not gone.done():
                    event = b"event: ping\ndata: {}\n\n"
                    if changed.is_set():
                        changed.clear()
                        event = b"event: away\ndata: {}\n\n"
                        if self._link.is_up:
                            if not self._link.table:
                                continue
                            event = b"event: table\ndata: " + self._link.table + b"\n\n"
                    async with asyncio.timeout(SLOW_S):
                        await send({"type": "http.response.body", "body": event, "more_body": True})
                    waiting = asyncio.ensure_future(changed.wait())
                    await asyncio.wait({waiting, gone}, timeout=PING_S, return_when=asyncio.FIRST_COMPLETED)
                    waiting.cancel()
            except (TimeoutError, OSError):
                self._abort((client[0], client[1]))
            finally:
                gone.cancel()


class _Stream:
    """The event stream as an ASGI application: a reader that takes nothing must not hold up anybody."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method != "GET":
            await _error("bad", "this is only to be read", 405)(scope, receive, send)
            return
        try:
            await self._page.may_look(request)
            async with self._page.seat(request.client or ("", 0)):
                await self._page.stream(request, receive, send)
        except Unanswered as error:
            await _error(error.kind, str(error))(scope, receive, send)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def key_of(request: Request) -> str:
    """Give a phone's key; "" where there is none."""
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key if kind.lower() == "bearer" and len(key) <= MOST_KEY else ""


async def _json(request: Request, **kinds: type) -> dict[str, Any]:
    """Read a body of just these fields.

    Raises:
        Unanswered: "bad" if it is another.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Unanswered("bad", "the body is to be application/json")
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Unanswered("bad", "the body is no JSON") from None
    if not isinstance(body, dict) or set(body) != set(kinds):
        raise Unanswered("bad", f"the body has these fields: {', '.join(kinds) or 'none'}")
    for name, kind in kinds.items():
        if type(body[name]) is not kind:
            raise Unanswered("bad", f"{name} is not of the kind that it is to be")
    return body


def _error(kind: str, text: str, status: int = 0) -> JSONResponse:
    headers = {"www-authenticate": "Bearer"} if kind == "key" else {}
    return JSONResponse({"error": kind, "text": text}, status or STATUS.get(kind, 500), headers)


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error("none" if error.status_code == 404 else "bad", error.detail, error.status_code)


async def _failed(_: Request, __: Exception) -> Response:
    return _error("failed", "the page failed; its log says why")
