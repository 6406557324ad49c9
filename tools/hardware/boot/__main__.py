"""`make boot`: test the installation and the service with a real systemd, from outside.

Each printed line is a passed check; the first failed one ends the program with status 1. The pictures of the OLED are
in build/boot/pictures.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from device.camera.simulated import SimulatedTray
from device.config import Config, parse
from device.hardware.boards import BOARDS
from device.paths import GAMES
from device.referee.box_care import BOX_MENU, first_start
from device.referee.inputs import BackupGiven, Button, VersionSeen, WifiSeen
from device.referee.playing import turns
from device.referee.states import Deciding, Hotspot, OfferingPage, Situation, SwitchingOff, Waiting, Welcome
from device.screens.draw import draw
from device.screens.views import screen
from tools.hardware.bench import Bench
from tools.hardware.boot.machine import Machine
from tools.hardware.boot.phone import Phone, page_on
from tools.hardware.boot.player import Player
from tools.hardware.boot.tree import HERE, PORT, SHIMS, STATE, installed_tree, open_bench, plug_in_camera
from tools.hardware.release_server import ReleaseServer
from tools.hardware.tray import filmed_tray, write_nv12
from tools.hardware.trees import CERTIFICATES, Tree, TreeError, check_machine, expect, say
from tools.install.archives import PROJECT
from tools.sim.oled_bus import OledBus

MOST_MB = 150.0
"""The most resident memory of the service in MB, without the camera's buffers: a Zero 2 W has 426 MB in all, 256 of
them for the camera and other hardware."""

STALL_S = 7.0
"""The duration of the disk's stall in seconds: more than twice what the watchdog allows a loop that does not wait for
it."""

CAMERA_TURNS = 3
"""The number of turns that are played with the camera undisturbed."""

LONG_S = 900.0
"""The time limit for an update, in seconds, on a busy machine."""

UPDATE = f"""# This machine's pip cache, the certificate of its releases, no board to be found, and normal priority.
[Service]
Nice=0
IOSchedulingClass=best-effort
Environment=PIP_CACHE_DIR=/var/cache/pip PIP_CERT={CERTIFICATES} CURL_CA_BUNDLE=/bench/certificate.pem
ExecStart=
ExecStart=/opt/cantstop/current/installer/install.sh --update --wait --container
"""

NETWORKS = "var/tmp/networks.json"
"""The state of the simulated NetworkManager, in the tree."""

STAND_IN = PROJECT / "tools/hardware/camera"
PICTURES = HERE / "pictures"
LIFTED_S = 0.06
"""The time that a quick finger is off the button between two presses, in seconds; the box accepts 25 ms."""


class Table:
    """The booted box and its player."""

    def __init__(self, tree: Tree, bench: Bench, tray: SimulatedTray, config: Config, releases: ReleaseServer) -> None:
        """Prepare; entering `machine` boots.

        Args:
            tree: The tree to boot.
            bench: The simulated buttons and display.
            tray: The tray under its camera.
            config: The settings of its board.
            releases: Where the box looks for newer versions.
        """
        self.tree = tree
        self.bench = bench
        self.tray = tray
        self.machine = Machine(tree, {bench.folder: "/bench", SHIMS: "/shims", STAND_IN: "/camera"})
        self.phone = Phone(f"http://127.0.0.1:{PORT}")
        self.releases = releases
        self.buttons = config.buttons
        signals = ("light", "sound") if config.lamp.enabled else ()
        begins = Situation(first_start(signals=signals, with_frame=True))
        self.player = Player(begins, bench.oled.picture, self.push, self._wait_for, seed=1, board=config.its_board)

    def push(self, button: Button, *, long: bool = False) -> None:
        """Press a button and release it."""
        time.sleep(LIFTED_S)
        self.bench.press(self.buttons.pins[button], self.buttons.hold_s + 0.3 if long else 0.1, bounces=3)

    def keep_picture(self, name: str) -> None:
        """Save the OLED's picture."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.bench.oled.picture().resize((512, 256)).save(PICTURES / f"{name}.png")

    def play_turns(self, turns: int) -> None:
        """Play the given number of turns."""
        until = self._turns() + turns
        self.player.play(lambda: self._turns() >= until)

    def dies(self, how: str, signal: str) -> None:
        """Send the program a signal, and wait until the box is ready again and the OLED shows the game in progress."""
        old = self.machine.unit("MainPID")
        self.machine.do("systemctl", "kill", "--kill-whom=main", f"--signal={signal}", "cantstop")
        self.comes_back(old, how)

    def comes_back(self, old: str, what: str) -> None:
        """Wait until the box is ready as another process, and the OLED shows the game that was in progress."""
        back_s = self.machine.wait_for(lambda: self.machine.is_another(old), f"the box is back after {what}")
        self.player.was_restarted()
        seen_s = self.player.look()
        say(f"{what}: active again after {back_s:.1f} s, the same game on the OLED after {back_s + seen_s:.1f} s")
        self.keep_picture(what.replace(" ", "-").replace(",", ""))

    def _turns(self) -> int:
        game = self.player.situation.game
        return 0 if game is None else turns(game)

    def _wait_for(self, happens: Callable[[], bool], what: str) -> float:
        try:
            return self.machine.wait_for(happens, what)
        except TreeError:
            self.keep_picture("when-it-failed")
            raise


