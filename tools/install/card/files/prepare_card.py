"""Prepares a card for the Can't Stop box: copies the files beside this script onto it, on Linux, macOS or Windows.

Usage: python3 prepare_card.py [--board KIND] [PATH]

It finds the card by itself. PATH is the card's boot partition, for example E: or /media/me/bootfs. KIND is the board
with display and buttons, if it is not the box's own wiring, for example adafruit-bonnet.

First write Raspberry Pi OS Lite (64-bit) onto the card with Raspberry Pi Imager, with your user, Wi-Fi and ssh as
usual. Nothing that Imager wrote is changed. The script needs only Python 3.8 or newer.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = ("cantstop", "vendor-data")
"""The files to copy; vendor-data is last, since it starts the installation."""

FIRST_IMAGE = "2025-11-24"
"""The first Raspberry Pi OS whose cloud-init reads these files."""

TOLD = "cantstop.txt"
"""The file that the box writes onto the card once its installation has begun."""

SETTINGS = "cantstop/settings.txt"
"""The file on the card with settings of the box."""

AGAIN = "Write the card again with Raspberry Pi Imager, then run this before you put it into the Pi."
BY_HAND = "Or install by hand: docs/install.md, Install by hand."


class CardError(Exception):
    """The card cannot be prepared; the message says why and what to do."""


def is_boot_partition(folder: Path) -> bool:
    """Whether a folder looks like the boot partition of Raspberry Pi OS."""
    try:
        return (folder / "cmdline.txt").is_file() and (folder / "config.txt").is_file()
    except OSError:
        return False


def mounted() -> list[Path]:
    """Return all folders where this system may have mounted a card."""
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ"]
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").glob("*"))
    places = []
    for pattern in ("media/*", "media/*/*", "run/media/*/*", "mnt", "mnt/*"):
        places += sorted(Path("/").glob(pattern))
    return places


def find_card() -> Path:
    """Return the only card that is plugged in.

    Raises:
        CardError: If there is none, or more than one.
    """
    found = [place for place in mounted() if is_boot_partition(place)]
    if not found:
        raise CardError(
            "No card found. Put the card that Raspberry Pi Imager has written into this computer; if it is in, take it "
            "out and put it in again. Or add its path: prepare_card.py PATH"
        )
    if len(found) > 1:
        listed = ", ".join(map(str, found))
        raise CardError(f"More than one card found: {listed}. Add the path of the right one: prepare_card.py PATH")
    return found[0]


def read(file: Path) -> str:
    """Return a text file's content; "" if there is no such file."""
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def check(card: Path) -> None:
    """Check whether this card can be prepared.

    Raises:
        CardError: If it cannot.
    """
    if not is_boot_partition(card):
        raise CardError(
            f"{card} is not the boot partition of a card with Raspberry Pi OS: cmdline.txt or config.txt is missing. "
            "On most computers it is called bootfs."
        )
    if (card / "kernel7l.img").exists() or not (card / "kernel8.img").exists():
        raise CardError(f"{card} holds a 32-bit Raspberry Pi OS. The box needs the 64-bit one. {AGAIN}")
    if not (card / "user-data").exists():
        raise CardError(
            f"{card} holds a Raspberry Pi OS without cloud-init, such as Bookworm. Write Raspberry Pi OS Lite "
            f"(64-bit), Trixie. {BY_HAND}"
        )
    made = re.search(r"\d{4}-\d\d-\d\d", read(card / "issue.txt"))
    if made and made[0] < FIRST_IMAGE:
        raise CardError(f"The Raspberry Pi OS on {card} is from {made[0]}; {FIRST_IMAGE} or newer is required. {AGAIN}")
    told = read(card / TOLD)
    if told.startswith("The box is set up."):
        raise CardError(
            f"The box on {card} is set up already. For a newer version see docs/install.md, Update the box. To start "
            "over, write the card again with Raspberry Pi Imager."
        )
    # Raspberry Pi OS removes this word at its first start. A card that already has our files may get them again.
    if "resize" not in read(card / "cmdline.txt").split() and not told:
        raise CardError(f"The card in {card} was started before, and no longer reads these files. {AGAIN} {BY_HAND}")
    if "systemd.run=" in read(card / "cmdline.txt") or (card / "firstrun.sh").exists():
        raise CardError(
            f"The card in {card} was written by an Imager before 2.0, whose settings keep this Raspberry Pi OS off the "
            "network. Install Raspberry Pi Imager 2.0 or newer, write the card again, then run this."
        )
    vendor = read(card / "vendor-data")
    if vendor and "cantstop/setup.sh" not in vendor:
        raise CardError(f"{card} has a vendor-data file from another program, which would be lost. {AGAIN}")
    if re.search(r"^bootcmd\s*:", read(card / "user-data"), re.MULTILINE):
        raise CardError(f"The user-data on {card} has its own bootcmd, which would replace the box's. {AGAIN}")


