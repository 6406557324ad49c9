"""Measure how well labelled pictures, and rendered scenes, are read: `python -m tools.score --help`."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from device.camera.misread import LABELS
from device.cli import output
from device.cli.output import Refused, say, show
from device.cli.parsing import add_jobs, dice_or, whole_number
from device.printable import printable
from tools.batch import work_through
from tools.jobs import add_seed, run_tool
from tools.scenes.kinds import FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, score_scene
from tools.scenes.labelled import Labelled, LabelsError, label_line, read_labels
from tools.scenes.scoring import Scored, dice_table, judged_dice, learnt_tray, score_frame, table, wilson_interval
from vision.pictures.load import UnreadablePictureError, load
from vision.pictures.save import save_png


def options(command: argparse.ArgumentParser) -> None:
    """Add the tool's options."""
    command.add_argument("folders", nargs="*", metavar="DIR", type=Path, help="a folder with pictures and labels.jsonl")
    command.add_argument(
        "--scenes", type=whole_number(), metavar="N", help="render N scenes of each kind given by --kinds"
    )
    command.add_argument(
        "--kinds",
        default=READABLE,
        metavar="KIND,…",
        help=f"kinds of scenes to render: {', '.join(KINDS)}; or all (default: {READABLE}). All but "
        f"{', '.join(TO_BE_READ)} must be refused",
    )
    command.add_argument(
        "--calibrated",
        action="store_true",
        help="first learn the empty tray, as the box does at its first start: that of each rendered scene, with the "
        "camera's pose from a roll, and of each picture whose label names a picture of it (empty)",
    )
    add_seed(command, FIRST_SEED, "the first scene, never used for tuning; each further scene adds one")
    command.add_argument(
        "--dice",
        type=dice_or("any", "auto"),
        default="auto",
        metavar="N",
        help="number of dice to expect: a number; any; auto (the default: what the label says; without it, four if the "
        "label is of a roll ('expect'), otherwise any)",
    )
    add_jobs(command)
    command.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="write wrong and refused pictures into this new folder, with their labels",
    )
    command.add_argument(
        "--confidences", type=Path, metavar="FILE", help="write each die's confidence and whether it is right as CSV"
    )
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Score folders and scenes, and return the exit status.

    Returns:
        1 if a reading was wrong, 2 for invalid input, 130 if interrupted (partial results are printed).
    """
    kinds = KINDS if args.kinds == "all" else dict.fromkeys(args.kinds.split(","))
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise Refused(f"{unknown[0]!r} is not a kind of scene; choose from {', '.join(KINDS)}, or all")
    if not args.folders and args.scenes is None:
        raise Refused("nothing to score; name a folder with labels.jsonl, or use --scenes N")
    confidences: Path | None = args.confidences
    if confidences is not None and not confidences.absolute().parent.is_dir():
        raise Refused(f"--confidences {confidences}: the folder {confidences.parent} does not exist; create it first")
    work: list[Labelled | SceneToScore] = [one for folder in args.folders for one in read_labels(folder)]
    if args.keep is not None:
        try:
            args.keep.mkdir(parents=True)
        except OSError as error:
            raise Refused(f"--keep {args.keep}: {error.strerror}; name a new folder") from error
    work += [SceneToScore(kind, args.seed + number) for kind in kinds for number in range(args.scenes or 0)]
    score_one = partial(_score_one, dice=args.dice, keep=args.keep, calibrated=args.calibrated)
    scored, status = work_through("pictures", score_one, work, args.jobs)
    try:
        _write_labels(args.keep, scored)
        _write_confidences(confidences, scored)
    except OSError as error:
        raise Refused(f"cannot write {error.filename}: {error.strerror}") from error
    if args.json:
        say(json.dumps(_as_json(scored)))
    else:
        _print(scored)
    return status or int(any(one.outcome == "wrong" for one in scored))


def _score_one(one: Labelled | SceneToScore, dice: int | str, keep: Path | None, *, calibrated: bool) -> Scored:
    """Return the score of one picture, loaded or rendered; keep it if it was misread and that is requested."""
    if isinstance(one, SceneToScore):
        frame, scored = score_scene(one, dice, calibrated=calibrated)
    else:
        frame = load(one.path)
        scored = score_frame(frame, one, dice, tray=learnt_tray(one) if calibrated else None)
    if keep is not None and scored.outcome != "right":
        kept = _kept(scored.labelled, keep)
        save_png(frame, kept.path)
        if scored.labelled.empty is not None and kept.empty is not None:
            save_png(load(scored.labelled.empty), kept.empty)
    return scored


def _kept(labelled: Labelled, keep: Path) -> Labelled:
    """Return the label of a kept picture; its name includes its folder's, as names may repeat between folders."""

    def place(path: Path) -> Path:
        return keep / "-".join((*path.parts[-2:-1], f"{path.stem}.png"))

    return replace(labelled, path=place(labelled.path), empty=labelled.empty and place(labelled.empty))


