"""A program with only lamp and buzzer: it executes commands, one word per line, and answers "done"."""

from __future__ import annotations

import sys

from device.config import BuzzerConfig, LampConfig
from device.hardware.buzzer import Buzzer
from device.hardware.lamp import Lamp

if __name__ == "__main__":
    lamp = Lamp(LampConfig(brightness=float(sys.argv[1]), frequency_hz=200))
    buzzer = Buzzer(BuzzerConfig())
    print("done", flush=True)
    for line in sys.stdin:
        match line.split():
            case ["lamp", "on"]:
                lamp.looked(True)
            case ["lamp", "off"]:
                lamp.looked(False)
            case ["play", note, seconds]:
                buzzer.play([(note, float(seconds))])
        print("done", flush=True)
    buzzer.close()
    lamp.close()
