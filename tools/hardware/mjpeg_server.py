"""A network camera on this machine: it serves an MJPEG stream, and misbehaves as a test wishes."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Self

import cv2

from vision.types import Frame


class MjpegServer:
    """Serves the pictures of `frame(number)`; a new connection goes on with the numbers.

    Attributes:
        url: The address of the stream.
        frame: Returns the picture of a number.
        cuts: Whether the picture of a number is cut in half.
        stalls: While it is set, nothing is sent.
        refuses: While it is set, new connections are refused.
        breaks: Ends the streams that run.
        sent: The number of pictures that were sent.
        stalled: The number of the last picture before a stall; None before the first.
    """

    def __init__(self, frame: Callable[[int], Frame]) -> None:
        """Listen on a free port of this machine."""
        self.frame = frame
        self.cuts: Callable[[int], bool] = lambda _: False
        self.stalls, self.refuses, self.breaks = threading.Event(), threading.Event(), threading.Event()
        self.sent = 0
        self.stalled: int | None = None
        self._numbers = itertools.count()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/video"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.breaks.set()
        self._server.shutdown()
        self._server.server_close()

    def stream(self, out: BufferedIOBase) -> None:
        """Write the stream until it breaks, or raise OSError when the reader has gone."""
        self.breaks.clear()
        next_s = time.monotonic()
        while not self.breaks.is_set():
            while self.stalls.is_set() and not self.breaks.wait(0.01):
                self.stalled = self.sent - 1
            number = next(self._numbers)
            jpeg = cv2.imencode(".jpg", self.frame(number))[1].tobytes()
            if self.cuts(number):
                jpeg = jpeg[: len(jpeg) // 2]
            out.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n")
            out.flush()
            self.sent = number + 1
            next_s += 1 / 15
            time.sleep(max(0.0, next_s - time.monotonic()))


def _handler(server: MjpegServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if server.refuses.is_set():
                self.send_error(503)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            with contextlib.suppress(OSError):
                server.stream(self.wfile)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
