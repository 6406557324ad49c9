"""Trains the networks on examples: `python -m tools.training.fit NETWORK EXAMPLES... --out FILE`."""

from __future__ import annotations

import argparse
import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tools.training.augment import disturb, set_apart
from tools.training.blemish import drawn_over, fleck, gleam, lamp, worn
from tools.training.examples import CROP, CROP_HALF, PICTURE, SEEN_LEAST
from tools.training.nets import NETS
from vision.stages.crops import CROP_PX, FACE, HALF_PX, body_of
from vision.stages.finding import CELL
from vision.stages.middle import SIDE_PX, contrast
from vision.stages.pose import possible, rise, straighten
from vision.stages.values import CLASSES, MOST_LARGER, MOST_OFF, OUTPUTS, PLACES

Batch = tuple[Tensor, ...]

Made = tuple[NDArray[Any], ...]
"""A batch as NumPy arrays."""

Maker = Callable[[np.random.Generator, int], Made]
"""Returns the given number of examples from one folder."""

Chosen = Callable[[np.random.Generator, NDArray[np.integer]], Made]
"""Returns the examples with the given numbers from one folder."""

TURN_RAD = 0.15
"""The standard deviation of the crops' rotation, in radians."""

UP_OFF, FIRST_UP_OFF, FOCAL_OFF = 0.03, 0.065, 0.25
"""The errors of the vertical from other dice, and from the finder alone at the first look: the scale of `up`'s Laplace
distribution, and the standard deviation of the focal length's logarithm. With 0.05 for both looks a die that leans by 6
degrees cannot be told from a flat one; with 0.03 for both, uprights are 2.3 degrees off instead of 2.0."""

FIRST_SHARE = 0.3
"""The share of crops that are cut and straightened as for the first look."""

PLACE_OFF, FIRST_PLACE_OFF = 0.09, 0.25
"""The errors of a face's middle, and of the finder's alone at the first look: the standard deviation in either
direction, in half sides, up to `MOST_OFF`."""

SIZE_OFF, FIRST_SIZE_OFF = 0.09, 0.15
"""The standard deviation of the logarithm of the scale, up to `MOST_LARGER`."""

GLEAMING = 0.25
"""The share of crops with reflections of lamps in their top face."""

FLECKED = 0.12
"""The share of crops with a fleck; none for the middle's network, for which a faint fleck is like a worn pip."""

DRAWN_OVER = 0.05
"""The share of crops that show a value with something drawn in place of its pips."""

ODD = ("1", "3", "5")
"""The values with a pip in the middle."""


class MiddleLesson(NamedTuple):
    """The examples for a network that looks for a pip, or for a lamp, in the middle of a face.

    Attributes:
        shares: The share of each value.
        worn: The share of 3s and 5s with a worn middle pip.
        lamps: The share of 2s and 4s with a lamp's reflection in place of a middle pip; 0 if it looks for pips.
    """

    shares: dict[str, float]
    worn: float
    lamps: float = 0.0


MIDDLES = {
    "middle": MiddleLesson({"1": 0.12, "2": 0.2, "3": 0.18, "4": 0.2, "5": 0.18, "6": 0.12}, worn=0.75),
    "lamp": MiddleLesson({"2": 0.2, "3": 0.3, "4": 0.2, "5": 0.3}, worn=0.15, lamps=0.6),
}
"""The networks for the middle of a face."""

MIDDLE_PLACE_OFF, MIDDLE_SIZE_OFF = 0.05, 0.06
"""The errors of a face's place and size after all looks, which these networks see."""

ECHO = 8
"""The number of other batches after which a batch is shown again."""


_FLAGS = Path("/proc/cpuinfo")
_HAS_BFLOAT16 = _FLAGS.is_file() and "bf16" in _FLAGS.read_text()
"""Whether the processor calculates with bfloat16 itself. Otherwise it takes six times as long as float32."""


