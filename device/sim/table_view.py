"""What somebody at a terminal sees of the simulated table: OLED, tray, dice, board, and what the keys do."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PIL import Image

from device.camera.seen_frame import SeenFrame, look_alike
from device.referee.inputs import Button
from device.referee.playing import dice_wanted
from device.referee.states import Situation, TooEarly
from device.screens import texts
from device.screens.box_views import language_of
from device.screens.button_labels import labels
from device.screens.language import say, speaking
from device.sim.board_text import board_lines, legend_lines
from device.sim.graphics import Graphics, Protocol
from device.sim.layout import MIN_COLUMNS, MIN_ROWS, Layout, Rect, arrange, in_a_grid
from device.sim.picture_text import Colours, oled_lines, picture_lines
from device.sim.terminal import Panel
from vision.types import Box, Frame

_MARGIN = 0.35
"""The margin around an enlarged die, relative to its width."""
_ASPECT = 4 / 3
"""The assumed ratio of width to height of the camera's picture until there is one."""


@dataclass(frozen=True, slots=True, eq=False)
class TableSnapshot:
    """Everything that is visible at one moment.

    Attributes:
        oled: The OLED: 128x64 pixels, mode "1".
        tray: The camera's picture; None before the first.
        thrown: The picture in which the last roll was read; None before the first.
        situation: What the box shows.
        notice: A line such as the page's address.
    """

    oled: Image.Image
    tray: Frame | None
    thrown: SeenFrame | None
    situation: Situation
    notice: str = ""


class TableView:
    """Draws the panels of a terminal; a panel is drawn again only when something in it has changed."""

    def __init__(self, colours: Colours, graphics: Graphics) -> None:
        """Prepare for a terminal.

        Args:
            colours: The terminal's colours.
            graphics: The terminal's graphics capabilities.
        """
        self._colours = colours
        self._graphics = graphics
        self._panels: dict[str, tuple[object, Panel]] = {}
        self._tray: Frame | None = None

    def panels(self, seen: TableSnapshot, columns: int, rows: int) -> list[Panel]:
        """Return the panels for a terminal of a size, the same objects as last time where nothing has changed.

        Args:
            seen: What there is to see.
            columns: The terminal's width.
            rows: Its height.
        """
        tray = self._settled(seen.tray)
        layout = arrange(columns, rows, tray.shape[1] / tray.shape[0] if tray is not None else _ASPECT)
        if layout is None:
            return [Panel(Rect(0, 0, columns, rows), _too_small(seen.situation, columns, rows))]
        return [
            self._kept("oled", (layout.oled, seen.oled.tobytes()), lambda: self._oled(seen.oled, layout)),
            *self._of_tray(tray, layout),
            *self._of_dice(seen, layout),
            *self._of_game(seen.situation, layout),
            self._kept(
                "words",
                (layout.words, seen.situation, seen.notice, _is_asleep(seen)),
                lambda: Panel(layout.words, [line[:columns] for line in _words(seen, columns)]),
            ),
        ]

    def _kept(self, name: str, made_of: object, make: object) -> Panel:
        before = self._panels.get(name)
        if before is None or before[0] != made_of:
            assert callable(make)
            before = (made_of, make())
            self._panels[name] = before
        return before[1]

    def _settled(self, tray: Frame | None) -> Frame | None:
        """Return the picture of the tray, or the previous one if they differ only by noise."""
        if self._tray is None or (tray is not None and not look_alike(tray, self._tray)):
            self._tray = tray
        return self._tray

    def _oled(self, oled: Image.Image, layout: Layout) -> Panel:
        if self._graphics.protocol is Protocol.NONE:
            return Panel(layout.oled, oled_lines(oled, self._colours, is_large=layout.is_large))
        lit = np.asarray(oled)[:, :, np.newaxis]
        picture = np.where(lit, np.array((255, 232, 196)), np.array((12, 8, 6))).astype(np.uint8)
        return Panel(layout.oled, picture=picture, sharp=True)

    def _picture(self, room: Rect, picture: Frame) -> Panel:
        if self._graphics.protocol is Protocol.NONE:
            return Panel(room, picture_lines(picture, room.columns, room.rows, self._colours))
        return Panel(room, picture=picture)

    def _of_tray(self, tray: Frame | None, layout: Layout) -> list[Panel]:
        room = layout.tray
        if room is None or tray is None:
            return []
        return [self._kept("tray", (room, id(tray)), lambda: self._picture(room, tray))]

    def _of_dice(self, seen: TableSnapshot, layout: Layout) -> list[Panel]:
        """Return panels with the dice of the last roll, enlarged, as the camera saw them."""
        sight = seen.thrown
        if layout.dice is None or sight is None or sight.reading is None:
            return []
        dice = sight.reading.dice
        return [
            self._kept(
                f"die {index}",
                (room, sight.time_s, die.box),
                lambda room=room, box=die.box: self._picture(room, _around(sight.frame, box)),
            )
            for index, (room, die) in enumerate(zip(in_a_grid(layout.dice, len(dice)), dice, strict=False))
        ]

    def _of_game(self, situation: Situation, layout: Layout) -> list[Panel]:
        game, board, legend = situation.game, layout.board, layout.legend
        if game is None or board is None:
            return []
        panels = [
            self._kept("board", (board, game.position), lambda: Panel(board, board_lines(game, board, self._colours)))
        ]
        if legend is not None:
            made_of = (legend, game.position, game.names, game.winner)
            panels.append(
                self._kept("legend", made_of, lambda: Panel(legend, legend_lines(game, legend, self._colours)))
            )
        return panels


