"""Fitted weights to the file that the device runs: `python -m training.export finder|values WEIGHTS`."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import cv2
import numpy as np
import torch

from training.nets import Finder, Values
from vision.values import CROP_PX

MOST_OFF = 2e-3
"""How far OpenCV's result may be from PyTorch's, in logits."""


def export(which: str, weights: Path, out: Path) -> None:
    """Write the network as ONNX (opset 11, which OpenCV 4.6 reads) and check it against PyTorch.

    Raises:
        RuntimeError: OpenCV computes something else.
    """
    net = Finder() if which == "finder" else Values()
    net.load_state_dict(torch.load(weights))
    net.eval()
    shape = (1, 3, 240, 320) if which == "finder" else (1, 3, CROP_PX, CROP_PX)
    sides = {"x": {2: "height", 3: "width"}, "y": {2: "rows", 3: "columns"}} if which == "finder" else {}
    sample = torch.from_numpy(np.random.default_rng(0).uniform(0, 255, shape).astype(np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter that opset 11 needs
        torch.onnx.export(
            net,
            (sample,),
            str(out),
            opset_version=11,
            input_names=["x"],
            output_names=["y"],
            dynamic_axes=sides,
            dynamo=False,
        )
    theirs = cv2.dnn.readNetFromONNX(str(out))
    theirs.setInput(sample.numpy())
    with torch.no_grad():
        off = float(np.abs(theirs.forward() - net(sample).numpy()).max())
    if off > MOST_OFF:
        raise RuntimeError(f"{out}: OpenCV is {off:.2g} off PyTorch")
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB, OpenCV within {off:.1g} of PyTorch")


def main() -> None:
    """Export one of the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("finder", "values"))
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    export(args.which, args.weights, args.out or Path("vision/weights") / f"{args.which}.onnx")


if __name__ == "__main__":
    main()