def starts(table: Table) -> None:
    """Check that the box starts by itself, and can be played."""
    machine = table.machine
    active_s = machine.wait_for(machine.is_active, "the box plays")
    say(f"systemd {machine.do('systemctl', '--version').split()[1]} is up; the box is active {active_s:.1f} s later")
    table.player.look()
    table.keep_picture("first")


def lets_a_phone_in(table: Table) -> None:
    """Check the first start, and that it offers the page and the QR code on the OLED pairs a phone."""
    machine, player, phone, oled = table.machine, table.player, table.phone, table.bench.oled
    player.play(lambda: isinstance(player.situation.state, OfferingPage))
    expect(not phone.is_served(), "no page is served before somebody asks for it")
    player.press_blind(Button.A)
    machine.wait_for(lambda: page_on(oled.picture()) is not None, "the OLED shows a QR code")
    page = page_on(oled.picture())
    assert page is not None
    player.apply(page)
    table.keep_picture("the-pages-code")
    phone.pair(page.code)
    player.press(Button.C)
    say(f"the page is switched on: the OLED shows {page.address} as a QR code, with which a phone is paired")


def is_played_by_hand(table: Table) -> None:
    """Check that dice can be entered without a camera, and that meanwhile no update is installed."""
    player, machine = table.player, table.machine
    table.play_turns(2)
    old = machine.unit("MainPID")
    print(machine.do("sh", "/src/install.sh", "--container", status=3))
    expect(machine.unit("MainPID") == old, "an update does not touch the box while a game is in progress")
    say("an update waits for the end of the game")
    table.keep_picture("played")
    done = f"{player.presses} presses with bounces, {player.entered} rolls entered by hand"
    say(f"no camera: {done}: every screen is right, pixel by pixel")


def is_killed(table: Table) -> None:
    """Check that the game goes on after the program is killed, and after it hangs."""
    before = int(table.machine.unit("NRestarts"))
    table.dies("kill -9", "KILL")
    table.play_turns(1)
    table.dies("a hang", "STOP")
    restarts = int(table.machine.unit("NRestarts")) - before
    expect(restarts == 2, f"systemd counts 2 restarts, not {restarts}")
    table.play_turns(1)


def waits_for_its_card(table: Table) -> None:
    """Check that the box survives a stall of its memory card without losing a press."""
    machine, player = table.machine, table.player
    before = machine.unit("MainPID")
    with table.bench.trouble("disk-stalls"):
        player.press_blind(Button.STOP, long=True)
        time.sleep(STALL_S)
    seen_s = player.look()
    expect(machine.unit("MainPID") == before, "a card that stalls does not get the box killed")
    player.press(Button.STOP)
    say(f"the card stalls for {STALL_S:g} s: the box waits, and shows the result of the press {seen_s:.1f} s later")


