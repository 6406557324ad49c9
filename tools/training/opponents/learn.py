"""Trains the networks: first from games of the reference strategies, then by self-play with solved turns.

    python -m tools.training.opponents.learn FOLDER

trains the networks of `COURSE` one after the other, each into FOLDER/PLAYERSxCOLUMNS.npy. A round is a few dozen games.
The result is a running mean of the network's numbers over the rounds. About every ten seconds the whole state is saved:
after Ctrl-C or a power cut the same command continues from there, with the same final result.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engine import Variants
from tools.training.opponents.simulator import Learner, rules_of

ROOM = 30_000
"""The number of remembered positions. It is limited because old ones become out of date."""

KEEP_EVERY = 25


@dataclass(frozen=True)
class Stage:
    """One network to train.

    Attributes:
        players: The number of players.
        columns: The number of columns to win.
        rounds: The number of rounds.
        games: The number of games in a round.
        seed: The random seed.
    """

    players: int
    columns: int
    rounds: int
    games: int
    seed: int

    @property
    def name(self) -> str:
        """The name of its network, which `pack` reads from the file's name."""
        return f"{self.players}x{self.columns}"

    def rate(self, number: int) -> float:
        """Return the learning rate of a round, which decreases."""
        return 7e-4 if number < 150 else 4e-4 - 3e-4 * (number - 150) / max(1, self.rounds - 150)

    def least(self, number: int) -> float:
        """Return how often a node must be reached in a turn to be examined: first coarse, at twice the speed."""
        return 2e-2 if self.rounds > 100 and number < self.rounds / 2 else 5e-3


# Long training is harmful with three and four players: after 30 rounds they won 79 % against the Rule of 28, after 500
# rounds 74 %.
COURSE = (
    Stage(1, 3, rounds=300, games=60, seed=12),
    Stage(3, 3, rounds=30, games=20, seed=21),
    Stage(4, 3, rounds=30, games=20, seed=22),
    Stage(3, 4, rounds=30, games=20, seed=25),
    Stage(2, 4, rounds=400, games=30, seed=24),
    Stage(2, 5, rounds=1600, games=30, seed=23),
    Stage(2, 3, rounds=1600, games=30, seed=11),
)


def main() -> None:
    """Train the networks that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the numbers go")
    parser.add_argument("--only", action="append", metavar="PxC", help="only the network for P players and C columns")
    arguments = parser.parse_args()
    stages = [stage for stage in COURSE if not arguments.only or stage.name in arguments.only]
    if not stages:
        parser.error(f"no such network; there are {', '.join(stage.name for stage in COURSE)}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    try:
        learn_all(stages, arguments.folder)
    except KeyboardInterrupt:
        parser.exit(130, "interrupted; the same command resumes from here\n")


def learn_all(stages: Sequence[Stage], folder: Path) -> None:
    """Train these networks, unless they are there already.

    Raises:
        KeyboardInterrupt: On Ctrl-C; the progress is saved.
    """
    for stage in stages:
        if not (folder / f"{stage.name}.npy").exists():
            _learn(stage, folder)


def _learn(stage: Stage, folder: Path) -> None:
    """Train one network, or continue its training."""
    learner = Learner.new(rules_of(stage.players, Variants(stage.columns)), stage.seed, ROOM)
    part = folder / f"{stage.name}.part.npz"
    known = _resume(stage, learner, part)
    if known is None:
        # Games of the references cost almost nothing, and give initial values for self-play.
        for nth in range(30):
            batch, rate = (32, 2e-3) if nth < 20 else (64, 5e-4)
            learner.watch(3000, fits=1, batch=batch, rate=rate)
        known = 0, learner.numbers.copy()
    done, mean = known
    began = time.process_time()
    for number in range(done, stage.rounds):
        learner.play(
            stage.games,
            trace=max(0.0, 0.4 - number / 100),  # a game's result, with decreasing weight
            mixed=0.1 if stage.players == 1 else 0.15,
            least=stage.least(number),
            fits=4,
            batch=64,
            rate=stage.rate(number),
        )
        mean += max(0.02, 1 / (number + 2)) * (learner.numbers - mean)
        if (number + 1) % KEEP_EVERY == 0:
            _keep(stage, learner, part, number + 1, mean)
            error, _turns = learner.report()
            spent = time.process_time() - began
            print(f"{stage.name} round {number + 1} of {stage.rounds}: {spent:.0f} s, error {error:.5f}", flush=True)
    np.save(folder / f"{stage.name}.npy", mean)
    part.unlink(missing_ok=True)


def _keep(stage: Stage, learner: Learner, part: Path, done: int, mean: np.ndarray) -> None:
    """Save the whole state of the training; the file is always complete."""
    state = {f"part{nth}": bytes_ for nth, bytes_ in enumerate(learner.state())}
    whole = part.with_suffix(".tmp.npz")
    np.savez(whole, stage=json.dumps(asdict(stage)), done=done, mean=mean, **state)  # type: ignore[arg-type]
    whole.replace(part)


def _resume(stage: Stage, learner: Learner, part: Path) -> tuple[int, np.ndarray] | None:
    """Load the saved state of this stage.

    Returns:
        The number of completed rounds, and the running mean; None if there is no saved state.
    """
    if not part.exists():
        return None
    with np.load(part) as file:
        if json.loads(str(file["stage"])) != asdict(stage):
            return None  # of another course: trained again
        for nth, bytes_ in enumerate(learner.state()):
            bytes_[:] = file[f"part{nth}"]
        return int(file["done"]), file["mean"]


if __name__ == "__main__":
    main()
