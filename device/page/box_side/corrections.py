"""What a phone asks for, checked: nothing else of what it sends reaches the referee. And why something is refused."""

from __future__ import annotations

from device.page.wire import Data
from device.referee import by_page
from device.referee.inputs import BoardTold, DiceTold
from device.referee.states import Situation
from device.referee.transitions import step
from device.screens.language import say, speaking
from engine import TOP


class Refused(Exception):
    """What was asked is not done; `kind` is one of the words that the page translates."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


def board_told(message: Data) -> BoardTold:
    """Return which board a phone tells.

    Raises:
        Refused: "bad" if its columns are shorter, or the players fewer.
    """
    *markers, runners = (tuple(spaces) for spaces in (*message["markers"], message["runners"]))
    for spaces in (*markers, runners):
        for column, (space, top) in enumerate(zip(spaces, TOP, strict=True)):
            if space > top:
                raise Refused("bad", f"column {column} has no space {space}")
    if message["turn"] >= len(markers):
        raise Refused("bad", "these are not as many players as play")
    return BoardTold(tuple(markers), runners, message["turn"], message["game"], message["steps"])


def check(now: Situation | None, told: DiceTold | BoardTold, language: str = "en") -> None:
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
            with speaking(language):
                raise Refused("board", say(problems[0].text, **dict(problems[0].values)))
    if step(now, told) is None:
        raise Refused("not now", "nothing is changed by that, or it cannot be put right now")
