"""`make lock`: pin the Python packages that install.sh installs, with versions and hashes.

There is one file for each Python of Raspberry Pi OS, tools/install/requirements-PYTHON.txt, for both 64-bit Arm and
x86-64. NumPy is left out: on a Pi it comes from apt, together with the picamera2 that was built for it. The build tools
of the project itself are included. uv resolves the versions; the files contain no address of an index.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent
LOCKS = PROJECT / "tools/install"

NUMPY = {"3.11": "1.24.2", "3.13": "2.2.4"}
"""The supported versions of Python, of bookworm and trixie, with apt's version of NumPy there."""

PLATFORMS = ("aarch64-manylinux_2_36", "x86_64-manylinux_2_36")
"""The platforms; bookworm's C library is 2.36, trixie's is newer."""

HEADER = """\
# The packages that install.sh installs for Python {python}, beside apt's NumPy {numpy}.
# Made by `make lock`; do not edit.
"""


def lock_file(python: str) -> Path:
    """Return the lock file for a version of Python, such as "3.11"."""
    return LOCKS / f"requirements-{python}.txt"


def _resolve(python: str, platform: str) -> str:
    """Return the pinned packages for one Python and platform, as pip's requirements with hashes.

    Raises:
        subprocess.CalledProcessError: If not all packages are available as wheels; uv has printed why.
    """
    build = tomllib.loads((PROJECT / "pyproject.toml").read_text())["build-system"]["requires"]
    command = [sys.executable, "-m", "uv", "--no-config", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    command += ["--python-version", python, "--python-platform", platform, "--only-binary", ":all:"]
    command += ["--generate-hashes", "--no-emit-package", "numpy"]
    wanted = "\n".join([*build, f"numpy=={NUMPY[python]}"])
    done = subprocess.run(
        [*command, "pyproject.toml", "-"], cwd=PROJECT, input=wanted, stdout=subprocess.PIPE, text=True, check=True
    )
    return re.sub(r"\n# The following packages were excluded.*", "", done.stdout, flags=re.DOTALL)


def main() -> int:
    """Write the lock files."""
    for python, numpy in NUMPY.items():
        try:
            found = {_resolve(python, platform) for platform in PLATFORMS}
        except subprocess.CalledProcessError:
            print(f"make lock: no set of packages fits Python {python} on every platform; nothing changed for it.")
            return 1
        if len(found) > 1:
            print(f"make lock: Python {python} needs other packages on Arm than on x86-64. Pin them in pyproject.toml.")
            return 1
        lock_file(python).write_text(HEADER.format(python=python, numpy=numpy) + found.pop())
        print(lock_file(python).relative_to(PROJECT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
