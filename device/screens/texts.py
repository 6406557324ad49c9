"""The texts in tables and of several screens; those of faults are in `fault_texts`.

All other texts are where they are shown, as arguments of `device.screens.language.say`, which translates them when a
screen is made. The texts are English. `make words` adds new ones to the catalogues in `locale/`, together with the
comment above them, which is for translators.

A line of the small font has room for 21 letters, a row of the large font for about 18, beside a button 16; letters have
different widths. A test finds the texts that do not fit.
"""

from __future__ import annotations

# In the title bar: up to 12 letters
C_MORE = "C: more"
STOP_BACK = "STOP: back"
# The same, where there is less room
STOP_BACK_SHORT = "STOP ←"
STOP_SKIP = "STOP: skip"
# In the small font: up to 21 letters
HOLD_STOP_MENU = "Hold STOP: menu"
HOLD_A_WRONG = "Hold A: fix dice"
HOLD_A_HAND = "Hold A: enter dice"

# Read aloud only, in a list
SPOKEN_LIST = "A: up, B: down, C: OK"
SPOKEN_STICK = "Joystick: up, down, press for OK"

LABEL_UP = "Up"
LABEL_DOWN = "Down"
LABEL_SKIP = "Skip"
LABEL_MENU = "Menu"
LABEL_UNDO = "Undo"
ENTER_DICE = "Enter dice"

# Before and after a game
PRODUCT = "Can't Stop"
NEW_GAME = "New game"
GO_ON = "Continue"
ANSWERS = {
    "again": "Play again",
    "change players": "Change players",
    "new game": "New game",
    "base rules": "Basic rules",
    "variants": "Variants…",
    "": "Normal",
    "fast start": "Fast start",
    "fast start strict": "Fast, strict",
    "no stop on a marker": "No stopping",
    "leap": "Leap over",
    "dice": "One die each",
    "1": "1, solo",
    "solo": "Me and the box",
    "seats": "Names, levels",
    "new name": "New name…",
    "markers off": "Take them off",
    "markers stay": "Let them stay",
}
# Below an answer: two lines of up to 18 letters
EXPLAINED = {
    "fast start": {
        "": "Choose freely",
        "fast start": "Bring in the most new runners",
        "fast start strict": "New runners first, then most runners",
    },
    "markers": {
        "": "Markers may share a space",
        "no stop on a marker": "No stop on another's marker",
        "leap": "Skip spaces with a marker",
    },
    "youngest": {"": "Usually the youngest", "dice": "The highest begins"},
}
# Opponents' levels; also after a player's name in a title: up to 11 letters
LEVELS = {
    "child": "Beginner",
    "hasty": "Reckless",
    "counter": "Careful",
    "rule-28-outer": "Experienced",
    "evolved": "Expert",
    "strongest": "Master",
}
# Titles: up to 14 letters
QUESTIONS = {
    "again": "Another game?",
    "players": "Players?",
    "colour": "Colour {number}?",
    "rules": "Which rules?",
    "columns": "Columns to win",
    "fast start": "Which start?",
    "markers": "Same space?",
    "begins": "Who begins?",
    "youngest": "Who begins?",
    "count": "Players?",
    "seat": "Who is {colour}?",
    "level": "Which level?",
    "change": "Who?",
    "left": "Their markers?",
}
# Who leaves, returns or joins: up to 18 letters; names have up to 8
CHANGES = {
    "leaves": "{player} leaves",
    "returns": "{player} is back",
    "joins": "Someone joins",
}
JUST = "Just {colour}"
TAKE_LETTER = "Add letter"
THROW = "Roll the dice"
WON = "Columns: {columns} of {all}"
# The list of solo games with the fewest turns
FEWEST = "Fewest turns"
# After a game of several: its best moments. The hint beside "Game over"; titles of up to 14 letters
STORY = "Story"
STORY_HINT = "B: story"
STORIES = {
    "luck": ("Luckiest roll", "{player}, turn {turn}: {dice}. Chance to win: {before}%, then {after}%."),
    "roll": ("Boldest roll", "{player}, turn {turn}: rolled again, with {loss}% to lose {spaces}."),
    "stop": ("Boldest stop", "{player}, turn {turn}: stopped. Rolling meant {loss}% to lose {spaces}."),
    "turn": ("Turning point", "{player}, turn {turn}. Chance to win: {before}%, then {after}%."),
}

