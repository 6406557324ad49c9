"""Counts the multiply-adds of the reader's networks, to estimate the time of a reading on other boards."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.stages import network
from vision.stages.values import OUTPUTS
from vision.types import Frame


@dataclass(frozen=True, slots=True)
class Convolution:
    """A layer of `tools/training/nets.py`: `times` convolutions; its output is `smaller` times smaller."""

    inside: int
    outside: int
    size: int
    smaller: int
    times: int = 1

    @property
    def weights(self) -> int:
        """The number of its weights, without biases."""
        return self.times * self.inside * self.outside * self.size**2


_BODY = (
    Convolution(3, 16, 5, 2),
    Convolution(16, 32, 3, 4),
    Convolution(32, 32, 3, 4, 4),
    Convolution(32, 64, 3, 8),
    Convolution(64, 64, 3, 8, 4),
    Convolution(1, 256, 8, 64),  # each pattern uses one channel
)

LAYERS = {
    "finder": (
        Convolution(3, 16, 3, 2),
        Convolution(16, 16, 3, 4),
        Convolution(16, 32, 3, 8),
        Convolution(32, 32, 3, 8, 2),
        Convolution(32, 64, 3, 16),
        Convolution(64, 64, 3, 16, 4),
        Convolution(64, 32, 1, 16),
        Convolution(32, 32, 3, 8),
        Convolution(32, 16, 1, 8),
        Convolution(16, 16, 3, 4, 2),
        Convolution(16, 8, 1, 4),
    ),
    "values": (*_BODY, Convolution(256, OUTPUTS["values"], 1, 64)),
    "leaning": (*_BODY, Convolution(256, OUTPUTS["leaning"], 1, 64)),
}


def multiply_adds(name: str, width: int, height: int) -> int:
    """Return the multiply-adds of one run of a network on a picture of this size."""
    return sum(layer.weights * (width // layer.smaller) * (height // layer.smaller) for layer in LAYERS[name])


@contextlib.contextmanager
def counted() -> Iterator[list[int]]:
    """Count the multiply-adds of each run of a network within the context."""
    run, counts = network.run, []

    def counting(name: str, picture: Frame) -> NDArray[np.float32]:
        counts.append(multiply_adds(name, picture.shape[1], picture.shape[0]))
        return run(name, picture)

    network.run = counting
    try:
        yield counts
    finally:
        network.run = run
