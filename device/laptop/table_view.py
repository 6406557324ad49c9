"""What a person at a terminal sees: the OLED, the board, and what the keys do."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from PIL import Image

from device.laptop.board_text import board_lines, legend_lines
from device.laptop.layout import MIN_COLUMNS, MIN_ROWS, Layout, Rect, arrange
from device.laptop.oled_text import Colours, oled_lines
from device.laptop.terminal import Panel
from device.referee.inputs import Button
from device.referee.playing import dice_wanted
from device.referee.states import Situation, TooEarly
from device.screens import texts
from device.screens.box_views import language_of
from device.screens.button_labels import labels
from device.screens.language import say, speaking


@dataclass(frozen=True, slots=True, eq=False)
class TableSnapshot:
    """Everything that is visible at one moment.

    Attributes:
        oled: The OLED: 128x64 pixels, mode "1".
        situation: What the box shows.
        notice: A line such as the page's address.
    """

    oled: Image.Image
    situation: Situation
    notice: str = ""


class TableView:
    """Draws the panels of a terminal; a panel is drawn again only when something in it has changed."""

    def __init__(self, colours: Colours, *, dice_are_simulated: bool = True) -> None:
        """Prepare for a terminal.

        Args:
            colours: The terminal's colours.
            dice_are_simulated: Whether a key rolls the dice; otherwise they are typed, or rolled by hand.
        """
        self._colours = colours
        self._roll_key = texts.TERMINAL_ROLL if dice_are_simulated else texts.TERMINAL_TYPE
        self._panels: dict[str, tuple[object, Panel]] = {}

    def panels(self, seen: TableSnapshot, columns: int, rows: int) -> list[Panel]:
        """Return the panels for a terminal of a size, the same objects as last time where nothing has changed.

        Args:
            seen: What there is to see.
            columns: The terminal's width.
            rows: Its height.
        """
        layout = arrange(columns, rows)
        if layout is None:
            return [Panel(Rect(0, 0, columns, rows), _too_small(seen.situation, columns, rows))]
        return [
            self._kept(
                "oled",
                (layout.oled, seen.oled.tobytes()),
                lambda: Panel(layout.oled, oled_lines(seen.oled, self._colours, is_large=layout.is_large)),
            ),
            *self._of_game(seen.situation, layout),
            self._kept(
                "words",
                (layout.words, seen.situation, seen.notice, _is_asleep(seen)),
                lambda: Panel(layout.words, [line[:columns] for line in self._words(seen, columns)]),
            ),
        ]

    def _kept(self, name: str, made_of: object, make: object) -> Panel:
        before = self._panels.get(name)
        if before is None or before[0] != made_of:
            assert callable(make)
            before = (made_of, make())
            self._panels[name] = before
        return before[1]

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

    def _words(self, seen: TableSnapshot, columns: int) -> list[str]:
        with speaking(language_of(seen.situation)):
            asleep = _is_asleep(seen)
            keys = (say(texts.TERMINAL_ASLEEP), "") if asleep else _keys_now(seen.situation, self._roll_key)
            last = "   ".join(filter(None, (seen.notice, say(texts.TERMINAL_LEAVE))))
            saved = last + say(texts.TERMINAL_SAVED)
        return [*keys, saved if len(saved) <= columns else last]


def _is_asleep(seen: TableSnapshot) -> bool:
    """Whether the OLED is dark: the next press only lights it."""
    return seen.oled.getbbox() is None


def _keys_now(situation: Situation, roll_key: str) -> tuple[str, str]:
    """Return what the keys do now, pressed and held, in the box's own words; `roll_key` while dice are wanted."""
    does = labels(situation)
    if isinstance(situation.beneath, TooEarly):
        does = {str(Button.C): does[str(Button.C)]}  # every button does the same; the screen shows this one
    pressed = {button.value[0].lower(): does[button] for button in Button if button in does}
    held = {button.value[0]: does[f"hold {button}"] for button in Button if f"hold {button}" in does}
    throw = [say(roll_key)] if dice_wanted(situation.state) else []
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
