"""Exports trained weights to the device's files: `python -m tools.training.export NETWORK WEIGHTS`."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import pnnx
import torch

from tools.training.nets import NETS
from vision.stages import network
from vision.stages.crops import CROP_PX
from vision.stages.middle import SIDE_PX
from vision.stages.values import OUTPUTS

MOST_OFF = 2e-2
"""The largest allowed difference between NCNN's and PyTorch's results, in logits. The files hold the weights of
convolutions in half precision, which moves the results for noise by 0.011 at most."""


def export(which: str, weights: Path) -> None:
    """Write the network into `vision/weights` as NCNN reads it, and compare it with PyTorch.

    Raises:
        RuntimeError: If NCNN's result differs.
    """
    net = NETS[which]()
    net.load_state_dict(torch.load(weights))
    net.eval()
    side = CROP_PX if which in OUTPUTS else SIDE_PX
    shape = (240, 320, 3) if which == "finder" else (side, side, 3)
    picture = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    sample = torch.from_numpy(picture.transpose(2, 0, 1)[None].astype(np.float32))
    made = [Path("vision/weights") / f"{which}.{kind}" for kind in ("param", "bin")]
    with tempfile.TemporaryDirectory() as folder:
        pnnx.export(net, f"{folder}/net.pt", sample, ncnnparam=str(made[0].resolve()), ncnnbin=str(made[1].resolve()))
    with torch.no_grad():
        off = float(np.abs(network.run(which, picture) - net(sample)[0].numpy()).max())
    if off > MOST_OFF:
        raise RuntimeError(f"{weights}: NCNN is {off:.2g} off PyTorch")
    print(f"{made[1]}: {made[1].stat().st_size / 1000:.0f} kB, NCNN within {off:.1g} of PyTorch")


def main() -> None:
    """Export one of the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=tuple(NETS))
    parser.add_argument("weights", type=Path)
    args = parser.parse_args()
    export(args.which, args.weights)


if __name__ == "__main__":
    main()
