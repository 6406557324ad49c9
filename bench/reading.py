"""How long reading a frame takes, beside a plain blur and edge detection of the same frames."""

from __future__ import annotations

from statistics import median
from time import perf_counter

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from vision.read import read
from vision.reading import Frame
from vision.render.draw import draw
from vision.render.random_scene import random_scene

SCENES = 30
"""How many scenes of 640x480 are read, each with other dice, tray, light and camera."""


def blur_and_edges(frame: Frame) -> None:
    """The yardstick: what many recipes begin with."""
    cv2.Canny(cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (5, 5), 0), 50, 150)


def main() -> None:
    """Print the table; one thread, as the figures are to tell of small machines."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    frames = [draw(random_scene(np.random.default_rng(seed)), seed) for seed in range(SCENES)]
    yardstick, reading, refused = [], [], []
    for frame in frames:
        start = perf_counter()
        blur_and_edges(frame)
        middle = perf_counter()
        result = read(frame)
        end = perf_counter()
        yardstick.append((middle - start) * 1000)
        (reading if result.ok else refused).append((end - middle) * 1000)
    cv2.setNumThreads(threads)
    table = Table(title=f"reading {SCENES} frames of 640x480, one thread")
    for heading in ("what", "frames", "median ms", "worst ms", "x blur + edges"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for name, times in (("blur + edges", yardstick), ("read", reading), ("refused after a closer look", refused)):
        if times:
            relation = median(times) / median(yardstick)
            table.add_row(name, str(len(times)), f"{median(times):.1f}", f"{max(times):.1f}", f"{relation:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