def is_updated_from_its_menu(table: Table) -> None:
    """Check that the menu updates the box over https and goes back, and that a bad release changes nothing."""
    machine, player, releases = table.machine, table.player, table.releases
    sources, current = table.tree.folder / "src", table.tree.folder / "opt/cantstop/current"
    program, readme = sources / "device/composition.py", sources / "README.md"
    first, whole = current.readlink(), program.read_text()
    player.play(lambda: isinstance(player.situation.state, Welcome))
    (current / "installer/address").write_text(releases.address)
    shutil.copy(releases.certificate, table.bench.folder)
    update = table.tree.folder / "etc/systemd/system/cantstop-update.service.d/bench.conf"
    update.parent.mkdir(exist_ok=True)
    update.write_text(UPDATE)
    machine.do("systemctl", "daemon-reload")

    releases.publish(sources, damaged=True)
    player.choose_version("update")
    player.press_blind(Button.A)
    player.apply(VersionSeen("failed"))
    table.keep_picture("an-update-that-failed")
    expect(current.readlink() == first, "a release with a wrong checksum is not installed")
    say("Update in the menu: a release with a wrong checksum is refused")

    program.write_text(f"{whole}\nraise OSError('a bad release')\n")
    releases.publish(sources)
    _changes_version(table, "an update to a version that does not start")
    expect(current.readlink() == first, "a version that does not start is rolled back by itself")

    program.write_text(whole)
    readme.write_text(readme.read_text() + "\nA newer version.\n")
    releases.publish(sources)
    player.choose_version("update", told="failed")  # the last one
    _changes_version(table, "an update from the menu")
    expect(current.readlink() != first, "the newer version runs")
    player.choose_version("go back")
    _changes_version(table, "Older version in the menu")
    expect(current.readlink() == first, "the older version runs again")
    player.press(Button.STOP)


def _changes_version(table: Table, what: str) -> None:
    """Confirm a change of the version on the OLED, and wait until the box is back and the installer has ended."""
    machine = table.machine
    old = machine.unit("MainPID")
    table.player.press_blind(Button.A)
    machine.wait_for(lambda: machine.unit("MainPID") not in {"0", old}, f"{what}: another process", LONG_S)
    services = ("cantstop-update", "cantstop-rollback")
    machine.wait_for(
        lambda: not {"activating", "active"} & {machine.unit("ActiveState", name) for name in services},
        f"{what}: the installer ends",
        LONG_S,
    )
    table.comes_back(old, what)


def has_power_again(table: Table) -> None:
    """Check that the game is restored after a power cut."""
    machine, player = table.machine, table.player
    machine.wait_for(machine.is_active, "the box plays after the power cut")
    player.was_restarted()
    player.look()
    table.keep_picture("after-the-power-cut")
    say("after the power cut: the same game")


def reads_its_dice(table: Table) -> None:
    """Check that real libcamera and Picamera2 open a camera, and that the dice below it are read."""
    player = table.player
    player.dice = lambda values: table.tray.throw(values=values)
    table.play_turns(CAMERA_TURNS)
    table.keep_picture("read-by-the-camera")
    done = f"{player.read} rolls read correctly, of {player.thrown}"
    say(f"{CAMERA_TURNS} turns with Picamera2 on libcamera: {done}; every picture right")


def loses_its_camera(table: Table) -> None:
    """Check that a roll can be entered by hand without the camera, and that the next one is read when it is back."""
    player = table.player

    def waits_for_dice() -> bool:
        return isinstance(player.situation.state, Waiting | Deciding)

    player.play(waits_for_dice)
    with table.bench.trouble("unplugged"):
        told_s = player.look_for_trouble()
        table.keep_picture("no-camera")
        player.enter_dice()
        player.play(waits_for_dice)
    found_s = player.look_again()
    say(
        f"camera unplugged: reported after {told_s:.1f} s, roll entered by hand; plugged in: back after {found_s:.1f} s"
    )
    player.roll()
    say("the next roll is read")


def is_killed_with_its_camera(table: Table) -> None:
    """Check that the camera works again after the program was killed while using it."""
    table.dies("kill -9 with the camera open", "KILL")
    table.play_turns(1)
    say(f"the camera works again: {table.player.read} rolls read so far")


