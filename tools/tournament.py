"""Let strategies play against each other, or measure each one's solo turns: `python -m tools.tournament --help`.

Games between the levels from the literature and Master are played by the simulator in C (`tools/training/opponents`),
if gcc is installed; all others by the engine itself, a hundred times more slowly. Both play the same games: the same
seed gives the same dice, and a test compares the two game by game.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from device.cli.output import Refused, say, show, table
from device.cli.parsing import whole_number
from engine import MOST_PLAYERS, BadText, BadVariants, Variants
from engine.notation import parse_variants
from engine.opponents import LEVELS, UnknownLevelError, level, level_name
from engine.opponents.values import weights_for
from tools.jobs import add_jobs, add_seed, run_tool, work_through
from tools.matches import Outcome, play_match
from tools.scenes.scoring import binomial_interval
from tools.training.opponents import simulator

SLOW_GAMES = math.lcm(*range(2, MOST_PLAYERS + 1))
FAST_GAMES = 50 * SLOW_GAMES
"""The number of games per piece of work: with the engine, and in C. Both are multiples of every number of players, so
that each piece uses every seat equally often."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some games of one strategy against another, or solo games.

    Attributes:
        row: The level of one player.
        column: The level of all other players; equal to `row` in solo games.
        players: The number of players.
        variants: The rules.
        games: The number of games.
        seed: The seed of the first game's dice, as for `play_match`.
    """

    row: str
    column: str
    players: int
    variants: Variants
    games: int
    seed: int


Result = tuple[Piece, Sequence[Outcome]]
"""A piece and its games."""


def options(command: argparse.ArgumentParser) -> None:
    """Add the tool's options."""
    command.add_argument(
        "levels",
        nargs="*",
        metavar="LEVEL",
        help=f"strategies that play (default: all): {', '.join(one.name for one in LEVELS)}",
    )
    command.add_argument(
        "--players", type=int, choices=range(2, MOST_PLAYERS + 1), default=2, help="players at the table"
    )
    command.add_argument("--alone", action="store_true", help="play solo: count the turns needed to win")
    command.add_argument(
        "--rules",
        default="3",
        metavar="RULES",
        help="columns to win and variants, as in a position: 3 (the default), 3+leap, 5+fast+no-stop, 3+strict",
    )
    command.add_argument("--games", type=whole_number(), default=240, metavar="N", help="games per pair (default: 240)")
    add_seed(command, 1, "the dice; the same seed gives the same games")
    add_jobs(command)


def run(args: argparse.Namespace) -> int:
    """Play the tournament; return 130 if interrupted (partial results are printed)."""
    keys = chosen_levels(args.levels, alone=args.alone)
    players = 1 if args.alone else args.players
    pieces = pieces_of(keys, players, rules_of(args.rules, players), args.games, args.seed)
    results, status = work_through("parts", play_piece, pieces, args.jobs)
    if args.alone:
        _print_turns(turns_of(keys, results), args.rules)
    else:
        _print_shares(keys, shares(results), args)
    return status


def chosen_levels(named: Sequence[str], *, alone: bool) -> list[str]:
    """Return the keys of the participating levels: those named, or all.

    Raises:
        UnknownLevelError: If a name is unknown.
        Refused: If a level is named twice, or there is no other level to play against.
    """
    keys = [level(key).key for key in named] or [one.key for one in LEVELS]
    if len(set(keys)) < len(keys):
        raise Refused(f"a level is given twice: {', '.join(map(level_name, keys))}")
    if len(keys) < 2 and not alone:
        raise Refused(f"{level_name(keys[0])} needs an opponent: name two levels, or use --alone")
    return keys


def rules_of(text: str, players: int) -> Variants:
    """Return the value of `--rules`.

    Raises:
        Refused: If the rules are unknown, or not possible for this number of players; with valid alternatives.
    """
    try:
        variants = parse_variants(text)
        variants.check(players)
    except (BadText, BadVariants) as error:
        raise Refused(f"--rules {text}: {error}") from None
    return variants


