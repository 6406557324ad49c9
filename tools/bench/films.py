"""Benchmark of whole rolls, frame by frame: the time of settling and reading, and of the recipe on the same frames.

The films are those of `tools.throws`, one disturbance after the other, and those of the labelled pictures that are
not part of this repository. The box must report one roll with the right values and nothing else; the recipe, which has
no notion of rolls, reads each frame, and its result for the last one counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import thread_time

from tools.bench.recipe import Recipe, outcome, timed
from tools.scenes.films import FIRST_SEED, BoxReader, Pictures, film_of
from tools.scenes.films import Film as Planned
from vision.pictures.load import load
from vision.settling.movement import grey_of
from vision.settling.settle import Settle
from vision.types import Frame


@dataclass(frozen=True, slots=True)
class Film:
    """A film to show.

    Attributes:
        source: The name of its source.
        values: The values of the roll, sorted.
        frames: Pairs of a time in seconds and a frame, rendered or loaded on demand.
        is_armed: Whether the dice that lie there at the start are a roll.
    """

    source: str
    values: tuple[int, ...]
    frames: Iterator[tuple[float, Frame]]
    is_armed: bool


def filmed(folder: Path | None) -> list[Path]:
    """Return the films in a folder of labelled pictures, as the paths of JSON files with the frames next to them."""
    return sorted((folder / "throws").glob("*/video.json")) if folder else []


def films(own: int, told: list[Path]) -> Iterator[Film]:
    """Yield the given number of films from the project's own renderer, and the recorded ones."""
    for number in range(own):
        planned = film_of(FIRST_SEED + number)
        yield Film("own", planned.values, _drawn(planned), is_armed=False)
    for path in told:
        about = json.loads(path.read_text())
        loaded = _loaded(sorted(path.parent.glob("*.jpg")), about["fps"])
        yield Film("path-traced", tuple(sorted(about["expect"])), loaded, is_armed=True)


def _drawn(planned: Planned) -> Iterator[tuple[float, Frame]]:
    pictures = Pictures(planned.seed)
    for time_s, moment in planned.moments():
        yield time_s, pictures.draw(moment)


def _loaded(paths: list[Path], frames_per_s: float) -> Iterator[tuple[float, Frame]]:
    for number, path in enumerate(paths):
        yield number / frames_per_s, load(path)


def _same(frame: Frame) -> Frame:
    return frame


def watch(shown: Film, box: str, recipes: dict[str, Recipe]) -> Iterator[tuple[str, str | None, float]]:
    """Show each frame of a film to settling and reading, and then to the recipes.

    Yields:
        The reader's name and its time in ms, and at the end each reader's outcome.
    """
    dice = len(shown.values)
    reader = BoxReader(dice)
    settle = Settle(reader, armed=shown.is_armed, on_empty=reader.saw_empty)
    rolls: list[tuple[int, ...]] = []
    read_last: dict[str, tuple[int, ...]] = {}
    for time_s, frame in shown.frames:
        grey = grey_of(frame)  # a camera delivers it at no cost
        start = thread_time()
        seen = settle.step(time_s, grey, partial(_same, frame))
        if seen.bumped:
            reader.was_moved()
        yield box, None, (thread_time() - start) * 1000
        if seen.roll is not None:
            rolls.append(seen.roll.values)
        for name, values, ms in timed(recipes, frame):
            yield name, None, ms
            read_last[name] = values
    yield box, "right" if rolls == [shown.values] else "wrong" if rolls else "refused", 0.0
    for name, values in read_last.items():
        yield name, outcome(values, shown.values, dice), 0.0
