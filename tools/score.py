"""Measure how well labelled pictures, and rendered scenes, are read: `python -m tools.score --help`."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median

from device.cli import output
from device.cli.output import Refused, say, show
from device.cli.parsing import whole_number
from device.printable import printable
from tools.jobs import add_jobs, add_seed, run_tool, work_through
from tools.scenes.kinds import FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, score_scene
from tools.scenes.labelled import Labelled, LabelsError, read_labels
from tools.scenes.scoring import Scored, binomial_interval, judged_dice, learnt_from, score_frame
from vision.params import Params
from vision.pictures import UnreadablePictureError, load, save_png

CONFIDENCES = (0.0, 0.5, Params().confidence.least_confidence, 0.95, 0.99, 0.999, 1.1)
"""The bounds between which dice are counted together; from the third on, readings are accepted."""


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
    add_jobs(command)
    command.add_argument("--keep", type=Path, metavar="DIR", help="write wrong and refused pictures into this folder")


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
    work: list[Labelled | SceneToScore] = [one for folder in args.folders for one in read_labels(folder)]
    work += [SceneToScore(kind, args.seed + number) for kind in kinds for number in range(args.scenes or 0)]
    if args.keep is not None:
        args.keep.mkdir(parents=True, exist_ok=True)
    score_one = partial(_score_one, keep=args.keep, calibrated=args.calibrated)
    scored, status = work_through("pictures", score_one, work, args.jobs)
    _print(scored)
    return status or int(any(one.outcome == "wrong" for one in scored))


def _score_one(one: Labelled | SceneToScore, keep: Path | None, *, calibrated: bool) -> Scored:
    """Return the score of one picture, loaded or rendered; keep it if it was misread and that is requested."""
    if isinstance(one, SceneToScore):
        frame, scored = score_scene(one, calibrated=calibrated)
    else:
        if calibrated and one.empty is None:
            raise LabelsError(f'{one.path}: its label needs "empty", a picture of the tray without dice')
        frame = load(one.path)
        scored = score_frame(frame, one, learnt_from(load(one.empty)) if calibrated and one.empty else None)
    if keep is not None and scored.outcome != "right":
        path = scored.labelled.path
        save_png(frame, keep / "-".join((*path.parts[-2:-1], f"{path.stem}.png")))  # names may repeat between folders
    return scored


def _share(part: int, whole: int) -> str:
    """Return a percentage, and its 95 % confidence interval on the next line."""
    low, high = binomial_interval(part, whole)
    return f"{100 * part / whole:.2f}\n{100 * low:.2f}-{100 * high:.2f}"


def _print(scored: Sequence[Scored]) -> None:
    """Print the table, the rejections by reason, and all wrong readings."""
    figures = output.table("source", "pictures", "right", "refused", "wrong", "right %", "wrong %", "ms")
    refusals = []
    for source in sorted({one.labelled.source for one in scored}):
        ones = [one for one in scored if one.labelled.source == source]
        outcomes = Counter(one.outcome for one in ones)
        counts = (len(ones), *(outcomes[outcome] for outcome in ("right", "refused", "wrong")))
        shares = (_share(outcomes[outcome], len(ones)) for outcome in ("right", "wrong"))
        figures.add_row(printable(source), *map(str, counts), *shares, f"{median(one.ms for one in ones):.1f}")
        reasons = Counter(one.reading.reason.value for one in ones if one.reading.reason).most_common()
        if reasons:
            listed = ", ".join(f"{reason} {count}" for reason, count in reasons)
            refusals.append(f"{source}: reasons for refusal: {listed}")
    show(figures)
    say("below each percentage: its 95 % interval (Clopper-Pearson). ms: median reading time", *refusals)
    _print_confidences(scored)
    for one in scored:
        if one.outcome == "wrong":
            label = "no reading" if one.labelled.values is None else " ".join(map(str, one.labelled.values))
            read = " ".join(map(str, one.reading.values))
            say(f"wrong: {one.labelled.path}: read {read}, label {label}")


def _print_confidences(scored: Sequence[Scored]) -> None:
    """Print how many of the dice are right, by their confidence, and how often a reading is wrong at most."""
    figures = output.table("confidence", "dice", "mean %", "right %", title="dice in readable pictures")
    judged = judged_dice(scored)
    for low, high in itertools.pairwise(CONFIDENCES):
        within = [(sure, is_right) for sure, is_right in judged if low <= sure < high]
        if within:
            stated, right = mean(sure for sure, _ in within), sum(is_right for _, is_right in within)
            figures.add_row(f"from {low:g}", str(len(within)), f"{100 * stated:.2f}", _share(right, len(within)))
    read = [one.outcome for one in scored if one.reading.ok]
    if judged and read:
        show(figures)
        wrong = read.count("wrong")
        most = binomial_interval(wrong, len(read))[1]
        say(f"{wrong} of {len(read)} readings are wrong: at most {100 * most:.2f} % (Clopper-Pearson, 95 %)")


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
