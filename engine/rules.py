"""The rules: which actions are legal, and which positions they lead to. Nothing else decides this."""

from __future__ import annotations

from engine.actions import Action, Bust, Corrected, Joins, Leaves, Play, Returns, Rolled, SeatChange, SetTo, Stop
from engine.board import EMPTY, TOP, Spaces, with_piece
from engine.dice import Pairing, Roll, pairings
from engine.errors import IllegalAction, shown
from engine.position import Position
from engine.variants import FastStart


def plays(position: Position) -> tuple[Play, ...]:
    """Return the legal plays for the roll of this position.

    A pairing has no play, one or, if both sums need the one free runner, two. If no pairing has a play, the player is
    bust. Without a roll the result is empty, too.
    """
    if position.roll is None:
        return ()
    found: list[Play] = []
    for pairing in pairings(position.roll):
        found += plays_of(position, pairing)
    if position.variants.fast_start is not FastStart.OFF:
        found = fast_start_only(position, found)
    return tuple(found)


def plays_of(position: Position, pairing: Pairing) -> tuple[Play, ...]:
    """Return the plays of one pairing, before variants restrict the choice."""
    low, high = pairing
    runners, free = position.runners, position.free_runners
    low_goes = position.usable[low] and (runners[low] > 0 or free > 0)
    if low == high:
        if not low_goes:
            return ()
        # The second step is forfeited if the first one ends on the top space.
        both = _step(position, low, runners[low]) < TOP[low]
        return (Play(pairing, (low, low) if both else (low,)),)
    high_goes = position.usable[high] and (runners[high] > 0 or free > 0)
    if low_goes and high_goes:
        if free == 1 and not runners[low] and not runners[high]:
            return (Play(pairing, (low,)), Play(pairing, (high,)))
        return (Play(pairing, pairing),)
    if low_goes:
        return (Play(pairing, (low,)),)
    if high_goes:
        return (Play(pairing, (high,)),)
    return ()


def fast_start_only(position: Position, found: list[Play]) -> list[Play]:
    """Return the plays that the variant fast start allows."""

    def brings_in(play: Play) -> int:
        return sum(not position.runners[column] for column in set(play.columns))

    most = max(map(brings_in, found), default=0)
    found = [play for play in found if brings_in(play) == most]
    if position.variants.fast_start is FastStart.STRICT:
        most = max((len(set(play.columns)) for play in found), default=0)
        found = [play for play in found if len(set(play.columns)) == most]
    return found


def _step(position: Position, column: int, space: int) -> int:
    """Return the space where a step from `space` ends (0: the runner is brought in)."""
    space = (space or position.markers[position.turn][column]) + 1
    if position.variants.leap:
        while position.others_on(column, space):
            space += 1
    return space


def runners_after(position: Position, play: Play) -> Spaces:
    """Return the runners after `play`, space by column."""
    runners = position.runners
    for column in play.columns:
        runners = with_piece(runners, column, _step(position, column, runners[column]))
    return runners


def climb(position: Position, column: int) -> Spaces:
    """Return the spaces that a runner of the current player can reach in a column, one for each step, up to the top.

    >>> from engine.variants import Variants
    >>> climb(Position.start(2, Variants()), 4)
    (1, 2, 3, 4, 5, 6, 7)
    """
    spaces, space = [], 0
    while (space or position.markers[position.turn][column]) < TOP[column]:
        space = _step(position, column, space)
        spaces.append(space)
    return tuple(spaces)


def is_bust(position: Position) -> bool:
    """Whether no pairing of the current roll can be used."""
    return position.roll is not None and not plays(position)


def may_roll(position: Position) -> bool:
    """Whether the dice may be rolled now."""
    return position.roll is None and position.winner is None


def why_no_stop(position: Position) -> str:
    """Return why the player may not stop now; "" if stopping is allowed."""
    if position.winner is not None:
        return "the game is over"
    if position.roll is not None:
        return "the roll must be used first"
    if not any(position.runners):
        return "nothing has been rolled this turn yet"
    if position.variants.no_stop_on_marker:
        for column, space in position.runners_out():
            if position.others_on(column, space):
                return f"the runner in column {column} stands on another player's marker"
    return ""


def may_stop(position: Position) -> bool:
    """Whether the player may stop now."""
    return not why_no_stop(position)


