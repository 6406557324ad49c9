"""Every word that the screens show, in one place. A line of the small type takes 21 characters, the large 16.

These are English. `device.screens.language.say` translates them when a screen is made; `make words` puts new ones into
the catalogues in `locale/`, where a comment before a text here stands beside it for whoever translates.
"""

from __future__ import annotations

PAGE_KEYS = "A↑ B↓ STOP back"
MENU_KEYS = "A↑ B↓ C ok STOP back"
STOP_BACK = "STOP back"
HOLD_STOP_MENU = "hold STOP: menu"
HOLD_A_WRONG = "hold A: dice wrong"
HOLD_A_HAND = "hold A: dice by hand"

# Around a game
PRODUCT = "Can't Stop"
NEW_GAME = "new game"
GOES_ON = "The game goes on"
GO_ON = "go on"
WHOSE_TURN = "{player}'s turn"
ANSWERS = {
    "base rules": "base rules",
    "variants": "variants …",
    "": "normal",
    "fast start": "fast start",
    "fast start strict": "fast, strict",
    "no stop on a marker": "no stop there",
    "leap": "leap over",
    "dice": "one die each",
    "1": "1, alone",
    "solo": "one and the box",
    "seats": "names, opponents",
    "new name": "new name …",
}
# An opponent's level, also behind a player's name as a title: 11 characters.
LEVELS = {
    "child": "a child",
    "hasty": "in a hurry",
    "counter": "counts",
    "rule-28-outer": "rule of 28",
    "evolved": "evolved",
    "strongest": "strongest",
}
COLOURS = {
    "yellow": "yellow",
    "orange": "orange",
    "green": "green",
    "blue": "blue",
    "red": "red",
    "white": "white",
}
QUESTIONS = {
    "players": "How many players?",
    "colour": "Player {number}'s colour?",
    "rules": "Which rules?",
    "columns": "Columns to win?",
    "fast start": "Bringing in runners?",
    "markers": "On others' markers?",
    "begins": "Who begins?",
    "count": "How many players?",
    "seat": "Who is {colour}?",
    "level": "How strong?",
}
JUST = "just {colour}"
TURN_LETTER = "A↑ B↓  C: take it"
HOLD_C_DONE = "hold C: done"
ONE_DIE = "throw one die"
HIGHEST_BEGINS = "the highest begins"
TIE = "a tie: once more"
ROLLED_SO_FAR = "so far {dice}"
BEGINS = "{player} begins"
THROW = "throw the dice"
THROW_FOUR = "throw all four dice"
WON = "won {columns} of {all}"
# One who plays alone
TURN_WON = "turn {turn}, won {columns} of {all}"
IN_TURNS = "turns: {turns}"
# The table of those who needed the fewest turns
FEWEST = "Fewest turns"
FEWEST_LOOK = "fewest turns"
FEWEST_KEYS = "A↑ B↓ C new game"
NO_FEWEST = "nobody has played alone to the end yet"
# It names an item of the box's own menu.
NOT_READABLE = "the games can't be read: see 'check the box'"
WINS = "{player} wins!"
PLAYER_COLUMNS = "{player} {columns}"

# The turn
TOP = "top"
STEP = "{column}→{space}"
RUNNER_TO = "runner to space {space}"
RUNNER_TO_TOP = "runner to the top"
TO = "to space {space}"
TO_TOP = "to the top"
MARKER_TO = "marker to space {space}"
MARKER_WINS = "won: marker on top"
OFF = "take off {player}"
OR = "{low} or {high}"
NOT_POSSIBLE = "not possible"
WHICH_COLUMN = "one runner left"
ROLL_OR_STOP = "Roll or STOP?"
ROLL_ON = "Roll on!"
STOP_WINS = "STOP wins!"
THROW_OR_STOP = "throw, or STOP"
THROW_OR_WIN = "throw, or STOP: wins!"
NO_STOP = "no stop on a marker"
DONE = "done"
OR_THROW = "or throw"
BUST = "Bust?"
NOTHING_FITS = "nothing fits"
YES_BUST = "yes, bust"
DICE_WRONG = "no, misread"
BUSTED = "{player} is bust"
RUNNERS_OFF = "take the runners off"
STOPS = "{player} stops"
NEXT = "next: {player}"
AFTER_STOP = "C: {player} is next"
AFTER_WIN = "C: {player} wins!"
MORE = "C: more"
READ_AGAIN = "read again"

