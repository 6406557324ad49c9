"""`make lock`: pin every Python package that a clone, a release or a box installs, with versions and hashes.

tools/install/lock/play.txt has what playing needs, dev.txt also what the tests need. Each is for Python 3.11 to 3.14 on
64-bit Arm and x86-64: a line's marker says where it applies. The build tools of the project itself are included.
On a Pi the installer leaves out NumPy, which comes from apt together with the picamera2 that was built for it.
uv resolves the versions; the files contain no address of an index.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]
LOCKS = PROJECT / "tools/install/lock"
OLDEST_PYTHON = "3.11"

HEADER = """\
# The packages for {purpose}, for each supported Python and platform.
# Made by `make lock`; do not edit.
"""


def _resolve(*options: str | Path) -> str:
    """Return the pinned packages as pip's requirements with hashes and markers.

    Args:
        options: Further options of `uv pip compile`.

    Raises:
        subprocess.CalledProcessError: If not all packages are available as wheels; uv has printed why.
    """
    build = tomllib.loads((PROJECT / "pyproject.toml").read_text())["build-system"]["requires"]
    command = [sys.executable, "-m", "uv", "--no-config", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    command += ["--universal", "--python-version", OLDEST_PYTHON, "--only-binary", ":all:", "--generate-hashes"]
    done = subprocess.run(
        [*command, *map(str, options), "pyproject.toml", "-"],
        cwd=PROJECT,
        input="\n".join(build),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> int:
    """Write both files, or neither if a package is not available."""
    try:
        play = _resolve()
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
            constraints.write(play)
            constraints.flush()
            # The tests run with the versions that players get.
            dev = _resolve("--extra", "dev", "--constraints", constraints.name)
    except subprocess.CalledProcessError:
        print("make lock: the packages in pyproject.toml do not fit together; nothing changed.", file=sys.stderr)
        return 1
    LOCKS.mkdir(exist_ok=True)
    for name, purpose, pins in (("play", "playing", play), ("dev", "the tests", dev)):
        (LOCKS / f"{name}.txt").write_text(HEADER.format(purpose=purpose) + pins)
        print(f"{(LOCKS / name).relative_to(PROJECT)}.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
