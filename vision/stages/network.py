"""The networks' weights, and running them: OpenCV's own dnn module, on the processor, nothing else."""

from __future__ import annotations

import lzma
import threading
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

_loaded = threading.local()
"""A network for each thread: OpenCV's keep their inputs and must not be shared."""


def run(name: str, picture: Frame) -> NDArray[np.float32]:
    """Return a network's output for a picture.

    Args:
        name: Of the weights: `weights/NAME.onnx.xz` in this package.
        picture: (H, W, 3) uint8, BGR, of a size that the network takes.

    Returns:
        The network's output for this picture, float32; its shape is the network's own.

    Raises:
        RuntimeError: The weights cannot be loaded: the installation is damaged.
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
