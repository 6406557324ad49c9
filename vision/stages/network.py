"""Loads the networks' weights and runs the networks, with OpenCV's dnn module on the CPU."""

from __future__ import annotations

import lzma
import threading
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

_loaded = threading.local()
"""The networks of each thread. OpenCV's networks store their input, so threads must not share them."""


def run(name: str, picture: Frame) -> NDArray[np.float32]:
    """Return a network's output for a picture.

    Args:
        name: The name of the weights, `weights/NAME.onnx.xz` in this package.
        picture: (H, W, 3) uint8, BGR, in a size that the network accepts.

    Returns:
        The network's output, float32; its shape depends on the network.

    Raises:
        RuntimeError: If the weights cannot be loaded because the installation is damaged.
    """
    nets: dict[str, cv2.dnn.Net] = _loaded.__dict__
    if name not in nets:
        nets[name] = _load(name)
    nets[name].setInput(cv2.dnn.blobFromImage(picture))
    return np.asarray(nets[name].forward()[0], np.float32)


def _load(name: str) -> cv2.dnn.Net:
    path = files("vision") / "weights" / f"{name}.onnx.xz"
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(lzma.decompress(path.read_bytes()), np.uint8))
    except (OSError, lzma.LZMAError, cv2.error) as error:
        raise RuntimeError(f"{path}: the weights cannot be loaded ({error}); install the package again") from None
