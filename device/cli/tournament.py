"""`cantstop tournament`: let strategies play against each other, or measure each one's solo turns."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import numpy as np

from device.cli.batch import add_jobs, add_seed, work_through
from device.cli.cluster import add_cluster
from device.cli.output import Refused, say, show, table
from device.cli.parsing import whole_number
from device.cli.tournament_plot import matrix_plot
from device.statistics.plots import save
from engine import BadText, Variants, parse_position
from engine.opponents import LEVELS, Strategy, UnknownLevelError, level
from engine.simulate import BatchStrategy, in_batches, play_games, play_singly
from vision.scoring.score import wilson_interval

FAST_GAMES, SLOW_GAMES = 2400, 12
"""The number of games per piece of work: for strategies with batch decisions, and for others. Both are multiples of 2,
3 and 4, so that each piece uses every seat equally often."""

NO_SENSE = "this position makes no sense: "
"""The beginning of the engine's message for invalid rules in a position; here there is no position yet."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some games of one strategy against another, or solo games.

    Attributes:
        row: The level of one player.
        column: The level of all other players; equal to `row` in solo games.
        players: The number of players.
        variants: The rules.
        games: The number of games.
        seed: The random seed of the dice.
    """

    row: str
    column: str
    players: int
    variants: Variants
    games: int
    seed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a piece.

    Attributes:
        piece: The piece.
        won: The number of games won by the one player.
        turns: The winners' numbers of turns, game by game; only for solo games.
    """

    piece: Piece
    won: int
    turns: tuple[int, ...]


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "tournament",
        help="let strategies play against each other",
        description="Let strategies play against each other, swapping seats: every pair, or with three or four "
        "players, one seat against all the others. Ctrl-C stops it at any time and prints the results so far.",
    )
    command.add_argument(
        "levels",
        nargs="*",
        metavar="LEVEL",
        help=f"strategies that play (default: all): {', '.join(one.key for one in LEVELS)}",
    )
    command.add_argument("--players", type=int, choices=(2, 3, 4), default=2, help="players at the table")
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
    add_cluster(command)
    command.add_argument("--png", type=Path, metavar="FILE", help="also draw a plot of the shares")
    command.set_defaults(run=run, problems=(UnknownLevelError,))


def run(args: argparse.Namespace) -> int:
    """Play the tournament; return 130 if interrupted (partial results are printed)."""
    if args.alone and args.png is not None:
        raise Refused("--png cannot be combined with --alone")
    keys = chosen_levels(args.levels, alone=args.alone)
    players = 1 if args.alone else args.players
    pieces = pieces_of(keys, players, rules_of(args.rules, players), args.games, args.seed)
    results, status = work_through("parts", play_piece, pieces, args.jobs, args.cluster)
    if args.alone:
        _print_turns(turns_of(keys, results), args.rules)
    else:
        won = shares(results)
        _print_shares(keys, won, args)
        if args.png is not None:
            save(matrix_plot(keys, won, args.players), args.png)
    return status


def chosen_levels(named: Sequence[str], *, alone: bool) -> list[str]:
    """Return the keys of the participating levels: those named, or all.

    Raises:
        UnknownLevelError: If a name is unknown.
        Refused: If a level is named twice, or there is no other level to play against.
    """
    keys = [level(key).key for key in named] or [one.key for one in LEVELS]
    if len(set(keys)) < len(keys):
        raise Refused(f"a level is given twice: {', '.join(keys)}")
    if len(keys) < 2 and not alone:
        raise Refused(f"{keys[0]} needs an opponent: name two levels, or use --alone")
    return keys


def rules_of(text: str, players: int) -> Variants:
    """Return the value of `--rules`.

    Raises:
        Refused: If the rules are unknown, or not possible for this number of players; with valid alternatives.
    """
    if len(text.split()) != 1:
        raise Refused(f"--rules {text!r}: write them without spaces, as 3 or 5+fast+no-stop")
    try:
        return parse_position(f"{text} {'/'.join('-' * players)} 1 - -").variants
    except BadText as error:
        raise Refused(f"--rules {text}: {str(error).removeprefix(NO_SENSE)}") from None


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
        size = FAST_GAMES if all(_made(key)[1] is not None for key in (row, column)) else SLOW_GAMES
        for begun in range(0, games, size):
            piece = Piece(row, column, players, variants, min(size, games - begun), (seed, number, begun))
            pieces.append((begun + piece.games, piece))
    return [piece for _, piece in sorted(pieces, key=lambda one: one[0])]


@cache
def _made(key: str) -> tuple[Strategy, BatchStrategy | None]:
    """Return a level's strategy, created once per process, with its batch form if it has one."""
    strategy = level(key).make()
    return strategy, in_batches(strategy)


def play_piece(piece: Piece) -> Result:
    """Return the result of a piece."""
    chance = np.random.default_rng(piece.seed)
    # The one player uses each seat in turn; all others have the other level.
    seatings = [[int(seat != one) for seat in range(piece.players)] for one in range(piece.players)]
    made = [_made(piece.row), _made(piece.column)]
    at_once = [batch for _, batch in made if batch is not None]
    if len(at_once) == len(made):
        outcomes = play_games(at_once, seatings, piece.games, chance, piece.variants)
    else:
        outcomes = play_singly([strategy for strategy, _ in made], seatings, piece.games, chance, piece.variants)
    turns = tuple(map(int, outcomes.turns)) if piece.players == 1 else ()
    return Result(piece, int((outcomes.winner == outcomes.table).sum()), turns)


Shares = dict[tuple[str, str], tuple[int, int]]
"""For each pair of one player's level and the others' level: the number of games won, and the number of games."""


def shares(results: Sequence[Result]) -> Shares:
    """Return the sums of the results; of two players, the other one won what the first did not."""
    added: Shares = {}
    for one in results:
        won, games = added.get((one.piece.row, one.piece.column), (0, 0))
        added[one.piece.row, one.piece.column] = (won + one.won, games + one.piece.games)
    for (row, column), (won, games) in list(added.items()):
        added.setdefault((column, row), (games - won, games))
    return added


def turns_of(keys: Sequence[str], results: Sequence[Result]) -> dict[str, list[int]]:
    """Return the numbers of turns of solo games, by level."""
    return {key: [turns for one in results if one.piece.row == key for turns in one.turns] for key in keys}


def _print_shares(keys: Sequence[str], won: Shares, args: argparse.Namespace) -> None:
    others = "the other" if args.players == 2 else f"{args.players - 1} of the other (even: {100 / args.players:.0f} %)"
    numbers = [str(number) for number, _ in enumerate(keys, start=1)]
    figures = table(f"{args.players} players, rules {args.rules}", *numbers)
    for number, row in zip(numbers, keys, strict=True):
        figures.add_row(f"{number} {row}", *(_cell(won.get((row, column))) for column in keys))
    show(figures)
    say(f"percentage of games that the row's level wins against {others};")
    say("below it: half the width of the 95 % interval (Wilson)")
    say(f"at least {min(games for _, games in won.values()):,} games per pair; seed {args.seed}")


def _cell(counted: tuple[int, int] | None) -> str:
    if counted is None:
        return ""
    low, high = wilson_interval(*counted)
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
            figures.add_row(key, f"{len(some):,}", f"{mean:.3f}", f"±{half:.3f}", *spread)
    show(figures)
    say("turns to win solo: the mean and its 95 % interval")
