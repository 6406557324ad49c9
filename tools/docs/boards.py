"""Draws the boards that are plugged on: `make docs`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from device.config import parse
from device.referee.box_care import BUTTONS
from device.screens.draw import draw
from device.screens.on_board import on_board
from device.screens.views import screen
from tools.docs.screens import DARK, LIT, situations

FILE = Path(__file__).parents[2] / "docs" / "boards.png"
NAMES = {"adafruit-bonnet": "Adafruit 128x64 OLED Bonnet", "waveshare-1.3": "Waveshare 1.3inch OLED HAT"}
BOARD = 820, 380
"""The size of a board in the picture, in pixels; 65 x 30 mm in life."""
MARGIN = 20
OLED_AT, SCALE = (218, 94), 3
STICK_AT, REACH = (105, 190), 52
"""The centre of the joystick, and how far its directions are from it, in pixels."""
PLACES = {
    "joystick ▲": (STICK_AT[0], STICK_AT[1] - REACH),
    "joystick ●": STICK_AT,
    "joystick ▼": (STICK_AT[0], STICK_AT[1] + REACH),
    "#5": (715, 240),
    "#6": (715, 130),
    "KEY1": (715, 110),
    "KEY2": (715, 190),
    "KEY3": (715, 270),
}
"""Where a key is on its board, roughly, by its place in the table of boards."""
PCB, PART, KEY, INK, LABEL = (20, 60, 90), (35, 35, 38), (225, 225, 225), (235, 240, 245), (255, 214, 90)


def picture(kind: str) -> Image.Image:
    """Return a drawing of a board with its keys and a choice on its display."""
    config = parse(f'[board]\nkind = "{kind}"')
    image = Image.new("RGB", BOARD, "white")
    pen = ImageDraw.Draw(image)
    tiny, small, large = (ImageFont.load_default(size) for size in (16, 20, 30))
    pen.rounded_rectangle((0, 0, BOARD[0] - 1, BOARD[1] - 1), 24, fill=PCB)
    for pin in range(20):
        for row in range(2):
            x, y = 110 + 31 * pin, 12 + 20 * row
            pen.rectangle((x, y, x + 9, y + 9), fill=LABEL)
    situation = situations()["choosing"]
    shown = draw(on_board(screen(situation), situation, config.its_board))
    seen = shown.resize((128 * SCALE, 64 * SCALE), Image.Resampling.NEAREST)
    (x, y), (wide, high) = OLED_AT, seen.size
    pen.rectangle((x - 14, y - 14, x + wide + 14, y + high + 44), fill=PART)
    image.paste(Image.composite(Image.new("RGB", seen.size, LIT), Image.new("RGB", seen.size, DARK), seen), OLED_AT)
    pen.rectangle((STICK_AT[0] - 80, STICK_AT[1] - 80, STICK_AT[0] + 80, STICK_AT[1] + 80), fill=PART)
    keys = [*zip(BUTTONS, config.its_board.places, strict=True)] + [("hold", "#5")] * bool(config.buttons.hold)
    for button, place in keys:
        x, y = PLACES[place]
        pen.ellipse((x - 24, y - 24, x + 24, y + 24), fill=KEY)
        if "joystick" not in place:
            pen.text((x, y + 36), place, INK, small, anchor="mm")
        font = tiny if len(button) > 1 else large
        pen.text((x, y), button, "black", font, anchor="mm")
    pen.text((BOARD[0] // 2, BOARD[1] - 18), NAMES[kind], INK, small, anchor="mm")
    return image


def main() -> None:
    """Write the picture, the boards above each other."""
    boards = [picture(kind) for kind in NAMES]
    image = Image.new("RGB", (BOARD[0], len(boards) * (BOARD[1] + MARGIN) - MARGIN), "white")
    for number, board in enumerate(boards):
        image.paste(board, (0, number * (BOARD[1] + MARGIN)))
    image.save(FILE, optimize=True)


if __name__ == "__main__":
    main()
