"""Validation of a phone's corrections: only what passes reaches the referee; otherwise the reason is returned."""

from __future__ import annotations

from device.page.wire import Data, RequestError
from device.referee import phone_corrections
from device.referee.inputs import BoardCorrection, DiceCorrection
from device.referee.states import Situation
from device.referee.transition_table import step
from device.screens.language import say, speaking
from engine import TOP


def board_correction(message: Data) -> BoardCorrection:
    """Return the board that a phone has sent; raise `RequestError` "bad" for impossible spaces or players."""
    *markers, runners = (tuple(spaces) for spaces in (*message["markers"], message["runners"]))
    for spaces in (*markers, runners):
        for column, (space, top) in enumerate(zip(spaces, TOP, strict=True)):
            if space > top:
                raise RequestError("bad", f"column {column} has no space {space}")
    if message["turn"] >= len(markers):
        raise RequestError("bad", "the number of players does not match the game")
    return BoardCorrection(tuple(markers), runners, message["turn"], message["game"], message["steps"])


def check(now: Situation | None, told: DiceCorrection | BoardCorrection, language: str = "en") -> None:
    """Raise `RequestError` if the referee would reject the correction, as seen from what the box has shown last.

    The referee checks it again when it is handled, as a button may be pressed in between.

    Raises:
        RequestError: "moved on" if the phone has shown an older state, "board" with the reason in the language, else
            "not now".
    """
    if now is None or now.game is None or not phone_corrections.is_about(now, told):
        raise RequestError("moved on", "the game has moved on in the meantime: look at it again")
    if isinstance(told, BoardCorrection):
        if len(told.markers) != len(now.game.names):
            raise RequestError("bad", "the number of players does not match the game")
        if problems := phone_corrections.board_of(now, told).problems():
            with speaking(language):
                raise RequestError("board", say(problems[0].text, **dict(problems[0].values)))
    if step(now, told) is None:
        raise RequestError("not now", "this changes nothing, or it cannot be corrected now")
