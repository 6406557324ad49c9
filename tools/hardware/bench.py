"""The world at the other end of the wires: fingers and displays for a program that runs the real lgpio and luma.

The program under test is an ordinary process with the shims of this folder (`gpiochip.c`, `i2c.c`, `dmabuf.c`) loaded;
its devices lead here, by Unix sockets in a folder. The bench outlives the program: it may be killed and started again
while a button is held down and the display keeps its last picture, as on a table.

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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from device.sim.oled_bus import OledBus

SHIMS = ("gpiochip", "i2c", "dmabuf", "stall")
HERE = Path(__file__).parent
PATIENCE_S = 20.0
"""How long to wait for a program to do what it must, on a machine that is busy with other things."""


def build(folder: Path, names: tuple[str, ...] = SHIMS) -> list[Path]:
    """Compile the shims that are not in the folder yet, or older than their source.

    Raises:
        RuntimeError: With the compiler's words, or where there is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    built = []
    for name in names:
        source, target = HERE / f"{name}.c", folder / f"{name}.so"
        newest = max(source.stat().st_mtime, (HERE / "world.h").stat().st_mtime)
        if not target.exists() or target.stat().st_mtime < newest:
            half_made = target.with_suffix(f".{os.getpid()}")
            command: list[str | Path] = [
                "gcc",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
                "-o",
                half_made,
                source,
                "-ldl",
            ]
            try:
                subprocess.run([*command, "-lpthread"], check=True, capture_output=True, text=True, timeout=120)
            except FileNotFoundError as error:
                raise RuntimeError("the shims need gcc: sudo apt install gcc libc6-dev") from error
            except subprocess.CalledProcessError as error:
                raise RuntimeError(f"{source} does not compile:\n{error.stderr}") from error
            half_made.replace(target)  # at once, for others may load it now
        built.append(target)
    return built


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of the chip does.

    Attributes:
        level: 0 or 1.
        is_claimed: Whether the program has it.
        rises: How often it rose since it was looked at last.
        seconds: How long ago that is.
        high_s: For how long of this time it was high.
    """

    level: int
    is_claimed: bool
    rises: int
    seconds: float
    high_s: float

    @property
    def hertz(self) -> float:
        """How often a second it rose."""
        return self.rises / self.seconds if self.seconds else 0.0


class Trouble:
    """Something that goes wrong as long as a file of its name is in the bench's folder: see `stall.c`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, bench: Bench, kind: type[Bench]) -> bool:
        return (bench.folder / self._name).exists()

    def __set__(self, bench: Bench, is_there: bool) -> None:
        if is_there:
            (bench.folder / self._name).touch()
        else:
            (bench.folder / self._name).unlink(missing_ok=True)


class Bench:
    """Fingers on the pins and an OLED on the bus, for programs with the shims loaded."""

    disk_stalls = Trouble("disk-stalls")
    """Whether nothing gets to the disk that is to be forced out to it."""

    alerts_stall = Trouble("alerts-stall")
    """Whether lgpio's thread that waits for edges comes back to them late, as on a busy machine."""

    def __init__(
        self, folder: Path, oled: OledBus | None = None, port: int = 1, shims: Path = Path("build/hardware")
    ) -> None:
        """Prepare.

        Args:
            folder: Where the sockets are made. A path of at most 90 characters, as Unix sockets want it.
            oled: The display; an SSD1306 at 0x3C if None.
            port: The N of the /dev/i2c-N that it is on.
            shims: Where the shims are compiled to.
        """
        self.folder = folder.absolute()
        self.oled = oled or OledBus()
        self.errors: list[Exception] = []
        """What the display would not have understood."""
        self._shims = shims.absolute()
        self._port = port
        self._driven: dict[int, int] = {}
        self._program: socket.socket | None = None
        self._lock = threading.RLock()
        self._listening: list[socket.socket] = []

    def environment(self) -> dict[str, str]:
        """Return the environment for a program on this bench, this process's own added."""
        preload = ":".join(map(str, build(self._shims)))
        return {**os.environ, "LD_PRELOAD": preload, "CANTSTOP_BENCH": str(self.folder)}

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._listen("gpio", self._meet_program)
        self._listen(f"i2c-{self._port}", self._be_the_bus)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listening in self._listening:
            with contextlib.suppress(OSError):
                Path(listening.getsockname()).unlink()
            listening.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for programs
            listening.close()
        self._forget()
        if error is None and self.errors:
            raise self.errors[0]

    def drive(self, pin: int, level: int | None, bounces: int = 0, gap_s: float = 0.001) -> None:
        """Join a pin to ground (0) or to 3.3 V (1), or to nothing (None).

        The edges have the times that they have here, as a kernel notes them: a program that got no time meanwhile hears
        of them late, but neither is a bounce stretched into a press of its own nor a press shortened into a bounce.

        Args:
            pin: The line.
            level: What it is joined to from now on.
            bounces: How often the contact bounces before.
            gap_s: How long after the one before each of their edges comes.
        """
        with self._lock:
            self._driven[pin] = -1 if level is None else level
            self._say(_driving(pin, self._driven[pin], bounces, gap_s))

    def press(self, pin: int, seconds: float = 0.15, bounces: int = 0) -> None:
        """Press a button that joins its pin to ground, and let it go."""
        self.drive(pin, 0, bounces)
        time.sleep(seconds)
        self.drive(pin, None, bounces)

    def line(self, pin: int) -> Line:
        """Look at a line, also at one that the program drives.

        Raises:
            RuntimeError: If no program has opened the chip.
        """
        with self._lock:
            if self._program is None or not self._say(f"ask {pin}"):
                raise RuntimeError("no program has opened /dev/gpiochip0")
            _, level, is_claimed, rises, nanos, high = map(int, self._program.recv(200).split())
        return Line(level, bool(is_claimed), rises, nanos / 1e9, high / 1e9)

    def wait_for(self, happens: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until something is so.

        Raises:
            TimeoutError: If it never is; with `what`.
        """
        deadline = time.monotonic() + patience_s
        while not happens():
            if time.monotonic() > deadline:
                raise TimeoutError(f"waited {patience_s:g} s in vain: {what}")
            time.sleep(0.02)

    def wait_for_claim(self, pin: int) -> None:
        """Wait until the program has claimed a pin."""

        def claimed() -> bool:
            with self._lock:
                return self._program is not None and self.line(pin).is_claimed

        self.wait_for(claimed, f"pin {pin} is claimed")

    def _say(self, message: str) -> bool:
        """Tell the program that runs now; what a dead one does not hear, the next one gets at its start."""
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
        with program, contextlib.suppress(ConnectionError):  # a killed program hangs up in the middle
            while message := program.recv(10_000):
                answer = 0
                try:
                    self.oled.take(message[0], message[1:])
                except OSError as error:
                    answer = error.errno or errno.EIO
                except ValueError as error:
                    self.errors.append(error)
                    answer = errno.EIO
                program.sendall(bytes([answer]))


def _driving(pin: int, level: int, bounces: int = 0, gap_s: float = 0.0) -> str:
    """Tell in the chip's words (see `gpiochip.c`) that a pin is joined to something now."""
    return f"drive {pin} {level} {bounces} {round(gap_s * 1e6)} {time.monotonic_ns()}"
