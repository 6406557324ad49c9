"""The service's state for systemd: ready, alive, stopping. Without systemd nothing here has an effect.

The messages are those of sd_notify(3). Only the box's loop feeds the watchdog, once per iteration: a loop that hangs
(in a bus or a lock) is killed and restarted by systemd, and the journal restores the game. While it writes to the disk
it is given longer: memory cards occasionally pause for seconds for internal maintenance, and a restarted box would have
to wait for the same card.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

DISK_S = 30.0
"""The time limit for writing to the disk, in seconds. The kernel aborts a card's command some seconds earlier."""


class Watchdog:
    """Reports the service's state to systemd."""

    def __init__(self) -> None:
        """Determine systemd's watchdog timeout."""
        self._allowed_s = _watchdog_s()
        self._is_ready = False
        self._status = ""

    def beat(self, status: str = "") -> None:
        """Send a heartbeat; the first one reports the service as ready.

        Args:
            status: The text for `systemctl status`, such as a missing part; "" if all is well.
        """
        if not self._is_ready:
            self._is_ready = True
            notify("READY=1")
        if status != self._status:
            self._status = status
            notify(f"STATUS={status}")
        if self._allowed_s is not None:
            notify("WATCHDOG=1")

    @contextlib.contextmanager
    def at_the_disk(self) -> Iterator[None]:
        """Extend the watchdog's timeout to `DISK_S` while the loop waits for the disk; for use in the loop's thread."""
        if self._allowed_s is None or self._allowed_s >= DISK_S:
            yield
            return
        notify(f"WATCHDOG_USEC={round(DISK_S * 1e6)}")  # this also feeds it
        try:
            yield
        finally:
            notify(f"WATCHDOG_USEC={round(self._allowed_s * 1e6)}")

    def stopping(self) -> None:
        """Report that the box is stopping as requested."""
        notify("STOPPING=1")


def _watchdog_s() -> float | None:
    """Return systemd's watchdog timeout for this process in seconds; None without a watchdog."""
    allowed = os.environ.get("WATCHDOG_USEC", "")
    whose = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    return int(allowed) / 1e6 if allowed.isdigit() and whose == str(os.getpid()) else None


def notify(message: str) -> None:
    """Send a message of sd_notify(3); errors are ignored, since the game matters more."""
    if not (address := os.environ.get("NOTIFY_SOCKET")):
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(message.encode(), address)
