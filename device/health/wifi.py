"""The Wi-Fi, through NetworkManager's program nmcli: networks in range, joining one, and a hotspot to set the box up.

Passwords only go to nmcli's standard input: its arguments are visible to everybody on the machine, and in the log.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
import uuid
from dataclasses import dataclass

from device.health.machine import Machine, NoAnswer
from device.referee.inputs import WifiSeen

HOTSPOT = "The hotspot of the Can't Stop box"
"""The name of the hotspot's profile, which is never stored on the disk: longer than the name of any network."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of its password: none looks like another one."""
PASSWORD_LENGTH = 8

LONGEST_NAME = 32
"""The longest name of a network, in bytes."""
LONGEST_OWN_NAME = 10
"""The longest name of the hotspot, in letters: beside its QR code there is no room for more."""
PASSWORD_LENGTHS = range(8, 64)
"""The possible lengths of a WPA password, in bytes."""

JOIN_S = 60.0
"""The time limit to join a network or become a hotspot, in seconds: with three attempts, or 45 s for an address."""
SCAN_S = 20.0
"""The time limit of a scan, in seconds; nmcli waits at most 15 for it."""
RADIO_S = 10.0
"""The time limit for an adapter that was off to be ready, in seconds."""

_WIFI = "802-11-wireless"
_PSK = f"{_WIFI}-security.psk"
_SECURED = (f"{_WIFI}-security.key-mgmt", "wpa-psk")
# Many phones cannot join an access point that offers protected management frames.
_AP = (
    f"{_WIFI}.mode", "ap", f"{_WIFI}.band", "bg", "ipv4.method", "shared", f"{_WIFI}-security.proto", "rsn",
    f"{_WIFI}-security.pairwise", "ccmp", f"{_WIFI}-security.group", "ccmp", f"{_WIFI}-security.pmf", "disable",
)  # fmt: skip

_TROUBLES = {"Secrets were required": "password", "network could not be found": "not found"}
"""The reasons of NetworkManager that players can do something about."""

_log = logging.getLogger(__name__)


