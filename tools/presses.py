"""Counts the presses for each task, by the shortest paths in the referee's table: `python -m tools.presses`."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from itertools import product

from device.referee.inputs import Button, DiceRead, Press
from device.referee.playing import state_of
from device.referee.states import GameOver, Menu, ShowingPage, Situation
from device.referee.transition_table import step
from engine import Corrected, Game, Play, Roll, Rolled, SetTo, parse_position, roll_of

PRESSES = tuple(Press(button, long) for long in (False, True) for button in Button)


def at(position: str) -> Situation:
    """Return a game of two that continues from a position."""
    start = parse_position(position)
    game = Game.new(["yellow", "orange"], start.variants).do(SetTo(start))
    return Situation(state_of(game), game, 1)


def thrown(situation: Situation, *dice: int, likely: tuple[Roll, ...] = ()) -> Situation:
    """Return the situation after a roll.

    Raises:
        ValueError: If the situation does not wait for a roll.
    """
    outcome = step(situation, DiceRead(tuple(sorted(dice)), likely))
    if outcome is None:
        raise ValueError(f"no roll is expected in {situation.state}")
    return outcome.situation


def nearest(start: Situation, found: Callable[[Situation], object]) -> dict[object, tuple[int, Situation]]:
    """Return each thing that can be reached by presses, with the least number of presses and the situation there.

    Args:
        start: The first situation.
        found: Returns what is reached in a situation, where the search ends; None to continue.
    """
    things: dict[object, tuple[int, Situation]] = {}
    seen, queue = {start.state}, deque([(0, start)])
    while queue:
        count, situation = queue.popleft()
        if (thing := found(situation)) is not None:
            things.setdefault(thing, (count, situation))
            continue
        for press in PRESSES:
            outcome = step(situation, press)
            if outcome is None or isinstance(outcome.situation.state, Menu | ShowingPage):
                continue  # nothing is reached sooner there
            is_new_step = outcome.situation.game != situation.game
            if is_new_step or outcome.situation.state not in seen:
                seen.add(outcome.situation.state)
                queue.append((count + 1, outcome.situation))
    return things


def after(start: Situation) -> Callable[[Situation], object]:
    """Return a function that returns the step made since a situation; the search ends at a step that was undone."""

    def found(now: Situation) -> object:
        steps = now.played.steps
        if len(steps) < len(start.played.steps):
            return "taken back"
        return steps[len(start.played.steps)] if len(steps) > len(start.played.steps) else None

    return found


def by_hand(start: Situation, kind: type[Rolled | Corrected]) -> tuple[float, int]:
    """Return the mean and the largest number of presses for entering a roll by hand."""
    things = nearest(start, after(start))
    counts = {thing.dice: count for thing, (count, _) in things.items() if isinstance(thing, kind)}
    weights = Counter(roll_of(dice) for dice in product(range(1, 7), repeat=4))
    total = sum(weights[roll] for roll in counts)
    return sum(weights[roll] * count for roll, count in counts.items()) / total, max(counts.values())


def main() -> None:
    """Print the table."""
    fresh = at("3 -/- 1 - -")
    mean, worst = by_hand(fresh, Rolled)
    print(f"a roll by hand: {mean:.1f} on average, {worst} at most")
    mean, worst = by_hand(thrown(fresh, 1, 3, 4, 6), Corrected)
    print(f"a correction by hand: {mean:.1f} on average, {worst} at most")
    misread = thrown(fresh, 1, 3, 4, 6, likely=((1, 3, 4, 5), (1, 2, 4, 6)))
    print("a correction that is offered:", nearest(misread, after(misread))[Corrected((1, 2, 4, 6))][0])
    situation, count = fresh, 0
    for dice in ((2, 3, 4, 5), (2, 3, 4, 5)):
        situation = thrown(situation, *dice)
        presses, situation = nearest(situation, after(situation))[Play((5, 9), (5, 9))]
        count += presses
    ways = nearest(situation, after(situation))
    stop = next(presses for thing, (presses, _) in ways.items() if type(thing).__name__ == "Stop")
    print("a turn of two rolls, to the next player's roll:", count + stop)
    one_left = at("3 -/- 1 8:1,9:1 1-1-1-6")
    print("one pairing, one runner left:", nearest(one_left, after(one_left))[Play((2, 7), (7,))][0])
    bust = at("3 -/- 1 5:1,7:2,10:1 1-3-3-5")
    ways = nearest(bust, after(bust))
    print("a bust:", next(presses for thing, (presses, _) in ways.items() if type(thing).__name__ == "Bust"))
    winning, count = at("3 7:13,8:11,12:2/- 1 - 6-6-6-6"), 0
    for press in (Press(Button.A), Press(Button.STOP), *[Press(Button.C)] * 9):
        if not isinstance(winning.state, GameOver) and (outcome := step(winning, press)) is not None:
            winning, count = outcome.situation, count + 1
    print("a win, from the roll until the screen says so:", count)


if __name__ == "__main__":
    main()
