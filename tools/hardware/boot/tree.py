"""The tree to boot: a Debian trixie in which the project's own installer has installed the box."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from device import config
from tools.hardware.bench import Bench, build
from tools.hardware.debs import with_packages_of_a_pi
from tools.hardware.trees import BUILD, Tree, base_tree, install_twice
from tools.install.archives import PROJECT
from tools.sim.oled_bus import OledBus

HERE = BUILD / "boot"
SHIMS = BUILD / "hardware"
BENCH = Path("etc/systemd/system/cantstop.service.d/bench.conf")
DROP_IN = """# The made devices of tools/hardware in place of a Pi's; nothing else of the unit is changed.
[Service]
Environment=LD_PRELOAD=/shims/gpiochip.so:/shims/buses.so:/shims/dmabuf.so:/shims/stall.so
Environment=CANTSTOP_BENCH=/bench
Environment=PYTHONPATH=/camera
"""
CAMERA = Path("usr/share/libcamera/pipeline/virtual/virtual.yaml")
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
STATE = Path("var/lib/cantstop")
NETWORK_MANAGER = PROJECT / "tests/hardware/network_manager.py"
"""The simulated NetworkManager, a template for python-dbusmock."""
STILL = {"dim_after_s": 3600.0, "off_after_s": 86400.0, "shift_every_s": 86400.0}
"""Settings of a display that does not rest: its pictures are compared pixel by pixel, also long after a press."""

with socket.create_server(("127.0.0.1", 0)) as _free:
    PORT: int = _free.getsockname()[1]
    """The page's port, a free one: the tree uses this machine's network, also while another one is booted."""


@contextmanager
def open_bench(oled: OledBus | None = None, bus: str = "i2c-1") -> Iterator[Bench]:
    """Yield a bench with a display on a bus for a booted tree, in which another user runs the program."""
    build(SHIMS)
    # The path of a Unix socket must be short.
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder), oled, bus, shims=SHIMS) as bench:
        Path(folder).chmod(0o755)
        yield bench


def installed_tree(board: str) -> Tree:
    """Return a tree with the box and this kind of board, installed over an older version if there is one."""
    base = base_tree("trixie", "amd64")
    tree = Tree(HERE / "box", base.suite, base.architecture)
    if not (tree.folder / "etc/debian_version").exists():
        tree = with_packages_of_a_pi(base, tree.folder)
    if not (tree.folder / "usr/bin/nmcli").exists():  # these are part of Raspberry Pi OS
        # The real NetworkManager would change this machine's own network: a simulated one takes its place.
        (tree.folder / "etc/systemd/system/NetworkManager.service").symlink_to("/dev/null")
        tree.do("apt-get", "update")
        packages = ("curl", "network-manager", "python3-dbusmock")
        tree.do("apt-get", "install", "-qy", "--no-install-recommends", *packages)
    shutil.copy(NETWORK_MANAGER, tree.folder / "srv")
    shutil.rmtree(tree.folder / STATE, ignore_errors=True)
    (tree.folder / BENCH).unlink(missing_ok=True)
    tree.copy_sources()
    install_twice(tree)
    drop_in = tree.folder / BENCH
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text(DROP_IN)
    settings = tree.folder / "etc/cantstop/config.toml"
    made = config.parse(f'[board]\nkind = "{board}"\n')
    made = replace(made, oled=replace(made.oled, **STILL), web=replace(made.web, port=PORT))  # type: ignore[arg-type]
    settings.write_text(made.as_toml())
    (tree.folder / CAMERA).unlink(missing_ok=True)
    return tree


def plug_in_camera(tree: Tree) -> None:
    """Enable libcamera's virtual camera for the programs that start from now on."""
    cameras = tree.folder / CAMERA
    cameras.parent.mkdir(parents=True, exist_ok=True)
    cameras.write_text(VIRTUAL)
