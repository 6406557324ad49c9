"""The first screen of a new box: a frame along the display's border, and the question whether it is whole."""

from __future__ import annotations

from device.screens import texts
from device.screens.language import say
from device.screens.screen import Line, Screen


def checking_frame(*_: object) -> Screen:
    """Return the screen; nobody can read it while the display is driven as another one."""
    lines = (Line(say(texts.YES), button="A"), Line(say(texts.FRAME_NO), button="B"))
    return Screen(say(texts.FRAME_WHOLE), lines, text=(say(texts.FRAME_UPSIDE_DOWN),), frame=True)
