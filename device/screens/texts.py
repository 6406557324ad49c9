"""Every word that the screens show, in one place.

A line of the small type takes 21 letters, a row of the large type about 18, beside a button 16: letters are as wide as
they have to be. `draw.overflows` tells which texts do not fit.

These are English. `device.screens.language.say` translates them when a screen is made; `make words` puts new ones into
the catalogues in `locale/`, where a comment before a text here stands beside it for whoever translates.
"""

from __future__ import annotations

# In the title bar, at most 12 letters
C_MORE = "C: more"
C_GO_ON = "C: go on"
STOP_BACK = "STOP: back"
# The same where there is less room
STOP_BACK_SHORT = "STOP ←"
STOP_SKIP = "STOP: skip"
# In the small type, 21 letters
HOLD_STOP_MENU = "Hold STOP: menu"
HOLD_A_WRONG = "Hold A: dice wrong"
HOLD_A_HAND = "Hold A: dice by hand"
HOLD_C_UNDO = "Hold C: take back"

# What a button does, on the page's own buttons
# Read aloud only.
SPOKEN_DICE = "The dice: {dice}"
# Between two numbers: from column 7 "to" space 3.
SPOKEN_TO = "to"
# For the sign of the top space.
SPOKEN_TOP = "the top"

LABEL_UP = "Up"
LABEL_DOWN = "Down"
LABEL_STOP = "Stop"
LABEL_SKIP = "Skip"
LABEL_MENU = "Menu"
LABEL_UNDO = "Take back"
LABEL_WRONG = "Dice wrong"
LABEL_BY_HAND = "Dice by hand"

# Around a game
PRODUCT = "Can't Stop"
NEW_GAME = "New game"
GO_ON = "Go on"
WHOSE_TURN = "{player}'s turn"
ANSWERS = {
    "base rules": "Base rules",
    "variants": "Variants …",
    "": "Normal",
    "fast start": "Fast start",
    "fast start strict": "Fast, strict",
    "no stop on a marker": "No stop there",
    "leap": "Leap over",
    "dice": "One die each",
    "1": "1, alone",
    "solo": "Me and the box",
    "seats": "Names, levels",
    "new name": "New name …",
}
# An opponent's level, also behind a player's name as a title: 11 letters.
LEVELS = {
    "child": "Beginner",
    "hasty": "Reckless",
    "counter": "Careful",
    "rule-28-outer": "Experienced",
    "evolved": "Expert",
    "strongest": "Master",
}
COLOURS = {
    "yellow": "yellow",
    "orange": "orange",
    "green": "green",
    "blue": "blue",
    "red": "red",
    "white": "white",
}
# Titles, 14 letters
QUESTIONS = {
    "players": "Players?",
    "colour": "Colour {number}?",
    "rules": "Which rules?",
    "columns": "Columns to win",
    "fast start": "New runners?",
    "markers": "On a marker?",
    "begins": "Who begins?",
    "count": "Players?",
    "seat": "Who is {colour}?",
    "level": "How strong?",
}
JUST = "Just {colour}"
TAKE_LETTER = "Take letter"
HOLD_C_DONE = "Hold C: done"
ONE_DIE = "Throw one die"
HIGHEST_BEGINS = "The highest begins"
TIE = "A tie: once more"
ROLLED_SO_FAR = "So far {dice}"
BEGINS = "{player} begins"
THROW = "Throw the dice"
WON = "Won {columns} of {all}"
# One who plays alone
TURN_WON = "Turn {turn}, won {columns} of {all}"
IN_TURNS = "Turns: {turns}"
# The table of those who needed the fewest turns
FEWEST = "Fewest turns"
NO_FEWEST = "Nobody has played alone to the end yet"
# It names an item of the box's own menu.
NOT_READABLE = "The games can't be read: see 'Check the box'"
GAME_OVER = "Game over"
WINS = "{player} wins!"
WON_COLUMNS = "Columns {columns}"

