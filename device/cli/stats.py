"""`cantstop stats`: print each player's wins, luck and nerve, and the solo games with the fewest turns."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.progress import track

from device.cli import journal_options
from device.cli.output import complain, say, show, table
from device.cli.parsing import whole_number
from device.cli.player_options import OPPONENT_NAMES, opponent
from device.referee.inputs import SoloGame
from device.statistics.people import Record, judge, together
from device.statistics.solo import fewest_turns
from device.storage.journal import JournalError
from engine import BadText
from engine.opponents import OPPONENTS, level, level_name

BEST = 10
"""The number of solo games listed."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "stats",
        help="show statistics of all games: wins, luck and nerve",
        description=(
            "Show statistics of all games in the journal: games, wins and busts; luck (actual rolls compared with the "
            "expected ones); nerve (decisions compared with the strongest opponent's); and the best solo games."
        ),
    )
    journal_options.add_journal(command)
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.add_argument(
        "--against",
        type=opponent,
        default=OPPONENTS[-1],
        metavar="LEVEL",
        help=f"level to compare decisions with (default: {level_name(OPPONENTS[-1])}); one of {OPPONENT_NAMES}",
    )
    command.add_argument("--last", type=whole_number(), metavar="N", help="use only the last N games")
    command.set_defaults(run=run, problems=(JournalError,))


def run(args: argparse.Namespace) -> int:
    """Report on the players; return 1 if there is nothing to report."""
    stored = journal_options.opened(args).games()[-(args.last or 0) :]
    games = []
    for one in stored:
        try:
            games.append(one.replay())
        except BadText as error:
            complain("stats", f"game {one.number} is skipped: {error}")
    games = [game for game in games if game.steps]
    if not games:
        complain("stats", "no games played yet")
        return 1
    finished = sum(game.winner is not None for game in games)
    best = level(args.against).make()
    progress = track(games, "games", console=Console(stderr=True), transient=True)
    records = together(record for game in progress for record in judge(game, best))
    fewest = fewest_turns(stored)
    if args.json:
        say(json.dumps(_as_json(records, fewest, args.against, finished)))
    else:
        _print(records, fewest, args.against, finished)
    return 0


def _as_json(records: Sequence[Record], fewest: Sequence[SoloGame], best: str, finished: int) -> dict[str, object]:
    return {
        "games": finished,
        "compared_with": best,
        "players": [
            {**asdict(one), "luck_word": one.luck_word, "nerve": one.nerve, "nerve_word": one.nerve_word}
            for one in records
        ],
        "alone": [
            {"name": one.name, "level": one.level, "turns": one.turns, "game": one.number, "begun": one.begun}
            for one in fewest
        ],
    }


def _print(records: Sequence[Record], fewest: Sequence[SoloGame], best: str, finished: int) -> None:
    for alone in (False, True):
        shown = [one for one in records if one.alone == alone]
        if shown:
            _show_records(shown, alone=alone)
    say(
        f"{finished} finished games.",
        "busts, expected: actual busts, and the number expected from fair dice",
        "luck: the sum over all rolls of what each gained compared with an average roll;",
        "      usual: the standard deviation with fair dice",
        f"bold, careful: decisions to roll or to stop where {best!r} would not;",
        "      cost: what those decisions lost",
        "Luck and cost are in games won (solo: in turns).",
    )
    if fewest:
        best_games = table("player", "turns", "game", "date", title="solo games with the fewest turns")
        for game in fewest[:BEST]:
            best_games.add_row(_who(game.name, game.level), str(game.turns), str(game.number), game.begun[:10])
        show(best_games)


def _show_records(records: Sequence[Record], *, alone: bool) -> None:
    """Print the tables of luck and of nerve."""
    first = "alone" if alone else "player"
    luck = table(first, "turns" if alone else "won", "busts", "expected", "luck", "usual", "")
    nerve = table(first, "decisions", "bold", "careful", "cost", "nerve")
    for one in records:
        who, won = _who(one.name, one.level), str(one.turns) if alone else f"{one.wins}/{one.games}"
        usual, word = f"± {one.variance**0.5:.2f}", one.luck_word if one.turns else "-"
        luck.add_row(who, won, str(one.busts), f"{one.expected:.1f}", f"{one.gained:+.2f}", usual, word)
        decisions = map(str, (one.decisions, one.bold, one.careful))
        nerve.add_row(who, *decisions, f"{one.given:.2f}", one.nerve_word)
    show(luck)
    show(nerve)


def _who(name: str, level: str) -> str:
    return f"({level_name(level)})" if level else name
