"""`cantstop odds`: compute the outcome probabilities of the next roll in a position."""

from __future__ import annotations

import argparse
import json

from device.cli.output import Refused, say, show, table
from engine import BadText, Position, is_bust, may_stop, parse_position, play_text, plays
from engine.odds import at_stake, bust_chance, loss_chance
from engine.rules import after


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "odds",
        help="compute the exact odds of the next roll in a position",
        description="Compute the exact odds of the next roll: the chance of a bust, and the spaces at stake. "
        "If a roll is waiting for a choice, show the odds after each legal play.",
    )
    command.add_argument(
        "position",
        metavar="POSITION",
        help="one line as printed by cantstop replay: columns to win and variants, markers, player to move, runners, "
        'roll; for example "3 4:2,7:5/9:4 1 6:3,8:1,9:2 -"',
    )
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=run, problems=(BadText,))


def run(args: argparse.Namespace) -> int:
    """Print the odds."""
    position = parse_position(args.position)
    if position.winner is not None:
        raise Refused(f"player {position.winner + 1} has won: there is no next roll")
    if args.json:
        say(json.dumps(as_json(position)))
    else:
        _print(position)
    return 0


def as_json(position: Position) -> dict[str, object]:
    """Return the odds as plain data: of the next roll, or if there is a roll, after each legal play."""
    begun: dict[str, object] = {"position": str(position), "value": _value(position)}
    if position.roll is None:
        return {**begun, "odds": _one(position)}
    return {
        **begun,
        "plays": [{"play": play_text(play), "odds": _one(after(position, play))} for play in plays(position)],
    }


def _value(position: Position) -> float:
    """Return Master's value of the position; only this loads NumPy."""
    from engine.opponents.strongest import value

    return value(position)


def _one(position: Position) -> dict[str, object]:
    return {
        "bust": bust_chance(position),
        "lose_turn": loss_chance(position),
        "at_stake": at_stake(position),
        "may_stop": may_stop(position),
    }


def _print(position: Position) -> None:
    if is_bust(position):
        say("This roll is a bust: no pairing can be used.")
        return
    variant = position.variants.no_stop_on_marker
    figures = table("", "bust", *(("turn lost",) if variant else ()), "at stake")
    rows = [(f"after {play_text(play)}", after(position, play)) for play in plays(position)]
    for name, then in rows or [("the next roll", position)]:
        shares = (bust_chance(then), *((loss_chance(then),) if variant else ()))
        figures.add_row(
            name,
            *(f"{100 * share:.2f} %" for share in shares),
            f"{at_stake(then)}{'' if may_stop(then) else ', no stop'}",
        )
    show(figures)
    if variant:
        say("turn lost: before a stop is allowed, with the safest choices")
    value = _value(position)
    if position.players == 1:
        say(f"turns left, by Master's estimate: {-value:.2f}")
    else:
        say(f"chance to win, by Master's estimate: {100 * value:.1f} %")
