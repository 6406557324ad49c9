"""Luck, nerve and fairness for the page: the figures of `cantstop stats` and `cantstop dice`, in the background.

Evaluating each decision with the strongest opponent, and loading scipy, cost seconds and memory. So the commands run as
separate processes at low priority, one at a time, and only on request.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

from device.page.wire import Data

LAST = 10
"""The number of most recent games for luck and nerve; each takes 3 s on a PC, many times that on a Zero 2 W."""
LONGEST_S = 1800.0
"""The longest time a command may take, in seconds."""
NICE = 10
"""The niceness of the commands: below everything else on this machine, the page's process included."""
OOM_SCORE = 800
"""The commands' oom_score_adj: they are the first to be killed when memory runs out."""
COMMAND = (sys.executable, "-m", "device.cli")

_log = logging.getLogger(__name__)


class Figures:
    """The figures of a journal, computed again after it has changed."""

    def __init__(self, journal: Path, command: Sequence[str] = COMMAND) -> None:
        """Prepare; `command` is the command line that starts `cantstop`."""
        self._journal = journal
        self._command = command
        self._lock = threading.Lock()
        self._known: Hashable = ()
        self._told: Data = {}
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._ended = False

    @property
    def is_working(self) -> bool:
        """Whether a command is running."""
        return self._thread is not None and self._thread.is_alive()

    def answer(self, mark: Hashable) -> Data:
        """Return the figures that are ready, without waiting, and start computing newer ones if `mark` has changed.

        Returns:
            `people` and `dice` in the format of the commands' `--json`, or null with the reason in `problems`; and
            `working`, whether newer ones are being computed and the request should be repeated.
        """
        with self._lock:
            is_working = self.is_working
            if not is_working and mark != self._known and not self._ended:
                self._thread = threading.Thread(target=self._work, args=(mark,), name="figures", daemon=True)
                self._thread.start()
                is_working = True
            return {"people": None, "dice": None, "problems": {}, **self._told, "working": is_working}

    def close(self) -> None:
        """Kill the running command."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()
        if self._thread is not None:
            self._thread.join(LONGEST_S)

    def _work(self, mark: Hashable) -> None:
        found: Data = {"problems": {}}
        for name, command in (("people", ("stats", "--jobs", "1", "--last", str(LAST))), ("dice", ("dice",))):
            found[name], problem = self._ask(*command)
            if problem:
                found["problems"][name] = problem
        with self._lock:
            self._known, self._told = mark, found

    def _ask(self, *words: str) -> tuple[Any, str]:
        """Run a command; return its output and "", or why there is none: "scipy", "none" or "failed"."""
        with self._lock:
            if self._ended:
                return None, "failed"
            try:
                process = self._process = subprocess.Popen(
                    [*self._command, *words, "--json", "--journal", str(self._journal)],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                )  # fmt: skip
            except OSError as error:
                _log.warning("figures for the page: %s", error)
                return None, "failed"
        with contextlib.suppress(OSError):  # figures are not worth a failure of the page
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            Path(f"/proc/{process.pid}/oom_score_adj").write_text(str(OOM_SCORE))
        try:
            said, complaint = process.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            said, complaint = process.communicate()
        if process.returncode == 0:
            with contextlib.suppress(ValueError):
                return json.loads(said), ""
        if process.returncode == 1:
            return None, "scipy" if "scipy" in complaint else "none"
        if not self._ended:  # or it was killed by `close`
            _log.warning("figures for the page: %s ended with %s: %s", words[0], process.returncode, complaint[-500:])
        return None, "failed"