def load(folder: Path, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    """Return all shards of a folder, each array joined; the picture indices in `dice` refer to the whole."""
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    pictures = 0
    for path in sorted(folder.glob("[0-9]*.npz")):
        if path.name.endswith(".part.npz"):
            continue
        with np.load(path) as data:
            for name in names:
                part = data[name]
                if name == "dice":
                    part[:, 0] += pictures
                parts[name].append(part)
            if "pictures" in names:
                pictures += len(parts["pictures"][-1])
    return {name: np.concatenate(arrays) for name, arrays in parts.items()}


def worth(losses: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how much more often than its share to show each example, 0.3 to 3; 1 on average.

    Most examples are easy and no longer useful: an example comes more often the worse the network does on it, with a
    smaller weight to match, so the overall distribution and the network's calibration do not change.
    """
    rate = 0.3 + np.minimum(losses / max(float(losses.mean()), 1e-6), 4.0)
    return np.asarray((rate / rate.mean()).clip(0.3, 3.0), np.float32)


# --- values ---


def value_batch(
    rng: np.random.Generator,
    crops: NDArray[np.uint8],
    classes: NDArray[np.uint8],
    views: NDArray[np.float32],
    rises: NDArray[np.float32],
    weights: NDArray[np.floating],
    chosen: NDArray[np.integer],
) -> Made:
    """Return a batch of the chosen crops, straightened with errors, rotated a little, shifted, scaled and disturbed.

    Returns:
        Crops (size, 3, 64, 64), classes and weights (size,), the direction of uprights and the face's place in each
        (size, 5) in the format of `vision.stages.values`, and whether these are to be learned (size,).
    """
    size = len(chosen)
    batch = np.empty((size, CROP_PX, CROP_PX, 3), np.float32)
    labels, lies = np.empty(size, np.int64), np.empty((size, PLACES), np.float32)
    for slot, index in enumerate(chosen):
        is_first = rng.random() < FIRST_SHARE
        up_off, size_off = (FIRST_UP_OFF, FIRST_SIZE_OFF) if is_first else (UP_OFF, SIZE_OFF)
        way = _way(rng, views[index], up_off, size_off)
        shift = rng.normal(0, FIRST_PLACE_OFF if is_first else PLACE_OFF, 2)
        shift *= min(1.0, MOST_OFF / max(float(np.hypot(*shift)), 1e-9))
        stored, shown = crops[index], CLASSES[classes[index]]
        if shown.isdigit() and rng.random() < DRAWN_OVER:
            stored, shown = drawn_over(rng, stored, CROP_HALF) or (stored, shown)
        labels[slot] = CLASSES.index(shown)
        seen = _cut(rng, stored, way, shift, has_middle=shown in ODD)
        batch[slot] = set_apart(rng, seen, seen[FACE, FACE], grey=True)
        zoom = np.sqrt(abs(np.linalg.det(way)))
        upwards = way @ np.nan_to_num(rises[index]) / zoom
        lies[slot] = (*upwards, *shift, np.log(zoom * CROP_HALF / HALF_PX))
    pictures = np.ascontiguousarray(batch.transpose(0, 3, 1, 2))
    told = (~np.isnan(rises[chosen, 0])).astype(np.float32)
    return pictures, labels, weights[chosen], lies, told


def _way(rng: np.random.Generator, view: NDArray[np.float32], up_off: float, size_off: float) -> NDArray[np.float64]:
    """Return the map from a stored crop to the network's, (2, 2), with errors of the uprights and of the size."""
    up = view[:2] + rng.laplace(0, up_off, 2)
    off_axis = view[2:] * np.exp(rng.normal(0, FOCAL_OFF))
    turn = rng.normal(0, TURN_RAD)
    scale = HALF_PX / CROP_HALF * np.exp(np.clip(rng.normal(0, size_off), -MOST_LARGER, MOST_LARGER))
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    way = np.array([[cos, -sin], [sin, cos]])
    way = way @ np.array([[np.exp(rng.normal(0, 0.03)), rng.normal(0, 0.03)], [rng.normal(0, 0.03), 1.0]])
    if rng.random() < 0.5:
        way[0] *= -1
    return np.asarray(way @ straighten(possible(up), off_axis))


def _cut(
    rng: np.random.Generator,
    stored: NDArray[np.uint8],
    way: NDArray[np.float64],
    shift: NDArray[np.float64],
    *,
    has_middle: bool,
    flecked: float = FLECKED,
) -> NDArray[np.uint8]:
    """Return the network's crop, (64, 64, 3), shifted by half sides, often with blemishes, and disturbed."""
    offset = (CROP_PX - 1) / 2 + HALF_PX * shift - way @ np.full(2, (CROP - 1) / 2)
    how = cv2.INTER_LINEAR if rng.random() < 0.8 else cv2.INTER_CUBIC
    whole = np.column_stack([way, offset])
    warped = cv2.warpAffine(stored, whole, (CROP_PX, CROP_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(warped, np.uint8)
    if rng.random() < GLEAMING:
        seen = gleam(rng, seen, HALF_PX, has_middle=has_middle)
    if rng.random() < flecked:
        seen = fleck(rng, seen, HALF_PX, has_middle=has_middle)
    return disturb(rng, seen, blur=1.1)


def surprise(off: Tensor, spread: Tensor) -> Tensor:
    """Return how surprising an error is: the negative logarithm of its probability density, plus a constant.

    Args:
        off: The sum of the two components' absolute errors, which follow Laplace distributions.
        spread: The logarithm of their expected error, of the same shape.
    """
    spread = spread.clamp(-5, 1)
    return off * torch.exp(-spread) + 2 * spread


def value_loss(net: nn.Module, batch: Batch) -> Tensor:
    """Return the weighted cross entropy plus the loss of uprights and the face's place.

    That is the L1 loss, but a network that also says the expected error of the uprights is judged by it.
    """
    pictures, classes, weights, lies, told = batch
    said = net(pictures).float()
    entropy = functional.cross_entropy(said[:, : len(CLASSES)], classes, reduction="none")
    off = (said[:, len(CLASSES) :][:, :PLACES] - lies).abs()
    uprights, place = off[:, :2].sum(dim=1), off[:, 2:].sum(dim=1)
    if said.shape[1] == OUTPUTS["leaning"]:
        uprights = 0.15 * surprise(uprights, said[:, -1])
    return (entropy * weights).mean() + ((uprights + place) * told).sum() / told.sum().clamp(min=1)


def value_mirrored(batch: Batch) -> Batch:
    """Return the batch with left and right exchanged."""
    pictures, classes, weights, lies, told = batch
    return pictures.flip(3), classes, weights, lies * lies.new_tensor([-1.0, 1.0, -1.0, 1.0, 1.0]), told


@torch.no_grad()
def value_hardness(
    net: nn.Module, crops: NDArray[np.uint8], classes: NDArray[np.uint8], views: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how much more often than its share to show each crop: see `worth`."""
    net.eval()
    losses = np.empty(len(crops), np.float32)
    for start in range(0, len(crops), 256):
        part = zip(crops[start : start + 256], views[start : start + 256], strict=True)
        small = np.stack([_straightened(crop, straighten(view[:2], view[2:])) for crop, view in part])
        device = next(net.parameters()).device
        logits = net(torch.from_numpy(small.transpose(0, 3, 1, 2).astype(np.float32)).to(device))[:, : len(CLASSES)]
        wanted = torch.from_numpy(classes[start : start + 256].astype(np.int64)).to(device)
        losses[start : start + 256] = functional.cross_entropy(logits, wanted, reduction="none").cpu().numpy()
    return worth(losses)


def _straightened(crop: NDArray[np.uint8], way: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return a stored crop as the network gets it: (64, 64, 3)."""
    scaled = HALF_PX / CROP_HALF * way
    whole = np.column_stack([scaled, (CROP_PX - 1) / 2 - scaled @ np.full(2, (CROP - 1) / 2)])
    return np.asarray(cv2.warpAffine(crop, whole, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8)


# --- middle ---


def middle_batch(
    rng: np.random.Generator,
    crops: NDArray[np.uint8],
    classes: NDArray[np.uint8],
    views: NDArray[np.float32],
    chosen: NDArray[np.integer],
    lesson: MiddleLesson,
) -> Made:
    """Return a batch of the chosen crops for one of the networks for the middle of a face.

    Returns:
        The network's input (size, 3, 32, 32), and whether what it looks for, a pip or a lamp, is in the middle (size,).
    """
    size = len(chosen)
    batch, is_there = np.empty((size, 3, SIDE_PX, SIDE_PX), np.float32), np.empty(size, np.float32)
    for slot, index in enumerate(chosen):
        stored, shown = crops[index], CLASSES[classes[index]]
        is_left, is_lamp = shown in ODD, shown in ("2", "4") and rng.random() < lesson.lamps
        if is_lamp:
            stored = lamp(rng, stored, CROP_HALF)
        elif shown in ("3", "5") and rng.random() < lesson.worn:
            stored, is_left = worn(rng, stored, CROP_HALF)
        way, shift = _way(rng, views[index], UP_OFF, MIDDLE_SIZE_OFF), rng.normal(0, MIDDLE_PLACE_OFF, 2)
        seen = _cut(rng, stored, way, shift, has_middle=is_left or lesson.lamps > 0, flecked=0.0)
        batch[slot] = contrast(seen, body_of(seen)).transpose(2, 0, 1)
        is_there[slot] = is_lamp if lesson.lamps > 0 else is_left
    return batch, is_there


def middle_loss(net: nn.Module, batch: Batch) -> Tensor:
    """Return the cross entropy."""
    pictures, is_there = batch
    return functional.binary_cross_entropy_with_logits(net(pictures).float()[:, 0], is_there)


def middle_mirrored(batch: Batch) -> Batch:
    """Return the batch with left and right exchanged."""
    return batch[0].flip(3), batch[1]


# --- finder ---


def finder_batch(
    rng: np.random.Generator,
    pictures: NDArray[np.uint8],
    areas: NDArray[np.uint8],
    dice: list[NDArray[np.float32]],
    stands: NDArray[np.float32],
    chosen: NDArray[np.integer],
) -> tuple[NDArray[np.float32], ...]:
    """Return a batch of the chosen pictures, warped and disturbed, and its targets.

    Returns:
        Pictures (size, 3, 240, 320); the target maps (size, 8, 60, 80); and their weights (size, 5, 60, 80): peak,
        place and size, inside of the tray, foreign, uprights.
    """
    width, height = PICTURE
    maps, size = (width // CELL, height // CELL), len(chosen)
    batch = np.empty((size, height, width, 3), np.float32)
    wanted = np.zeros((size, 8, maps[1], maps[0]), np.float32)
    weight = np.zeros((size, 5, maps[1], maps[0]), np.float32)
    weight[:, 0] = 1.0
    rows, columns = np.mgrid[0 : maps[1], 0 : maps[0]].astype(np.float32)
    for slot, index in enumerate(chosen):
        turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.choice([0.0, np.pi]) + rng.normal(0, 0.1)
        halves = [float(die[3]) for die in dice[index]]
        most = min(1.5, 28.0 / max(halves)) if halves else 1.5
        least = max(0.6, 4.2 / min(halves)) if halves else 0.7
        scale = float(np.clip(np.exp(rng.normal(0, 0.2)), least, most)) if least < most else 1.0
        cos, sin = scale * np.cos(turn), scale * np.sin(turn)
        way = np.array([[cos, -sin], [sin, cos]]) * [[rng.choice([-1, 1])], [1]]
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        whole = np.column_stack([way, middle - way @ middle + rng.normal(0, 0.05, 2) * PICTURE])
        border = int(rng.choice([cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT], p=[0.8, 0.2]))
        warped = cv2.warpAffine(pictures[index], whole, PICTURE, flags=cv2.INTER_LINEAR, borderMode=border)
        shown = disturb(rng, np.asarray(warped, np.uint8), blur=0.8)
        batch[slot] = set_apart(rng, shown, shown[::CELL, ::CELL], grey=False)
        small = whole.copy()  # cell (c, r) is at picture ((c + 0.5) * CELL - 0.5, ...)
        small[:, 2] = (whole[:, :2] @ np.full(2, (CELL - 1) / 2) + whole[:, 2] - (CELL - 1) / 2) / CELL
        warped = cv2.warpAffine(areas[index], small, maps, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        wanted[slot, 4:6] = warped[..., :2].transpose(2, 0, 1) / 255.0
        weight[slot, 2:4] = warped[..., 2:].transpose(2, 0, 1) == 255
        is_known = not np.isnan(stands[index]).any()
        if is_known:
            wanted[slot, 6:] = _uprights(stands[index], whole)
        for _, x, y, half, seen, _, is_flat in dice[index]:
            place = whole[:, :2] @ np.array([x, y]) + whole[:, 2]
            across, down = (float(part) for part in (place + 0.5) / CELL - 0.5)
            cells = half * scale / CELL
            if not (-2 * cells < across < maps[0] - 1 + 2 * cells and -2 * cells < down < maps[1] - 1 + 2 * cells):
                continue
            away = np.hypot(columns - across, rows - down)
            if seen < SEEN_LEAST or not (0 <= across <= maps[0] - 1 and 0 <= down <= maps[1] - 1):
                # May be found or not: such a part is refused for a flaw or is too small.
                across, down = min(max(across, 0.0), maps[0] - 1.0), min(max(down, 0.0), maps[1] - 1.0)
                weight[slot, 0][away < 1.5 * cells + 1] = 0.0
                if seen < SEEN_LEAST:
                    continue
            peak = np.exp(-0.5 * (away / max(0.8, 0.3 * cells)) ** 2)
            wanted[slot, 0] = np.maximum(wanted[slot, 0], peak)
            wanted[slot, 0, round(down), round(across)] = 1.0
            weight[slot, 0, round(down), round(across)] = 1.0
            near = (away <= max(1.0, 0.4 * cells)) & (weight[slot, 1] == 0)
            wanted[slot, 1][near], wanted[slot, 2][near] = (across - columns)[near], (down - rows)[near]
            wanted[slot, 3][near] = math.log(cells)
            weight[slot, 1][near] = 1.0
            weight[slot, 4][near] = is_known and is_flat
    return np.ascontiguousarray(batch.transpose(0, 3, 1, 2)), wanted, weight


def _uprights(stand: NDArray[np.float32], warp: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the direction of uprights in each cell of a picture with this pose after a warp by (2, 3): (2, 60, 80)."""
    columns, rows = np.meshgrid(*(np.arange(0, side, CELL) + (CELL - 1) / 2 for side in PICTURE))
    way = warp[:, :2]
    axis = way @ ((np.array(PICTURE) - 1) / 2) + warp[:, 2]
    off_axis = (np.stack([columns, rows], axis=-1) - axis) @ np.linalg.inv(way).T * stand[2]
    turned = way / np.sqrt(abs(np.linalg.det(way)))
    return np.asarray((rise(stand[:2].astype(float), off_axis) @ turned.T).transpose(2, 0, 1), np.float32)


def finder_loss(net: nn.Module, batch: Batch) -> Tensor:
    """Return CenterNet's focal loss of the peaks (Zhou et al. 2019), L1 of the rest, cross entropy of the areas."""
    pictures, wanted, weight = batch
    return _finder_loss(net(pictures).float(), wanted, weight)


def _finder_loss(found: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    peak, goal = found[:, 0], wanted[:, 0]
    log_yes, log_no = functional.logsigmoid(peak), functional.logsigmoid(-peak)
    yes = peak.sigmoid()
    middle = goal >= 1.0
    per_cell = torch.where(middle, (1 - yes) ** 2 * log_yes, (1 - goal) ** 4 * yes**2 * log_no)
    focal = -(per_cell * weight[:, 0]).sum() / middle.sum().clamp(min=1)
    known = weight[:, 1:2]
    places = ((found[:, 1:4] - wanted[:, 1:4]).abs() * known).sum() / known.sum().clamp(min=1)
    # Few pictures contain hands, but they must be detected in each of them.
    foreign = wanted[:, 5:6]
    sure = weight[:, 2:4] * (1 + 4 * torch.cat([torch.zeros_like(foreign), foreign], dim=1))
    each = functional.binary_cross_entropy_with_logits(found[:, 4:6], wanted[:, 4:6], reduction="none")
    areas = (each * sure).sum() / weight[:, 2:4].sum().clamp(min=1)
    standing = weight[:, 4:5]
    uprights = ((found[:, 6:] - wanted[:, 6:]).abs() * standing).sum() / standing.sum().clamp(min=1)
    return focal + places + 1.5 * areas + 3.0 * uprights


@torch.no_grad()
def finder_hardness(net: nn.Module, batch_of: Chosen, count: int, processes: int) -> NDArray[np.float32]:
    """Return how much more often than its share to show each of `count` pictures: see `worth`."""
    net.eval()
    device, losses = next(net.parameters()).device, []

    def made(chosen: NDArray[np.integer]) -> Batch:
        return _as_tensors(batch_of(np.random.default_rng(int(chosen[0])), chosen))

    parts = [np.arange(start, min(start + 16, count)) for start in range(0, count, 16)]
    for batch in DataLoader(parts, batch_size=None, num_workers=processes, collate_fn=made):
        pictures, wanted, weight = (part.to(device) for part in batch)
        with _fastest(device.type):
            found = net(pictures.contiguous(memory_format=torch.channels_last)).float()
        each = zip(found, wanted, weight, strict=True)
        losses += [float(_finder_loss(*(part[None] for part in one))) for one in each]
    return worth(np.array(losses, np.float32))


def finder_mirrored(batch: Batch) -> Batch:
    """Return the batch with left and right exchanged."""
    pictures, wanted, weight = batch
    flipped = wanted.flip(3)
    flipped[:, [1, 6]] *= -1  # the horizontal offset of the middle, and the horizontal direction of uprights
    return pictures.flip(3), flipped, weight.flip(3)


# --- both ---


class _Endless(IterableDataset[Made]):
    """Batches without end, each process with random numbers of its own."""

    def __init__(self, make: Callable[[np.random.Generator], Made], seed: int) -> None:
        self._make, self._seed = make, seed

    def __iter__(self) -> Iterator[Made]:
        """Yield batches."""
        worker = get_worker_info()
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self._seed, 0 if worker is None else worker.id])
        while True:
            yield self._make(rng)


def _as_tensors(made: Made) -> Batch:
    return tuple(torch.from_numpy(part) for part in made)


def _feed(make: Callable[[np.random.Generator], Made], seed: int, processes: int, device: str) -> Iterator[Batch]:
    """Yield batches that other processes prepare during training; their exceptions are raised here."""
    loader = DataLoader(_Endless(make, seed), batch_size=None, num_workers=processes, collate_fn=_as_tensors)
    for batch in loader:
        yield tuple(part.to(device) for part in batch)


def _twice(batches: Iterator[Batch], mirrored: Callable[[Batch], Batch]) -> Iterator[Batch]:
    """Yield each batch, and some of them again later with left and right exchanged.

    Preparing a batch takes as long as training on it, so repeating batches trains more in the same time (data echoing
    with augmentation after the echo, Choi et al. 2019).
    """
    waiting: deque[Batch] = deque()
    for batch in batches:
        yield batch
        waiting.append(batch)
        if len(waiting) > ECHO:
            yield mirrored(waiting.popleft())


def _fastest(device: str) -> torch.autocast:
    """Return a context that calculates with bfloat16 if that is faster."""
    return torch.autocast(device, torch.bfloat16, enabled=device != "cpu" or _HAS_BFLOAT16)


def _late_mean(mean: Tensor, now: Tensor, steps: Tensor | int) -> Tensor:
    """Return a running mean of the weights over the last few hundred steps, or over all steps if there are fewer."""
    if not mean.is_floating_point():
        return now
    return torch.lerp(mean, now, max(0.003, 1 / (1 + int(steps) / 2)))


def fit(
    net: nn.Module,
    loss_of: Callable[[nn.Module, Batch], Tensor],
    batches: Iterator[Batch],
    *,
    minutes: float,
    rate: float,
    out: Path,
) -> nn.Module:
    """Fit for the given number of minutes with AdamW and one cycle of the learning rate; keep the mean of late weights.

    Saves `out` every two minutes.
    """
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    average = torch.optim.swa_utils.AveragedModel(net, avg_fn=_late_mean, use_buffers=True)
    start, saved, step, mean = time.monotonic(), time.monotonic(), 0, 0.0
    device = next(net.parameters()).device.type
    net.train()
    net.to(memory_format=torch.channels_last)
    while True:
        done = (time.monotonic() - start) / 60 / minutes
        if done >= 1:
            break
        warm, cold = min(1.0, done / 0.03 + 0.02), 0.5 + 0.5 * math.cos(math.pi * done)
        for group in optimiser.param_groups:
            group["lr"] = rate * warm * max(cold, 0.005)
        batch = next(batches)
        batch = (batch[0].contiguous(memory_format=torch.channels_last), *batch[1:])
        with _fastest(device):
            loss = loss_of(net, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(net)
        step += 1
        if step % 10 == 0:  # a GPU would wait each time
            mean += (loss.item() - mean) / min(step // 10, 10)
        if step % 200 == 0:
            print(f"{100 * done:.0f} %: {time.monotonic() - start:.0f} s, step {step}, loss {mean:.4f}", flush=True)
        if time.monotonic() - saved > 120:
            torch.save({name: part.cpu() for name, part in average.module.state_dict().items()}, out)
            saved = time.monotonic()
    torch.save(average.module.cpu().state_dict(), out)
    return average.module


def chances_of(classes: NDArray[np.uint8], shares: dict[str, float], rates: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cumulative probability of each example: its class's share of all, times its own weight."""
    weights = np.zeros(len(classes))
    for name, share in shares.items():
        which = classes == CLASSES.index(name)
        if which.any():
            weights[which] = share / which.sum() * rates[which]
    return np.asarray(np.cumsum(weights / weights.sum()))


def _chosen(rng: np.random.Generator, chances: NDArray[np.float64], size: int) -> NDArray[np.integer]:
    """Return the numbers of random examples, by their cumulative probabilities."""
    return np.searchsorted(chances, rng.random(size)).clip(0, len(chances) - 1)


SHARES = {
    **dict.fromkeys("123456", 0.115),
    "cocked": 0.08,
    "smeared": 0.03,
    "covered": 0.05,
    "glare": 0.015,
    "emblem": 0.03,
    "nothing": 0.085,
    "faint": 0.02,
}
"""The share of each class."""


def _values_maker(folder: Path, before: nn.Module | None) -> Maker:
    part = load(folder, ("crops", "classes", "views", "rises"))
    crops, classes = (np.asarray(part[name], np.uint8) for name in ("crops", "classes"))
    views, rises = (np.asarray(part[name], np.float32) for name in ("views", "rises"))
    print(folder, {name: int((classes == index).sum()) for index, name in enumerate(CLASSES)})
    rates = np.ones(len(crops), np.float32) if before is None else value_hardness(before, crops, classes, views)
    chances = chances_of(classes, SHARES, rates)
    return lambda rng, size: value_batch(rng, crops, classes, views, rises, 1 / rates, _chosen(rng, chances, size))


def _middle_maker(folder: Path, lesson: MiddleLesson) -> Maker:
    part = load(folder, ("crops", "classes", "views"))
    shows = np.isin(part["classes"], [CLASSES.index(value) for value in lesson.shares])
    crops, classes = (np.asarray(part[name][shows], np.uint8) for name in ("crops", "classes"))
    views = np.asarray(part["views"][shows], np.float32)
    chances = chances_of(classes, lesson.shares, np.ones(len(crops), np.float32))
    return lambda rng, size: middle_batch(rng, crops, classes, views, _chosen(rng, chances, size), lesson)


def _finds_maker(folder: Path, before: nn.Module | None, processes: int) -> Maker:
    part = load(folder, ("pictures", "areas", "dice", "stands"))
    dice = part["dice"][np.argsort(part["dice"][:, 0], kind="stable")]
    edges = np.searchsorted(dice[:, 0], np.arange(len(part["pictures"]) + 1))
    listed = [dice[a:b] for a, b in pairwise(edges)]
    count = len(part["pictures"])

    def batch_of(rng: np.random.Generator, chosen: NDArray[np.integer]) -> Made:
        return finder_batch(rng, part["pictures"], part["areas"], listed, part["stands"], chosen)

    rates = np.ones(count, np.float32) if before is None else finder_hardness(before, batch_of, count, processes)
    chances = rates / rates.sum()

    def make(rng: np.random.Generator, size: int) -> Made:
        chosen = rng.choice(count, size, p=chances)
        pictures, wanted, weight = batch_of(rng, chosen)
        return pictures, wanted, weight / rates[chosen, None, None, None]

    return make


def _with_outputs(start: dict[str, Tensor], net: nn.Module) -> dict[str, Tensor]:
    """Return weights to go on from, with the outputs that only this network has: those of leaning dice."""
    for name, part in net.state_dict().items():
        start[name] = torch.cat([start[name], part[len(start[name]) :]]) if part.dim() else start[name]
    return start


def main() -> None:
    """Fit one of the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=tuple(NETS))
    parser.add_argument("examples", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--share", type=float, default=0.25, help="of each folder of examples after the first")
    parser.add_argument("--processes", type=int, default=1, help="that prepare batches")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = NETS[args.which]()
    if args.start:
        net.load_state_dict(_with_outputs(torch.load(args.start), net))
    net.to(args.device)
    before = net if args.start else None
    if args.which in OUTPUTS:
        makers = [_values_maker(folder, before) for folder in args.examples]
        loss_of, mirrored, usual = value_loss, value_mirrored, 128
    elif args.which in MIDDLES:
        makers = [_middle_maker(folder, MIDDLES[args.which]) for folder in args.examples]
        loss_of, mirrored, usual = middle_loss, middle_mirrored, 128
    else:
        makers = [_finds_maker(folder, before, args.processes) for folder in args.examples]
        loss_of, mirrored, usual = finder_loss, finder_mirrored, 16
    size = args.batch or usual
    of_rest = round(size * args.share)
    sizes = [size - of_rest * (len(makers) - 1), *[of_rest] * (len(makers) - 1)]

    def make(rng: np.random.Generator) -> Made:
        made = [one(rng, part) for one, part in zip(makers, sizes, strict=True)]
        return tuple(np.concatenate(parts) for parts in zip(*made, strict=True))

    batches = _twice(_feed(make, args.seed, args.processes, args.device), mirrored)
    fit(net, loss_of, batches, minutes=args.minutes, rate=args.rate, out=args.out)


if __name__ == "__main__":
    main()
