"""Luck, nerve and fairness for the page: what `cantstop stats` and `cantstop dice` print, worked out aside.

The strongest opponent's opinion on each decision, and scipy, cost seconds and memory: so the commands themselves run as
processes behind everything else, one at a time, and only when somebody asks.
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
"""Luck and nerve of so many games, the newest: 3 s of processor each on a PC, and many times that on a Zero 2 W."""
LONGEST_S = 1800.0
"""How long a command may take."""
NICE = 10
"""Behind all else on this machine, the page's process included."""
OOM_SCORE = 800
"""The first to go when memory runs out."""
COMMAND = (sys.executable, "-m", "device.cli")

_log = logging.getLogger(__name__)


class Figures:
    """The figures of a journal, worked out anew when it has changed."""

    def __init__(self, journal: Path, command: Sequence[str] = COMMAND) -> None:
        """Prepare.

        Args:
            journal: The journal's file.
            command: How to start `cantstop`.
        """
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
        """Whether anything is being worked out just now."""
        return self._thread is not None and self._thread.is_alive()

    def told(self, mark: Hashable) -> Data:
        """Return what is known, at once; what is not yet is begun to be worked out.

        Args:
            mark: Changes whenever the figures may have; () while there are none.

        Returns:
            `people` and `dice`, as the commands' `--json` has them, or null with the reason beside it in `problems`;
            and whether newer ones are being `working` out: then it is to be asked again.
        """
        with self._lock:
            is_working = self.is_working
            if not is_working and mark != self._known and not self._ended:
                self._thread = threading.Thread(target=self._work, args=(mark,), name="figures", daemon=True)
                self._thread.start()
                is_working = True
            return {"people": None, "dice": None, "problems": {}, **self._told, "working": is_working}

    def close(self) -> None:
        """End what is being worked out."""
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
        """Run a command; give what it says, or why it says nothing: "scipy", "none" or "failed"."""
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
        with contextlib.suppress(OSError):  # they are figures, not worth a failure
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
