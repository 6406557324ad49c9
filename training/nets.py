"""The two networks: small, plain convolutions, so that OpenCV's dnn module runs them fast on any processor.

Only 3x3 and 1x1 convolutions, ReLU, nearest upsampling and additions: OpenCV 4.6 to 5 have all of them, and batch
normalisation folds into the convolutions on export.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def _conv(inside: int, outside: int, *, size: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class _Block(nn.Module):
    """Two convolutions beside a short cut (He et al. 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        """Shape (N, channels, H, W) to the same."""
        return torch.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """Where dice are: a U-shaped network from a whole picture to maps at a quarter of its size.

    Input (N, 3, H, W), BGR, 0 to 255, H and W multiples of 16. Output (N, 8, H/4, W/4): the logit of a top face's
    middle, its offset from the cell's middle in cells (x, y), the logarithm of its half side in cells, the logit of
    "inside of the tray", the logit of "something foreign" (a hand, a thing), and where upright edges point
    (`vision.stages.pose.rise`; x, y).
    """

    def __init__(self, widths: tuple[int, int, int, int] = (16, 16, 32, 64)) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth = widths
        self.to_quarter = nn.Sequential(_conv(3, half, stride=2), _conv(half, quarter, stride=2))
        self.to_eighth = nn.Sequential(_conv(quarter, eighth, stride=2), _Block(eighth))
        self.to_sixteenth = nn.Sequential(_conv(eighth, sixteenth, stride=2), _Block(sixteenth), _Block(sixteenth))
        self.from_sixteenth = nn.Conv2d(sixteenth, eighth, 1)
        self.at_eighth = _conv(eighth, eighth)
        self.from_eighth = nn.Conv2d(eighth, quarter, 1)
        self.at_quarter = nn.Sequential(_conv(quarter, quarter), _conv(quarter, quarter))
        self.last = nn.Conv2d(quarter, 8, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        with torch.no_grad():
            self.last.bias[0] = -4.0  # dice are rare: to start from one half would blow up the first steps

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        quarter = self.to_quarter(x / 128.0 - 1.0)
        eighth = self.to_eighth(quarter)
        sixteenth = self.to_sixteenth(eighth)
        eighth = self.at_eighth(eighth + self.up(self.from_sixteenth(sixteenth)))
        return self.last(self.at_quarter(quarter + self.up(self.from_eighth(eighth))))


class Values(nn.Module):
    """What a die shows: a crop of 64 by 64 pixels round its top face to the logits of six values and the flaws.

    Input (N, 3, 64, 64), BGR, 0 to 255, the top face's half side about 15 pixels. Output (N, 18): the logits; where the
    die's upright edges point in the crop (`vision.stages.pose.rise`; x, y); how far the top face's middle is from the
    crop's (x, y) in half sides of 14.5 pixels, and the logarithm of how many of these its own half side is.
    """

    def __init__(self, outputs: int = 18, widths: tuple[int, int, int] = (16, 32, 64), patterns: int = 4) -> None:
        super().__init__()
        one, two, three = widths
        self.body = nn.Sequential(
            _conv(3, one, size=5, stride=2),
            _conv(one, two, stride=2),
            _Block(two),
            _Block(two),
            _conv(two, three, stride=2),
            _Block(three),
            _Block(three),
        )
        # The top face is in the crop's middle and side faces are below it: what is seen counts by where it is, in a few
        # patterns for each channel. All of them start near the plain mean.
        self.pool = nn.Conv2d(three, patterns * three, 8, groups=three, bias=False)
        self.last = nn.Conv2d(patterns * three, outputs, 1)
        with torch.no_grad():
            self.pool.weight.copy_((1 + 0.5 * torch.randn_like(self.pool.weight)) / 64)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return torch.flatten(self.last(self.pool(self.body(x / 128.0 - 1.0))), 1)