def pieces_of(keys: Sequence[str], players: int, variants: Variants, games: int, seed: int) -> list[Piece]:
    """Return the pieces in an order such that an interrupted tournament has played each pair about equally often.

    With two players each pair plays once, as the result applies to both; with more, each level plays one seat against a
    table of the other.

    Args:
        keys: The levels.
        players: The number of players; 1 for solo games.
        variants: The rules.
        games: The number of games of each pair; rounded to a multiple of the players, so that seats are used equally
            often.
        seed: The random seed of the dice, from 0.
    """
    if players == 1:
        pairs = [(key, key) for key in keys]
    else:
        pairs = list(combinations(keys, 2) if players == 2 else permutations(keys, 2))
    games = -(-games // players) * players
    pieces: list[tuple[int, Piece]] = []
    for number, (row, column) in enumerate(pairs):
        (state,) = np.random.SeedSequence((seed, number)).generate_state(1, np.uint64)
        size = FAST_GAMES if _is_fast(Piece(row, column, players, variants, 0, 0)) else SLOW_GAMES
        for begun in range(0, games, size):
            piece = Piece(row, column, players, variants, min(size, games - begun), int(state) + begun)
            pieces.append((begun + piece.games, piece))
    return [piece for _, piece in sorted(pieces, key=lambda one: one[0])]


def _is_fast(piece: Piece) -> bool:
    """Whether the simulator in C plays these games."""
    return {piece.row, piece.column} <= simulator.KINDS.keys() and shutil.which("gcc") is not None


def play_piece(piece: Piece) -> Result:
    """Play the games of a piece."""
    levels = [piece.row] + [piece.column] * (piece.players - 1)
    if _is_fast(piece):
        return piece, _in_c(levels, piece)
    return piece, list(play_match([level(key).make() for key in levels], piece.games, piece.seed, piece.variants))


def _in_c(levels: Sequence[str], piece: Piece) -> list[Outcome]:
    net = None
    if "strongest" in levels:
        net = simulator.network(piece.players, weights_for(piece.players, piece.variants.columns_to_win))
    players = [simulator.Player(simulator.KINDS[key], net, 0) for key in levels]
    return simulator.match(simulator.rules_of(piece.players, piece.variants), players, piece.games, piece.seed)


Shares = dict[tuple[str, str], tuple[int, int]]
"""For each pair of one player's level and the others' level: the number of games won, and the number of games."""


def shares(results: Sequence[Result]) -> Shares:
    """Return the sums of the results; of two players, the other one won what the first did not."""
    added: Shares = {}
    for piece, outcomes in results:
        won, games = added.get((piece.row, piece.column), (0, 0))
        won += sum(one.winner == 0 for one in outcomes)
        added[piece.row, piece.column] = (won, games + piece.games)
    for (row, column), (won, games) in list(added.items()):
        added.setdefault((column, row), (games - won, games))
    return added


def turns_of(keys: Sequence[str], results: Sequence[Result]) -> dict[str, list[int]]:
    """Return the numbers of turns of solo games, by level."""
    return {key: [one.turns for piece, outcomes in results if piece.row == key for one in outcomes] for key in keys}


def _print_shares(keys: Sequence[str], won: Shares, args: argparse.Namespace) -> None:
    others = "the other" if args.players == 2 else f"{args.players - 1} of the other (even: {100 / args.players:.0f} %)"
    numbers = [str(number) for number, _ in enumerate(keys, start=1)]
    figures = table(f"{args.players} players, rules {args.rules}", *numbers)
    for number, row in zip(numbers, keys, strict=True):
        figures.add_row(f"{number} {level_name(row)}", *(_cell(won.get((row, column))) for column in keys))
    show(figures)
    say(f"percentage of games that the row's level wins against {others};")
    say("below it: half the width of the 95 % interval (Clopper-Pearson)")
    say(f"at least {min(games for _, games in won.values()):,} games per pair; seed {args.seed}")


def _cell(counted: tuple[int, int] | None) -> str:
    if counted is None:
        return ""
    low, high = binomial_interval(*counted)
    return f"{100 * counted[0] / counted[1]:.1f}\n±{50 * (high - low):.1f}"


def mean_interval(turns: Sequence[int]) -> tuple[float, float]:
    """Return the mean of at least two numbers of turns, and half the width of its 95 % confidence interval."""
    # A 95 % interval of the normal distribution extends 1.96 standard errors to each side.
    return float(np.mean(turns)), float(1.96 * np.std(turns, ddof=1) / len(turns) ** 0.5)


def _print_turns(turns: dict[str, list[int]], rules: str) -> None:
    figures = table(f"solo, rules {rules}", "games", "turns", "95 %", "fewest", "median", "most")
    for key, some in turns.items():
        if len(some) > 1:
            mean, half = mean_interval(some)
            spread = (str(min(some)), f"{np.median(some):.0f}", str(max(some)))
            figures.add_row(level_name(key), f"{len(some):,}", f"{mean:.3f}", f"±{half:.3f}", *spread)
    show(figures)
    say("turns to win solo: the mean and its 95 % interval")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool, and return the exit status."""
    description = (
        "Let strategies play against each other, swapping seats: every pair, or with three or four players, one seat "
        "against all the others. Ctrl-C stops it at any time and prints the results so far."
    )
    return run_tool("tools.tournament", description, options, run, (UnknownLevelError,), argv)


if __name__ == "__main__":
    # Other processes import what they work on from the module's own name.
    from tools import tournament

    sys.exit(tournament.main())