def shows_its_page(table: Table) -> None:
    """Check that the page's own unit runs, and that the paired phone sees the table and plays a turn."""
    machine, player, phone = table.machine, table.player, table.phone
    machine.wait_for(phone.is_served, "the page answers")
    expect(machine.unit("ActiveState", "cantstop-page") == "active", "cantstop-page.service is active")
    _sees_the_oled(table)
    by_hand, player.push = player.push, phone.press
    before = player.presses
    table.play_turns(1)
    player.push = by_hand
    _sees_the_oled(table)
    say(f"cantstop-page.service shows the OLED; {player.presses - before} presses on the page played a turn")
    say(f"memory of the page: {_megabytes(machine.memory_mb('cantstop-page'))}")
    box = machine.unit("MainPID")
    machine.do("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "cantstop-page")
    again_s = machine.wait_for(phone.is_served, "the page is back")
    expect(machine.unit("MainPID") == box, "the box's program does not end with its page")
    say(f"page process killed: it is back after {again_s:.1f} s, without any effect on the game")


def _sees_the_oled(table: Table) -> None:
    oled, phone = table.bench.oled, table.phone
    table.machine.wait_for(lambda: phone.oled() == oled.picture().tobytes(), "the page has the OLED's pixels")


def plays_to_the_end(table: Table) -> None:
    """Check that the game can be played to its end."""
    player = table.player
    player.play(lambda: False)
    table.keep_picture("over")
    rolls = f"{player.read} rolls read, {player.entered} entered by hand"
    winner = player.situation.played.winner
    say(f"{player.presses} presses in total, {rolls}; the game is over, {winner} has won")
    waits = sorted(player.waits_s)
    worst = f"worst {waits[-1] * 1000:.0f} ms"
    say(f"from releasing a button to the right picture: median {statistics.median(waits) * 1000:.0f} ms, {worst}")


def restores_a_backup(table: Table) -> None:
    """Check that a phone's backup of another box adds a game to this one, after a question on the OLED."""
    player, phone, folder = table.player, table.phone, table.tree.folder / STATE / GAMES
    saved = phone.ask("/api/backup")
    text = re.sub("# begun .*", "# begun 2020-02-02T12:00:00+00:00", next(iter(saved["games"].values())))
    told = phone.ask("/api/restore", **saved | {"games": {"900": text}})
    expect(told["games"] == 1, f"one game of the backup is not on the box: {told}")
    player.apply(BackupGiven(((900, text),), player.situation.preferences))
    table.keep_picture("a-backup")

    def there() -> bool:
        return any(file.read_text() == text for file in folder.iterdir())

    expect(not there(), "the box asks first")
    player.press(Button.A)
    table.machine.wait_for(there, "the other box's game is stored")
    say("a phone's backup: another box's game is stored, after a question on the OLED")


def tells_its_memory(table: Table) -> None:
    """Check the service's memory: without the camera's buffers, no more than a small Pi can spare."""
    memory = table.machine.memory_mb()
    say(f"memory: {_megabytes(memory)}")
    resident = memory["RssAnon"] + memory["RssFile"]  # the camera's buffers are shared memory
    expect(resident <= MOST_MB, f"{resident:.0f} MB without camera buffers are at most {MOST_MB:g} MB")
    say(f"{resident:.0f} MB without camera buffers; at most {MOST_MB:g} MB are allowed")


def changes_its_wifi(table: Table) -> None:
    """Check that the confined service may change the Wi-Fi: the hotspot opens, and a phone's network is joined."""
    machine, phone, oled = table.machine, table.phone, table.bench.oled
    rule = (PROJECT / "tools/install/50-cantstop.rules").read_text()
    allowed = re.findall(r'"([a-z-]+(?:\.[a-z]+)*)"', rule.partition("[")[2].partition("]")[0])
    for action in (*allowed, "settings.modify.hostname", "wifi.share.open"):
        asked = ("pkcheck", "--action-id", f"org.freedesktop.NetworkManager.{action}", "--process")
        yes = machine.call(*asked, machine.unit("MainPID")).returncode == 0
        expect(yes == (action in allowed), f"polkit allows exactly what the rule names, also about {action}")
    told = {"air": {"Home": "right password", "Holiday": "another one"}, "known": ["Home"], "file": f"/{NETWORKS}"}
    python = ("python3", "-m", "dbusmock", "--system", "--template", "/srv/network_manager.py", "-p", json.dumps(told))
    file = table.tree.folder / NETWORKS
    file.unlink(missing_ok=True)
    machine.do("systemd-run", "--unit=simulated-networks", *python)
    machine.wait_for(file.exists, "the simulated NetworkManager is there")

    def simulated() -> dict[str, Any]:
        state: dict[str, Any] = json.loads(file.read_text())
        return state

    def shows(*words: str) -> None:
        def is_so() -> bool:
            seen = phone.table()
            return set(words) <= {seen["state"], *seen["words"]["en"]["oled"]}

        machine.wait_for(is_so, f"the box shows {words}")

    player = table.player
    player.play(lambda: isinstance(player.situation.state, Welcome))
    before = player.situation
    player.press(Button.STOP, long=True)
    for _ in range(BOX_MENU.index("network")):
        player.press(Button.B)
    player.press_blind(Button.C)
    shows("Network", "A: Change Wi-Fi")
    table.push(Button.A)
    shows("ChoosingNetwork")
    table.push(Button.A)
    shows("ChoosingNetwork", "> New, by phone")
    phone.press(Button.C)
    machine.wait_for(lambda: bool(simulated()["active"]), "the hotspot is open")
    hotspot = simulated()["active"]
    made = simulated()["profiles"][hotspot]
    wifi = WifiSeen("hotspot", made["name"], made["password"])
    picture = draw(screen(Situation(Hotspot(Welcome(), wifi)))).tobytes()
    machine.wait_for(lambda: oled.picture().tobytes() == picture, "the OLED shows the hotspot's name and password")
    table.keep_picture("hotspot")
    expect(not any(phone.oled()), "the page does not show the password")
    phone.ask("/api/wifi", name="Holiday", password="another one")
    shows("JoiningNetwork")
    expect(simulated()["active"] == hotspot, "the box asks first")
    table.push(Button.A)
    shows("Holiday", "A: Change Wi-Fi")
    known = {profile["name"]: profile["saved"] for profile in simulated()["profiles"].values()}
    expect(known == {"Home": True, "Holiday": True}, f"the new network is stored, the hotspot gone: {known}")
    for _ in range(2):
        table.push(Button.STOP)
    player.situation = before
    player.look()
    say("Wi-Fi: polkit allows what is needed; hotspot on the OLED; a phone's network joined after a question")


def _megabytes(memory: dict[str, float]) -> str:
    return ", ".join(f"{name} {mb:.0f} MB" for name, mb in memory.items())


def stops(table: Table) -> None:
    """Check that the service ends cleanly on request."""
    machine = table.machine
    machine.do("systemctl", "stop", "cantstop")
    expect(machine.unit("Result") == "success", f"it ends cleanly: {machine.unit('Result')}\n{machine.said()}")
    expect(table.bench.oled.picture().getbbox() is None, "its display is dark")
    say("systemctl stop: ended cleanly, the display is dark")


def switches_off(table: Table) -> None:
    """Check that the box's own menu switches the machine off."""
    machine, player = table.machine, table.player
    for unit in ("cantstop", "cantstop-page"):
        print(machine.do("systemd-analyze", "security", "--no-pager", unit).splitlines()[-1])
    machine.do("systemctl", "start", "cantstop")
    player.was_restarted()
    player.look()
    player.press(Button.STOP, long=True)
    for button in "AC":  # up to "Switch off"
        player.press(Button(button))
    table.keep_picture("shutting-down")
    player.press_blind(Button.C, long=True)
    expect(isinstance(player.situation.state, SwitchingOff), "held C switches off")
    machine.goes_off()
    expect(table.bench.oled.picture().getbbox() is None, "the display of a machine that is off is dark")
    say("switched off from its menu; the display is dark")


def show_life(table: Table) -> None:
    """Run all checks: boot, play, disturb, cut the power, play with a camera, switch off."""
    with table.machine:
        starts(table)
        lets_a_phone_in(table)
        is_updated_from_its_menu(table)
        changes_its_wifi(table)
        is_played_by_hand(table)
        is_killed(table)
        waits_for_its_card(table)
        tells_its_memory(table)
        table.machine.cut_power()
        say("the power is cut")
    plug_in_camera(table.tree)
    with table.machine:
        has_power_again(table)
        reads_its_dice(table)
        loses_its_camera(table)
        is_killed_with_its_camera(table)
        tells_its_memory(table)
        shows_its_page(table)
        plays_to_the_end(table)
        restores_a_backup(table)
        stops(table)
        switches_off(table)


def main() -> None:
    """Run all checks."""
    options = argparse.ArgumentParser(prog="make boot", description=__doc__)
    options.add_argument("--board", choices=BOARDS, default="box", help="the board of display and buttons")
    args = options.parse_args()
    config = parse(f'[board]\nkind = "{args.board}"\n')
    bus = "spidev0.0" if config.oled.interface == "spi" else "i2c-1"
    try:
        check_machine()
        tree = installed_tree(args.board)
        with (
            open_bench(OledBus(config.oled.type), bus) as bench,
            filmed_tray(partial(write_nv12, bench.folder / "tray")) as tray,
            tempfile.TemporaryDirectory() as folder,
            ReleaseServer(Path(folder)) as releases,
        ):
            show_life(Table(tree, bench, tray, config, releases))
    except (TreeError, TimeoutError, RuntimeError) as error:
        sys.exit(f"make boot: {error}")


if __name__ == "__main__":
    main()