# The turn. A choice, as "7 up 1, 8 to 3": column 7's runner goes up one space, one comes in on space 3 of column 8.
PICK_UP = "{column} up {spaces}"
PICK_TO = "{column} to {space}"
PICK_TOP = "{column} top"
PICK_NOTHING = "not {column}"
OR = "{low} or {high}"
NOT_POSSIBLE = "{low}+{high}: not possible"
WHICH_COLUMN = "Which? STOP: back"
# What to do with a runner, in the large type
MOVE_UP = "{column} goes up {spaces}"
MOVE_TO = "{column} to space {space}"
MOVE_TOP = "{column} to the top"
# Where the runners stand
TOP = "top"
STEP = "{column}→{space}"
# After a stop, where markers go: two in a line of the large type
MARKER_TO = "{column} to {space}"
MARKER_WINS = "{column} won!"
OFF = "{column}: {player} off"
RUNNERS_OFF = "Runners off"
# After taking back: what to put back on the board
TAKEN_BACK = "Taken back"
RUNNER_BACK = "Runner {column} to {space}"
RUNNER_OFF = "Runner {column} off"
MARKER_BACK = "{player} {column} to {space}"
MARKER_OFF = "{player} {column} off"
ROLL_OR_STOP = "Roll or STOP?"
ROLL_ON = "Roll on!"
STOP_WINS = "STOP wins!"
NO_STOP = "No stop on a marker"
DONE = "Done"
MORE = "More"
# Behind "Done", in the small type: 12 letters
OR_THROW = "or throw"
OR_STOP_WINS = "STOP: wins"
BUST = "Bust?"
NO_MOVE = "{player}: no move"
YES_BUST = "Yes, bust"
DICE_WRONG = "No, misread"
BUSTED = "{player} is bust"
STOPS = "{player} stops"
NEXT = "Next: {player}"
# A throw that comes too early
CHOOSE_FIRST = "Choose first."
ANSWER_FIRST = "Answer first."
MOVE_FIRST = "Move first."
WAIT_FIRST = "Wait a moment."
THROW_AGAIN = "Then throw again."
OK = "OK"

# An opponent's turn: people throw and move for it
SEAT = "{player}: {level}"
THROW_FOR = "Throw for it"
THINKS = "Thinks …"
TAKES = "{player} takes {pairing}"
ROLLS_ON = "{player} rolls on"
# Its reasons behind "Done", 12 letters, with the chance to lose the turn
STOPS_WINS = "stops: wins"
STOPS_RISK = "stops: {loss}%"
ROLLS_RISK = "rolls: {loss}%"
ROLLS_SAFE = "rolls: safe"
ROLLS_MUST = "rolls: must"
# The opponent itself failed: a simple player stands in for it.
STAND_IN = "(stand-in)"
# The same on a line of its own, with how many spaces would be lost
RISKS = "{loss}% to lose {spaces}"
IS_SAFE = "That is safe"
HAS_TO = "It has to"
STANDS_IN = "A stand-in plays"

# Odds, where the players want them: the chance to go on safely; what would be lost, and the chance to reach a top;
# where no stop is allowed, the chance to come to one.
ODDS_SAFE = "{safe}% safe"
ODDS_REST = "Lose {spaces}, top {top}%"
ODDS_UNTIL_STOP = "{safe}% to a stop"
# After a turn: the chance of a bust that was taken by rolling on, and what one more roll would have been.
RISKED = "{risk}% was risked"
ONE_MORE = "One more: {loss}% bust"
IT_WAS = "{loss}% to lose {spaces}"

# The tray
HAND = "Hand in the tray"
ROLLING = "Rolling …"
CAMERA = {
    "missing": "No camera",
    "silent": "Camera: silent",
    "frozen": "Camera: frozen",
    "black": "Camera: black",
    "hangs": "Camera: hangs",
}
CAMERA_REMEDIES = {
    "missing": "Check its cable",
    "silent": "Check its cable",
    "frozen": "It is restarting",
    "black": "Lamp on? Lens free?",
    "hangs": "It is restarting",
}
BY_HAND_NOW = "Dice by hand"
MOVED = "Camera moved"
CHECK_TRAY = "Check the tray"
CHECKED = "OK, go on"
MAYBE_THROWN = "Dice moved. A throw?"
READ_NOW = "Read them"
OR_ELSE = "Or throw again"
REASONS = {
    "no dice": "No dice seen",
    "count": "Dice seen: {dice}",
    "cocked": "A die leans",
    "hand": "Tray covered",
    "dark": "Too dark",
    "blurred": "Blurred",
    "moving": "Still moving",
    "out of tray": "A die is outside",
    "glare": "Glare on a die",
    "emblem": "A face has no pips",
    "unsure": "A die is unclear",
}
REMEDIES = {
    "no dice": "Throw again",
    "count": "Need {wanted} dice",
    "cocked": "Lay it flat",
    "hand": "Remove it",
    "dark": "More light",
    "blurred": "Clean the lens",
    "moving": "Wait a moment",
    "out of tray": "Put it in",
    "glare": "Turn the lamp",
    "emblem": "Dice with pips!",
    "unsure": "Nudge it",
}

