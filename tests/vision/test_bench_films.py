"""The benchmark's films: the readers timed in each frame, and the right results."""

from __future__ import annotations

from tests.vision.drawn import tray
from tools.bench.films import Film, watch
from vision.types import Frame

FRAMES = 6


class CannedRecipe:
    """Reads the same in each frame."""

    def __init__(self, *values: int) -> None:
        self.values = values

    def read(self, _: Frame) -> tuple[int, ...]:
        return self.values


def empty(values: tuple[int, ...] = (1, 2, 3, 4)) -> Film:
    """A film of an empty tray, of which it is said that these values are thrown in it."""
    return Film("own", values, iter([(number / 15, tray()) for number in range(FRAMES)]), is_armed=True)


def outcomes(shown: Film, **recipes: CannedRecipe) -> dict[str, str]:
    told = watch(shown, "box", recipes)  # type: ignore[arg-type]
    return {name: outcome for name, outcome, _ in told if outcome is not None}


def test_each_frame_is_timed_for_the_box_and_for_each_recipe():
    told = list(watch(empty(), "box", {"recipe": CannedRecipe()}))  # type: ignore[dict-item]
    assert [name for name, outcome, _ in told if outcome is None] == ["box", "recipe"] * FRAMES


def test_a_box_that_reports_no_roll_has_refused_the_film():
    assert outcomes(empty())["box"] == "refused"


def test_a_recipe_that_finds_another_number_of_dice_has_refused_the_film():
    read = {"right": (1, 2, 3, 4), "wrong": (1, 2, 3, 5), "few": (1, 2, 3), "none": (), "nine": (1, 2, 3, 9)}
    told = outcomes(empty(), **{name: CannedRecipe(*values) for name, values in read.items()})
    assert told == {"box": "refused", "right": "right", "wrong": "wrong"} | dict.fromkeys(
        ("few", "none", "nine"), "refused"
    )
