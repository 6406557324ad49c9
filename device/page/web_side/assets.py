"""The page's files, read once from the package: no URL leads to any other file."""

from __future__ import annotations

import gzip
import hashlib
import json
from importlib.resources import files
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import Response

from device.referee.players import COLOURS

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


class Asset(NamedTuple):
    """A file: its media type, its gzipped content, the ETag by which a browser knows whether its copy is current."""

    kind: str
    packed: bytes
    tag: str


def _asset(name: str, data: bytes) -> Asset:
    digest = hashlib.sha256(data).hexdigest()
    return Asset(KINDS[name.rpartition(".")[2]], gzip.compress(data, 9, mtime=0), f'"{digest[:16]}"')


class Assets:
    """The page's files; `colours.js` has the players' colours, as the box knows them."""

    def __init__(self) -> None:
        """Read them."""
        colours = {name: marker._asdict() for name, marker in COLOURS.items()}
        data = {"colours.js": f"export const COLOURS = {json.dumps(colours)};\n".encode()}
        for folder, prefix in (("assets", ""), ("words", "words.")):
            found = files("device.page.web_side").joinpath(folder).iterdir()
            data |= {prefix + file.name: file.read_bytes() for file in found if file.name.rpartition(".")[2] in KINDS}
        self.files = {name: _asset(name, data[name]) for name in sorted(data)}
        """All files by name."""

    def answer(self, name: str, headers: Headers) -> Response:
        """Return a file, or 304 if the browser's copy is current."""
        asset = self.files[name]
        # Revalidated each time and rarely sent: after an update of the box no phone shows an old page.
        answer = {"etag": asset.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if headers.get("if-none-match") == asset.tag:
            return Response(status_code=304, headers=answer)
        if "gzip" in headers.get("accept-encoding", ""):
            return Response(asset.packed, headers={**answer, "content-encoding": "gzip"}, media_type=asset.kind)
        return Response(gzip.decompress(asset.packed), headers=answer, media_type=asset.kind)