# The box itself
CANNOT_START = "The box can't start"
STARTING = "Starting …"
NOT_SAVED = "Not saved! Disk full?"
NOT_IN_JOURNAL = "Disk full? Spare used"
RESTORED = "Restored after damage"
DAMAGED = "Damaged file kept"
STUCK = "Button {button} is stuck"

# The table's page. It stands beside a QR code in half the screen: 7 letters of the large type.
PAGE = "The page"
PAGE_CODE = "Code {code}"
PAGE_WORDS = "Words"
PAGE_FORGET = "Unpair"
PAGE_QR = "B: QR"
PAGE_BACK = "Back"
PAGE_NOT_WANTED = "The page is off"
PAGE_TURN_ON = "Turn on"
PAGE_OFF = "No page is served"
PAGE_OFF_REMEDY = "See docs/page.md"
# While somebody tries wrong codes; beside the QR code there is room for ten letters of the small type.
PAGE_GUESSED_AT = "Intruder?"
PAGE_GUESSED_AT_IN_WORDS = "Someone tries codes"

# Corrections
MENU = "{player}: menu"
MENU_ITEMS = {
    "go on": "Go on",
    "take back": "Take back",
    "dice by hand": "Dice by hand",
    "set the board": "Set the board",
    "rules": "Short rules",
    "the box": "The box …",
    "new game": "New game",
}
WHAT_IS_IT = "What is it?"
BY_HAND = "By hand"
WHICH_DIE = "Die {number} of {all}"
HOLD_FOR = "hold: {value}"
DICE_RIGHT = "Right?"
STOP_ONE_BACK = "STOP: one back"
TAKE = "Done"
LEAVE_GAME = "New game?"
LEAVE = "Leave this game"
STAY = "No, go on"
MARKERS_OF = "{player}'s markers"
RUNNERS = "Runners"
WHOSE = "Whose turn?"
COLUMN = "Column {column}"
SPACE = "Space {space}"
NO_PIECE = "None"
NEXT_ROW = "Next"
NONSENSE = "Not possible:"
"""The title over a problem that the engine names."""
# The engine's own words; up to four lines of 21 letters.
PROBLEMS = (
    "there are {all} runners, not {runners}",
    "column {column} is won, so no other marker can stand in it",
    "column {column} is won, so no runner can stand in it",
    "the runner in column {column} must stand above the player's own marker",
    "with leap no two markers share a space, as in column {column}",
    "with leap no runner shares a space with a marker, as in column {column}",
    "only one player can have won",
    "the game is won, so it must be the winner's turn",
    "the game is won, so there can be no roll and no runner",
)

# First start
LANGUAGE = "Language"
FRAME_WHOLE = "Is the frame whole?"
FRAME_YES = "Yes"
FRAME_NO = "No"
# Beside a picture that is whole but the wrong way up: the answer is no.
FRAME_UPSIDE_DOWN = "Upside down? Press B"

BUTTONS = "Buttons"
PRESS = "Press {button}"
THAT_WAS = "That was {button}"
BUTTONS_WORK = "All four work"
HOLD_SKIP = "Hold any: skip"
TRAY = "Tray"
EMPTY_TRAY = "Empty the tray, hands off, then look"
LOOK = "Look"
LOOK_AGAIN = "Look again"
LOOKING = "Looking …"
ALL_FINE = "All is fine"
TRIAL = "Trial throw"
READ_AGAIN = "Read again"

# Is the table's page for phones wanted? The camera's picture on a phone helps with what comes next, the tray.
PAGE_OFFER = "Page for phones?"
PAGE_YES = "Yes"
PAGE_NO = "No"
PAGE_WHERE = "In this network only"