# An opponent's turn: people throw and move for it
SEAT = "{player}: {level}"
THROW_FOR = "throw for it"
THINKS = "thinks …"
TAKES = "{player} takes {pairing}"
ROLLS_ON = "{player} rolls on"
# Its reasons: the chance to lose the turn, and how many spaces would be lost.
STOPS_WINS = "stops: that wins"
STOPS_RISK = "stops: {loss}% to lose {spaces}"
ROLLS_RISK = "rolls: {loss}% to lose {spaces}"
ROLLS_SAFE = "rolls on: it is safe"
ROLLS_MUST = "rolls on: it must"
# The opponent itself failed: a simple player stands in for it.
STAND_IN_STOPS = "stand-in: stops"
STAND_IN_ROLLS = "stand-in: rolls on"

# Odds, where the players want them: the chance to go on safely; what would be lost, and the chance to reach a top;
# where no stop is allowed, the chance to come to one.
ODDS_SAFE = "{safe}% safe"
ODDS_REST = "lose {spaces}, top {top}%"
ODDS_UNTIL_STOP = "{safe}% to a stop"
# After a turn: the chance of a bust that was taken by rolling on, and what one more roll would have been.
RISKED = "{risk}% was risked"
ONE_MORE = "one more: {loss}% bust"
IT_WAS = "it was {loss}% to lose {spaces}"

# The tray
HAND = "a hand in the tray"
ROLLING = "the dice roll …"
CANNOT_READ = "can't read:"
CAMERA = {
    "missing": "no camera",
    "silent": "camera: silent",
    "frozen": "camera: frozen",
    "black": "camera: black",
    "hangs": "camera: hangs",
}
CAMERA_REMEDIES = {
    "missing": "check its cable",
    "silent": "check its cable",
    "frozen": "it is started anew",
    "black": "lamp on? lens free?",
    "hangs": "it is started anew",
}
MOVED = "camera moved"
CHECK_TRAY = "check the tray"
CHECKED = "ok"
REASONS = {
    "no dice": "no dice seen",
    "count": "dice seen: {dice}",
    "cocked": "a die leans",
    "hand": "something over it",
    "dark": "too dark",
    "blurred": "blurred",
    "moving": "still moving",
    "out of tray": "a die is outside",
    "glare": "glare on a die",
    "emblem": "a face has no pips",
    "unsure": "a die is unclear",
}
REMEDIES = {
    "no dice": "throw again",
    "count": "{wanted} must lie in it",
    "cocked": "lay it flat",
    "hand": "take it away",
    "dark": "make more light",
    "blurred": "focus or clean lens",
    "moving": "wait a moment",
    "out of tray": "put it into the tray",
    "glare": "turn the lamp away",
    "emblem": "use dice with pips",
    "unsure": "nudge a die",
}

# The box itself
CANNOT_START = "The box can't start"
STARTING = "the box starts …"
NOT_SAVED = "not saved! disk full?"
NOT_IN_JOURNAL = "disk full? spare used"
RESTORED = "restored after damage"
DAMAGED = "damaged file kept"
STUCK = "button {button} is stuck"

