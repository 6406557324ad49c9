"""Screens and log texts of the installation from the card, before the box's own program is installed.

Each becomes two files on the card: NAME.txt, for the log and for a computer with the card, and NAME.oled, the picture,
which is drawn here by the box's own code, since the box cannot draw yet.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageChops

from device.screens.draw import HEIGHT, WIDTH, draw
from device.screens.screen import Screen
from device.screens.widgets import message

FOLDER = Path(__file__).parents[3] / "docs/card"
SCALE = 3

STEPS = {
    "check": "checking the card",
    "display": "turning on I2C",
    "packages": "fetching packages",
    "user": "adding a user",
    "program": "installing software",
    "settings": "writing settings",
    "start": "starting the box",
}
"""The steps in order: first those of setup.sh, then those of install.sh."""

TROUBLES = {
    "damaged": (
        "Card damaged",
        "Files on the card are damaged. Copy them onto it again with a computer.",
        "The box is not set up: files on this card are damaged. Copy them onto the card again: prepare_card.py.",
    ),
    "no-room": (
        "Card full",
        "No room left on the card. Use one of 8 GB or more.",
        "The box is not set up: there is no room left on this card. Write a card of 8 GB or more.",
    ),
    "no-network": (
        "No network",
        "Plug in a cable or write the card with the right Wi-Fi. Retrying.",
        "The box is not set up yet: it has no network. Plug in a network cable, or check the name and the password of "
        "the Wi-Fi and write the card again with them. It keeps trying, also each time it is switched on.",
    ),
    "no-packages": (
        "Fetching failed",
        "Packages could not be fetched. Is the internet reachable? Retrying.",
        "The box is not set up yet: packages could not be fetched. Check that other devices in this network reach the "
        "internet. It keeps trying, also each time it is switched on.",
    ),
    "refused": (
        "Wrong card or board",
        "This needs a Pi 3 or newer with 64-bit Pi OS. See cantstop.txt on the card.",
        "The box is not set up: it cannot use this board, its system or this card. The reason is below.",
    ),
    "failed": (
        "Setting up failed",
        "Switch off and on to try again. Details: cantstop.txt on the card.",
        "The box is not set up yet: a step failed. It keeps trying, also each time it is switched on. "
        "The details are below.",
    ),
}
"""The errors by name: the OLED's title, its text, and the text on the card."""

OTHERS = {
    "begun": "The box is being set up. Leave it switched on; its screen shows the progress.",
    "restarting": "Restarting once, so that the screen works at its full speed.",
    "installed": "The box is set up.",
}
"""Texts only for the card and the log, because the OLED belongs to the box by then, or shows a step."""


def sentence(step: str) -> str:
    """Return a step's text in the log, such as "Setting up 3 of 7: fetching packages"."""
    return f"{_title(step)}: {STEPS[step]}"


def _title(step: str) -> str:
    return f"Setting up {list(STEPS).index(step) + 1} of {len(STEPS)}"


def screens() -> dict[str, Screen]:
    """Return all screens by name."""
    found = {step: Screen(_title(step), text=(_capital(what), "Leave it switched on")) for step, what in STEPS.items()}
    return found | {name: message(title, text) for name, (title, text, _) in TROUBLES.items()}


def texts() -> dict[str, str]:
    """Return the texts of card and log, by name."""
    said = {step: sentence(step) for step in STEPS}
    return said | {name: text for name, (_, _, text) in TROUBLES.items()} | OTHERS


def picture(screen: Screen) -> Image.Image:
    """Return a screen for `oled.py`: two columns further right than the box draws it.

    An SH1106 shows its columns from the third on, an SSD1306 from the first. The type is not known yet, and two empty
    columns on the left suit both.
    """
    drawn = ImageChops.offset(draw(screen), 2, 0)
    drawn.paste(0, (0, 0, 2, HEIGHT))
    return drawn


def packed(image: Image.Image) -> bytes:
    """Return a picture in the display's format: 8 pages of 128 columns, one byte each with its lowest bit on top."""
    pixels = image.load()
    assert pixels is not None
    places = ((x, 8 * page) for page in range(HEIGHT // 8) for x in range(WIDTH))
    return bytes(sum(bool(pixels[x, top + bit]) << bit for bit in range(8)) for x, top in places)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def enlarged(name: str) -> Image.Image:
    """Return a screen as on the OLED, enlarged for the docs."""
    shown = picture(screens()[name])
    return shown.resize((WIDTH * SCALE, HEIGHT * SCALE), Image.Resampling.NEAREST)


def main() -> None:
    """Draw every screen into docs/card; the tests compare the current pictures with these."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.png"):
        file.unlink()
    for name in screens():
        enlarged(name).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
