"""Exports trained weights to the device's file: `python -m tools.training.export NETWORK WEIGHTS`."""

from __future__ import annotations

import argparse
import io
import lzma
import warnings
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray

from tools.training.nets import NETS
from vision.stages.crops import CROP_PX
from vision.stages.middle import SIDE_PX

MOST_OFF = 2e-3
"""The largest allowed difference between OpenCV's and PyTorch's results, in logits."""

KEPT_BITS = 10
"""The mantissa bits of each weight that are kept, as many as in half precision. The packed file is less than half as
large, and OpenCV 4.6 can read it, although it does not support half precision."""

_FRACTION_BITS = 23  # of a float32

PACKING = ({"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 2, "pb": 2},)
"""The xz filters for words of four bytes."""


def export(which: str, weights: Path, out: Path) -> None:
    """Write the network as packed ONNX (opset 11, which OpenCV 4.6 reads) and compare it with PyTorch.

    Raises:
        RuntimeError: If OpenCV's result differs.
    """
    net = NETS[which]()
    net.load_state_dict(torch.load(weights))
    net.eval()
    side = SIDE_PX if which == "middle" else CROP_PX
    shape = (1, 3, 240, 320) if which == "finder" else (1, 3, side, side)
    sample = np.random.default_rng(0).uniform(0, 255, shape).astype(np.float32)
    exact = _as_onnx(net, which, sample)
    with torch.no_grad():
        off = _farthest(exact, sample, net(torch.from_numpy(sample)).numpy())
    if off > MOST_OFF:
        raise RuntimeError(f"{weights}: OpenCV is {off:.2g} off PyTorch")
    kept = _with_rounded_weights(exact)
    moved = _farthest(kept, sample, _by_opencv(exact, sample))
    out.write_bytes(lzma.compress(kept, filters=PACKING))
    print(
        f"{out}: {out.stat().st_size / 1000:.0f} kB, OpenCV within {off:.1g} of PyTorch; "
        f"{KEPT_BITS} bits of each weight move it by {moved:.1g} at most"
    )


def _as_onnx(net: torch.nn.Module, which: str, sample: NDArray[np.float32]) -> bytes:
    sides = {"x": {2: "height", 3: "width"}, "y": {2: "rows", 3: "columns"}} if which == "finder" else {}
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter that opset 11 needs
        torch.onnx.export(
            net,
            (torch.from_numpy(sample),),
            file,
            opset_version=11,
            input_names=["x"],
            output_names=["y"],
            dynamic_axes=sides,
            dynamo=False,
        )
    return file.getvalue()


def _with_rounded_weights(network: bytes) -> bytes:
    """Return the network with each weight rounded to `KEPT_BITS`."""
    model = onnx.load_from_string(network)
    dropped = np.uint32(_FRACTION_BITS - KEPT_BITS)
    for part in model.graph.initializer:
        if part.data_type == onnx.TensorProto.FLOAT:
            bits = np.frombuffer(part.raw_data, "<u4") + np.uint32(1 << (dropped - 1))
            part.raw_data = (bits >> dropped << dropped).astype("<u4").tobytes()
    return model.SerializeToString()


def _by_opencv(network: bytes, sample: NDArray[np.float32]) -> NDArray[np.float32]:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(network, np.uint8))
    net.setInput(sample)
    return np.asarray(net.forward(), np.float32)


def _farthest(network: bytes, sample: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    """Return the largest difference between OpenCV's result and the right one, in logits."""
    return float(np.abs(_by_opencv(network, sample) - right).max())


def main() -> None:
    """Export one of the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=tuple(NETS))
    parser.add_argument("weights", type=Path)
    args = parser.parse_args()
    export(args.which, args.weights, Path("vision/weights") / f"{args.which}.onnx.xz")


if __name__ == "__main__":
    main()
