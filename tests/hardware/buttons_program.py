"""A program with the box's buttons alone: it prints each press, until its input ends."""

from __future__ import annotations

import sys

from device.config import ButtonsConfig
from device.hardware.buttons import Buttons
from device.referee.inputs import Press


def put(press: Press) -> None:
    print(press, flush=True)


if __name__ == "__main__":
    opened = Buttons(ButtonsConfig(hold_s=float(sys.argv[1])), put)
    print("ready", flush=True)
    sys.stdin.read()
    opened.close()