# The table's page
PAGE = "The page"
PAGE_CODE = "code {code}"
PAGE_WORDS = "B: words"
PAGE_FORGET = "forget {phones}"
PAGE_BACK = "back"
PAGE_NOT_WANTED = "the page is off"
PAGE_TURN_ON = "turn on"
PAGE_OFF = "no page is served"
PAGE_OFF_REMEDY = "see docs/page.md"
PAGE_IN_WORDS = "B: QR  C: back"
# In place of the title while somebody tries wrong codes; beside the QR code there is room for ten letters.
PAGE_GUESSED_AT = "Intruder?"
PAGE_GUESSED_AT_IN_WORDS = "Someone tries codes"

# Putting right
MENU = "{player}: menu"
MENU_ITEMS = {
    "go on": "go on",
    "take back": "take back",
    "dice by hand": "dice by hand",
    "set the board": "set the board",
    "rules": "rules in short",
    "the box": "the box …",
    "new game": "new game",
}
REALLY = "really?  STOP back"
BY_HAND = "by hand"
TURN_DIE = "turn the die"
NEXT_DIE = "next die"
TAKE = "done"
LEAVE_GAME = "New game?"
LEAVE = "leave this game"
STAY = "no, go on"
MARKERS_OF = "{player}'s markers"
RUNNERS = "Runners"
WHOSE = "Whose turn?"
COLUMN = "column {column}"
SPACE = "space {space}"
NO_PIECE = "none"
NONSENSE = "Cannot be:"
"""The title over a problem that the engine names."""
# The engine's own words; up to four lines of 21 characters.
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
BUTTONS = "Buttons"
PRESS = "press {button}"
THAT_WAS = "that was {button}"
BUTTONS_WORK = "all four work"
HOLD_SKIP = "hold any: skip"
GO_ON_C = "C: go on"
TRAY = "Tray"
EMPTY_TRAY = "empty the tray, hands off, then look"
LOOK = "look"
LOOK_AGAIN = "look again"
LOOKING = "looking …"
ALL_FINE = "all is fine"
STOP_SKIP = "STOP skip"
TRIAL = "Trial throw"
AS_THEY_LIE = "as they lie?"

# Is the table's page for phones wanted? The camera's picture on a phone helps with what comes next, the tray.
PAGE_OFFER = "Page for phones?"
PAGE_YES = "yes"
PAGE_NO = "no"
PAGE_WHERE = "in this network only"

# The box's own menu
BOX_MENU = "The box"
BOX_ITEMS = {
    "sound": "sound: {choice}",
    "light": "light: {choice}",
    "odds": "odds: {choice}",
    # The table's page for phones in the network
    "page": "phones: {choice}",
    "fewest": "fewest turns",
    "language": "language",
    "check": "check the box",
    "buttons": "try buttons",
    "tray": "learn the tray",
    "trial": "trial throw",
    "network": "network",
    "about": "about",
    "shut down": "switch off",
}
CHOICES = {
    "on": "on",
    "off": "off",
    # Of odds: only after the decision
    "after": "after",
}
NETWORK = "Network"
ASKING = "asking …"
NO_NETWORK = "there is no network, and the game needs none"
ABOUT = "Can't Stop box"
# Sid Sackson made the game.
ABOUT_LINES = ("version {version}", "game: Sid Sackson", "font: Terminus")
SWITCH_OFF = "Switch off?"
GAME_KEPT = "the game is kept"
HOLD_C_OFF = "hold C: off"
SWITCHING_OFF = "Switching off"
PULL_PLUG = "once the green light of the Pi is out, pull the plug"
STAYS_ON = "the system refuses: pull the plug, the game is kept"

# The box's check of itself
CHECK = "The box's parts"
CHECK_KEYS = "A↑ B↓ C why STOP back"
PROBES = {
    "buttons": "buttons",
    "camera": "camera",
    "sharpness": "sharpness",
    "light": "light",
    "oled": "display",
    "bus": "I2C bus",
    "storage": "storage",
    "space": "free space",
    "clock": "clock",
    "heat": "temperature",
    "power": "power",
    "versions": "versions",
}
# Each fits four lines of 21 characters; those about camera and tray (the first seventeen) two.
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
    "versions": "box {box}, Python {python}, {system}",
}
