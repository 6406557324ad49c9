"""`make card-test`: test a box that installs itself from its card, with a power cut in each step, from outside.

A Debian tree starts from a card made by `make card` and prepare_card.py, beside Raspberry Pi Imager's own files. The
display's picture is compared pixel by pixel. Each printed line is a passed check; the first failed one ends the program
with status 1. The pictures of the OLED are in build/card-test/pictures.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PIL import Image

from device.config import ButtonsConfig
from device.referee.box_care import first_start
from device.referee.inputs import Button
from device.referee.states import Situation, State
from device.screens.draw import draw
from device.screens.views import screen
from tools.hardware.bench import Bench
from tools.hardware.boot.card_tree import FIRMWARE, HERE, KERNEL, fresh_tree
from tools.hardware.boot.machine import Machine
from tools.hardware.boot.tree import SHIMS, open_bench
from tools.hardware.trees import Tree, TreeError, check_machine, expect, say
from tools.install.card.__main__ import CARD, lay_out
from tools.install.card.screens import STEPS, picture, screens, sentence, texts
from tools.sim.oled_bus import OledBus

PICTURES = HERE / "pictures"
LONG_S = 900.0
"""The time limit for packages to download, in seconds, on a busy machine."""


class HeldOled(OledBus):
    """An OLED that can block the program at a certain picture, so that the power can be cut at that moment."""

    def __init__(self) -> None:
        """Connect it."""
        super().__init__()
        self.held = threading.Event()
        self._at: bytes | None = None
        self._let_go = threading.Event()

    def hold_at(self, image: Image.Image) -> None:
        """Block the program that shows this picture."""
        self.held.clear()
        self._let_go.clear()
        self._at = image.tobytes()

    def let_go(self) -> None:
        """Unblock the program."""
        self._at = None
        self._let_go.set()

    def take(self, i2c_addr: int, message: bytes) -> None:
        """Handle one message; see `OledBus`."""
        super().take(i2c_addr, message)
        if self._at is not None and self.picture().tobytes() == self._at:
            self.held.set()
            self._let_go.wait()


class CardMachine(Machine):
    """The tree, started from its card."""

    up = frozenset({"running", "degraded", "starting"})

    def said(self, lines: int = 30) -> str:
        """Return the last lines of the installation's log."""
        log = self._tree.folder / "var/log/cantstop-setup.log"
        return "\n".join(log.read_text().splitlines()[-lines:]) if log.exists() else super().said(lines)


class Show:
    """The card, the tree that starts from it, and its display."""

    def __init__(self, tree: Tree, card: Path, bench: Bench, oled: HeldOled) -> None:
        """Prepare.

        Args:
            tree: The tree to start.
            card: Its card.
            bench: The simulated hardware.
            oled: Its display.
        """
        self.tree = tree
        self.card = card
        self.oled = oled
        self._bench = bench
        self._binds = {bench.folder: "/bench", SHIMS: "/shims", card: FIRMWARE}
        self._screens = {name: picture(shown) for name, shown in screens().items()}

    def start(self, *, has_network: bool = True, hold_at: str = "") -> CardMachine:
        """Return the machine; it starts when its context is entered, with its display dark.

        Args:
            has_network: Whether it has a network.
            hold_at: The screen at which the installation is blocked, "" for none.
        """
        self.oled.let_go()
        self.oled.power_up()
        if hold_at:
            self.oled.hold_at(self._screens[hold_at])
        return CardMachine(self.tree, self._binds, kernel=(KERNEL,), has_network=has_network)

    def prepare(self, status: int = 0) -> str:
        """Run prepare_card.py on the card, as a person does, and return its output.

        Raises:
            TreeError: If it ends with another status.
        """
        command: list[str | Path] = [sys.executable, CARD / "prepare_card.py", self.card]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != status:
            raise TreeError(f"prepare_card.py: {done.returncode}\n{done.stdout}{done.stderr}")
        return (done.stdout + done.stderr).strip()

    def shows(self, name: str) -> bool:
        """Whether the OLED shows the screen of a step or of an error."""
        return self.oled.picture().tobytes() == self._screens[name].tobytes()

    def keep_picture(self, name: str) -> None:
        """Save the OLED's picture."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.oled.picture().resize((512, 256)).save(PICTURES / f"{name}.png")

    def log(self) -> list[str]:
        """Return the installation's own log lines, without their times."""
        file = self.tree.folder / "var/log/cantstop-setup.log"
        told = set(texts().values())
        lines = [line[20:] for line in file.read_text().splitlines()] if file.exists() else []
        return [line for line in lines if line in told]

    def steps(self) -> list[str]:
        """Return the log lines that name a step."""
        return [line for line in self.log() if line in {sentence(step) for step in STEPS}]

    def is_done(self) -> bool:
        """Whether the installation is complete."""
        return (self.tree.folder / "var/lib/cantstop-setup/done").exists()

    def card_says(self, name: str) -> bool:
        """Whether the card's cantstop.txt begins with this text."""
        file = self.card / "cantstop.txt"
        return file.exists() and file.read_text().startswith(texts()[name])

    def asks(self, question: State) -> bool:
        """Whether the OLED shows a question of the box's own program."""
        return self.oled.picture().tobytes() == draw(screen(Situation(question))).tobytes()

    def press(self, button: Button) -> None:
        """Press one of the box's buttons."""
        self._bench.press(ButtonsConfig().pins[button], bounces=3)


