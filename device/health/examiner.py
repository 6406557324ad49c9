"""Asks for answers side by side, each in a thread of its own, so that what hangs holds up nothing and nobody."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from device.referee.inputs import Finding, Grade

DEADLINE_S = 10.0
"""How long a probe may take: the programs that it asks have `machine.PROGRAM_S`, a slow card a few seconds."""

T = TypeVar("T")
Probe = Callable[[], Finding]

_log = logging.getLogger(__name__)


class _Answer(Generic[T]):
    """The one answer to a question: what came of it, or that its time is up, whichever is first."""

    def __init__(self, put: Callable[[T], object]) -> None:
        self._put = put
        self._lock = threading.Lock()
        self._is_given = False

    def give(self, value: T) -> None:
        with self._lock:
            if self._is_given:
                return
            self._is_given = True
        self._put(value)


def within(
    deadline_s: float, do: Callable[[], T], put: Callable[[T], object], late: T, failed: Callable[[Exception], T]
) -> None:
    """Begin to do something, and return at once.

    Args:
        deadline_s: Seconds after which `late` is put in its stead.
        do: Gives the answer.
        put: Takes exactly one answer; called from any thread.
        late: The answer where none came in time.
        failed: The answer where `do` has raised.
    """
    answer = _Answer(put)
    timer = threading.Timer(deadline_s, answer.give, (late,))
    timer.daemon = True

    def run() -> None:
        try:
            value = do()
        except Exception as error:  # a probe's own fault must not pass for silence
            _log.exception("a probe has failed")
            value = failed(error)
        timer.cancel()
        answer.give(value)

    timer.start()
    threading.Thread(target=run, name="probe", daemon=True).start()


def examine(probes: Mapping[str, Probe], put: Callable[[Finding], object], deadline_s: float = DEADLINE_S) -> None:
    """Begin to run probes, and return at once.

    Args:
        probes: What to run, by the name of the part that it is about.
        put: Takes exactly one finding for each; called from any thread.
        deadline_s: Seconds after which a probe without an answer is told as one.
    """
    for name, probe in probes.items():
        late = Finding(name, Grade.BAD, "no answer", (("seconds", round(deadline_s)),))
        within(deadline_s, probe, put, late, lambda error, name=name: failure(name, error))  # type: ignore[misc]


def failure(probe: str, error: Exception) -> Finding:
    """Return the finding of a probe that has itself failed."""
    return Finding(probe, Grade.BAD, "failed", (("error", str(error)[:40]),))
