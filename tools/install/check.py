"""Checks whether an environment can run the box, by real imports. Run by the installer; independent of the box.

Usage: python -I check.py [picamera2] [lgpio]   (the packages from apt that the environment must be able to use)
"""

from __future__ import annotations

import importlib
import sys

OURS = ("numpy", "cv2", "engine", "vision.reader", "device.cli", "device.hardware.oled", "device.hardware.buttons")
"""The packages that the environment itself must have."""


def main(modules_of_the_system: list[str]) -> int:
    """Import everything; report the first failure and its remedy, if there is one."""
    for name in (*OURS, *modules_of_the_system):
        try:
            importlib.import_module(name)
        except Exception as error:  # a broken extension module may raise any exception
            remedy = ""
            if "numpy.dtype size changed" in str(error) or "numpy.core.multiarray" in str(error):
                remedy = ": the environment's numpy is not the one for which apt's packages were built"
            elif name == "numpy":
                remedy = ". Install apt's again: sudo apt install --reinstall python3-numpy"
            print(f"{name} cannot be imported: {error}{remedy}", file=sys.stderr)
            return 1
    import numpy  # noqa: PLC0415 - only now is it known to be there

    print(f"fit: Python {sys.version.split()[0]}, numpy {numpy.__version__} of {numpy.__file__}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
