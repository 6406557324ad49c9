"""Runs probes side by side, each in a thread of its own, so that one that hangs delays nothing."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from typing import TypeVar

from device.referee.inputs import Finding, Grade

DEADLINE_S = 10.0
"""The time limit for a probe, in seconds: programs have `machine.PROGRAM_S`, a slow card needs a few seconds."""

T = TypeVar("T")
Probe = Callable[[], Finding]

_log = logging.getLogger(__name__)


def call_with_timeout(
    deadline_s: float, do: Callable[[], T], put: Callable[[T], object], late: T, failed: Callable[[Exception], T]
) -> None:
    """Start a call in a thread; returns at once.

    Args:
        deadline_s: The time in seconds after which `late` is put instead.
        do: Returns the answer.
        put: Accepts exactly one answer; called from any thread.
        late: The answer on a timeout.
        failed: The answer if `do` raises an exception.
    """
    answers: queue.SimpleQueue[T] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(do())
        except Exception as error:  # an error in the probe must not look like a timeout
            _log.exception("work in a thread failed")
            answers.put(failed(error))

    def answer() -> None:
        try:
            value = answers.get(timeout=deadline_s)
        except queue.Empty:
            value = late
        put(value)

    for target in (run, answer):
        threading.Thread(target=target, name="probe", daemon=True).start()


def run_probes(probes: Mapping[str, Probe], put: Callable[[Finding], object], deadline_s: float = DEADLINE_S) -> None:
    """Start probes by the name of their part; `put` accepts one finding for each, within the deadline in seconds."""
    for name, probe in probes.items():
        late = Finding(name, Grade.BAD, "no answer", (("seconds", round(deadline_s)),))
        call_with_timeout(deadline_s, probe, put, late, lambda error, name=name: failure(name, error))  # type: ignore[misc]


def failure(probe: str, error: Exception) -> Finding:
    """Return the finding for a probe that raised an exception."""
    return Finding(probe, Grade.BAD, "failed", (("error", str(error)[:40]),))
