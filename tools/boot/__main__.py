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
from pathlib import Path

from device.config import ButtonsConfig
from device.journal import Journal
from device.referee.inputs import Button
from tests.hardware.bench import Bench, build
from tools.boot.machine import Machine
from tools.boot.player import Player
from tools.debs import add_archive, archive_for
from tools.trees import BUILD, Tree, TreeError, base_tree, check_machine, copy_of, say

HERE = BUILD / "boot"
PICTURES = HERE / "pictures"
ON_THE_BENCH = "/etc/systemd/system/cantstop.service.d/bench.conf"
DROP_IN = """# The made devices of tests/hardware in place of a Pi's; nothing else of the unit is changed.
[Service]
Environment=LD_PRELOAD=/shims/gpiochip.so:/shims/i2c.so
Environment=CANTSTOP_BENCH=/bench
"""
STILL = {"dim_after_s": "3600.0", "off_after_s": "86400.0", "shift_every_s": "86400.0"}
"""A display that does not rest: its pictures are compared pixel by pixel, also long after a press."""


def installed_tree(*, fresh: bool) -> Tree:
    """Give a tree in which the installer has installed the box; check that a second run changes nothing."""
    base = base_tree("trixie", "amd64")
    tree = Tree(HERE / "box", base.suite, base.architecture)
    if fresh or not (tree.folder / "etc/debian_version").exists():
        tree = copy_of(base, tree.folder)
        add_archive(tree, archive_for(base, camera=False))
    shutil.rmtree(tree.folder / "var/lib/cantstop", ignore_errors=True)
    (tree.folder / ON_THE_BENCH[1:]).unlink(missing_ok=True)
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
        self.machine = Machine(tree, {bench.folder: "/bench", shims: "/shims"})
        with tempfile.TemporaryDirectory() as folder:
            start = Journal(Path(folder) / "journal.sqlite3")
            self.player = Player(start.situation(), bench.oled.picture, self._push, self._wait_for, seed=1)
            start.close()

    def _push(self, button: Button, long: bool) -> None:  # noqa: FBT001
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


def show_life(table: Table) -> None:
    """Boot, play, disturb, switch off."""
    machine, player = table.machine, table.player
    with machine:
        active_s = machine.wait_for(machine.is_active, "the box plays")
        say(f"systemd {machine.do('systemctl', '--version').split()[1]} is up; the box active {active_s:.1f} s later")
        player.look()
        table.keep_picture("first")
        table.play_turns(2)
        table.keep_picture("played")
        say(f"played by {player.presses} presses with bounces, {player.rolls} rolls by hand: each screen as it must be")

        old = machine.unit("MainPID")
        machine.do("kill", "-9", old)
        table.comes_back(old, "kill -9")
        table.play_turns(1)

        old = machine.unit("MainPID")
        machine.do("kill", "-STOP", old)
        table.comes_back(old, "a hang")
        if machine.unit("NRestarts") != "2":
            raise TreeError(f"systemd counts {machine.unit('NRestarts')} restarts, not 2")
        table.play_turns(1)

        table.bench.oled.unplugged = True
        player.press_blind(Button.STOP, long=True)
        table.bench.oled.power_up()
        table.bench.oled.unplugged = False
        say(f"the display unplugged, a press without it, plugged in: the right picture after {player.look():.1f} s")
        player.press(Button.STOP)
        table.play_turns(1)
        say(f"memory: {', '.join(f'{name} {mb:.0f} MB' for name, mb in machine.memory_mb().items())}")

        machine.cut_power()
        say("the power cut")
    with machine:
        machine.wait_for(machine.is_active, "the box plays after the power cut")
        player.was_restarted()
        player.look()
        table.keep_picture("after-the-power-cut")
        say("after the power cut: the same game")
        player.play(lambda: False)
        table.keep_picture("over")
        say(f"{player.presses} presses in all, the game is over: {player.situation.played.winner} has won")
        waits = sorted(player.waits_s)
        say(f"from the end of a press to the right picture: median {statistics.median(waits) * 1000:.0f} ms, worst "
            f"{waits[-1] * 1000:.0f} ms")  # fmt: skip

        machine.do("systemctl", "stop", "cantstop")
        if machine.unit("Result") != "success" or table.bench.oled.picture().getbbox() is not None:
            raise TreeError(f"it does not end cleanly: {machine.unit('Result')}\n{machine.said()}")
        say("systemctl stop: ended cleanly, the display is dark")
        print(machine.do("systemd-analyze", "security", "--no-pager", "cantstop").splitlines()[-1])
        machine.switch_off()
        say("shut down")


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
            show_life(Table(tree, bench, shims))
    except (TreeError, TimeoutError, RuntimeError) as error:
        print(f"make boot: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
