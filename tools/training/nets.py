"""The networks. They consist of small, plain convolutions, which run fast on any processor.

On export, batch normalisation is folded into the convolutions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from vision.stages.values import OUTPUTS


def _conv(inside: int, outside: int, *, size: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class _Block(nn.Module):
    """Two convolutions with a residual connection (He et al. 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        """Return a tensor of the same shape (N, channels, H, W)."""
        return torch.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """The finder: a U-shaped network from a whole picture to maps at a quarter of its size.

    Input (N, 3, H, W), BGR, 0 to 255, H and W multiples of 16. Output (N, 8, H/4, W/4): the logit of a top face's
    middle, its offset from the cell's middle in cells (x, y), the logarithm of its half side in cells, the logit of
    "inside of the tray", the logit of "something foreign" (a hand, an object), and the direction of upright edges
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
            self.last.bias[0] = -4.0  # dice are rare: a start at one half would make the first steps unstable

    def forward(self, x: Tensor) -> Tensor:
        """Return the maps; see the class."""
        quarter = self.to_quarter(x / 128.0 - 1.0)
        eighth = self.to_eighth(quarter)
        sixteenth = self.to_sixteenth(eighth)
        eighth = self.at_eighth(eighth + self.up(self.from_sixteenth(sixteenth)))
        return self.last(self.at_quarter(quarter + self.up(self.from_eighth(eighth))))


class Values(nn.Module):
    """The values network: a crop of 64 by 64 pixels around a top face to the logits of six values and the flaws.

    Input (N, 3, 64, 64), BGR, 0 to 255, the top face's half side about 15 pixels. Output (N, 18): the logits; the
    direction of the die's upright edges in the crop (`vision.stages.pose.rise`; x, y); the offset of the top face's
    middle from the crop's (x, y) in half sides of 14.5 pixels, and the logarithm of its own half side in the same unit.
    The network for leaning dice has one more output, the logarithm of the expected error of the uprights.
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
        # The top face is in the crop's middle with side faces below it, so features are weighted by their place, in a
        # few patterns per channel. All patterns start near the plain mean.
        self.pool = nn.Conv2d(three, patterns * three, 8, groups=three, bias=False)
        self.last = nn.Conv2d(patterns * three, outputs, 1)
        with torch.no_grad():
            self.pool.weight.copy_((1 + 0.5 * torch.randn_like(self.pool.weight)) / 64)

    def forward(self, x: Tensor) -> Tensor:
        """Return the output; see the class."""
        return torch.flatten(self.last(self.pool(self.body(x / 128.0 - 1.0))), 1)


class Middle(nn.Module):
    """A network for the middle of a face: 32 by 32 pixels to the logit of a pip, however faint, or of a lamp there.

    Input (N, 3, 32, 32), 0 to 255, as `vision.stages.middle.contrast` returns it. Output (N, 1).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16), _conv(16, 24, stride=2), _conv(24, 32), _conv(32, 48, stride=2), _conv(48, 48)
        )
        self.pool = nn.Conv2d(48, 96, 8, groups=48, bias=False)
        self.last = nn.Conv2d(96, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return the output; see the class."""
        return torch.flatten(self.last(self.pool(self.body(x / 128.0 - 1.0))), 1)


NETS: dict[str, Callable[[], nn.Module]] = {
    "finder": Finder,
    **{name: partial(Values, outputs) for name, outputs in OUTPUTS.items()},
    "middle": Middle,
    "lamp": Middle,
}
"""The networks by the names of their weights."""
