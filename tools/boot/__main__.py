"""`make boot`: the installer's work and the service's life, with a real systemd, shown from outside.

Every line that is printed was checked; the first thing that does not hold ends it with status 1. The pictures that the
OLED showed are in build/boot/pictures.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import cv2

from device.config import ButtonsConfig
from device.referee.box_care import first_start
from device.referee.inputs import Button, DiceRead
from device.referee.states import ShuttingDown, Situation, SwitchingOff, Waiting
from device.referee.table import step
from device.screens.draw import draw
from device.screens.views import screen
from tests.hardware.bench import Bench, build
from tools.at_rest import dice_at_rest
from tools.boot.machine import Machine
from tools.boot.player import Player
from tools.debs import add_archive, archive_for
from tools.trees import BUILD, Tree, TreeError, add_backports, base_tree, check_machine, copy_of, say

HERE = BUILD / "boot"
WORLD = Path(__file__).parent / "camera"
PICTURES = HERE / "pictures"
ON_THE_BENCH = "/etc/systemd/system/cantstop.service.d/bench.conf"
DROP_IN = """# The made devices of tests/hardware in place of a Pi's; nothing else of the unit is changed.
[Service]
Environment=LD_PRELOAD=/shims/gpiochip.so:/shims/i2c.so:/shims/dmabuf.so
Environment=CANTSTOP_BENCH=/bench
Environment=PYTHONPATH=/camera
"""
NEWER_LIBCAMERA = "Package: *libcamera*\nPin: release n=trixie-backports\nPin-Priority: 700\n"
"""Trixie's own libcamera 0.4.0 has a virtual camera with wrong times and padded pictures."""

CAMERAS = "usr/share/libcamera/pipeline/virtual/virtual.yaml"
CAMERA = """%YAML 1.1
---
"Tray":
  supported_formats:
  - width: 640
    height: 480
    frame_rates:
    - 15
  frames:
    path: "/frames/"
  location: "CameraLocationBack"
  model: "dice in a tray"
"""
DICE = (1, 3, 5, 6)
FRAMES = 8
"""So many pictures of the same dice come in turn, each with noise of its own: to the box one that stands still is
frozen."""

LOOKS_S = 6.0
"""After so long without a roll the box is asked to read again."""

LIFTED_S = 0.06
"""How long a quick finger is off the button between two presses, in seconds; the box counts from 25 ms on."""

BLIND_S = 3.0
"""For how long the display is unplugged."""

STILL = {"dim_after_s": "3600.0", "off_after_s": "86400.0", "shift_every_s": "86400.0"}
"""A display that does not rest: its pictures are compared pixel by pixel, also long after a press."""


def installed_tree(*, fresh: bool) -> Tree:
    """Give a tree in which the installer has installed the box; check that a second run changes nothing."""
    base = base_tree("trixie", "amd64")
    tree = Tree(HERE / "box", base.suite, base.architecture)
    if fresh or not (tree.folder / "etc/debian_version").exists():
        tree = copy_of(base, tree.folder)
        add_archive(tree, archive_for(base, camera=True))
        add_backports(tree)
        (tree.folder / "etc/apt/preferences.d/libcamera").write_text(NEWER_LIBCAMERA)
    shutil.rmtree(tree.folder / "var/lib/cantstop", ignore_errors=True)
    (tree.folder / ON_THE_BENCH[1:]).unlink(missing_ok=True)
    (tree.folder / CAMERAS).unlink(missing_ok=True)
    tree.copy_sources()
    say("sudo ./install.sh")
    print(tree.ask("sh", "/src/install.sh", "--container"), end="")
    again = tree.ask("sh", "/src/install.sh", "--container")
    if "nothing was changed" not in again:
        raise TreeError(f"a second run changed something:\n{again}")
    say("a second run changed nothing")
    drop_in = tree.folder / ON_THE_BENCH[1:]
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text(DROP_IN)
    settings = tree.folder / "etc/cantstop/config.toml"
    text = settings.read_text()
    for name, value in STILL.items():
        text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {value}", text)
    settings.write_text(text)
    return tree


