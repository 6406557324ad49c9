"""Benchmark of the memory for reading, in a separate process per reader, since a peak cannot be reset.

`python -m tools.bench.memory READER FRAME…` reads frames from files of numpy.save and prints, as JSON, the peak memory
of the process after its imports and after the frames, in MB.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.types import Frame


@dataclass(frozen=True, slots=True)
class Memory:
    """The peak memory of a process, in MB: after its imports, and after all frames."""

    imports_mb: float
    peak_mb: float

    @property
    def reading_mb(self) -> float:
        """The memory for reading, in addition to the imports, in MB."""
        return self.peak_mb - self.imports_mb


def nothing() -> Callable[[Frame], object]:
    """Return a reader that does nothing, to measure the memory for loading the frames."""
    return lambda _: None


def recipe() -> Callable[[Frame], object]:
    """Return the usual recipe as a reader."""
    from tools.bench.recipe import Recipe  # noqa: PLC0415 - scikit-learn must not weigh on the others

    return Recipe().read


def settle_and_read() -> Callable[[Frame], object]:
    """Return the box's whole path: each frame is shown until it counts as at rest, and is read twice."""
    from tools.bench.throws import show  # noqa: PLC0415 - the reader must not weigh on the others

    return lambda frame: list(show(frame))


READERS = {"nothing": nothing, "recipe": recipe, "settle + read": settle_and_read}


def peak_mb() -> float:
    """Return the process's peak resident memory so far, in MB.

    Not from getrusage, because Linux includes the parent's memory at the start of this process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


def measure(reader: str, frames: Sequence[Path]) -> Memory:
    """Return the memory of a reader for frames in files, in a separate process with one thread."""
    command = [sys.executable, "-m", "tools.bench.memory", reader, *map(str, frames)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Memory(**json.loads(done.stdout))


def main(reader: str, *frames: str) -> None:
    """Read the frames with a reader, and print the peak memory before and after as JSON."""
    cv2.setNumThreads(1)
    read = READERS[reader]()
    imports = peak_mb()
    for frame in frames:
        read(np.load(frame))
    print(json.dumps({"imports_mb": imports, "peak_mb": peak_mb()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
