"""A Raspberry Pi below a folder, for the tests of install.sh."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import PATIENCE_S

PROJECT = Path(__file__).parent.parent.parent
DOUBLES = Path(__file__).with_name("doubles.sh")
COMMANDS = (
    *("id", "getent", "groupadd", "useradd", "usermod", "userdel", "runuser", "dpkg", "dpkg-query"),
    *("apt-cache", "apt-get", "raspi-config", "systemctl", "python3", "git", "sleep"),
)
CONFIG_TXT = "# For more options see\ndtparam=audio=on\n\n[pi5]\narm_boost=1\n"
JOURNAL = "var/lib/cantstop/journal.txt"


class Pi:
    """A Raspberry Pi below a folder, and the sources of a box in another."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "pi"
        self.world = self.root / ".world"
        self.sources = folder / "sources"
        self.as_the_box = ""
        """The command with which runuser's double becomes another user; "" for none."""
        self.environment: dict[str, str] = {}
        """More of the installer's environment."""
        (self.world / "bin").mkdir(parents=True)
        # A copy, as the box's user may not be able to enter the folder of this project.
        doubles = shutil.copy(DOUBLES, self.world)
        for command in COMMANDS:
            (self.world / "bin" / command).symlink_to(doubles)
        for group in ("gpio", "i2c", "spi", "video"):
            self.put(f".world/group/{group}")
        self.put(".world/calls")
        self.put(".world/uid", "0\n")
        self.put(".world/architecture", "arm64\n")
        self.put("etc/os-release", 'ID=debian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian GNU/Linux 12"\n')
        self.put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
        self.put("boot/firmware/config.txt", CONFIG_TXT)
        self.put("run/systemd/system/there")
        self.put("dev/null")
        self.put("opt/somebody-else's")
        for part in ("tools/install", "systemd"):
            shutil.copytree(PROJECT / part, self.sources / part)
        for part in ("install.sh", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(PROJECT / part, self.sources / part)
        for package in ("engine", "files", "vision", "device"):
            (self.sources / package).mkdir()
            (self.sources / package / "__init__.py").write_text('"""A part."""\n')

    def put(self, name: str, text: str = "") -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    @contextmanager
    def running(self, *options: str, fails: str = "", umask: int = -1) -> Iterator[subprocess.Popen[str]]:
        """Start the installer, and end it with the context."""
        environment = {
            "AS_THE_BOX": self.as_the_box,
            "PATH": f"{self.world / 'bin'}:{os.environ['PATH']}",
            "CANTSTOP_ROOT": str(self.root),
            "FAILS": fails,
            **self.environment,
        }
        with subprocess.Popen(
            ["sh", str(self.sources / "install.sh"), *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
            umask=umask,
        ) as installer:  # fmt: skip
            try:
                yield installer
            finally:
                installer.kill()

    def run(self, *options: str, fails: str = "", umask: int = -1) -> subprocess.CompletedProcess[str]:
        with self.running(*options, fails=fails, umask=umask) as installer:
            said = installer.communicate(timeout=PATIENCE_S)
            return subprocess.CompletedProcess(options, installer.returncode, *said)

    def works(self, *options: str) -> str:
        result = self.run(*options)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def change(self, text: str = "newer") -> None:
        """Make the sources another version."""
        (self.sources / "engine" / "__init__.py").write_text(f'"""{text}."""\n')

    def everything(self) -> dict[str, tuple[int, str]]:
        """Return all files with their times and contents, except those of the doubles, the log and the lock."""
        found = {}
        for file in sorted(self.root.rglob("*")):
            name = str(file.relative_to(self.root))
            if name in {".world/calls", "var/log/cantstop-install.log", "run/cantstop-install.lock"}:
                continue
            content = str(file.readlink()) if file.is_symlink() else file.read_text() if file.is_file() else ""
            found[name] = (0 if file.is_dir() else file.lstat().st_mtime_ns, content)
        return found

    def there(self, name: str) -> bool:
        return os.path.lexists(self.root / name)

    def version(self, link: str = "current") -> str:
        return (self.root / "opt/cantstop" / link).readlink().name

    def versions(self) -> set[str]:
        return {folder.name for folder in (self.root / "opt/cantstop/releases").iterdir()}

    def calls(self) -> list[str]:
        return (self.world / "calls").read_text().splitlines()