def after(position: Position, action: Action) -> Position:
    """Return the position that an action leads to.

    Raises:
        IllegalAction: If the rules do not allow it here.
        BadPosition: If a game cannot reach the position set by hand.
    """
    match action:
        case Play():
            return _after_play(position, action)
        case Rolled(dice):
            return _after_roll(position, dice)
        case Stop():
            return _after_stop(position)
        case Bust():
            return _after_bust(position)
        case Corrected(dice):
            return _after_correction(position, dice)
        case SetTo(new):
            return _after_setting(position, new)
        case Leaves() | Returns() | Joins():
            return _after_seat_change(position, action)


def _after_roll(position: Position, dice: Roll) -> Position:
    if position.winner is not None:
        raise IllegalAction("the game is over: no more rolls")
    if position.roll is not None:
        raise IllegalAction("the dice are already rolled: use that roll first")
    return position.with_roll(dice)


def _after_correction(position: Position, dice: Roll) -> Position:
    if position.roll is None:
        raise IllegalAction("there is no roll to correct")
    return position.with_roll(dice)


def _after_play(position: Position, play: Play) -> Position:
    if position.roll is None:
        raise IllegalAction("there is no roll to use: roll first")
    if play not in plays(position):
        raise IllegalAction(_why_not(position, play))
    return position.changed(runners=runners_after(position, play))


def _why_not(position: Position, play: Play) -> str:
    """Return why this play is not legal for the roll."""
    assert position.roll is not None  # the caller has checked this
    dice = "-".join(map(str, position.roll))
    sums = "+".join(map(str, play.pairing))
    columns = " and ".join(map(str, play.columns)) or "no column"
    if play.pairing not in pairings(position.roll):
        ways = ", ".join(f"{low}+{high}" for low, high in pairings(position.roll))
        return f"{dice} does not make {sums}, but {ways}"
    for column in play.pairing:
        if column in play.columns and position.owners[column] is not None:
            return f"column {column} is won"
        if column in play.columns and position.runners[column] == TOP[column]:
            return f"the runner in column {column} is already on the top space"
    if play in plays_of(position, play.pairing):
        return f"{position.variants.fast_start.value} forbids {sums}: another choice brings in or moves more runners"
    return f"{sums} cannot move {columns} here: every usable sum must be used, with the runners that are free"


def markers_after(position: Position) -> tuple[Spaces, ...]:
    """Return all players' markers after a stop in this position, allowed or not."""
    player = position.turn
    markers = [list(spaces) for spaces in position.markers]
    for column, space in position.runners_out():
        if space == TOP[column]:
            for others in markers:
                others[column] = 0
        markers[player][column] = space
    return tuple(map(tuple, markers))


def _after_stop(position: Position) -> Position:
    if reason := why_no_stop(position):
        raise IllegalAction(f"no stop: {reason}")
    ended = position.changed(markers=markers_after(position), runners=EMPTY)
    # The turn of the winner is the last one.
    return ended if ended.winner is not None else _next_turn(ended)


def _after_bust(position: Position) -> Position:
    if position.roll is None:
        raise IllegalAction("no bust without a roll")
    if found := plays(position):
        options = ", ".join("+".join(map(str, play.pairing)) for play in found)
        raise IllegalAction(f"no bust: {options} can be used")
    return _next_turn(position.changed(runners=EMPTY))


def _next_turn(position: Position) -> Position:
    """Return the position for the next player who has not left."""
    after_turn = [*range(position.turn + 1, position.players), *range(position.turn + 1)]
    return position.changed(turn=next(player for player in after_turn if player not in position.out))


def _after_setting(position: Position, new: Position) -> Position:
    if (new.variants, new.players, new.out) != (position.variants, position.players, position.out):
        raise IllegalAction("setting the board by hand changes neither the variants nor the players")
    new.check()
    return new


def _after_seat_change(position: Position, action: SeatChange) -> Position:
    if position.winner is not None:
        raise IllegalAction("the game is over: nobody leaves or joins")
    if isinstance(action, Joins):
        position.variants.check(position.players + 1)
        return position.changed(markers=(*position.markers, EMPTY)).with_roll(position.roll)
    player, out = action.player, position.out
    if player not in range(position.players) or (player in out) is isinstance(action, Leaves):
        raise IllegalAction(f"player {shown(player)} is not there to do this: {shown(action)}")
    if isinstance(action, Returns):
        return position.changed(out=tuple(one for one in out if one != player)).with_roll(position.roll)
    if len(out) + 1 == position.players:
        raise IllegalAction("the last player cannot leave")
    markers = position.markers
    if not action.markers_stay:
        markers = (*markers[:player], EMPTY, *markers[player + 1 :])
    left = position.changed(markers=markers, out=tuple(sorted((*out, player))))
    return _next_turn(left.changed(runners=EMPTY)) if player == position.turn else left.with_roll(position.roll)