class Table:
    """The booted box and who sits before it."""

    def __init__(self, tree: Tree, bench: Bench, shims: Path) -> None:
        """Prepare; `switch_on` boots."""
        self.bench = bench
        self._pins = {Button[name.upper()]: pin for name, pin in _pins().items()}
        self._hold_s = ButtonsConfig().hold_s
        self.machine = Machine(tree, {bench.folder: "/bench", shims: "/shims", WORLD: "/camera"})
        self.player = Player(Situation(first_start()), bench.oled.picture, self.push, self._wait_for, seed=1)

    def push(self, button: Button, long: bool = False) -> None:
        """Press a button and let it go."""
        time.sleep(LIFTED_S)
        self.bench.press(self._pins[button], self._hold_s + 0.3 if long else 0.1, bounces=3)

    def _wait_for(self, happens, what: str) -> float:  # noqa: ANN001
        return self.machine.wait_for(happens, what)

    def keep_picture(self, name: str) -> None:
        """Keep what the OLED shows."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        picture = self.bench.oled.picture()
        picture.resize((512, 256)).save(PICTURES / f"{name}.png")

    def play_turns(self, turns: int) -> None:
        """Play until so many turns more are over."""
        player = self.player
        before = _turns(player)
        player.play(lambda: _turns(player) >= before + turns)

    def comes_back(self, old: str, what: str) -> None:
        """Wait until the box plays again as another process, and the OLED shows the game that was under way."""
        back_s = self.machine.wait_for(lambda: self.machine.is_another(old), f"the box is back after {what}")
        self.player.was_restarted()
        seen_s = self.player.look()
        say(f"{what}: active again after {back_s:.1f} s, the same game on the OLED after {back_s + seen_s:.1f} s")
        self.keep_picture(what.replace(" ", "-"))


def _pins() -> dict[str, int]:
    pins = ButtonsConfig()
    return {"a": pins.a, "b": pins.b, "c": pins.c, "stop": pins.stop}


def _turns(player: Player) -> int:
    game = player.situation.game
    return 0 if game is None else sum(type(step).__name__ in {"Stop", "Bust"} for step in game.steps)


def starts(table: Table) -> None:
    """The box is active by itself, and a game is played on it."""
    machine, player = table.machine, table.player
    active_s = machine.wait_for(machine.is_active, "the box plays")
    say(f"systemd {machine.do('systemctl', '--version').split()[1]} is up; the box active {active_s:.1f} s later")
    player.look()
    table.keep_picture("first")
    table.play_turns(2)
    table.keep_picture("played")
    done = f"{player.presses} presses with bounces, {player.rolls} rolls by hand"
    say(f"{done}: each screen as it must be, pixel by pixel")


def is_killed(table: Table) -> None:
    """The program is killed, then it hangs: each time the game goes on."""
    machine = table.machine
    old = machine.unit("MainPID")
    machine.do("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "cantstop")
    table.comes_back(old, "kill -9")
    table.play_turns(1)
    old = machine.unit("MainPID")
    machine.do("systemctl", "kill", "--kill-whom=main", "--signal=STOP", "cantstop")
    table.comes_back(old, "a hang")
    if machine.unit("NRestarts") != "2":
        raise TreeError(f"systemd counts {machine.unit('NRestarts')} restarts, not 2")
    table.play_turns(1)


def is_updated(table: Table, tree: Tree) -> None:
    """A newer version comes: it waits for the game's end, or is put in place and taken back, and the game goes on."""
    machine = table.machine
    readme = tree.folder / "src/README.md"
    readme.write_text(readme.read_text() + "\nA newer version.\n")
    old = machine.unit("MainPID")
    print(machine.do("sh", "/src/install.sh", "--container", status=3))
    if machine.unit("MainPID") != old:
        raise TreeError("an update touched the box while a game was under way")
    say("an update waits for the end of the game")
    machine.do("sh", "/src/install.sh", "--container", "--now")
    table.comes_back(old, "an update that does not wait")
    table.play_turns(1)
    old = machine.unit("MainPID")
    print(machine.do("sh", "/src/install.sh", "--container", "--rollback", "--now"))
    table.comes_back(old, "going back")
    table.play_turns(1)


def loses_its_display(table: Table) -> None:
    """The display's wire goes off and on again, with a press between."""
    player, oled = table.player, table.bench.oled
    oled.unplugged = True
    player.press_blind(Button.STOP, long=True)
    time.sleep(BLIND_S)
    oled.power_up()
    oled.unplugged = False
    say(f"the display unplugged, a press without it, plugged in: the right picture after {player.look():.1f} s")
    player.press(Button.STOP)
    table.play_turns(1)
    say(f"memory: {', '.join(f'{name} {mb:.0f} MB' for name, mb in table.machine.memory_mb().items())}")


def has_power_again(table: Table) -> None:
    """After a power cut the game is there."""
    machine, player = table.machine, table.player
    machine.wait_for(machine.is_active, "the box plays after the power cut")
    player.was_restarted()
    player.look()
    table.keep_picture("after-the-power-cut")
    say("after the power cut: the same game")


