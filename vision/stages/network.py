"""Loads the networks' weights and runs the networks, with NCNN on the CPU."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import ncnn
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame


def run(name: str, picture: Frame) -> NDArray[np.float32]:
    """Return a network's output for a picture.

    Args:
        name: The name of the weights, `weights/NAME.param` and `weights/NAME.bin` in this package.
        picture: (H, W, 3) uint8, BGR, in a size that the network accepts.

    Returns:
        The network's output, float32; its shape depends on the network.

    Raises:
        RuntimeError: If the weights cannot be loaded because the installation is damaged.
    """
    height, width, _ = picture.shape
    pixels = ncnn.Mat.from_pixels(np.ascontiguousarray(picture), ncnn.Mat.PixelType.PIXEL_BGR, width, height)
    extractor = _loaded(name).create_extractor()
    extractor.input("in0", pixels)
    return np.array(extractor.extract("out0")[1], np.float32)


@cache
def _loaded(name: str) -> ncnn.Net:
    """Return a network, which any number of threads may run at the same time."""
    net = ncnn.Net()
    net.opt.num_threads = 1  # the networks are too small to become faster with more
    net.opt.use_winograd63_convolution = False  # its blocks of 8 by 8 are too large for their maps
    # Only the newest processors have half precision. Without it the logits of a Pi are those of a computer within 1e-4.
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    path = files("vision") / "weights" / name
    if net.load_param(f"{path}.param") or net.load_model(f"{path}.bin"):
        raise RuntimeError(f"{path}.param or {path}.bin cannot be loaded; install the package again")
    return net