def notes(card: Path) -> list[str]:
    """Return what Imager has not set on a card that can be prepared, and what that means."""
    found = []
    if not re.search(r"^users?\s*:", read(card / "user-data"), re.MULTILINE):
        found.append("No user is set in Imager: nobody can log in until you add one with a screen and a keyboard.")
    if not re.search(r"^\s+wifis\s*:", read(card / "network-config"), re.MULTILINE):
        found.append("No Wi-Fi is set in Imager: the Pi needs a network cable to install the box.")
    return found


def files_to_copy() -> list[Path]:
    """Return the files beside this script that go onto the card, in the order in which they are copied.

    Raises:
        CardError: If any is missing.
    """
    missing = [name for name in OURS if not (HERE / name).exists()]
    if missing:
        raise CardError(f"{' and '.join(missing)} must be in {HERE}, beside this script. Copy the whole folder again.")
    found = []
    for name in OURS:
        place = HERE / name
        found += [place] if place.is_file() else sorted(file for file in place.rglob("*") if file.is_file())
    return [file.relative_to(HERE) for file in found]


def checksum(file: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def check_sums() -> None:
    """Check the files beside this script against their checksums.

    Raises:
        CardError: If one is damaged.
    """
    folder = HERE / "cantstop"
    for line in read(folder / "SHA256SUMS").splitlines():
        expected, _, name = line.partition("  ")
        if not (folder / name).is_file() or checksum(folder / name) != expected:
            raise CardError(f"{folder / name} is damaged or missing. Download or build the folder again.")


def check_board(kind: str) -> None:
    """Check that the box in these files knows a kind of board.

    Raises:
        CardError: If it does not.
    """
    with tarfile.open(HERE / "cantstop/box.tar.gz") as archive:
        (name,) = [name for name in archive.getnames() if name.endswith("device/hardware/boards.py")]
        table = archive.extractfile(name)
        text = table.read().decode() if table else ""
    kinds = re.findall(r'^    "([a-z0-9.-]+)": Board', text, re.MULTILINE)
    if kind not in kinds:
        raise CardError(f"There is no board {kind}. Choose from {', '.join(kinds)}.")


def copy(card: Path) -> int:
    """Copy the files onto the card, and return the number of bytes.

    Raises:
        CardError: If the card cannot be written.
    """
    files = files_to_copy()
    size = sum((HERE / file).stat().st_size for file in files)
    there = sum((card / file).stat().st_size for file in files if (card / file).is_file())
    free = shutil.disk_usage(card).free
    if free + there < size + 1_000_000:
        raise CardError(f"{card} has only {free / 1e6:.0f} MB free; {size / 1e6:.0f} MB are needed. {AGAIN}")
    try:
        for file in files:
            target = card / file
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as opened:
                opened.write((HERE / file).read_bytes())
                opened.flush()
                os.fsync(opened.fileno())
            if checksum(target) != checksum(HERE / file):
                raise CardError(f"{target} could not be read back correctly. The card is worn out: use another one.")
    except OSError as error:
        why = error.strerror or error
        raise CardError(
            f"The card in {card} cannot be written ({why}). Check that its switch is not on LOCK."
        ) from error
    return size


def main() -> int:
    """Prepare a card."""
    options = argparse.ArgumentParser(prog="prepare_card.py", description="Prepares a card for the Can't Stop box.")
    options.add_argument("path", nargs="?", help="the card's boot partition; by default, the only card found")
    options.add_argument("--board", metavar="KIND", help="the board with display and buttons, such as adafruit-bonnet")
    asked = options.parse_args()
    try:
        check_sums()
        if asked.board:
            check_board(asked.board)
        card = Path(asked.path) if asked.path else find_card()
        check(card)
        size = copy(card)
        if asked.board:
            (card / SETTINGS).write_text(f'[board]\nkind = "{asked.board}"\n', encoding="ascii")
    except CardError as error:
        print(f"prepare_card: {error}", file=sys.stderr)
        return 1
    for note in notes(card):
        print(f"Careful: {note}")
    print(f"The card in {card} is prepared: {size / 1e6:.1f} MB copied and read back.")
    print("Eject it, put it into the Pi and switch it on. In 15 to 45 minutes the screen asks whether you see a frame.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
