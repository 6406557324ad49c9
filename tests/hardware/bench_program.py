"""A program with only buttons, lamp and buzzer, and the tests' end of it.

It prints each press. It executes commands, one per line, and answers "done".
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading

from device.config import ButtonsConfig, BuzzerConfig, LampConfig
from device.hardware.buttons import Buttons
from device.hardware.signals import Buzzer, Lamp
from tests.waiting import PATIENCE_S

HOLD_S = 1.0


class Program:
    """The program as a process on a bench, and its output."""

    def __init__(self, bench, folder) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hardware.bench_program"],
            env={**bench.environment(), "GPIOZERO_PIN_FACTORY": "lgpio", "LG_WD": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._told = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self.next() == "done"

    def _listen(self) -> None:
        for line in self.process.stdout:
            self._told.put(line.strip())

    def next(self) -> str:
        return self._told.get(timeout=PATIENCE_S)

    def do(self, words: str) -> None:
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        assert self.next() == "done"

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()


def main() -> None:
    buttons = Buttons(ButtonsConfig(hold_s=HOLD_S), lambda press: print(press, flush=True))
    lamp = Lamp(LampConfig())
    buzzer = Buzzer(BuzzerConfig())
    print("done", flush=True)
    for line in sys.stdin:
        match line.split():
            case ["lamp", state]:
                lamp.looked(state == "on")
            case ["play", note, seconds]:
                buzzer.play([(note, float(seconds))])
        print("done", flush=True)
    for part in (buzzer, lamp, buttons):
        part.close()


if __name__ == "__main__":
    main()
