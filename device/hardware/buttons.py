"""The four buttons, through gpiozero: edges on pins become short and long presses."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from functools import partial

import gpiozero

from device.config import ButtonsConfig
from device.referee.inputs import Button, Press

BOUNCE_S = 0.025
"""How long a level must be steady to count (debounce), in seconds. Small push buttons bounce for up to 10 ms; with more
than this, quick presses are lost and long ones late."""

_log = logging.getLogger(__name__)


class ButtonsError(OSError):
    """The buttons cannot be used; the message says why and what to do."""


class Buttons:
    """Buttons that connect their pins to ground. Short presses are reported on release, long ones once, while held.

    The times of the edges decide whether a press is short or long. A long press that was missed while it was held,
    because the program was still starting, is reported on release. While the key `[buttons] hold` is down, any press
    is a long one.
    """

    def __init__(self, config: ButtonsConfig, put: Callable[[Press], object]) -> None:
        """Open the pins.

        Args:
            config: The pins and times.
            put: Accepts each press. It is called from gpiozero's threads and must only enqueue.

        Raises:
            ButtonsError: If the pins cannot be opened.
        """
        self._put = put
        self._lock = threading.Lock()
        self._reported: dict[Button, bool] = {}
        """Whether the current press has already been reported, or must not be reported on release."""
        self._began: dict[Button, float] = {}
        """When the current press began, in monotonic seconds."""
        self._hold_s = config.hold_s
        self._stuck_s = config.stuck_s
        self._devices: dict[Button, gpiozero.Button] = {}
        self._hold_key: gpiozero.Button | None = None
        name, pin = "hold", config.hold
        try:
            if config.hold:
                self._hold_key = gpiozero.Button(config.hold, pull_up=True)
            for button, pin in config.pins.items():
                name = button.value
                device = gpiozero.Button(pin, pull_up=True, bounce_time=BOUNCE_S, hold_time=config.hold_s)
                self._devices[button] = device
                # A button that is already down is jammed, or held by a hand at power-on: it answers nothing.
                self._reported[button] = device.is_pressed
                # A press is reported when held or released, since only then it is known to be long or short.
                device.when_pressed = partial(self._pressed, button, device)
                device.when_held = partial(self._held, button, device)
                device.when_released = partial(self._released, button, device)
        except Exception as error:  # lgpio's own errors are plain exceptions, and it may not be installed at all
            self.close()
            raise ButtonsError(
                f"pin {pin} of button {name} cannot be used: {error}; check that this is a Raspberry Pi, the user is "
                "in the group gpio, and no other program uses this pin"
            ) from error

    def stuck(self) -> tuple[Button, ...]:
        """Return the buttons that have been down for longer than anyone holds one: a jammed cap or a short circuit."""
        with contextlib.suppress(gpiozero.GPIOZeroError):  # closed meanwhile
            return tuple(
                button
                for button, device in tuple(self._devices.items())
                if (device.active_time or 0.0) >= self._stuck_s
            )
        return ()

    def close(self) -> None:
        """Release the pins; may be called twice. A pin that cannot be released is only logged."""
        devices: list[tuple[str, gpiozero.Button]] = [*self._devices.items()]
        if self._hold_key is not None:
            devices.append(("hold", self._hold_key))
        for name, device in devices:
            try:
                device.close()
            except Exception as error:
                # lgpio's own errors are plain exceptions. Version 0.2.2 closes a pin's file after 2 ms even if its
                # thread still waits for it, as on a busy machine; the kernel releases the pin soon after.
                _log.warning("the pin of button %s was not released: %s", name, error)
        self._devices.clear()

    def _pressed(self, button: Button, device: gpiozero.Button) -> None:
        with self._lock, contextlib.suppress(gpiozero.GPIOZeroError):  # closed meanwhile
            self._began[button] = _changed_s(device)
            if self._hold_key is not None and self._hold_key.is_pressed:
                self._reported[button] = True
                self._tell(Press(button, long=True))

    def _held(self, button: Button, device: gpiozero.Button) -> None:
        # gpiozero reports holds from a separate thread, which may be late: a press that is over is reported on release.
        with self._lock, contextlib.suppress(gpiozero.GPIOZeroError):  # closed meanwhile
            if not device.is_pressed or self._reported[button]:
                return
            self._reported[button] = True
            self._tell(Press(button, long=True))

    def _released(self, button: Button, device: gpiozero.Button) -> None:
        with self._lock:
            was_reported, self._reported[button] = self._reported[button], False
            if not was_reported:
                ended_s = _changed_s(device)
                self._tell(Press(button, long=ended_s - self._began.get(button, ended_s) >= self._hold_s))

    def _tell(self, press: Press) -> None:
        # An exception that escapes from a callback ends lgpio's only thread, and with it all buttons.
        try:
            self._put(press)
        except Exception:
            _log.exception("the press of %s was lost", press)


def _changed_s(device: gpiozero.Button) -> float:
    """Return when a button last changed, in monotonic seconds: the time of the edge, not of the callback."""
    since_s = device.active_time or device.inactive_time or 0.0
    return time.monotonic() - float(since_s)
