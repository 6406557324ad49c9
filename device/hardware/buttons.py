"""The four buttons, by gpiozero: from edges on pins to short and long presses."""

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

_log = logging.getLogger(__name__)

_LET_GO_S = 1.0
"""For how long a pin that lgpio finds busy is let go again and again."""

_AGAIN_S = 0.01
"""How long to wait before the next try: lgpio's thread wakes up 2,000 times a second where it gets the time."""


class ButtonsError(OSError):
    """The buttons cannot be used; the message says why and what to do."""


class Buttons:
    """Buttons that join their pins to ground. Short presses are told on release, long ones while held, once.

    What is short and what long goes by the times of the edges: a long press that nobody noticed while it was held, as
    the program was busy starting, is told at its end.
    """

    def __init__(
        self,
        config: ButtonsConfig,
        put: Callable[[Press], object],
        pin_factory: gpiozero.Factory | None = None,
    ) -> None:
        """Open the pins.

        Args:
            config: The pins and times.
            put: Takes each press; called from gpiozero's threads, so it must do no more than enqueue.
            pin_factory: gpiozero's way to the pins; None for the one that it finds by itself.

        Raises:
            ButtonsError: If the pins cannot be had.
        """
        self._put = put
        self._lock = threading.Lock()
        self._told: dict[Button, bool] = {}
        """Whether the press under way needs no telling at its end."""
        self._began: dict[Button, float] = {}
        """When the press under way began, in monotonic seconds."""
        self._hold_s = config.hold_s
        self._stuck_s = config.stuck_s
        self._devices: dict[Button, gpiozero.Button] = {}
        try:
            for button, pin in config.pins.items():
                device = gpiozero.Button(
                    pin,
                    pull_up=True,
                    bounce_time=config.bounce_s,
                    hold_time=config.hold_s,
                    pin_factory=pin_factory,
                )
                self._devices[button] = device
                # A button that is down already is a stuck one, or a hand on the box at power-on: nobody's answer.
                self._told[button] = device.is_pressed
                # Told when held or released: a press is short or long only once it is over or lasts.
                device.when_pressed = partial(self._pressed, button, device)
                device.when_held = partial(self._held, button, device)
                device.when_released = partial(self._released, button, device)
        except Exception as error:  # lgpio's own errors are plain exceptions, and it may not be installed at all
            self.close()
            raise ButtonsError(
                f"the buttons on pins {', '.join(map(str, config.pins.values()))} cannot be used: {error}; is this a "
                "Raspberry Pi, is the user in the group gpio, and does no other program hold these pins?"
            ) from error

    def stuck(self) -> tuple[Button, ...]:
        """List the buttons that are down for longer than anybody holds one: a jammed cap, a short circuit."""
        with contextlib.suppress(gpiozero.GPIOZeroError):  # closed meanwhile
            return tuple(
                button
                for button, device in tuple(self._devices.items())
                if (device.active_time or 0.0) >= self._stuck_s
            )
        return ()

    def close(self) -> None:
        """Let the pins go; may be called twice. A pin that cannot be let go is noted in the log, and left."""
        deadline_s = time.monotonic() + _LET_GO_S
        for button, device in self._devices.items():
            while not device.closed:
                try:
                    device.close()
                except Exception as error:  # lgpio's own errors are plain exceptions
                    # lgpio 0.2.2 closes a pin's file after 2 ms even if its thread still waits for it, as happens
                    # on a busy machine; to the kernel the pin is taken until the thread wakes up.
                    if time.monotonic() > deadline_s:
                        _log.warning("the pin of button %s was not let go: %s", button.value, error)
                        break
                    time.sleep(_AGAIN_S)
        self._devices.clear()

    def _pressed(self, button: Button, device: gpiozero.Button) -> None:
        with self._lock:
            self._began[button] = _changed_s(device)

    def _held(self, button: Button, device: gpiozero.Button) -> None:
        # gpiozero tells of holds in a thread of their own, which may come late: what is over is told by its release.
        with self._lock, contextlib.suppress(gpiozero.GPIOZeroError):  # closed meanwhile
            if not device.is_pressed or self._told[button]:
                return
            self._told[button] = True
            self._tell(Press(button, long=True))

    def _released(self, button: Button, device: gpiozero.Button) -> None:
        with self._lock:
            was_told, self._told[button] = self._told[button], False
            if not was_told:
                ended_s = _changed_s(device)
                self._tell(Press(button, long=ended_s - self._began.get(button, ended_s) >= self._hold_s))

    def _tell(self, press: Press) -> None:
        # An exception that leaves a callback ends lgpio's one thread, and with it every button.
        try:
            self._put(press)
        except Exception:
            _log.exception("the press of %s was lost", press)


def _changed_s(device: gpiozero.Button) -> float:
    """Tell when a button was last pressed or let go, in monotonic seconds: when the edge came, not the callback."""
    since_s = device.active_time or device.inactive_time or 0.0
    return time.monotonic() - float(since_s)
