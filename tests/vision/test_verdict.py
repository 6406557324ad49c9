"""The verdict: from the results of the networks to a reading, or to the reason for a refusal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import vision
from tests.every import every
from tests.vision.candidates import LIT, candidate, chances_of, evidence_of, value_of
from vision.stages.candidate import Candidate
from vision.stages.finding import Detections, Face
from vision.types import Reason
from vision.verdict.all_objections import OF_ONE_LOOK, TABLE, first_objection, meaning, title
from vision.verdict.counting import seen_once
from vision.verdict.value import no_value, no_value_for_good


def with_last(score: float, found: Detections, chances: np.ndarray) -> tuple[Detections, np.ndarray]:
    """The same with another score of the last place."""
    return replace(found, faces=(*found.faces[:-1], replace(found.faces[-1], score=score))), chances


def scene(*names: str, score: float = 0.95, half: float = 20.0) -> tuple[Detections, np.ndarray]:
    """Places side by side, each surely of the class named."""
    faces = tuple(Face((50.0 + 60 * index, 100.0), half, score) for index in range(len(names)))
    blank = np.zeros((60, 80), np.float32)
    chances = np.array([chances_of(name) for name in names], np.float32).reshape(-1, 13)
    said = np.stack([blank] * 8)
    return Detections(faces, blank + 1, blank, said, said, LIT), chances


def verdict(found, chances, *, frame=LIT, expected=4, inside=None, distinct=None):
    distinct = [False] * len(found.faces) if distinct is None else distinct
    inside = [1.0] * len(found.faces) if inside is None else inside
    seen = [
        candidate(face, chance, inside=part, distinct=is_distinct)
        for face, chance, part, is_distinct in zip(found.faces, chances, inside, distinct, strict=True)
    ]
    evidence = evidence_of(seen, found, frame=frame, expected=expected)
    decided = first_objection(evidence, OF_ONE_LOOK)
    if decided is None:
        return evidence.dice, None, ""
    return evidence.dice, decided[1].reason, decided[1].detail


def test_a_flaw_of_one_die_is_the_reason():
    flaws = {"cocked": Reason.COCKED, "smeared": Reason.MOVING, "covered": Reason.HAND, "glare": Reason.GLARE}
    flaws |= {"emblem": Reason.EMBLEM, "faint": Reason.UNSURE}
    assert {flaw: verdict(*scene("1", flaw, "4", "6"))[1] for flaw in flaws} == flaws
    assert verdict(*scene(*["smeared"] * 4))[1] is Reason.BLURRED, "all of them"


MAYBE = 0.9 * chances_of("smeared") + 0.1 * chances_of("nothing")
"""Chances of a place that shows no value and perhaps is nothing."""
UNSURE = (chances_of("5") + chances_of("4")) / 2
"""Chances of a place that shows a value, but not which."""
COUNTED = {
    "four dice": (["1", "3", "4", "6"], 0.95, 4, None),
    "no die": ([], 0.95, 0, Reason.NO_DICE),
    **{f"{count} dice": (["2"] * count, 0.95, count, Reason.COUNT) for count in (1, 2, 3, 5, 6)},
    "a place that shows nothing": (["1", "3", "4", "6", "nothing"], 0.6, 4, None),
    "a surplus place without a value": (["1", "3", "4", "6", MAYBE], 0.6, 4, None),
    **{
        f"a surplus {flaw}": (["1", "3", "4", "6", flaw], 0.6, 5, Reason.COUNT)
        for flaw in ("cocked", "emblem", "glare")
    },
    "a surplus place without a sure value": (["1", "3", "4", "6", UNSURE], 0.3, 4, None),
    "a surplus die without a sure value": (["1", "3", "4", "6", UNSURE], 0.6, 5, Reason.COUNT),
    "none of four dice is dropped": (["1", "3", "4", MAYBE], 0.6, 4, Reason.MOVING),
    "nothing is dropped unless the count is right then": (["1", "3", "4", "6", "6", MAYBE], 0.95, 6, Reason.COUNT),
    "a place that only the finder doubts": (["1", "3", "4", "6", "2"], 0.2, 5, Reason.COUNT),
}
"""Places, the score of the last one, the number of dice among them and the reason, of four dice expected."""


@every(name=COUNTED)
def test_which_places_count_as_dice_and_what_their_number_means(name):
    places, score, count, reason = COUNTED[name]
    found, chances = scene(*(place if isinstance(place, str) else "1" for place in places))
    for number, place in enumerate(places):
        chances[number] = chances[number] if isinstance(place, str) else place
    dice, why, detail = verdict(*(with_last(score, found, chances) if places else (found, chances)))
    assert (len(dice), why) == (count, reason)
    assert why is not Reason.COUNT or str(count) in detail
    assert reason is not Reason.COUNT or verdict(found, chances, expected=None)[1] is not Reason.COUNT


@pytest.mark.parametrize(("half", "reason"), [(20.0, Reason.COUNT), (9.0, None), (40.0, None)])
def test_a_surplus_place_without_a_value_is_dropped_if_its_size_is_not_that_of_the_dice(half, reason):
    found, chances = scene("1", "3", "4", "6", "smeared")
    faces = (*found.faces[:-1], replace(found.faces[-1], half=half))
    assert verdict(replace(found, faces=faces), chances)[1] is reason


@pytest.mark.parametrize(
    ("half", "score", "inside", "reason"),
    [
        (9.0, 0.4, 1.0, None),
        (40.0, 0.4, 1.0, None),
        (20.0, 0.4, 1.0, Reason.MOVING),
        (9.0, 0.6, 1.0, Reason.MOVING),
        (9.0, 0.4, 0.1, Reason.OUT_OF_TRAY),
    ],
)
def test_of_any_number_a_doubted_place_in_the_tray_is_no_die_if_its_size_is_another(half, score, inside, reason):
    found, chances = with_last(score, *scene("1", "3", "4", "smeared"))
    faces = (*found.faces[:-1], replace(found.faces[-1], half=half))
    assert verdict(replace(found, faces=faces), chances, inside=[1, 1, 1, inside], expected=None)[1] is reason


@pytest.mark.parametrize(
    ("half", "close", "flaw", "place", "reason"),
    [
        (15.0, 0.3, "smeared", 230.0, None),
        (15.0, 0.7, "smeared", 230.0, Reason.MOVING),
        (18.0, 0.3, "smeared", 230.0, Reason.MOVING),
        (25.0, 0.3, "smeared", 230.0, Reason.MOVING),
        (15.0, 0.3, "cocked", 230.0, Reason.COCKED),
        (15.0, 0.3, "smeared", 10.0, Reason.OUT_OF_TRAY),
    ],
)
def test_of_any_number_a_small_whole_place_is_no_die_if_it_is_doubted_from_close_up(
    monkeypatch, half, close, flaw, place, reason
):
    monkeypatch.setattr(Candidate, "score_close", close)
    found, chances = with_last(0.6, *scene("1", "3", "4", flaw))
    chances[-1] = 0.9 * chances[-1] + 0.1 * chances_of("nothing")
    faces = (*found.faces[:-1], replace(found.faces[-1], half=half, centre=(place, 300.0)))
    assert verdict(replace(found, faces=faces), chances, expected=None)[1] is reason


@pytest.mark.parametrize(("score", "reason"), [(0.6, None), (0.7, Reason.UNSURE)])
def test_of_any_number_a_place_of_which_the_finder_is_sure_is_no_reading_though_it_shows_nothing(score, reason):
    assert verdict(*with_last(score, *scene("1", "3", "4", "nothing")), expected=None)[1] is reason


@pytest.mark.parametrize(("again", "reason"), [(None, Reason.MOVING), (0.2, None), (0.6, Reason.MOVING)])
def test_of_any_number_a_place_without_a_value_is_no_die_if_the_second_look_does_not_see_it(again, reason):
    found, chances = with_last(0.6, *scene("1", "3", "4", "6"))
    chances[-1] = MAYBE
    seen = replace(found, again=None if again is None else np.full((60, 80), again, np.float32))
    assert verdict(seen, chances, expected=None)[1] is reason


@pytest.mark.parametrize(
    ("last", "expected", "reason", "count"),
    [
        (["6", "6"], 4, Reason.OUT_OF_TRAY, 5),
        (["6", "cocked"], 4, None, 4),
        (["cocked"], 4, Reason.COUNT, 3),
        (["6", "cocked"], None, Reason.OUT_OF_TRAY, 5),
    ],
)
def test_a_place_beside_the_tray_is_a_die_if_it_shows_a_value_or_any_number_is_expected(last, expected, reason, count):
    dice, why, _ = verdict(*scene("1", "3", "4", *last), inside=[1] * (2 + len(last)) + [0.1], expected=expected)
    assert (why, len(dice)) == (reason, count)


@pytest.mark.parametrize(
    ("y", "half", "reason"), [(464.0, 20.0, Reason.OUT_OF_TRAY), (461.0, 20.0, None), (464.0, 14.0, Reason.OUT_OF_TRAY)]
)
def test_a_die_is_refused_if_its_face_or_one_as_large_as_the_others_extends_beyond_the_picture(y, half, reason):
    found, chances = scene("1", "3", "4", "6")
    faces = (replace(found.faces[0], centre=(300.0, y), half=half), *found.faces[1:])
    assert verdict(replace(found, faces=faces), chances)[1] is reason


@pytest.mark.parametrize(
    ("flaw", "chance", "distinct", "reason"),
    [
        ("emblem", 0.7, False, Reason.EMBLEM),
        ("glare", 0.7, False, Reason.GLARE),
        ("cocked", 0.7, False, None),
        ("faint", 0.7, False, Reason.UNSURE),
        ("covered", 0.25, True, Reason.HAND),
        ("covered", 0.15, False, Reason.HAND),
        ("covered", 0.1, False, None),
        ("emblem", 0.2, False, Reason.EMBLEM),
        ("emblem", 0.1, False, None),
        ("emblem", 0.4, True, None),
        ("emblem", 0.6, True, Reason.EMBLEM),
    ],
)
def test_a_face_that_may_be_flawed_is_refused_unless_it_may_lean_or_its_pips_are_plain(flaw, chance, distinct, reason):
    found, chances = scene("1", "3", "4", "6")
    chances[1] = (1 - chance) * chances_of("3", 0.999999) + chance * chances_of(flaw, 0.999999)
    assert verdict(found, chances, distinct=[False, distinct, False, False])[1] is reason


@pytest.mark.parametrize(
    ("name", "chance", "is_final"),
    [("glare", 0.95, True), ("cocked", 0.95, True), ("glare", 0.8, False), ("covered", 0.95, False)],
)
def test_only_a_certain_flaw_that_no_other_look_clears_ends_the_looks_and_the_verdict_agrees(name, chance, is_final):
    found, chances = scene("1", "3", "4", "6")
    chances[1] = chance * chances_of(name, 1.0) + (1 - chance) * chances_of("3", 1.0)
    evidence = evidence_of([candidate(*each) for each in zip(found.faces, chances, strict=True)], found)
    assert no_value_for_good(evidence, found.faces[1], chances[1]) is is_final
    objection = no_value(evidence)
    assert not is_final or (objection is not None and not objection.may_pass)


SKIN, GREY = (120, 150, 200), (120, 120, 120)
FOREIGN = {
    "certain, with an outline": (slice(30, 37), slice(0, 40), GREY, 1.0, 1.0, Reason.HAND),
    "certain, without an outline, as the bare surface": (slice(30, 50), slice(30, 50), None, 1.0, 1.0, None),
    "without an outline in much of the picture": (slice(30, 60), slice(0, 80), None, 1.0, 1.0, Reason.HAND),
    "beside the tray": (slice(30, 50), slice(30, 50), SKIN, 1.0, 0.0, None),
    "like skin": (slice(30, 37), slice(0, 40), SKIN, 0.9, 1.0, Reason.HAND),
    "a thing beside the dice": (slice(30, 37), slice(0, 40), GREY, 0.9, 1.0, None),
    "a thing that touches dice": (slice(16, 23), slice(0, 40), GREY, 0.9, 1.0, Reason.HAND),
    "a large thing": (slice(30, 40), slice(0, 40), GREY, 0.9, 1.0, Reason.HAND),
}
"""Rows and columns of something foreign, its colour or that of the tray, how surely it is foreign and in the tray, and
the reason."""


@every(what=FOREIGN)
def test_something_foreign_is_a_reason_to_refuse_if_it_is_certain_or_large_or_like_skin_or_touches_a_die(what):
    rows, columns, colour, chance, inside, reason = FOREIGN[what]
    found, chances = scene("1", "3", "4", "6")
    foreign, tray, frame = found.foreign.copy(), found.tray.copy(), LIT.copy()
    foreign[rows, columns] = chance
    tray[25:55, 25:55] = inside
    if colour is not None:
        frame[rows.start * 8 : rows.stop * 8, columns.start * 8 : columns.stop * 8] = colour
    assert verdict(replace(found, foreign=foreign, tray=tray), chances, frame=frame)[1] is reason


def test_the_page_about_reading_lists_the_rows_of_the_table_in_their_order():
    page = (Path(vision.__file__).parents[1] / "docs" / "reading.md").read_text(encoding="utf-8")
    table = page.partition("| objection | meaning | prevents | blocks |\n|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert [tuple(row.split(" | ")[:2]) for row in table.splitlines()] == [
        (f"| {title(check)}", meaning(check)) for check in TABLE
    ]


def test_an_unknown_number_of_dice_needs_a_second_look_and_small_ones_a_third():
    large, small = (candidate(Face((300.0, 240.0), half, 0.95), value_of(3)) for half in (30.0, 8.0))
    for die, number, looks, is_asked in (
        (large, None, 1, True),
        (large, None, 2, False),
        (small, None, 2, True),
        (small, None, 3, False),
        (small, 1, 1, False),
    ):
        evidence = evidence_of([die], expected=number)
        for _ in range(looks - 1):
            again = evidence_of([die], expected=number)
            again.__dict__.update(before=evidence, did_hold=True)
            evidence = again
        objection = seen_once(evidence)
        assert (objection is not None and objection.may_pass) is is_asked, (die.face.half, number, looks)