# The box's own menu
BOX_MENU = "The box"
BOX_ITEMS = {
    "sound": "Sound: {choice}",
    "light": "Light: {choice}",
    "odds": "Odds: {choice}",
    # The table's page for phones in the network
    "page": "Phones: {choice}",
    "fewest": "Fewest turns",
    "language": "Language",
    "check": "Check the box",
    "buttons": "Try buttons",
    "tray": "Learn the tray",
    "trial": "Trial throw",
    "network": "Network",
    "about": "About",
    "shut down": "Switch off",
}
CHOICES = {
    "on": "on",
    "off": "off",
    # Of odds: only after the decision
    "after": "after",
}
NETWORK = "Network"
ASKING = "Asking …"
NO_NETWORK = "There is no network, and the game needs none"
ABOUT = "Can't Stop box"
# Sid Sackson made the game.
ABOUT_LINES = ("Version {version}", "Game: Sid Sackson", "Font: Terminus")
SWITCH_OFF = "Switch off?"
GAME_KEPT = "The game is kept"
HOLD_C_OFF = "Hold: off"
SWITCHING_OFF = "Switching off"
PULL_PLUG = "Once the green light of the Pi is out, pull the plug"
STAYS_ON = "The system refuses: pull the plug, the game is kept"

# The box's check of itself
CHECK = "Check the box"
PROBES = {
    "buttons": "Buttons",
    "camera": "Camera",
    "sharpness": "Sharpness",
    "light": "Light",
    "oled": "Display",
    "bus": "I2C bus",
    "storage": "Storage",
    "space": "Free space",
    "clock": "Clock",
    "heat": "Temperature",
    "power": "Power",
    "speech": "Voice",
    "versions": "Versions",
}
# Each fits four lines of 21 letters; those about camera and tray (the first seventeen) two.
FINDINGS = {
    "no camera": "no camera: check the cable at both ends",
    "no tray": "no tray in view: put it under the camera",
    "not seen": "not seen without camera and tray",
    "sees the tray": "sees the whole tray",
    "sharp": "the picture is sharp",
    "light enough": "there is light enough",
    "empty the tray": "take dice and hands out, look again",
    "higher": "put the camera higher",
    "lower": "put the camera lower: dice are small",
    "aim": "shift camera or tray to the middle",
    "less tilt": "let the camera look straight down",
    "turn the lens": "blurred: turn the lens, or wipe it",
    "more light": "too dark: more light",
    "less glare": "glare: move the lamp, or cover it",
    "more even light": "uneven: light it from above",
    "not kept": "learnt, but not kept: disk full?",
    "no answer": "no answer in {seconds} s",
    "failed": "the check itself failed: {error}",
    "box is running": "in use by the running box: check it in its menu",
    "not asked": "not asked here; in a terminal, or in the box's menu",
    "only a Pi": "only on a Raspberry Pi",
    "buttons work": "all four buttons work",
    "not pressed": "{button} was not pressed. If it was, check its wires, and its pin in config.toml",
    "display answers": "the display answers",
    "display lost": "the display does not answer: check its four wires and its address",
    "no display": "no display on this machine",
    "bus fast": "I2C at {khz} kHz",
    "bus slow": "I2C at {khz} kHz: set i2c_baudrate=400000 in config.txt",
    "bus unknown": "I2C is on, its speed is not known here",
    "no bus": "I2C is off: sudo raspi-config nonint do_i2c 0",
    "storage works": "games are kept in {folder}",
    "storage fails": "nothing can be kept in {folder}: is it full, or read-only?",
    "space enough": "{mb} MB are free",
    "space short": "only {mb} MB are free: delete what is not needed",
    "clock set": "the clock is set by the network",
    "clock not set": "the clock is not set; the game does not need it",
    "cool": "{degrees} °C",
    "hot": "{degrees} °C: give it air, it gets slow from 80 on",
    "heat unknown": "no thermometer on this machine",
    "power good": "the power supply is strong enough",
    "power weak now": "too little power now: use the Pi's own supply",
    "power was weak": "there was too little power: use the Pi's own supply",
    "power unknown": "only a Pi can tell (vcgencmd)",
    "speech off": "off in the settings",
    "speech ready": "the box can speak",
    "speech missing": "espeak-ng is missing: sudo apt install espeak-ng",
    "versions": "box {box}, Python {python}, {system}",
}

TROUBLES = (
    CANNOT_START,
    NOT_SAVED,
    NOT_IN_JOURNAL,
    RESTORED,
    DAMAGED,
    STUCK,
    MOVED,
    MAYBE_THROWN,
    THAT_WAS,
    NONSENSE,
    THROW_AGAIN,
    STANDS_IN,
    NOT_READABLE,
    PAGE_OFF,
    PAGE_GUESSED_AT,
    PAGE_GUESSED_AT_IN_WORDS,
    NO_NETWORK,
    STAYS_ON,
)
"""Those that say that something is wrong, with those of CAMERA, REASONS and FINDINGS: see docs/troubleshooting.md."""