# A choice such as "7 up 1, 8 to 3": the runner in column 7 moves up one space; a new one starts on space 3 of column 8
PICK_UP = "{column} up {spaces}"
PICK_TO = "{column} to {space}"
PICK_TOP = "{column} top"
PICK_NOTHING = "not {column}"
OR = "{low} or {high}"
# What to do with a runner, in the large font
MOVE_UP = "{column} moves up {spaces}"
MOVE_TO = "{column} to space {space}"
MOVE_TOP = "{column} to the top"
# Positions of the runners
TOP = "top"
STEP = "{column}→{space}"
STEP_TOP = "{column}→top"
# After a stop, what becomes of the markers: two in a line of the large font
MARKER_WINS = "{column} won!"
OFF = "{column}: {player} off"
RUNNERS_OFF = "Remove runners"
# After an undo: what to put back on the board
RUNNER_BACK = "Runner {column} to {space}"
RUNNER_OFF = "Runner {column} off"
MARKER_BACK = "{player} {column} to {space}"
MARKER_OFF = "{player} {column} off"
STOP_WINS = "STOP wins!"
DONE = "Done"
MORE = "More"
# After "Done", in the small font: up to 12 letters
OR_THROW = "or roll"
OR_STOP_WINS = "STOP wins"
STOPS = "{player} stops"
# A roll that comes too early
CHOOSE_FIRST = "Choose first."
ANSWER_FIRST = "Answer first."
MOVE_FIRST = "Move first."
WAIT_FIRST = "Wait a moment."
OK = "OK"

# An opponent's turn: people roll the dice and move the pieces for it
SEAT = "{player}: {level}"
THROW_FOR = "Roll for it"
ROLLS_ON = "{player} rolls again"
# What it does after its move, after "Done": up to 12 letters
STOPS_WINS = "stops, wins"
THEN_STOPS = "then stops"
THEN_ROLLS = "then rolls"
ROLLS_MUST = "must roll"
# The risk on a line of its own, with the number of spaces that would be lost
RISKS = "{loss}% to lose {spaces}"
IS_SAFE = "No risk"
HAS_TO = "It has to roll"

# The tray
HAND = "Hand in the tray"
ROLLING = "Rolling…"

# The phone page. Beside a QR code, in half the screen: up to 7 letters of the large font
PAGE = "Phone page"
PAGE_FORGET = "Unpair"
PAGE_BACK = "Back"

# Corrections
MENU_ITEMS = {
    "go on": "Continue",
    "take back": "Undo",
    "dice by hand": "Enter dice",
    "set the board": "Fix the board",
    "where": "Who is where?",
    "coach": "Ask Master",
    "seats": "Leave or join",
    "rules": "Rules",
    "the box": "The box…",
    "new game": "New game",
}
# Of a player
HAS_LEFT = "Has left"
DICE_RIGHT = "Right?"
RUNNERS = "Runners"
WHOSE = "Whose turn?"
COLUMN = "Column: {column} +"
SPACE = "Space: {space} +"
NO_PIECE = "Space: none +"

