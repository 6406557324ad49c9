"""Runs probes side by side, each in a thread of its own, so that one that hangs holds up nothing and nobody."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from device.referee.inputs import Finding, Level

DEADLINE_S = 10.0
"""How long a probe may take: the programs that it asks have `machine.PROGRAM_S`, a slow card a few seconds."""

Probe = Callable[[], Finding]

_log = logging.getLogger(__name__)


class _Answer:
    """The one answer of a probe: what it found, or that its time is up, whichever comes first."""

    def __init__(self, put: Callable[[Finding], None]) -> None:
        self._put = put
        self._lock = threading.Lock()
        self._is_given = False

    def give(self, finding: Finding) -> None:
        with self._lock:
            if self._is_given:
                return
            self._is_given = True
        self._put(finding)


def examine(probes: Mapping[str, Probe], put: Callable[[Finding], None], deadline_s: float = DEADLINE_S) -> None:
    """Begin to run probes, and return at once.

    Args:
        probes: What to run, by the name of the part that it is about.
        put: Takes exactly one finding for each; called from any thread.
        deadline_s: Seconds after which a probe without an answer is told as one.
    """
    for name, probe in probes.items():
        answer = _Answer(put)
        late = Finding(name, Level.BAD, "no answer", (("seconds", round(deadline_s)),))
        timer = threading.Timer(deadline_s, answer.give, (late,))
        timer.daemon = True
        timer.start()
        threading.Thread(target=_run, args=(name, probe, answer, timer), name=f"probe {name}", daemon=True).start()


def _run(name: str, probe: Probe, answer: _Answer, timer: threading.Timer) -> None:
    try:
        finding = probe()
    except Exception as error:  # a probe's own fault must not pass for silence
        _log.exception("the probe of %s has failed", name)
        finding = Finding(name, Level.BAD, "failed", (("error", str(error)[:40]),))
    timer.cancel()
    answer.give(finding)
