"""`make card`: put the files for the card of a box that installs itself into build/card.

* prepare_card.py copies the rest onto a card, on Linux, macOS and Windows.
* vendor-data is cloud-init's file, which runs cantstop/setup.sh at each start.
* cantstop/ is the installation: the release's archive, its script, and the pictures for the OLED.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from tools.install.archives import PROJECT, commit_time, pi_archive, version
from tools.install.card.screens import packed, picture, screens, texts

FILES = Path(__file__).parent / "files"
CARD = PROJECT / "build/card"


def lay_out(target: Path) -> None:
    """Write the card's files into a folder; its previous contents are removed."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(FILES, target, ignore=shutil.ignore_patterns("__pycache__"))
    folder = target / "cantstop"
    pi_archive(folder / "box.tar.gz", commit_time())
    shown = folder / "screens"
    shown.mkdir()
    for name, text in texts().items():
        (shown / f"{name}.txt").write_text(text + "\n")
    for name, screen in screens().items():
        (shown / f"{name}.oled").write_bytes(packed(picture(screen)))
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    sums = "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder).as_posix()}\n" for file in files
    )
    (folder / "SHA256SUMS").write_text(sums)


def main() -> None:
    """Write the card's files into build/card."""
    lay_out(CARD)
    size = sum(file.stat().st_size for file in CARD.rglob("*") if file.is_file())
    print(f"{CARD.relative_to(PROJECT)}: the Can't Stop box {version()}, {size / 1e6:.1f} MB.")
    print("Write Raspberry Pi OS Lite (64-bit) onto a card with Raspberry Pi Imager. Before its first start:")
    print(f"  python3 {CARD.relative_to(PROJECT)}/prepare_card.py")


if __name__ == "__main__":
    main()
