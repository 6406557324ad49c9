"""Trains the networks: first from games of the reference strategies, then by self-play with solved turns.

    python -m tools.training.opponents.learn FOLDER

trains the networks of `COURSE` one after the other, each into FOLDER/PLAYERSxCOLUMNS.npy, and packs them into the file
for the box. A round is a few dozen games. The result is a running mean of the network's numbers over the rounds. After
an interruption the same command goes on with the first network that is not finished.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine import Variants
from engine.opponents.values import FILE, Values
from tools.training.opponents.simulator import Learner, rules_of

ROOM = 30_000
"""The number of remembered positions. It is limited because old ones become out of date."""

REPORT_EVERY = 25
"""The number of rounds between two lines about the progress."""


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
        """The name of its network and of its file."""
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
    """Train the networks that are missing, and pack those of the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the numbers go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for stage in COURSE:
        learn(stage, folder)
    pack(folder)


def learn(stage: Stage, folder: Path) -> None:
    """Train one network, unless it is there already."""
    out = folder / f"{stage.name}.npy"
    if out.exists():
        return
    learner = Learner.new(rules_of(stage.players, Variants(stage.columns)), stage.seed, ROOM)
    # Games of the references cost almost nothing, and give initial values for self-play.
    for nth in range(30):
        batch, rate = (32, 2e-3) if nth < 20 else (64, 5e-4)
        learner.watch(3000, fits=1, batch=batch, rate=rate)
    mean = learner.numbers.copy()
    began = time.process_time()
    for number in range(stage.rounds):
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
        if (number + 1) % REPORT_EVERY == 0:
            spent, error = time.process_time() - began, learner.report()
            print(f"{stage.name} round {number + 1} of {stage.rounds}: {spent:.0f} s, error {error:.5f}", flush=True)
    np.save(out, mean)


def pack(folder: Path) -> None:
    """Pack the networks in a folder into the file for the box, as half floats; missing ones are kept from the file."""
    networks = {}
    if FILE.exists():
        with np.load(FILE) as file:
            networks = dict(file)
    for path in sorted(folder.glob("[1-4]x[345].npy")):
        numbers = np.load(path)
        Values.of(int(path.stem[0]), numbers)  # rejects wrong shapes
        networks[path.stem] = numbers.astype(np.float16)
    np.savez_compressed(FILE, **{name: networks[name] for name in sorted(networks)})
    print(f"{', '.join(sorted(networks))}: {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
