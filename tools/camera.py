"""`make camera`: the box with its camera, through the real Picamera2 and the real libcamera, played from outside.

A Debian trixie has both, from its backports as its own libcamera 0.4 has a virtual camera with faults. In it runs
`cantstop play` with lgpio, luma and Picamera2 over the made devices of tests/hardware; from here dice are thrown into
its camera's tray, its buttons are pressed and its OLED is read. Every line that is printed was checked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from device.config import ButtonsConfig
from device.referee.inputs import Button, DiceRead
from device.referee.playing import dice_wanted
from device.referee.states import GameOver, Situation, Waiting, Welcome
from device.referee.table import step
from device.sim.robot import Throw, next_action
from engine import Bust, Stop
from tests.hardware.bench import Bench, build
from tests.hardware.tray import Tray
from tools.boot.player import Player
from tools.debs import add_archive, archive_for
from tools.trees import BUILD, Tree, TreeError, add_backports, base_tree, check_machine, copy_of, run, say

HERE = BUILD / "camera"
PICTURES = HERE / "pictures"
SHIMS = ("gpiochip", "i2c", "dmabuf")
FROM_BACKPORTS = ("python3-libcamera", "libcamera-ipa")
FROM_ARCHIVE = ("python3-picamera2", "python3-lgpio", "python3-numpy", "python3-pil")
FROM_PYPI = (
    # Raspberry Pi OS's 0.3.31 cannot make an array of NV12, which is all that the virtual camera gives.
    "picamera2==0.3.38",
    *("opencv-python-headless", "luma.oled", "luma.core", "smbus2", "cbor2", "gpiozero", "colorzero"),
    *("rich", "markdown-it-py", "mdurl", "pygments", "segno"),
)
VIRTUAL = """%YAML 1.1
---
"Tray":
  supported_formats:
  - width: 640
    height: 480
    frame_rates:
    - 15
  - width: 320
    height: 240
    frame_rates:
    - 15
  test_pattern: "bars"
  location: "CameraLocationFront"
  model: "Virtual camera over the tray"
"""
STILL = "[oled]\ndim_after_s = 3600\noff_after_s = 86400\nshift_every_s = 86400\n"
"""A display that does not rest: its pictures are compared pixel by pixel."""

READ_S = 150.0
"""How long to wait for dice to be read on a machine that is busy with other things."""


def camera_tree(*, fresh: bool) -> Tree:
    """Give a Debian trixie with libcamera, Picamera2, lgpio and what the box needs of PyPI."""
    base = base_tree("trixie", "amd64")
    tree = Tree(HERE / "camera-box", base.suite, base.architecture)
    if fresh or not (tree.folder / ".ready").exists():
        say("putting libcamera and Picamera2 into a Debian trixie")
        tree = copy_of(base, tree.folder)
        add_archive(tree, archive_for(base, camera=True))
        add_backports(tree)
        tree.do("apt-get", "update")
        install = ("apt-get", "install", "-qy", "--no-install-recommends")
        tree.do(*install, "-t", "trixie-backports", *FROM_BACKPORTS)
        tree.do(*install, *FROM_ARCHIVE)
        _add_from_pypi(tree)
        (tree.folder / ".ready").touch()
    virtual = tree.folder / "usr/share/libcamera/pipeline/virtual/virtual.yaml"
    virtual.parent.mkdir(parents=True, exist_ok=True)
    virtual.write_text(VIRTUAL)
    return tree


def _add_from_pypi(tree: Tree) -> None:
    """Put into its /opt/site what the box needs and the tree's archives have not."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tree.folder / "opt/site"]
    kind = ["--only-binary=:all:", "--implementation=cp", f"--python-version={tree.python}", "--platform=any"]
    platforms = [f"--platform={one}_x86_64" for one in ("manylinux2014", "manylinux_2_28", "manylinux_2_34")]
    run([*pip, *kind, *platforms, *FROM_PYPI], tree.log)
    run([*pip, "sdnotify"], tree.log)


class Box:
    """The box in the tree, its OLED and buttons on the bench."""

    def __init__(self, tree: Tree, bench: Bench, state: Path) -> None:
        """Put it together; `start` switches it on."""
        self._tree, self._bench, self._state = tree, bench, state
        self._log = HERE / "box.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Switch it on."""
        preload = ":".join(f"/shims/{name}.so" for name in SHIMS)
        settings = {
            "LD_PRELOAD": preload,
            "CANTSTOP_BENCH": "/bench",
            "PYTHONPATH": "/opt/site:/src",
            "PYTHONDONTWRITEBYTECODE": "1",
            "STATE_DIRECTORY": "/state",
            "LG_WD": "/tmp",
            "LIBCAMERA_LOG_LEVELS": "*:ERROR",
            "GPIOZERO_PIN_FACTORY": "lgpio",
        }
        binds = {self._bench.folder: "/bench", HERE / "shims": "/shims", self._state: "/state"}
        command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--pipe"]
        command += [f"--directory={self._tree.folder}", f"--bind-ro={BUILD.parent}:/src"]
        command += [f"--bind={here}:{there}" for here, there in binds.items()]
        command += ["--", "env", *(f"{name}={value}" for name, value in settings.items())]
        command += ["python3", "-m", "tests.hardware.virtual_camera", "play", "--config", "/bench/config.toml"]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self) -> None:
        """End it at once."""
        assert self._process is not None
        pid = self._process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)  # the container's first process: all in it end with it
        self._process.wait(30)

    @property
    def said(self) -> str:
        """What it said."""
        return self._log.read_text()