def _write_labels(keep: Path | None, scored: Sequence[Scored]) -> None:
    """Write the labels of the kept pictures, so that the folder can be scored again."""
    kept = [one.labelled for one in scored if one.outcome != "right"]
    if keep is not None and kept:
        lines = (label_line(_kept(labelled, keep)) for labelled in kept)
        (keep / LABELS).write_text("".join(lines), encoding="utf-8")


def _write_confidences(target: Path | None, scored: Sequence[Scored]) -> None:
    """Write one line for each die whose label is known; see `Judged`."""
    if target is None:
        return
    with target.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("picture", "die", "confidence", "value", "right", "accepted"))
        for one in judged_dice(scored):
            rows.writerow(
                (
                    one.path,
                    one.number,
                    f"{one.die.confidence:.6f}",
                    one.die.value,
                    int(one.is_right),
                    int(one.is_accepted),
                )
            )


def _as_json(scored: Sequence[Scored]) -> dict[str, object]:
    return {
        "sources": [
            {
                **asdict(row),
                "right_95": wilson_interval(row.right, row.pictures),
                "wrong_95": wilson_interval(row.wrong, row.pictures),
            }
            for row in table(scored)
        ],
        "dice": [asdict(row) for row in dice_table(scored)],
        "wrong": [
            {"file": str(one.labelled.path), "read": one.reading.values, "label": one.labelled.values}
            for one in scored
            if one.outcome == "wrong"
        ],
    }


def _share(part: int, whole: int) -> str:
    """Return a percentage, and its 95 % confidence interval on the next line."""
    low, high = wilson_interval(part, whole)
    return f"{100 * part / whole:.2f}\n{100 * low:.2f}-{100 * high:.2f}"


def _print(scored: Sequence[Scored]) -> None:
    """Print the tables, the rejections by reason, and all wrong readings."""
    figures = output.table(
        "source",
        *("pictures", "right", "refused", "wrong", "right %", "wrong %", "ms"),
        caption="below each percentage: its 95 % interval (Wilson). ms: median reading time",
    )
    rows = table(scored)
    for row in rows:
        counts = (row.pictures, row.right, row.refused, row.wrong)
        shares = (_share(row.right, row.pictures), _share(row.wrong, row.pictures))
        figures.add_row(printable(row.source), *map(str, counts), *shares, f"{row.median_ms:.1f}")
    show(figures)
    _print_dice(scored)
    for row in rows:
        if row.reasons:
            reasons = ", ".join(f"{reason} {count}" for reason, count in row.reasons.items())
            say(f"{row.source}: reasons for refusal: {reasons}")
    for one in scored:
        if one.outcome == "wrong":
            label = "no reading" if one.labelled.values is None else " ".join(map(str, one.labelled.values))
            read = " ".join(map(str, one.reading.values))
            say(f"wrong: {one.labelled.path}: read {read}, label {label}")


def _print_dice(scored: Sequence[Scored]) -> None:
    """Print the figures for single dice, if the labels have their places."""
    rows = dice_table(scored)
    if not rows:
        return
    dice = output.table(
        "source",
        *("pictures", "dice", "right", "misread", "missed", "phantom", "right %", "accepted %"),
        caption="counted by die, refused pictures included. accepted %: right dice in accepted pictures",
    )
    for row in rows:
        counts = (row.pictures, row.dice, row.right, row.misread, row.missed, row.phantom)
        shares = (f"{100 * count / row.dice:.2f}" if row.dice else "" for count in (row.right, row.accepted))
        dice.add_row(printable(row.source), *map(str, counts), *shares)
    show(dice)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool, and return the exit status."""
    description = (
        "Read folders of labelled pictures (labels.jsonl) or rendered scenes, and count readings that are right, "
        "refused or wrong. The exit status is 1 if any reading is wrong."
    )
    return run_tool("tools.score", description, options, run, (LabelsError, UnreadablePictureError), argv)


if __name__ == "__main__":
    # Other processes import what they work on from the module's own name.
    from tools import score

    sys.exit(score.main())
