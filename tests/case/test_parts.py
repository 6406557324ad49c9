"""The printed parts of the default variant: the holder's holes, the files for printing, the guide's screws."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from case.parameters import Choice, Print

pytest.importorskip("build123d", reason="the extra [case] is not installed")

from build123d import Mesher

from case.fasteners import screws
from case.layout import Layout
from tests.case.solids import holes

FILES = Path(__file__).parents[2] / "case" / "print"


def test_the_holders_screws_are_those_of_the_cameras_board_and_the_lens_is_on_the_axis(built):
    _, parts = built
    holder = next(part.shape for part in parts if part.name == "holder")
    assert holes(holder, Print.M2) == [(-0.1, -10.5), (-0.1, 10.5), (12.4, -10.5), (12.4, 10.5)]


def test_the_files_for_printing_are_those_of_the_model(built):
    _, parts = built
    assert {file.stem for file in FILES.glob("*.3mf")} == {part.name for part in parts}
    for part in parts:
        (read,) = Mesher().read(FILES / f"{part.name}.3mf")
        # A mesh's round holes have straight sides, so it differs a little from the model.
        assert read.volume == pytest.approx(part.laid.volume, rel=0.002), part.name
        size, wanted = read.bounding_box().size, part.laid.bounding_box().size
        assert (size - wanted).length < 0.3, part.name
        assert (FILES / f"{part.name}.3mf").stat().st_size < 400_000


def test_the_guides_list_has_the_screws_and_nuts_of_the_model():
    row = re.search(r"^\| screws \|.*", (FILES.parents[1] / "docs/build.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert row
    counts = re.findall(r"(\d) ((?:M[\d.]+ )?x \d+)", row[0])
    listed = {size if size.startswith("M") else f"M3 {size}": int(count) for count, size in counts}
    used = screws(Layout(Choice()))
    assert Counter(screw.size for screw in used) == listed
    assert sum(screw.nut is not None and screw.size.startswith("M3") for screw in used) == 4
