"""The service as systemd starts it, in a separate process, with only the wires replaced.

`python -m tests.device.service JOURNAL LOG` runs `cantstop play` with mock pins and an I2C bus that decodes. It writes
what a person would see into LOG, a line a picture: which of the heavy modules were loaded by then, and the picture.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

HEAVY = ("cv2", "picamera2")


def main(journal: str, log: str) -> int:
    # luma still asks Pillow for `getdata`, which works and warns.
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    import smbus2  # noqa: PLC0415 - the service itself decides what is loaded when

    lines = Path(log).open("a", buffering=1)  # noqa: SIM115 - open until the process ends

    class Wire:
        """A bus that keeps its bytes; decoded by the test, as the decoder needs numpy."""

        def __init__(self, port: int) -> None:
            pass

        def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
            loaded = ",".join(name for name in HEAVY if name in sys.modules)
            lines.write(f"{address} {register} {bytes(data).hex()} {loaded}\n")

        def i2c_rdwr(self, message: smbus2.i2c_msg) -> None:
            register, *data = list(message)
            for start in range(0, len(data), 32):  # the decoder's largest block
                self.write_i2c_block_data(message.addr, register, data[start : start + 32])

        def close(self) -> None:
            pass

    smbus2.SMBus = Wire
    from device.cli import main as command  # noqa: PLC0415

    return command(["play", "--journal", journal])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