class Thrower(Player):
    """Plays with dice under the camera."""

    def __init__(self, bench: Bench, tray: Tray, seed: int) -> None:
        """Sit down before a box that was just switched on for the first time."""
        pins = ButtonsConfig().pins

        def push(button: Button, is_long: bool) -> None:
            bench.press(pins[button], 1.2 if is_long else 0.1, bounces=5)
            time.sleep(0.06)

        def wait_for(happens: Callable[[], bool], what: str) -> float:
            begun = time.monotonic()
            bench.wait_for(happens, what, READ_S)
            return time.monotonic() - begun

        super().__init__(Situation(Welcome()), bench.oled.picture, push, wait_for, seed)
        self._tray = tray
        self._values = random.Random(seed)

    def throw(self) -> None:
        """Throw the dice and wait until the OLED shows what they mean."""
        values = tuple(sorted(self._values.randint(1, 6) for _ in range(dice_wanted(self.situation.state))))
        outcome = step(self.situation, DiceRead(values))
        assert outcome is not None
        self._tray.dice.throw(values=values)
        self.situation = outcome.situation
        self.look()
        self.rolls += 1

    def play_turns(self, turns: int) -> None:
        """Play until so many turns more have ended, or the game."""
        until = self._turns() + turns
        while self._turns() < until and not isinstance(self.situation.state, GameOver):
            self.act()

    def act(self) -> None:
        """Do what comes next: throw, or press."""
        action = next_action(self.situation, 2)
        if isinstance(action, Throw):
            self.throw()
        else:
            self.press(action.button, long=action.long)

    def _turns(self) -> int:
        game = self.situation.game
        return 0 if game is None else sum(isinstance(one, (Stop, Bust)) for one in game.steps)


def _check(tree: Tree, turns: int, seed: int) -> None:
    """Play, and tell what holds."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    build(HERE / "shims", SHIMS)
    with tempfile.TemporaryDirectory(prefix="cantstop") as short:  # Unix sockets want short paths
        state = Path(short) / "state"
        state.mkdir()
        # The first start asks for language and buttons; here it is about the camera.
        (state / "preferences.json").write_text(json.dumps({"language": "en"}))
        with Bench(Path(short) / "bench", shims=HERE / "shims") as bench, Tray(bench.folder, seed) as tray:
            (bench.folder / "config.toml").write_text(STILL)
            box = Box(tree, bench, state)
            player = Thrower(bench, tray, seed)
            try:
                box.start()
                player.look()
                say("the box is on, its camera is Picamera2 on libcamera")
                player.play_turns(turns)
                bench.oled.picture().resize((512, 256)).save(PICTURES / "played.png")
                say(
                    f"{turns} turns: {player.rolls} rolls read as thrown, {player.presses} presses, every picture right"
                )
                _lose_camera(player, tray, bench)
                box.kill()
                box.start()
                player.was_restarted()
                player.look()
                say("killed with SIGKILL and started: the same game")
                player.play_turns(1)
                say("and it goes on")
            finally:
                box.kill()


def _lose_camera(player: Thrower, tray: Tray, bench: Bench) -> None:
    """Pull the camera's cable and push it in again."""
    while not isinstance(player.situation.state, Waiting):  # there the box waits for nothing but dice
        player.act()
    before = bench.oled.picture().tobytes()
    tray.unplug()
    bench.wait_for(lambda: bench.oled.picture().tobytes() != before, "a lost camera is told", READ_S)
    bench.oled.picture().resize((512, 256)).save(PICTURES / "lost.png")
    say("the camera's cable is pulled: told on the OLED")
    tray.plug_in()
    bench.wait_for(lambda: bench.oled.picture().tobytes() == before, "the camera is found again", 2 * READ_S)
    say("and pushed in: found again")
    player.throw()
    say("the next roll is read")


def main() -> int:
    """Do it all."""
    parser = argparse.ArgumentParser(prog="make camera")
    parser.add_argument("--fresh", action="store_true", help="make the tree anew")
    parser.add_argument("--turns", type=int, default=2, help="how many turns are played")
    parser.add_argument("--seed", type=int, default=1, help="decides the dice")
    args = parser.parse_args()
    try:
        check_machine()
        _check(camera_tree(fresh=args.fresh), args.turns, args.seed)
    except (TreeError, TimeoutError, AssertionError) as error:
        print(f"make camera: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
