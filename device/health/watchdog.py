"""The service's life as systemd sees it: ready, alive, ending. Without systemd all of this does nothing.

The words are those of sd_notify(3). The watchdog is fed by the box's loop alone, each time it comes round: a loop that
hangs (in a bus or a lock) is ended by systemd and started again, and the journal gives the game back. While it writes
to the disk it is given longer: memory cards rest for seconds now and then, to put their blocks in order, and a box that
is started again has to wait for the same card.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator

FEEDS = 4
"""How often the watchdog is fed in the time that it allows; systemd asks for two, and a busy machine may miss some."""

DISK_S = 30.0
"""How long writing to the disk may take. The kernel gives a card's command up some seconds before, and says so."""


class Watchdog:
    """Tells systemd how the service is."""

    def __init__(
        self, notify: Callable[[str], object] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Look whether systemd listens, and how often it wants to hear from us.

        Args:
            notify: Sends a message; None for systemd's socket, $NOTIFY_SOCKET.
            clock: Seconds.
        """
        self._notify = notify or _send_to_systemd
        self._clock = clock
        self._allowed_s = _watchdog_s()
        self._every_s = None if self._allowed_s is None else self._allowed_s / FEEDS
        self._fed_s: float | None = None
        self._is_ready = False
        self._status = ""

    def beat(self, status: str = "") -> None:
        """Tell that the loop has come round; the first time this says that the box is ready.

        Args:
            status: What `systemctl status` is to show, such as a part that is missing; "" where all is well.
        """
        if not self._is_ready:
            self._is_ready = True
            self._notify("READY=1")
        if status != self._status:
            self._status = status
            self._notify(f"STATUS={status}")
        now = self._clock()
        if self._every_s is not None and (self._fed_s is None or now - self._fed_s >= self._every_s):
            self._fed_s = now
            self._notify("WATCHDOG=1")

    @contextlib.contextmanager
    def at_the_disk(self) -> Iterator[None]:
        """Have the watchdog allow `DISK_S` while the loop waits for the disk; to be used in the loop's thread."""
        if self._allowed_s is None or self._allowed_s >= DISK_S:
            yield
            return
        self._allow(DISK_S)
        try:
            yield
        finally:
            self._allow(self._allowed_s)

    def _allow(self, seconds: float) -> None:
        self._notify(f"WATCHDOG_USEC={round(seconds * 1e6)}")  # which feeds it as well

    def stopping(self) -> None:
        """Tell that the box is ending because it was asked to."""
        self._notify("STOPPING=1")


def _watchdog_s() -> float | None:
    """Return how many seconds of silence systemd's watchdog allows, None where there is none for this process."""
    allowed = os.environ.get("WATCHDOG_USEC", "")
    whose = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    return int(allowed) / 1e6 if allowed.isdigit() and whose == str(os.getpid()) else None


def _send_to_systemd(message: str) -> None:
    """Send a message of sd_notify(3); one that cannot be sent is dropped, as a game is worth more than it."""
    if not (address := os.environ.get("NOTIFY_SOCKET")):
        return
    if address.startswith("@"):  # a socket without a file
        address = "\0" + address[1:]
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(message.encode(), address)