def is_damaged(show: Show) -> None:
    """Check that an incomplete archive is reported on OLED and card, and that nothing is retried."""
    archive = show.card / "cantstop/box.tar.gz"
    with archive.open("r+b") as file:
        file.truncate(archive.stat().st_size - 20)
    with show.start() as machine:
        machine.wait_for(lambda: show.shows("damaged"), "the OLED says that the card is damaged")
        show.keep_picture("damaged")
        machine.wait_for(lambda: show.card_says("damaged"), "the card says that it is damaged")
        machine.wait_for(lambda: machine.unit("ActiveState", "cantstop-setup") == "failed", "the unit has failed")
    # As Raspberry Pi OS does at its first start.
    line = show.card / "cmdline.txt"
    line.write_text(line.read_text().replace(" resize", ""))
    expect(show.log() == [sentence("check"), texts()["damaged"]], f"one try, no more: {show.log()}")
    say("a damaged archive: the OLED and cantstop.txt say what to do; one attempt, nothing installed")
    say(f"copied again: {show.prepare().splitlines()[0]}")


def has_no_network(show: Show) -> None:
    """Check that without a network it restarts once for I2C, and reports what is missing."""
    with show.start(has_network=False) as machine:
        machine.wait_for(lambda: texts()["restarting"] in show.log(), "it wants to restart", LONG_S)
        machine.restarts()
    with show.start(has_network=False) as machine:
        machine.wait_for(lambda: show.shows("packages"), "the OLED shows step 3", LONG_S)
        show.keep_picture("packages")
        say("I2C turned on, one restart, then the OLED: " + sentence("packages"))
        waited_s = machine.wait_for(lambda: show.shows("no-network"), "the OLED says that there is no network", LONG_S)
        show.keep_picture("no-network")
        machine.wait_for(lambda: show.card_says("no-network"), "the card says that there is no network")
        again_s = machine.wait_for(lambda: show.shows("packages"), "it tries again by itself", LONG_S)
        say(f"no network: reported after {waited_s:.0f} s; tried again automatically {again_s:.0f} s later")


def loses_its_power(show: Show) -> None:
    """Cut the power in each step, in the long ones while packages are being unpacked."""
    root = show.tree.folder
    status = root / "var/lib/dpkg/status"

    def some_are_unpacked() -> bool:
        return "Status: install ok unpacked" in status.read_text(errors="replace")

    def some_are_installed() -> bool:
        return any(root.glob("opt/cantstop/releases/*/lib/python3*/site-packages/cv2"))

    midway: dict[str, Callable[[], bool]] = {
        "packages": some_are_unpacked,
        "program": some_are_installed,
        "start": (root / "opt/cantstop/current").is_symlink,
    }
    for step in STEPS:
        with show.start(hold_at="" if step in midway else step) as machine:
            if step in midway:
                machine.wait_for(partial(show.shows, step), f"the OLED shows: {sentence(step)}", LONG_S)
                machine.wait_for(midway[step], f"{step} is midway", LONG_S)
            else:
                machine.wait_for(show.oled.held.is_set, f"the OLED shows: {sentence(step)}", LONG_S)
            show.keep_picture(step)
            machine.cut_power()
        # Process 1 ends a moment before the rest, which may still report errors.
        expect(show.steps()[-1] == sentence(step), f"the power was cut in step {step}: {show.log()[-3:]}")
        expect(not show.is_done(), f"not done, cut off in: {sentence(step)}")
        say(f"the power is cut at: {sentence(step)}" + (", midway" if step in midway else ""))