class BadNetwork(Exception):
    """No network can have this name ("ssid") or this password ("psk"), as `kind` says."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class InRange:
    """A network in range.

    Attributes:
        name: Its name.
        known: Whether its password is stored.
        used: Whether the box is in it.
    """

    name: str
    known: bool
    used: bool


@dataclass(frozen=True, slots=True)
class _Adapter:
    name: str
    state: str
    profile: str
    uuid: str


def check_network(name: str, password: str) -> None:
    """Raise `BadNetwork` if no network can have this name and password; "" is the password of an open one."""
    if not 1 <= len(name.encode()) <= LONGEST_NAME or not name.isprintable():
        raise BadNetwork("ssid", f"a network's name has 1 to {LONGEST_NAME} bytes")
    if password and (len(password.encode()) not in PASSWORD_LENGTHS or not password.isprintable()):
        raise BadNetwork(
            "psk", f"a Wi-Fi password has {PASSWORD_LENGTHS.start} to {PASSWORD_LENGTHS.stop - 1} characters"
        )


class Wifi:
    """The first Wi-Fi adapter of a machine. Each method waits until the one before has ended."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._lock = threading.RLock()
        self._in_range: list[InRange] = []
        self._password = ""
        self._former = ""

    def seen(self) -> WifiSeen:
        """Return the state of the Wi-Fi."""
        with self._lock:
            try:
                if not self._password:
                    self._forget_hotspot()  # of a program that was killed
                adapter = self._adapter()
                if adapter is None:
                    return WifiSeen("no adapter")
                if adapter.profile == HOTSPOT:
                    return WifiSeen("hotspot", self._own_name(), self._password)
                found = self.networks()
            except NoAnswer:
                _log.info("NetworkManager cannot be asked", exc_info=True)
                return WifiSeen("no manager")
            name = next((each.name for each in found if each.used), "")
            if not name and adapter.state == "connected":
                name = adapter.profile
            known = tuple(each.name for each in found if each.known and not each.used)
            return WifiSeen("on" if name else "off", name, known=known)

    def networks(self) -> list[InRange]:
        """Return the networks in range, strongest first; while the box is a hotspot, those seen before.

        Raises:
            NoAnswer: NetworkManager does not answer.
        """
        # While a network is being joined, which takes longer than a phone waits, those seen before are returned.
        if self._lock.acquire(blocking=False):
            try:
                adapter = self._adapter()
                if adapter is not None and adapter.profile != HOTSPOT:
                    self._in_range = self._scan(adapter, "auto")
            finally:
                self._lock.release()
        return self._in_range

    def join(self, name: str, password: str | None = None) -> str:
        """Join a network, and store it. If that fails, return to the network or hotspot before.

        Args:
            name: Its name.
            password: Its password, "" for an open network; None for a known one.

        Returns:
            Why it failed, a key of `fault_texts.WIFI`; "" if it did not.
        """
        with self._lock:
            try:
                adapter = self._adapter()
                if adapter is None:
                    return "no adapter"
                return self._joined(adapter, name, password)
            except NoAnswer:
                return "no manager"

    def open_hotspot(self) -> str:
        """Become a hotspot, with another password each time; return why that failed, as `join` does."""
        with self._lock:
            try:
                self._nmcli("radio", "wifi", "on")
                adapter = self._ready()
                if adapter is None:
                    return "no adapter"
                if adapter.profile != HOTSPOT:
                    self._former = adapter.uuid
                    self._in_range = self._scan(adapter, "auto")  # a hotspot finds none with many adapters
                self._forget_hotspot()
                self._password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))
                self._up(adapter, self._added(HOTSPOT, self._own_name(), *_SECURED, *_AP), self._password)
            except NoAnswer as error:
                _log.warning("no hotspot: %s", error)
                self.close_hotspot()
                return "hotspot"
            return ""

    def close_hotspot(self) -> str:
        """Return from the hotspot to the network before; else NetworkManager chooses a known one. Returns ""."""
        with self._lock, contextlib.suppress(NoAnswer):
            self._forget_hotspot()
            if self._former and (adapter := self._adapter()):
                self._up(adapter, self._former)
        self._former = ""
        return ""

    def _joined(self, adapter: _Adapter, name: str, password: str | None) -> str:
        before = adapter.uuid, self._password if adapter.profile == HOTSPOT else None
        known = self._known()
        new = ""
        try:
            if adapter.profile == HOTSPOT:
                self._nmcli("connection", "down", "uuid", adapter.uuid, within_s=JOIN_S)
                self._in_range = self._scan(adapter, "yes")
            if password is None:
                self._up(adapter, known.get(name, ""))
            else:
                hidden = () if any(each.name == name for each in self._in_range) else (f"{_WIFI}.hidden", "yes")
                new = self._added(name, name, *(_SECURED if password else ()), *hidden)
                self._up(adapter, new, password or None)
                # That also stores it: until now a power cut would have left nothing.
                self._nmcli("connection", "modify", "uuid", new, "connection.autoconnect", "yes")
        except NoAnswer as error:
            _log.warning("a network was not joined: %s", error)
            with contextlib.suppress(NoAnswer):
                if new:
                    self._nmcli("connection", "delete", "uuid", new)
                if before[0]:
                    self._up(adapter, *before)
            return next((trouble for reason, trouble in _TROUBLES.items() if reason in str(error)), "failed")
        with contextlib.suppress(NoAnswer):
            if new and name in known:
                self._nmcli("connection", "delete", "uuid", known[name])
            self._forget_hotspot()
        self._former = ""
        return ""

    def _own_name(self) -> str:
        try:
            return self._machine.read("etc/hostname").decode().strip()[:LONGEST_OWN_NAME] or "cantstop"
        except (OSError, UnicodeError):
            return "cantstop"

    def _adapter(self) -> _Adapter | None:
        for name, kind, state, profile, active in self._rows(
            "DEVICE,TYPE,STATE,CONNECTION,CON-UUID", "device", "status"
        ):
            if kind == "wifi" and state != "unmanaged":
                return _Adapter(name, state, profile, active)
        return None

    def _ready(self) -> _Adapter | None:
        """Return the adapter, once it is ready after it was turned on."""
        until = time.monotonic() + RADIO_S
        while (found := self._adapter()) and found.state == "unavailable" and time.monotonic() < until:
            time.sleep(0.5)
        return found

    def _scan(self, adapter: _Adapter, rescan: str) -> list[InRange]:
        known = self._known()
        rows = self._rows(
            "IN-USE,SSID,SIGNAL", "device", "wifi", "list", "ifname", adapter.name, "--rescan", rescan,
            within_s=SCAN_S,
        )  # fmt: skip
        found: dict[str, InRange] = {}
        for used, name, _ in sorted(rows, key=lambda row: (row[0] != "*", -int(row[2] or 0))):
            if name and name.isprintable():
                found.setdefault(name, InRange(name, name in known, used == "*"))
        return list(found.values())

    def _known(self) -> dict[str, str]:
        """Return the profile of each known network by its name, the one used last of several."""
        rows = self._rows("UUID,TYPE,TIMESTAMP", "connection", "show")
        profiles = [each for each, kind, _ in sorted(rows, key=lambda row: int(row[2] or 0)) if kind == _WIFI]
        if not profiles:
            return {}
        asked = (word for each in profiles for word in ("uuid", each))
        told = self._nmcli("--fields", f"connection.uuid,{_WIFI}.ssid,{_WIFI}.mode", "connection", "show", *asked)
        blocks = [
            dict(line.split(":", 1) for line in block.splitlines() if ":" in line) for block in told.split("\n\n")
        ]
        return {
            block[f"{_WIFI}.ssid"]: block["connection.uuid"]
            for block in blocks
            if block.get(f"{_WIFI}.mode") in ("infrastructure", "") and f"{_WIFI}.ssid" in block
        }

    def _added(self, profile: str, name: str, *settings: str) -> str:
        """Add a profile that is not stored, and return its UUID."""
        made = str(uuid.uuid4())
        self._nmcli(
            "connection", "add", "save", "no", "type", "wifi", "ifname", "*", "con-name", profile, "ssid", name,
            "autoconnect", "no", "connection.uuid", made, *settings,
        )  # fmt: skip
        return made

    def _up(self, adapter: _Adapter, profile: str, password: str | None = None) -> None:
        given = () if password is None else ("passwd-file", "/dev/stdin")
        escaped = (password or "").replace("\\", "\\\\").replace(" ", "\\ ")
        line = None if password is None else f"{_PSK}:{escaped}\n"
        self._nmcli(
            "--wait", str(int(JOIN_S)), "connection", "up", "uuid", profile, "ifname", adapter.name, *given, told=line,
            within_s=JOIN_S + 5,
        )  # fmt: skip

    def _forget_hotspot(self) -> None:
        """Delete the hotspot's profile, if there is one."""
        for each, name in self._rows("UUID,NAME", "connection", "show"):
            if name == HOTSPOT:
                self._nmcli("connection", "delete", "uuid", each)

    def _rows(self, fields: str, *command: str, within_s: float = SCAN_S) -> list[list[str]]:
        """Return the rows of one of nmcli's tables."""
        told = self._nmcli("--fields", fields, *command, within_s=within_s)
        hidden = (line.replace("\\\\", "\0").replace("\\:", "\1") for line in told.split("\n"))
        rows = [[cell.replace("\0", "\\").replace("\1", ":") for cell in line.split(":")] for line in hidden]
        return [row for row in rows if len(row) == fields.count(",") + 1]

    def _nmcli(self, *command: str, told: str | None = None, within_s: float = SCAN_S) -> str:
        return self._machine.ask("nmcli", "--terse", *command, told=told, within_s=within_s)
