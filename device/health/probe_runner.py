"""Runs probes and other work side by side, each in a thread of its own, so that one that hangs delays nothing."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from device.referee.inputs import Finding, Grade

DEADLINE_S = 10.0
"""The time limit for a probe, in seconds: programs have `machine.PROGRAM_S`, a slow card needs a few seconds."""

LONGEST_S = 60.0
"""The time limit for other answers, such as the story of a game, in seconds."""

T = TypeVar("T")
Probe = Callable[[], Finding]

_log = logging.getLogger(__name__)


def ask_aside(work: Callable[[], T], put: Callable[[T], object], otherwise: T, deadline_s: float = LONGEST_S) -> None:
    """Do some work in a thread; returns at once.

    Args:
        work: Returns the answer.
        put: Accepts exactly one answer; called from any thread.
        otherwise: The answer after an error, or after `deadline_s` seconds.
        deadline_s: The time limit, in seconds.
    """
    answers: queue.SimpleQueue[T] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(work())
        except Exception:
            _log.exception("work in a thread failed")
            answers.put(otherwise)

    def answer() -> None:
        try:
            value = answers.get(timeout=deadline_s)
        except queue.Empty:
            value = otherwise
        put(value)

    for target in (run, answer):
        threading.Thread(target=target, name="probe", daemon=True).start()


def run_probes(probes: Mapping[str, Probe], put: Callable[[Finding], object]) -> None:
    """Start probes by the name of their part; `put` accepts one finding for each, within `DEADLINE_S`."""
    for name, probe in probes.items():
        late = Finding(name, Grade.BAD, "no answer", (("seconds", round(DEADLINE_S)),))
        ask_aside(partial(_found, name, probe), put, late, DEADLINE_S)


def _found(name: str, probe: Probe) -> Finding:
    try:
        return probe()
    except Exception as error:  # an error in the probe must not look like a timeout
        _log.exception("the probe of %s failed", name)
        return Finding(name, Grade.BAD, "failed", (("error", str(error)[:40]),))
