"""Averages two networks' weights: `python -m tools.training.mean A.pt B.pt OUT.pt [--share OF_B]`.

Two trainings from the same initial weights are similar enough for this, and the mean is often better than either
(Wortsman et al. 2022, "Model soups").
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def main() -> None:
    """Write the mean. Counters cannot be averaged, so they are those of the second network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the second, 0 to 1")
    args = parser.parse_args()
    first, second = torch.load(args.first), torch.load(args.second)
    if first.keys() != second.keys():
        parser.error(f"{args.first} and {args.second} are not weights of one network")
    mean = {
        name: torch.lerp(first[name], part, args.share) if part.is_floating_point() else part
        for name, part in second.items()
    }
    torch.save(mean, args.out)


if __name__ == "__main__":
    main()
