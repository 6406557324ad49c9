"""The page's files, read once from the package: no URL leads to any other file."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files

from starlette.datastructures import Headers
from starlette.responses import Response

from device.referee.players import COLOURS

KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file.

    Attributes:
        kind: The media type.
        packed: The gzipped content.
        tag: The ETag, by which a browser knows whether its copy is current.
        size: The uncompressed size in bytes.
    """

    kind: str
    packed: bytes
    tag: str
    size: int


def _packed(ending: str, data: bytes) -> Asset:
    tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    return Asset(KINDS[ending], gzip.compress(data, 9, mtime=0), tag, len(data))


class Assets:
    """All files of the page, by name; `colours.js` has the players' colours, as the box knows them."""

    def __init__(self) -> None:
        """Read them."""
        colours = {name: marker._asdict() for name, marker in COLOURS.items()}
        self._files = {"colours.js": _packed("js", f"export const COLOURS = {json.dumps(colours)};\n".encode())}
        for folder, prefix in (("assets", ""), ("words", "words.")):
            for file in sorted(files("device.page.web_side").joinpath(folder).iterdir(), key=lambda one: one.name):
                ending = file.name.rpartition(".")[2]
                if ending in KINDS:
                    self._files[prefix + file.name] = _packed(ending, file.read_bytes())

    def __contains__(self, name: str) -> bool:
        """Whether the file exists."""
        return name in self._files

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Return each file's size in bytes, uncompressed and compressed."""
        return {name: (asset.size, len(asset.packed)) for name, asset in self._files.items()}

    def answer(self, name: str, headers: Headers) -> Response:
        """Return a file, or 304 if the browser's copy is current."""
        asset = self._files[name]
        # Revalidated each time and rarely sent: after an update of the box no phone shows an old page.
        answer = {"etag": asset.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if headers.get("if-none-match") == asset.tag:
            return Response(status_code=304, headers=answer)
        if "gzip" in headers.get("accept-encoding", ""):
            return Response(asset.packed, headers={**answer, "content-encoding": "gzip"}, media_type=asset.kind)
        return Response(gzip.decompress(asset.packed), headers=answer, media_type=asset.kind)