def _around(frame: Frame, box: Box) -> Frame:
    """Return the part of a frame around a die, square."""
    x0, y0, x1, y1 = box
    half = max(x1 - x0, y1 - y0) * (0.5 + _MARGIN)
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    height, width = frame.shape[:2]
    left, right = int(max(0, middle_x - half)), int(min(width, middle_x + half))
    top, bottom = int(max(0, middle_y - half)), int(min(height, middle_y + half))
    return frame[top:bottom, left:right]


def _is_asleep(seen: TableSnapshot) -> bool:
    """Whether the OLED is dark: the next press only lights it."""
    return seen.oled.getbbox() is None


def _words(seen: TableSnapshot, columns: int) -> list[str]:
    with speaking(language_of(seen.situation)):
        keys = (say(texts.TERMINAL_ASLEEP), "") if _is_asleep(seen) else _keys_now(seen.situation)
        last = "   ".join(filter(None, (seen.notice, say(texts.TERMINAL_LEAVE))))
        saved = last + say(texts.TERMINAL_SAVED)
    return [*keys, saved if len(saved) <= columns else last]


def _keys_now(situation: Situation) -> tuple[str, str]:
    """Return what the keys do now, pressed and held, in the box's own words."""
    does = labels(situation)
    if isinstance(situation.beneath, TooEarly):
        does = {str(Button.C): does[str(Button.C)]}  # every button does the same; the screen shows this one
    pressed = {button.value[0].lower(): does[button] for button in Button if button in does}
    held = {button.value[0]: does[f"hold {button}"] for button in Button if f"hold {button}" in does}
    throw = [say(texts.TERMINAL_ROLL)] if dice_wanted(situation.state) else []
    return "   ".join([*throw, *_keys(pressed)]), "   ".join([say(texts.TERMINAL_HELD), *_keys(held)] if held else [])


def _keys(does: Mapping[str, str]) -> list[str]:
    """Return what the keys do, by key; keys that do the same are listed together."""
    together: dict[str, list[str]] = {}
    for key, what in does.items():
        together.setdefault(what, []).append(key)
    return [say(texts.TERMINAL_KEY, key=" ".join(keys), does=what) for what, keys in together.items()]


def _too_small(situation: Situation, columns: int, rows: int) -> list[str]:
    with speaking(language_of(situation)):
        text = say(texts.TERMINAL_TOO_SMALL, columns=columns, rows=rows, wide=MIN_COLUMNS, high=MIN_ROWS)
    return textwrap.wrap(text, columns)[:rows]