def is_finished(show: Show) -> None:
    """Check that the next start finishes: the box's unit runs, and the OLED asks for frame, then for language."""
    with show.start() as machine:
        machine.wait_for(show.is_done, "the installation is done", LONG_S)
        machine.wait_for(machine.is_active, "cantstop.service is active")
        asks_s = machine.wait_for(lambda: show.asks(first_start(with_frame=True)), "the OLED asks about its frame")
        show.keep_picture("frame")
        show.press(Button.A)
        machine.wait_for(lambda: show.asks(first_start()), "the OLED asks for the language")
        show.keep_picture("language")
        machine.wait_for(lambda: show.card_says("installed"), "the card says that the box is set up")
        say(f"the next start finishes it: cantstop.service active, the OLED asks about its frame {asks_s:.1f} s later")
        say("A is pressed: the OLED asks for the language")
        machine.wait_for(
            lambda: machine.call("test", "-e", "/run/cloud-init/result.json").returncode == 0, "cloud-init"
        )
        has_all_of_imager(show, machine)
    expect(show.log().count(texts()["restarting"]) == 1, "it has restarted once")
    config = (show.card / "config.txt").read_text()
    expect("i2c_arm=on" in config and config.count("i2c_arm_baudrate=400000") == 1, f"I2C, once:\n{config}")
    with show.start() as machine:
        machine.wait_for(machine.is_active, "cantstop.service is active")
        machine.wait_for(lambda: show.asks(first_start()), "the OLED asks for the language")
        expect(machine.unit("LoadState", "cantstop-setup") == "not-found", "nothing is set up again")
    expect(show.log().count(texts()["installed"]) == 1, "it was set up once")
    say("the start after that installs nothing; the OLED asks for the language")
    say(f"prepare_card.py on this card: {show.prepare(status=1)}")


def has_all_of_imager(show: Show, machine: CardMachine) -> None:
    """Check that all settings of Raspberry Pi Imager were applied."""
    root = show.tree.folder
    expect(machine.do("hostname") == "wohnzimmer", "the host name")
    expect("\nanna:" in (root / "etc/passwd").read_text(), "the user")
    expect(" anna" in (root / "home/anna/.ssh/authorized_keys").read_text(), "the user's key")
    expect((root / "etc/systemd/system/multi-user.target.wants/ssh.service").is_symlink(), "ssh")
    expect(any("our wifi" in file.read_text() for file in root.glob("etc/netplan/*")), "the Wi-Fi")
    expect((root / "usr/sbin/avahi-daemon").exists(), "avahi")
    say("all settings from Imager are in place: host name, user, key, ssh, Wi-Fi, avahi")


def show_life(show: Show) -> None:
    """Run all checks: prepare a card, start it, disturb it, finish it."""
    say(show.prepare().splitlines()[0])
    is_damaged(show)
    has_no_network(show)
    loses_its_power(show)
    is_finished(show)


def main() -> None:
    """Run the test."""
    argparse.ArgumentParser(prog="make card-test", description=__doc__).parse_args()
    try:
        check_machine()
        lay_out(CARD)
        shutil.rmtree(PICTURES, ignore_errors=True)
        card = HERE / "bootfs"
        tree = fresh_tree(card)
        oled = HeldOled()
        with open_bench(oled) as bench:
            show = Show(tree, card, bench, oled)
            try:
                show_life(show)
            except TreeError:
                show.keep_picture("when-it-failed")
                raise
            finally:
                oled.let_go()
        print("\n".join(["The installation's own lines:", *(f"  | {line}" for line in show.log())]))
    except (TreeError, TimeoutError, RuntimeError) as error:
        sys.exit(f"make card-test: {error}")


if __name__ == "__main__":
    main()
