"""Debian packages for trees with names from Raspberry Pi's archive that Debian lacks: lgpio and picamera2.

Their contents are the projects' own releases on PyPI, in the places of Debian's packages.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tools.hardware.trees import BUILD, Tree, TreeError, base_tree, copy_of, run, say

LGPIO = "0.2.2.0"
PICAMERA2 = "0.3.31"
"""The versions in Raspberry Pi OS."""

REVISION = "2"
"""The revision of the package made here, to be increased when its contents change."""

CAMERA_WHEELS = ("simplejpeg", "piexif", "videodev2", "av", "libarchive-c", "tqdm", "OpenEXR")
"""The dependencies of picamera2, without numpy, Pillow, prctl, jsonschema and libcamera, which Debian has."""

STANDS_IN = {
    # Both are for features that the box does not use: saving raw pictures, and drawing on a screen without a desktop.
    "pidng/__init__.py": "",
    "pidng/core.py": "class PICAM2DNG: pass\n",
    "pidng/camdefs.py": "class Picamera2Camera: pass\n",
    "pykms.py": (
        "class _Any:\n    def __getattr__(self, name):\n        if name.startswith('__'):\n"
        "            raise AttributeError(name)\n        return name\n\n\n"
        "PixelFormat = PixelFormats = PlaneType = _Any()\n"
    ),
}


def with_packages_of_a_pi(base: Tree, folder: Path, *, camera: bool = True) -> Tree:
    """Return a copy of a bare tree whose apt finds the packages of Raspberry Pi's archive.

    Args:
        base: The bare tree.
        folder: The folder for the copy.
        camera: Whether to include picamera2; Debian's libcamera has its Python bindings from trixie on.
    """
    tree = copy_of(base, folder)
    target = tree.folder / "srv/debs"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(_archive_for(base, camera=camera), target)
    (tree.folder / "etc/apt/sources.list.d/made.list").write_text("deb [trusted=yes] file:/srv/debs ./\n")
    if camera:
        _add_newer_libcamera(tree)
    return tree


def _archive_for(tree: Tree, *, camera: bool) -> Path:
    """Return a folder that apt accepts as an archive, with the packages for a tree."""
    folder = BUILD / "debs" / f"{tree.suite}-{tree.architecture}"
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("python3-lgpio_*.deb")):
        _pack(folder, tree, "python3-lgpio", LGPIO, "python3", _lgpio)
    picamera2 = f"{PICAMERA2}-{REVISION}"
    if camera and not list(folder.glob(f"python3-picamera2_{picamera2}_*.deb")):
        needs = (
            "python3, python3-libcamera, python3-numpy, python3-pil, python3-prctl, python3-jsonschema, libarchive13t64"
        )
        _pack(folder, tree, "python3-picamera2", picamera2, needs, _picamera2)
    entries = []
    for deb in sorted(folder.glob("*.deb")):
        control = subprocess.run(["dpkg-deb", "--field", deb], capture_output=True, text=True, check=True).stdout
        content = deb.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        entries.append(f"{control}Filename: ./{deb.name}\nSize: {len(content)}\nSHA256: {digest}\n")
    (folder / "Packages").write_text("\n".join(entries))
    return folder


def _add_newer_libcamera(tree: Tree) -> None:
    """Make the tree's apt use libcamera from its suite's backports, from the archive that the tree was made from.

    Trixie's own libcamera 0.4.0 has a virtual camera with wrong times and padded pictures.
    """
    sources = (tree.folder / "etc/apt/sources.list").read_text()
    backports = sources.replace(f" {tree.suite} ", f" {tree.suite}-backports ")
    (tree.folder / "etc/apt/sources.list.d/backports.list").write_text(backports)
    pinned = f"Package: *libcamera*\nPin: release n={tree.suite}-backports\nPin-Priority: 700\n"
    (tree.folder / "etc/apt/preferences.d/libcamera").write_text(pinned)


def _pack(folder: Path, tree: Tree, name: str, version: str, needs: str, fill: Callable[[Tree, Path], None]) -> None:
    say(f"packing {name} {version} for {tree.suite} {tree.architecture}")
    with tempfile.TemporaryDirectory(dir=folder) as made:
        package = Path(made)
        fill(tree, package / "usr/lib/python3/dist-packages")
        (package / "DEBIAN").mkdir()
        (package / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: {version}\nArchitecture: {tree.architecture}\nDepends: {needs}\n"
            f"Maintainer: tools/hardware/debs.py <nobody@localhost>\nDescription: {name} as PyPI has it\n"
        )
        package.chmod(0o755)
        half_made = package.with_suffix(".deb")
        run(["dpkg-deb", "-Znone", "--root-owner-group", "--build", package, half_made], folder.with_suffix(".log"))
        half_made.rename(folder / f"{name}_{version}_{tree.architecture}.deb")


def _wheels(tree: Tree, target: Path, *names: str) -> None:
    machine = {"amd64": "x86_64", "arm64": "aarch64"}[tree.architecture]
    platforms = [f"--platform={kind}_{machine}" for kind in ("manylinux2014", "manylinux_2_28", "manylinux_2_34")]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"]
    kind = ["--implementation=cp", f"--python-version={tree.python}", "--platform=any", *platforms]
    run([*pip, *kind, "--target", target, *names], tree.log)


def _lgpio(tree: Tree, target: Path) -> None:
    try:
        _wheels(tree, target, f"lgpio=={LGPIO}")
    except TreeError:
        # No wheel for this Python: compile lgpio's own sources in the target environment.
        builder = copy_of(base_tree(tree.suite, tree.architecture), BUILD / "builder")
        builder.do("apt-get", "update")
        tools = ["python3-venv", "python3-dev", "gcc", "libc6-dev", "swig"]
        builder.do("apt-get", "install", "-qy", "--no-install-recommends", *tools)
        builder.do("python3", "-m", "venv", "/v")
        builder.do("env", "PYPI=1", "/v/bin/pip", "install", "--target", "/made", f"lgpio=={LGPIO}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(builder.folder / "made", target, dirs_exist_ok=True)
        shutil.rmtree(builder.folder)


def _picamera2(tree: Tree, target: Path) -> None:
    _wheels(tree, target, f"picamera2=={PICAMERA2}", *CAMERA_WHEELS)
    for name, text in STANDS_IN.items():
        file = target / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
