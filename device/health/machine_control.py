"""The machine that the box runs on: checks its parts, finds its addresses, changes its version, and switches it off."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from device.config import Config
from device.health import probes
from device.health.machine import Machine, NoAnswer
from device.health.probe_runner import Probe, run_probes
from device.health.wifi import Wifi
from device.referee.inputs import NO_WIFI, Input, NetworkSeen, StaysOn, VersionSeen

SWITCH_OFF = ("systemctl", "--no-ask-password", "poweroff")

CHANGES = {"update": "cantstop-update.service", "go back": "cantstop-rollback.service"}
"""The services that change the box's version, by the item of the menu."""

LOOK_S = 2.0
"""The time between two looks at such a service, in seconds."""

CHANGE_S = 14 * 3600.0
"""The time after which it is no longer observed, in seconds: systemd's limit for it."""

_log = logging.getLogger(__name__)


class MachineControl:
    """Controls the machine that this program runs on. No method blocks; each puts its results as inputs."""

    def __init__(self, folder: Path, config: Config, *, switches_off: bool = False) -> None:
        """Prepare.

        Args:
            folder: The folder of the journal.
            config: The settings.
            switches_off: Whether it may be switched off and changed: a box, but no computer on which somebody plays.
        """
        self._folder = folder
        self._config = config
        self._machine = Machine()
        self._switches_off = switches_off
        self.wifi = Wifi(self._machine) if switches_off else None
        """The Wi-Fi of a box; None on a computer, whose owner chooses the network."""
        self._observed = 0

    def check_parts(self, put: Callable[[Input], None], display_trouble: str) -> None:
        """Check all parts but camera and buttons; puts a `Finding` for each.

        Args:
            put: Accepts them.
            display_trouble: What is wrong with the display, or "".
        """
        running: dict[str, Probe] = {"oled": lambda: probes.display(display_trouble, self._config.oled)}
        run_probes(running | machine_probes(self._machine, self._folder, self._config), put)

    def ask_network(self, put: Callable[[Input], None], *, closes_hotspot: bool = False) -> None:
        """Find names, addresses and the Wi-Fi, after closing the hotspot if asked to; puts `NetworkSeen`."""
        self._change_wifi(lambda wifi: wifi.close_hotspot() if closes_hotspot else "", put)

    def join_network(self, name: str, password: str | None, put: Callable[[Input], None]) -> None:
        """Join a network, see `Wifi.join`; puts `NetworkSeen`."""
        self._change_wifi(lambda wifi: wifi.join(name, password), put)

    def open_hotspot(self, put: Callable[[Input], None]) -> None:
        """Become a hotspot; puts `NetworkSeen`."""
        # A box without a display could not show its password.
        can_show = self._config.its_board.has_buttons
        self._change_wifi(lambda wifi: wifi.open_hotspot() if can_show else "no display", put)

    def _change_wifi(self, change: Callable[[Wifi], str], put: Callable[[Input], None]) -> None:
        def ask() -> None:
            seen = NO_WIFI
            if self.wifi is not None:
                trouble = change(self.wifi)
                seen = replace(self.wifi.seen(), trouble=trouble)
            put(NetworkSeen(addresses(self._machine), seen))

        self._aside(ask, put, NetworkSeen())

    def change_version(self, item: str, put: Callable[[Input], None], *, begin: bool) -> None:
        """Observe the change of the box's version until it ends, and begin it first if asked to.

        Args:
            item: One of `CHANGES`.
            put: Gets a `VersionSeen` now and after each step; only the last call's.
            begin: Whether to begin it.
        """
        self._observed = mine = self._observed + 1

        def observe() -> None:
            if not self._switches_off:
                raise NoAnswer("this is no box")
            if begin:
                self._machine.ask("systemctl", "--no-ask-password", "--no-block", "start", CHANGES[item])
            seen, end_s = None, time.monotonic() + CHANGE_S
            while mine == self._observed and time.monotonic() < end_s:
                before, seen = seen, progress(self._machine, item)
                if seen != before:
                    put(VersionSeen(seen))
                if seen in ("", "failed"):
                    return
                time.sleep(LOOK_S)

        self._aside(observe, put, VersionSeen("failed"))

    def switch_off(self, put: Callable[[Input], None]) -> None:
        """Switch the machine off; puts `StaysOn` if that is refused."""

        def ask() -> None:
            if not self._switches_off:
                raise NoAnswer("this is no box")
            self._machine.ask(*SWITCH_OFF)

        self._aside(ask, put, StaysOn())

    @staticmethod
    def _aside(do: Callable[[], None], put: Callable[[Input], None], refused: Input) -> None:
        """Do something in a thread, and put an input if the machine refuses it."""

        def run() -> None:
            try:
                do()
            except NoAnswer:
                _log.exception("the machine refused")
                put(refused)

        threading.Thread(target=run, name="machine", daemon=True).start()


def machine_probes(machine: Machine, folder: Path, config: Config) -> dict[str, Probe]:
    """Return the probes that need neither the box's display nor its camera and buttons."""
    return {
        "bus": lambda: probes.bus(machine, config.oled),
        "storage": lambda: probes.storage(folder),
        "space": lambda: probes.space(folder),
        "clock": lambda: probes.clock(machine),
        "heat": lambda: probes.heat(machine),
        "power": lambda: probes.power(machine),
        "speech": lambda: probes.speech(config.speech.enabled),
        "versions": probes.versions,
    }


def progress(machine: Machine, item: str) -> str:
    """Return the installer's step, "" if no version is being changed, or "failed"; raise `NoAnswer` without systemd."""
    units = (unit := CHANGES[item], *(other for other in CHANGES.values() if other != unit))
    told = machine.ask("systemctl", "show", "--property=ActiveState,StatusText,Job", *units)
    shown = [dict(line.split("=", 1) for line in block.splitlines()) for block in told.strip().split("\n\n")]
    for each in shown:
        if each.get("Job") or each.get("ActiveState") == "activating":
            return each.get("StatusText") or "begin"
    return "failed" if shown[0].get("ActiveState") == "failed" else ""


def addresses(machine: Machine) -> tuple[str, ...]:
    """Return the name and addresses at which the machine can be reached; empty without a network.

    The name ends in ".local" and is published by avahi, which is part of Raspberry Pi OS.
    """
    try:
        links = json.loads(machine.ask("ip", "-json", "address", "show", "up"))
        found = [
            (info["family"] != "inet", info["local"])
            for link in links
            for info in link.get("addr_info", ())
            if info.get("scope") == "global" and not info.get("temporary")
        ]
        name = machine.read("etc/hostname").decode().strip()
    except (NoAnswer, OSError, ValueError, KeyError, TypeError, AttributeError):
        _log.info("the network cannot be asked for", exc_info=True)
        return ()
    return (f"{name}.local", *(address for _, address in sorted(found))) if found else ()
