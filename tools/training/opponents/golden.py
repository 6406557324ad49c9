"""Writes the trainer's results for the tests of the engine: `tests/engine/strongest.json`.

    python -m tools.training.opponents.golden

The positions are from random games between the strategies that need no training; each has a roll, and for each play the
values of stopping and of rolling again after it.
"""

from __future__ import annotations

import ctypes
import json
import random
from pathlib import Path

from engine import Bust, Position, Stop, Variants, after, is_bust, may_stop, plays, roll_of
from engine.board import COLUMNS, Spaces
from engine.opponents import level
from engine.opponents.values import weights_for
from engine.rules import climb, runners_after
from tools.training.opponents.simulator import Board, Runners, compiled, network, rules_of

OUT = Path("tests/engine/strongest.json")

TABLES = (
    *((players, Variants(columns)) for players, columns in ((1, 3), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3))),
    *((2, Variants.of(3, [name])) for name in ("fast start", "fast start strict", "no stop on a marker", "leap")),
)
EACH = 12
"""The number of positions of each table."""


def main() -> None:
    """Play games, solve their positions, and write the results."""
    chance = random.Random(28)
    found = []
    for players, variants in TABLES:
        net = network(players, weights_for(players, variants.columns_to_win))
        seen: list[Position] = []
        while len(seen) < 40 * EACH:
            seen += _game(players, variants, chance)
        for position in chance.sample(seen, EACH):
            options = [runners_after(position, play) for play in plays(position)]
            worth = [_worth(position, net, runners) for runners in options]
            found.append({"position": str(position), "worth": worth})
    OUT.write_text("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]\n")
    print(f"{len(found)} positions in {OUT}")


def _game(players: int, variants: Variants, chance: random.Random) -> list[Position]:
    """Return the positions with a choice in one game."""
    position, seen = Position.start(players, variants), []
    strategies = [level(key).make() for key in ("hasty", "counter", "evolved")]
    while position.winner is None:
        strategy = chance.choice(strategies)
        if may_stop(position) and strategy.stops(position):
            position = after(position, Stop())
            continue
        rolled = position.with_roll(roll_of(chance.choices(range(1, 7), k=4)))
        if is_bust(rolled):
            position = after(rolled, Bust())
            continue
        seen.append(rolled)
        position = after(rolled, chance.choice(plays(rolled)))
    return seen


def _worth(position: Position, net: int, runners: Spaces) -> tuple[float, float]:
    """Return the values of stopping and of rolling again with these runners, computed in C."""
    lib = compiled()
    board = Board(turn=position.turn)
    for player, markers in enumerate(position.markers):
        for nth, column in enumerate(COLUMNS):
            board.marker[player][nth] = markers[column]
    out = Runners()
    for nth, column in enumerate(COLUMNS):
        if runners[column]:
            out.column[out.n] = nth
            out.step[out.n] = climb(position, column).index(runners[column]) + 1
            out.total += out.step[out.n]
            out.n += 1
    rules = rules_of(position.players, position.variants)
    turn = lib.turn_new()
    lib.turn_begin(turn, ctypes.byref(rules), net, ctypes.byref(board))
    roll = lib.turn_solve(turn, ctypes.byref(out), 0)
    stop = lib.turn_stop_value(turn, ctypes.byref(lib.turn_placed(turn, out)))
    lib.turn_free(turn)
    return round(stop, 6), round(roll, 6)


if __name__ == "__main__":
    main()
