"""A simulated NetworkManager: a template for python-dbusmock, which runs with the system's Python.

It adds what the real one does and the template that it extends does not: it asks nmcli for passwords and refuses wrong
ones, forgets unsaved profiles that are deleted, and lets a new connection replace the one before.

Parameters: `air`, the password of each network in range, "" for an open one; `known`, the names of those with stored
profiles; `adapter`, whether there is one; `file`, where the state is written as JSON after each change.
"""

import json
import time
from pathlib import Path

import dbus
import dbusmock
from dbusmock.templates import networkmanager as template
from dbusmock.templates.networkmanager import *  # noqa: F403 - a template is a module with these names
from gi.repository import GLib

DEVICE = "/org/freedesktop/NetworkManager/Devices/wlan0"
AGENTS = "/org/freedesktop/NetworkManager/AgentManager"
WIFI, SECURITY = "802-11-wireless", "802-11-wireless-security"
DISCONNECTED, ACTIVATING, ACTIVATED, FAILED = 30, 40, 100, 120
NO_SECRETS, NOT_FOUND = 7, 53

world = {"active": "", "profiles": {}, "refused": []}


def load(mock, parameters):
    """Fill the simulated NetworkManager."""
    template.load(mock, parameters | {"Version": "1.42.4"})
    manager = dbusmock.get_object(template.MANAGER_OBJ)
    manager.activate_connection, manager.deactivate_connection = activate, deactivate
    settings = dbusmock.get_object(template.SETTINGS_OBJ)
    for name, saved in (("AddConnection", True), ("AddConnectionUnsaved", False)):
        settings.AddMethod(template.SETTINGS_IFACE, name, "a{sa{sv}}", "o", adder(saved))
    register = [("RegisterWithCapabilities", "su", "", ""), ("Unregister", "", "", "")]
    mock.AddObject(AGENTS, "org.freedesktop.NetworkManager.AgentManager", {}, register)
    mock.object_manager_emit_added(AGENTS)
    world.update(parameters, mock=mock, manager=manager)
    if parameters.get("adapter", True):
        mock.AddWiFiDevice("wlan0", "wlan0", DISCONNECTED)
        device = dbusmock.get_object(DEVICE)
        device.AddProperty(template.WIRELESS_DEVICE_IFACE, "LastScan", dbus.Int64(0))
        device.AddProperty(template.WIRELESS_DEVICE_IFACE, "ActiveAccessPoint", dbus.ObjectPath("/"))
        device.AddMethod(template.WIRELESS_DEVICE_IFACE, "RequestScan", "a{sv}", "", scan)
        for number, (name, password) in enumerate(parameters["air"].items()):
            security = 0x100 if password else 0
            address = f"00:11:22:33:44:{number:02x}"
            mock.AddAccessPoint(DEVICE, f"ap{number}", name, address, 2, 2412, 54000, 90 - number, security)
    for name in parameters.get("known", ()):
        made = {"connection": {"id": f"old {name}", "type": WIFI}, WIFI: {"ssid": dbus.ByteArray(name.encode())}}
        adder(saved=True)(settings, dbus.Dictionary(made))
        world["profiles"][f"old {name}"]["password"] = parameters["air"].get(name, "")
    changed()


def changed():
    """Write the state for the test."""
    told = {name: world[name] for name in ("active", "profiles", "refused")}
    new = Path(world["file"] + ".new")
    new.write_text(json.dumps(told))
    new.rename(world["file"])


def scan(self, _options):
    """Finish a scan at once."""
    now = dbus.Int64(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)
    self.Set(template.WIRELESS_DEVICE_IFACE, "LastScan", now)


def adder(saved):
    """Return the method that adds a profile."""

    def add(self, profile):
        made = {part: dict(values) for part, values in profile.items()}
        auto = bool(made["connection"].pop("autoconnect", True))
        path = self.SettingsAddConnection(made)
        connection = dbusmock.get_object(path)
        name = str(made["connection"]["id"])
        connection.AddMethods(
            template.CSETTINGS_IFACE,
            [("Update2", "a{sa{sv}}ua{sv}", "a{sv}", update), ("Delete", "", "", delete)],
        )
        world["profiles"][name] = {
            "name": bytes(made[WIFI]["ssid"]).decode(),
            "mode": str(made[WIFI].get("mode", "infrastructure")),
            "secured": SECURITY in made,
            "shared": str(made.get("ipv4", {}).get("method", "")) == "shared",
            "hidden": bool(made[WIFI].get("hidden")),
            "saved": saved,
            "auto": auto,
            "password": str(made.get(SECURITY, {}).get("psk", "")),
        }
        changed()
        return path

    return add


