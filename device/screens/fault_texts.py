"""The texts that report a problem: on the screens, and by the self-check of `cantstop doctor` and the box's menu.

Each has an entry in docs/troubleshooting.md, except the findings that all is well.
"""

from __future__ import annotations

# The box. Alone in the title bar, like the next four: up to 21 letters
CANNOT_START = "The box can't start"
NOT_SAVED = "Not saved! Disk full?"
NOT_IN_JOURNAL = "Full? Backup used"
DAMAGED = "Damaged file kept"
STUCK = "Button {button} is stuck"
# Names an item of the box's menu
NOT_READABLE = "Can't read the games: see 'Check the box'"
NO_NETWORK = "No network. The game does not need one."
# Why there is no Wi-Fi, or no other one, and what to do. Up to four lines of 21 letters
WIFI = {
    "no manager": "NetworkManager is missing: sudo apt install network-manager",
    "no adapter": "This Pi has no Wi-Fi: use a network cable",
    "no display": "Without a display: name it on the phone page",
    "hotspot": "The hotspot failed: restart the box, try again",
    "password": "Wrong password: go back and enter it by phone",
    "not found": "Network not found: check its name, move the box closer",
    "failed": "Can't join this network: restart the router, try again",
}
STAYS_ON = "Can't switch off. Pull the plug: the game is saved"
VERSION_FAILED = "That failed. This version stays."
# In a test of the buttons, after a wrong one
THAT_WAS = "That was {button}"

# The camera and the tray
# What is wrong, and what to do
CAMERA = {
    "missing": ("No camera", "Check the cable"),
    "silent": ("No picture", "Check the cable"),
    "frozen": ("Picture frozen", "Restarting…"),
    "black": ("Picture is black", "Check lamp, lens"),
    "hangs": ("Camera stopped", "Restarting…"),
    "not used": ("No camera in use", "Type 1 to 6"),
}
MOVED = "Camera moved"
MAYBE_THROWN = "Count these dice?"
# Why dice cannot be read, and what to do
REASONS = {
    "no dice": ("No dice seen", "Roll again"),
    "count": ("Dice seen: {dice}", "Need {wanted} dice"),
    "cocked": ("A die is tilted", "Lay it flat"),
    "hand": ("Tray covered", "Clear the tray"),
    "dark": ("Too dark", "Add light"),
    "too near": ("Camera too near", "Raise the camera"),
    "blurred": ("Blurred", "Clean the lens"),
    "moving": ("Still moving", "Wait a moment"),
    "out of tray": ("A die is outside", "Put it in the tray"),
    "glare": ("Glare on a die", "Move the lamp"),
    "emblem": ("No pips on a die", "Use dice with pips"),
    "unsure": ("A die is unclear", "Nudge it"),
}

# The game
# After "Choose first." and the like
THROW_AGAIN = "Then roll again."
# An opponent's program failed. In the small font: up to 21 letters
UNDECIDED = "It can't decide"
# The title above a problem that the engine found
NONSENSE = "Not possible:"

# The phone page
PAGE_OFF = "Page not running"
# While somebody tries wrong codes. Beside the QR code: up to 10 letters of the small font
PAGE_GUESSED_AT = "Intruder?"
PAGE_GUESSED_AT_IN_WORDS = "Someone is guessing"

# The self-check. Up to four lines of 21 letters; those about camera and tray (the first seventeen) up to two
FINDINGS = {
    "no camera": "no camera: check the cable at both ends",
    "no tray": "no tray in view: put it under the camera",
    "not seen": "needs the camera and the tray",
    "sees the tray": "sees the whole tray",
    "sharp": "the picture is sharp",
    "light enough": "there is enough light",
    "empty the tray": "take out dice and hands, check again",
    "higher": "raise the camera",
    "lower": "lower the camera: dice are too small",
    "aim": "centre the tray under the camera",
    "less tilt": "point the camera straight down",
    "turn the lens": "blurred: turn the lens or wipe it",
    "more light": "too dark: add light",
    "less glare": "glare: move or shade the lamp",
    "plain surface": "dots taken for dice: use plain paper",
    "not kept": "not saved: disk full?",
    "no answer": "no answer within {seconds} s",
    "failed": "the check failed: {error}",
    "box is running": "in use by the running box: check it in the box's menu",
    "not asked": "not tested here: use the box's menu",
    "only a Pi": "only on a Raspberry Pi",
    "buttons work": "all four buttons work",
    "no buttons": "phones are the buttons",
    "not pressed": "{button} did not respond: check its wires, and its pin in config.toml",
    "display answers": "the display responds",
    "display mute": "the picture is sent; a display on SPI can't confirm it",
    "display lost": "the display does not respond: check its four wires and its address",
    "no display": "no display on this machine",
    "bus fast": "I2C at {khz} kHz",
    "bus slow": "I2C at {khz} kHz: set i2c_baudrate=400000 in config.txt",
    "bus unknown": "I2C is on; its speed is unknown",
    "no bus": "I2C is off: sudo raspi-config nonint do_i2c 0",
    "spi": "SPI is on",
    "no spi": "SPI is off: sudo raspi-config nonint do_spi 0",
    "storage works": "games are saved in {folder}",
    "storage fails": "can't save in {folder}: is it full or read-only?",
    "space enough": "{mb} MB free",
    "space short": "only {mb} MB free: delete files you don't need",
    "clock set": "the clock is set by the network",
    "clock not set": "the clock is not set; the game does not need it",
    "cool": "{degrees} °C",
    "hot": "{degrees} °C: improve the airflow, it slows down at 80",
    "heat unknown": "no thermometer on this machine",
    "power good": "the power supply is strong enough",
    "power weak now": "too little power: use the Pi's own supply",
    "power was weak": "power was too low: use the Pi's own supply",
    "power unknown": "only a Pi can tell (vcgencmd)",
    "speech off": "turned off in the settings",
    "speech ready": "the box can speak",
    "speech missing": "espeak-ng is missing: sudo apt install espeak-ng",
    "versions": "box {box}, Python {python}, {system}",
}
