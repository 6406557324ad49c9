"""What a phone asks for, checked: nothing else of what it sends reaches the referee. And why something is refused."""

from __future__ import annotations

from device.page.wire import Data
from device.referee import by_page
from device.referee.inputs import BoardTold, DiceTold
from device.referee.states import Situation
from device.referee.transitions import step
from device.screens.language import LANGUAGES, say, speaking
from engine import TOP
from engine.board import Spaces

MOST_PLAYERS = 4
PER_COLUMN = len(TOP)
"""How long a list of spaces by column is."""


class Refused(Exception):
    """What was asked is not done; `kind` is one of the words that the page translates."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def dice_told(message: Data) -> DiceTold:
    """Read which dice a phone tells.

    Raises:
        Refused: "bad" if it tells none.
    """
    dice = _numbers(message.get("dice"), 4, 1, 6)
    game, steps = _about(message)
    return DiceTold(dice, game, steps)


def board_told(message: Data) -> BoardTold:
    """Read which board a phone tells.

    Raises:
        Refused: "bad" if it tells none.
    """
    markers = message.get("markers")
    if not isinstance(markers, list) or not 1 <= len(markers) <= MOST_PLAYERS:
        raise Refused("bad", "a board has the markers of one to four players")
    spaces = tuple(map(_spaces, markers))
    (turn,) = _numbers([message.get("turn")], 1, 0, len(markers) - 1)
    game, steps = _about(message)
    return BoardTold(spaces, _spaces(message.get("runners")), turn, game, steps)


def check(now: Situation | None, told: DiceTold | BoardTold, language: object = "en") -> None:
    """Refuse what the referee would not take.

    It judges again when the input's turn comes: between the two a button may be pressed.

    Args:
        now: What the box has shown last.
        told: What a phone has told.
        language: In which language a board that cannot be is explained.

    Raises:
        Refused: "moved on" if the phone has shown something older, "board" with what cannot be, else "not now".
    """
    if now is None or now.game is None or not by_page.is_about(now, told):
        raise Refused("moved on", "the game has gone on meanwhile: look at it again")
    if isinstance(told, BoardTold):
        if len(told.markers) != len(now.game.names):
            raise Refused("bad", "these are not as many players as play")
        if problems := by_page.board_of(now, told).problems():
            with speaking(str(language) if language in LANGUAGES else "en"):
                raise Refused("board", say(problems[0].text, **dict(problems[0].values)))
    if step(now, told) is None:
        raise Refused("not now", "nothing is changed by that, or it cannot be put right now")


def _numbers(given: object, count: int, low: int, high: int) -> tuple[int, ...]:
    if isinstance(given, list) and len(given) == count:
        found = tuple(one for one in given if type(one) is int and low <= one <= high)
        if len(found) == count:
            return found
    raise Refused("bad", f"wanted: {count} numbers from {low} to {high}")


def _spaces(given: object) -> Spaces:
    """Read spaces by column, each one that its column has."""
    spaces = _numbers(given, PER_COLUMN, 0, max(TOP))
    for column, (space, top) in enumerate(zip(spaces, TOP, strict=True)):
        if space > top:
            raise Refused("bad", f"column {column} has no space {space}")
    return spaces


def _about(message: Data) -> tuple[int, int]:
    """Give which game a correction is about, and how many steps that game had."""
    game, steps = _numbers([message.get("game"), message.get("steps")], 2, 0, 10**9)
    return game, steps