def update(self, profile, flags, _more):
    """Change a profile; by default that also saves it."""
    known = world["profiles"][str(self.settings["connection"]["id"])]
    known.update(auto=bool(profile["connection"].get("autoconnect", True)), saved=not flags & 2)
    changed()
    return dbus.Dictionary({}, signature="sv")


def delete(self):
    """Delete a profile, and disconnect what uses it."""
    name = str(self.settings["connection"]["id"])
    if world["active"] == name:
        disconnect()
    del world["profiles"][name]
    template.ConnectionDelete(self)
    changed()


def activate(self, path, _device, _point):
    """Begin to connect, in place of the connection before."""
    connection = dbusmock.get_object(path)
    name = str(connection.settings["connection"]["id"])
    disconnect()
    active = self.AddActiveConnection([DEVICE], path, "/", str(GLib.get_monotonic_time()), dbus.UInt32(1))
    device_state(ACTIVATING, 0)
    profile = world["profiles"][name]
    air = {**world["air"]}
    GLib.timeout_add(50, step, connection, name, profile, air, active)
    return dbus.ObjectPath(active)


def step(connection, name, profile, air, active):
    """Connect, after a question for the password if the profile has none."""
    if profile["mode"] != "ap" and profile["name"] not in air:
        fail(NOT_FOUND)
    elif profile["secured"] and not profile["password"]:

        def answered(secrets):
            profile["password"] = str(secrets[SECURITY]["psk"])
            finish(name, profile, air, active)

        # nmcli, which asked for this connection, is the newest program on the bus.
        bus = connection.connection
        nmcli = max((each for each in bus.list_names() if each.startswith(":")), key=lambda each: int(each[3:]))
        settings = {part: values for part, values in connection.settings.items() if values}
        bus.call_async(
            nmcli, "/org/freedesktop/NetworkManager/SecretAgent", "org.freedesktop.NetworkManager.SecretAgent",
            "GetSecrets", "a{sa{sv}}osasu",
            (settings, connection.path, SECURITY, [], 5),
            answered, lambda _: fail(NO_SECRETS),
        )  # fmt: skip
    else:
        finish(name, profile, air, active)
    return False


def finish(name, profile, air, active):
    """Accept the right password, and any of an access point's own."""
    if profile["mode"] != "ap" and air[profile["name"]] not in ("", profile["password"]):
        world["refused"].append(profile["password"])
        profile["password"] = ""
        fail(NO_SECRETS)
        return
    world["active"] = name
    changed()  # before nmcli, and so the test, hears of it
    device_state(ACTIVATED, 0)
    dbusmock.get_object(active).Set(template.ACTIVE_CONNECTION_IFACE, "State", dbus.UInt32(2))
    dbusmock.get_object(active).EmitSignal(template.ACTIVE_CONNECTION_IFACE, "StateChanged", "uu", [2, 0])
    points = dbusmock.get_object(DEVICE).access_points
    found = [each for each in points if bytes(dbusmock.get_object(each).Get(
        template.ACCESS_POINT_IFACE, "Ssid")).decode() == profile["name"]]  # fmt: skip
    point = dbus.ObjectPath(found[0] if found and profile["mode"] != "ap" else "/")
    dbusmock.get_object(DEVICE).Set(template.WIRELESS_DEVICE_IFACE, "ActiveAccessPoint", point)


def fail(reason):
    """Give up, and say why."""
    device_state(FAILED, reason)
    disconnect(reason)
    changed()


def deactivate(_self, _active):
    """Disconnect."""
    disconnect()
    changed()


def disconnect(reason=0):
    """Leave the current network."""
    manager, world["active"] = world["manager"], ""
    for active in list(manager.Get(template.MANAGER_IFACE, "ActiveConnections")):
        connection = dbusmock.get_object(active)
        connection.Set(template.ACTIVE_CONNECTION_IFACE, "State", dbus.UInt32(4))
        connection.EmitSignal(template.ACTIVE_CONNECTION_IFACE, "StateChanged", "uu", [4, 3 if reason else 2])
        manager.RemoveActiveConnection(DEVICE, active)
    device_state(DISCONNECTED, reason)
    dbusmock.get_object(DEVICE).Set(template.WIRELESS_DEVICE_IFACE, "ActiveAccessPoint", dbus.ObjectPath("/"))


def device_state(state, reason):
    """Change the adapter's state."""
    device = dbusmock.get_object(DEVICE)
    before = device.Get(template.DEVICE_IFACE, "State")
    device.Set(template.DEVICE_IFACE, "State", dbus.UInt32(state))
    device.Set(template.DEVICE_IFACE, "StateReason", (dbus.UInt32(state), dbus.UInt32(reason)))
    device.EmitSignal(template.DEVICE_IFACE, "StateChanged", "uuu", [state, before, reason])
