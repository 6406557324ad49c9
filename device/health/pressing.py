"""A test of the buttons by text, instead of on the box's own screen."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from device.referee.box_care import BUTTONS
from device.referee.inputs import Button, Finding, Grade, Press


def ask_for_buttons(presses: queue.Queue[Press], tell: Callable[[str], object], wait_s: float) -> Finding:
    """Request each button in turn; the first one that is not pressed ends the test.

    Args:
        presses: The queue of presses.
        tell: Shows an instruction.
        wait_s: How long to wait for each press, in seconds.
    """
    for button in BUTTONS:
        tell(f"press {button} (within {wait_s:.0f} s)")
        if not _comes(button, presses, tell, time.monotonic() + wait_s):
            return Finding("buttons", Grade.BAD, "not pressed", (("button", str(button)),))
    return Finding("buttons", Grade.FINE, "buttons work")


def _comes(button: Button, presses: queue.Queue[Press], tell: Callable[[str], object], deadline: float) -> bool:
    while (left := deadline - time.monotonic()) > 0:
        try:
            press = presses.get(timeout=left)
        except queue.Empty:
            return False
        if press.button is button:
            return True
        tell(f"that was {press.button}; press {button}")
    return False