# The rules summary, one page per topic of `box_care.topics`: a title of 7 to 8 letters beside its number, and up to
# four lines of 21
RULES = {
    "aim": ("Goal", "You have nine markers. Get them to the top of {columns} columns to win."),
    "roll": ("Roll", "Roll four dice and make two pairs. Each sum is a column: 2+5 is column 7."),
    "runners": ("Runners", "You have three runners. A sum moves the runner in its column up one space."),
    "enter": ("Start", "A new runner starts on space 1, or on the space above your own marker."),
    "double": ("Double", "Two equal sums move one runner up two spaces."),
    "both": ("Both", "Use both sums if you can. One runner left for both? You choose."),
    "again": ("Again?", "Then choose: roll again to climb on, or press STOP to keep what you gained."),
    "bust": ("Bust", "If no sum can be used, you are bust: everything gained this turn is lost."),
    "stop": ("STOP", "Your markers go where the runners are. Then it's the next player's turn."),
    "top": ("Top", "STOP with a runner on the top space wins the column. It is then closed to all."),
    "fast start": ("Fast", "Always choose a pairing that brings in the most new runners."),
    "fast start strict": ("Strict", "First bring in the most new runners, then move the most runners."),
    "no stop on a marker": ("No stop", "You may not stop while a runner is on another player's marker."),
    "leap": ("Leap", "A step onto another's marker jumps to the next free space."),
}

# First start
YES = "Yes"
NO = "No"
# After a test of lamp or buzzer: the question, and the answer if the box has none
SIGNALS = {
    "light": ("Did the lamp blink?", "No lamp"),
    "sound": ("Did the box beep?", "No sound"),
}
SIGNAL_AGAIN = "Again"
TRIAL = "Test roll"
READ_AGAIN = "Read again"

# The box's menu
BOX_ITEMS = {
    "sound": "Sound: {choice}",
    "light": "Lamp: {choice}",
    "odds": "Odds: {choice}",
    # The page for phones in the network
    "page": "Phone page: {choice}",
    "fewest": "Fewest turns",
    "language": "Language",
    "check": "Check the box",
    "buttons": "Test buttons",
    "tray": "Set up the tray",
    "trial": "Test roll",
    "network": "Network",
    "update": "Update",
    # Return to the version before the last update
    "go back": "Older version",
    "shut down": "Switch off",
}
# "after": odds only after the decision
CHOICES = ("on", "off", "after")
NETWORK = "Network"
ASKING = "One moment…"

# The box's self-check
CHECK = "Check the box"
PROBES = {
    "buttons": "Buttons",
    "camera": "Camera",
    "sharpness": "Sharpness",
    "light": "Light",
    "oled": "Display",
    "bus": "Bus",
    "storage": "Storage",
    "space": "Free space",
    "clock": "Clock",
    "heat": "Temperature",
    "power": "Power",
    "speech": "Voice",
    "versions": "Versions",
}
# Beside each, by the finding's grade: up to 7 letters of the small font
GRADES = {
    "fine": "good",
    "advice": "hint",
    "bad": "fault",
    "absent": "none",
}

# Read aloud: sentences in place of the display's shorthand
SPOKEN = {
    PICK_UP: "column {column} up {spaces}",
    PICK_TO: "column {column} to space {space}",
    PICK_TOP: "column {column} to the top",
    PICK_NOTHING: "not column {column}",
    OR: "column {low} or column {high}",
    MOVE_UP: "column {column} up {spaces}",
    MOVE_TO: "column {column} to space {space}",
    MOVE_TOP: "column {column} to the top",
    TOP: "the top",
    STEP: "column {column} on space {space}",
    STEP_TOP: "column {column} at the top",
    WON: "columns won: {columns} of {all}",
    MARKER_WINS: "column {column} is won",
    OFF: "column {column}: {player} off the board",
    RUNNER_BACK: "runner in column {column} to space {space}",
    RUNNER_OFF: "runner in column {column} off the board",
    MARKER_BACK: "{player}: column {column} to space {space}",
    MARKER_OFF: "{player}: column {column} off the board",
    COLUMN: "next column, now {column}",
    SPACE: "next space, now {space}",
    NO_PIECE: "next space, now none",
    RISKS: "risk {loss}%, spaces at stake: {spaces}",
}