def finds_its_camera(table: Table, tree: Tree) -> None:
    """Real libcamera gets a camera, real Picamera2 opens it, and its dice are read; then it is gone again."""
    machine, player = table.machine, table.player
    player.play(lambda: isinstance(player.situation.state, Waiting))
    frames = tree.folder / "frames"
    frames.mkdir(exist_ok=True)
    for number, frame in enumerate(dice_at_rest(DICE, FRAMES)):
        cv2.imwrite(str(frames / f"{number}.jpg"), frame, [cv2.IMWRITE_JPEG_QUALITY, 97])
    cameras = tree.folder / CAMERAS
    cameras.parent.mkdir(parents=True, exist_ok=True)
    cameras.write_text(CAMERA)
    # libcamera looks for cameras at a program's start, and later where the kernel tells of one, which nobody does here.
    old = machine.unit("MainPID")
    machine.do("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "cantstop")
    table.comes_back(old, "killed, and a camera plugged in")
    player.press_blind(Button.C)
    rolled = step(player.situation, DiceRead(DICE))
    assert rolled is not None
    choices = draw(screen(rolled.situation)).tobytes()
    again = time.monotonic()

    def is_read() -> bool:
        nonlocal again
        if time.monotonic() - again > LOOKS_S:  # dice that lay there before may be those of an earlier roll
            again = time.monotonic()
            table.push(Button.B)
        return table.bench.oled.picture().tobytes() == choices

    read_s = machine.wait_for(is_read, f"the OLED shows the choices of {DICE}")
    table.keep_picture("read-by-the-camera")
    say(f"the camera's dice are read after {read_s:.1f} s: {DICE}")
    say(f"memory with the camera: {', '.join(f'{name} {mb:.0f} MB' for name, mb in machine.memory_mb().items())}")
    player.situation = rolled.situation
    cameras.unlink()
    old = machine.unit("MainPID")
    machine.do("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "cantstop")
    table.comes_back(old, "killed, and its camera gone")


def plays_to_the_end(table: Table) -> None:
    """The game is played to its end."""
    player = table.player
    player.play(lambda: False)
    table.keep_picture("over")
    say(f"{player.presses} presses in all, the game is over: {player.situation.played.winner} has won")
    waits = sorted(player.waits_s)
    worst = f"worst {waits[-1] * 1000:.0f} ms"
    say(f"from the end of a press to the right picture: median {statistics.median(waits) * 1000:.0f} ms, {worst}")


def ends(table: Table) -> None:
    """The service is stopped; started again, the box's own menu switches the machine off."""
    machine, player, oled = table.machine, table.player, table.bench.oled
    machine.do("systemctl", "stop", "cantstop")
    if machine.unit("Result") != "success" or oled.picture().getbbox() is not None:
        raise TreeError(f"it does not end cleanly: {machine.unit('Result')}\n{machine.said()}")
    say("systemctl stop: ended cleanly, the display is dark")
    print(machine.do("systemd-analyze", "security", "--no-pager", "cantstop").splitlines()[-1])

    machine.do("systemctl", "start", "cantstop")
    player.was_restarted()
    player.look()
    player.go_to(ShuttingDown)
    table.keep_picture("shutting-down")
    player.press_blind(Button.C, long=True)
    if not isinstance(player.situation.state, SwitchingOff):
        raise TreeError(f"held C leads to {player.situation.state}")
    machine.goes_off()
    if oled.picture().getbbox() is not None:
        raise TreeError("the machine is off, and the display still shows something")
    say("switched off by its own menu; the display is dark")


def show_life(table: Table, tree: Tree) -> None:
    """Boot, play, disturb, cut the power, play on, switch off."""
    with table.machine:
        starts(table)
        is_killed(table)
        is_updated(table, tree)
        loses_its_display(table)
        table.machine.cut_power()
        say("the power is cut")
    with table.machine:
        has_power_again(table)
        finds_its_camera(table, tree)
        plays_to_the_end(table)
        ends(table)


def main() -> int:
    """Show it all."""
    options = argparse.ArgumentParser(prog="make boot", description=__doc__)
    options.add_argument("--fresh", action="store_true", help="begin with a bare tree, also if there is one installed")
    args = options.parse_args()
    try:
        check_machine()
        tree = installed_tree(fresh=args.fresh)
        shims = BUILD / "hardware"
        build(shims)
        # A Unix socket's path is short.
        with tempfile.TemporaryDirectory() as folder, Bench(Path(folder), shims=shims) as bench:
            Path(folder).chmod(0o755)
            show_life(Table(tree, bench, shims), tree)
    except (TreeError, TimeoutError, RuntimeError) as error:
        print(f"make boot: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
