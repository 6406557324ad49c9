"""Simulated hardware: buttons and displays for a program that runs the real lgpio and luma.

The program under test is an ordinary process with the shims of this folder (`gpiochip.c`, `buses.c`, `dmabuf.c`)
loaded; they connect its devices to this bench by Unix sockets in a folder. The bench outlives the program, which may be
killed and restarted while a button is held down and the display keeps its last picture, as on a real table.

    with Bench(folder) as bench:
        program = subprocess.Popen([...], env=bench.environment())
        bench.press(13)
        bench.oled.picture().save("seen.png")
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from device.hardware import pins
from tools.sim.oled_bus import COMMAND, DATA, OledBus

SHIMS = ("gpiochip", "buses", "dmabuf", "stall")
HERE = Path(__file__).parent
PATIENCE_S = 20.0
"""The longest wait for an event, in seconds, on a busy machine."""


def build(folder: Path, names: tuple[str, ...] = SHIMS) -> list[Path]:
    """Compile the shims that are missing or older than their source, and return them.

    Raises:
        RuntimeError: With the compiler's output, or if there is no compiler.
    """
    folder.mkdir(parents=True, exist_ok=True)
    built = []
    for name in names:
        source, target = HERE / f"{name}.c", folder / f"{name}.so"
        newest = max(source.stat().st_mtime, (HERE / "world.h").stat().st_mtime)
        if not target.exists() or target.stat().st_mtime < newest:
            half_made = target.with_suffix(f".{os.getpid()}")
            options = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
            command: list[str | Path] = ["gcc", *options, "-o", half_made, source, "-ldl", "-lpthread"]
            try:
                subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
            except FileNotFoundError as error:
                raise RuntimeError("the shims need gcc: sudo apt install gcc libc6-dev") from error
            except subprocess.CalledProcessError as error:
                raise RuntimeError(f"{source} does not compile:\n{error.stderr}") from error
            half_made.replace(target)  # atomically, as other processes may be loading it
        built.append(target)
    return built


@dataclass(frozen=True, slots=True)
class Line:
    """The state of a line of the chip.

    Attributes:
        level: The level, 0 or 1.
        is_claimed: Whether the program has claimed it.
        rises: The number of rising edges since the last call.
        seconds: The time since the last call, in seconds.
        high_s: How long it was high in that time, in seconds.
    """

    level: int
    is_claimed: bool
    rises: int
    seconds: float
    high_s: float


class Bench:
    """The simulated buttons and OLED, for programs with the shims loaded."""

    def __init__(
        self, folder: Path, oled: OledBus | None = None, bus: str = "i2c-1", shims: Path = Path("build/hardware")
    ) -> None:
        """Prepare.

        Args:
            folder: The folder of the sockets. A path of at most 90 characters, as Unix sockets require.
            oled: The display; an SSD1306 at 0x3C if None.
            bus: The display's bus, "i2c-N" or "spidev0.0".
            shims: The folder of the compiled shims.
        """
        self.folder = folder.absolute()
        self.oled = oled or OledBus()
        self.errors: list[Exception] = []
        """The messages that the display would not have understood."""
        self._shims = shims.absolute()
        self._bus = bus
        self._driven: dict[int, int] = {}
        self._is_reset = False
        self._program: socket.socket | None = None
        self._lock = threading.RLock()
        self._listening: list[socket.socket] = []

    def environment(self) -> dict[str, str]:
        """Return the environment for a program on this bench, based on this process's own."""
        preload = ":".join(map(str, build(self._shims)))
        return {**os.environ, "LD_PRELOAD": preload, "CANTSTOP_BENCH": str(self.folder)}

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._listen("gpio", self._meet_program)
        self._listen(self._bus, self._be_the_bus)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listening in self._listening:
            with contextlib.suppress(OSError):
                Path(listening.getsockname()).unlink()
            listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts programs
            listening.close()
        self._forget()
        if error is None and self.errors:
            raise self.errors[0]

    @contextlib.contextmanager
    def trouble(self, name: str) -> Iterator[None]:
        """Cause a fault until the context ends: "disk-stalls", "alerts-stall" (`stall.c`), "unplugged" (camera)."""
        file = self.folder / name
        file.touch()
        try:
            yield
        finally:
            file.unlink()

    def drive(self, pin: int, level: int | None, bounces: int = 0, gap_s: float = 0.001) -> None:
        """Connect a pin to ground (0) or to 3.3 V (1), or to nothing (None).

        The edges have timestamps from here, like the kernel's: a program that was delayed learns of them late, but a
        bounce is not stretched into a press, nor a press shortened into a bounce.

        Args:
            pin: The line.
            level: The new level.
            bounces: The number of bounces before it.
            gap_s: The time between two of their edges, in seconds.
        """
        with self._lock:
            self._driven[pin] = -1 if level is None else level
            self._say(_driving(pin, self._driven[pin], bounces, gap_s))

    def press(self, pin: int, seconds: float = 0.15, bounces: int = 0) -> None:
        """Press a button that connects its pin to ground, and release it."""
        self.drive(pin, 0, bounces)
        time.sleep(seconds)
        self.drive(pin, None, bounces)

    def line(self, pin: int) -> Line:
        """Return the state of a line, which may be an output of the program.

        Raises:
            RuntimeError: If no program has opened the chip.
        """
        with self._lock:
            if self._program is None or not self._say(f"ask {pin}"):
                raise RuntimeError("no program has opened /dev/gpiochip0")
            _, level, is_claimed, rises, nanos, high = map(int, self._program.recv(200).split())
        return Line(level, bool(is_claimed), rises, nanos / 1e9, high / 1e9)

    def wait_for(self, happens: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until a condition is true.

        Raises:
            TimeoutError: If it does not become true in time; the message is `what`.
        """
        deadline = time.monotonic() + patience_s
        while not happens():
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited {patience_s:g} s in vain: {what}")
            time.sleep(0.02)

    def _say(self, message: str) -> bool:
        """Send a message to the running program; one that is not running gets the state at its start."""
        if self._program is None:
            return False
        try:
            self._program.sendall(message.encode())
        except OSError:
            self._forget()
            return False
        return True

    def _forget(self) -> None:
        with self._lock:
            if self._program is not None:
                self._program.close()
                self._program = None

    def _listen(self, name: str, answer: Callable[[socket.socket], None]) -> None:
        path = self.folder / name
        path.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.bind(str(path))
        path.chmod(0o777)  # the program may run as another user
        listening.listen()
        self._listening.append(listening)

        def serve() -> None:
            while True:
                try:
                    caller, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(caller,), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()

    def _meet_program(self, program: socket.socket) -> None:
        with self._lock:
            self._forget()
            program.settimeout(PATIENCE_S)
            self._program = program
            for pin, level in self._driven.items():
                self._say(_driving(pin, level))
            self._say("begin")

    def _be_the_bus(self, program: socket.socket) -> None:
        with program, contextlib.suppress(ConnectionError):  # a killed program closes the connection at any point
            while message := program.recv(10_000):
                answer = 0
                try:
                    if self._bus.startswith("spi"):
                        self._clock_in(message[1:])
                    else:
                        self.oled.take(message[0], message[1:])
                except OSError as error:
                    answer = error.errno or errno.EIO
                except ValueError as error:
                    self.errors.append(error)
                    answer = errno.EIO
                program.sendall(bytes([answer]))

    def _clock_in(self, data: bytes) -> None:
        """Let the display take bytes from SPI, where the pin DC says what they are.

        Raises:
            ValueError: If the program does not drive DC and reset, or has not reset the display.
        """
        dc, reset = self.line(pins.OLED_DC), self.line(pins.OLED_RESET)
        self._is_reset = self._is_reset or reset.rises > 0
        if not (dc.is_claimed and reset.is_claimed and reset.level and self._is_reset):
            raise ValueError(f"the display is not reset, or its pins are not driven: DC {dc}, reset {reset}")
        if not self.oled.unplugged:  # nobody learns of it
            self.oled.take(self.oled.address, bytes([DATA if dc.level else COMMAND]) + data)


def _driving(pin: int, level: int, bounces: int = 0, gap_s: float = 0.0) -> str:
    """Return the message, in the protocol of `gpiochip.c`, that sets a pin's level."""
    return f"drive {pin} {level} {bounces} {round(gap_s * 1e6)} {time.monotonic_ns()}"
