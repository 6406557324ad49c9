"""Past games and statistics for the page, from a separate process: the box's own never reads the journal.

The first request starts the process. It ends after `IDLE_S` without a request or when its standard input is closed,
thus also if the box is killed. It runs at the lowest priority.
"""

from __future__ import annotations

import contextlib
import logging
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from device.page.wire import MAX_REPLY_BYTES, Data, RequestError, pack

ANSWER_S = 9.0
"""The time limit for an answer, in seconds; the page waits for 10 s."""
END_S = 2.0
"""The time after which a process that was asked to end is killed, in seconds."""
PROGRAM = (sys.executable, "-m", "device.page.box_side.past_games_process")

_log = logging.getLogger(__name__)


class PastGames:
    """Passes requests to the process, one at a time."""

    def __init__(self, journal: Path, program: Sequence[str] = PROGRAM, answer_s: float = ANSWER_S) -> None:
        """Prepare; the first request starts the process: `program` with the journal's path.

        An answer may take `answer_s` seconds.
        """
        self._command = [*program, str(journal)]
        self._answer_s = answer_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._ended = False

    def answer(self, question: Data) -> bytes:
        """Return the answer as a line of JSON: an object with "data", or with "error" and "text".

        Raises:
            RequestError: "late" if the process takes too long, "failed" if it ends without an answer.
        """
        line = pack({name: question[name] for name in ("ask", "number") if name in question})
        for _ in range(2):  # a process that has just ended from idleness is started once more
            process = self._running()
            if answer := self._ask(process, line):
                return answer
            self._end(process)
        raise RequestError("failed", "past games cannot be read; see the box's log")

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._ended = True
            process = self._process
        if process is not None:
            self._end(process)

    def _running(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise RequestError("away", "the box is being switched off")
            if self._process is None or self._process.poll() is not None:
                if self._process is not None:
                    self._end(self._process)
                try:
                    self._process = subprocess.Popen(
                        self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
                    )
                except OSError as error:
                    _log.warning("past games cannot be read: %s", error)
                    raise RequestError("failed", "past games cannot be read; see the box's log") from error
            return self._process

    def _ask(self, process: subprocess.Popen[bytes], line: bytes) -> bytes:
        """Return the process's answer, b"" if it has ended; raise `RequestError` "late" after the deadline."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            until = time.monotonic() + self._answer_s
            answer = b""
            while not answer.endswith(b"\n"):
                ready, _, _ = select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))
                if not ready or len(answer) > MAX_REPLY_BYTES:
                    self._end(process)
                    raise RequestError("late", "reading past games took too long")
                part = process.stdout.read(1 << 16)
                if not part:
                    return b""
                answer += part
        except (OSError, ValueError):  # it has ended, possibly by `close`
            return b""
        return answer

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
