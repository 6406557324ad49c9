"""The texts of the screens, apart from the faults (`fault_texts`) and the rules (`rules_texts`).

A line of the small font has room for 21 letters, a row of the large font for about 18, beside a button 16; letters have
different widths. `draw.overflows` returns the texts that do not fit.

The texts are English. `device.screens.language.say` translates them when a screen is made. `make words` adds new ones
to the catalogues in `locale/`, together with the comment before them, which is for translators.
"""

from __future__ import annotations

# In the title bar: up to 12 letters
C_MORE = "C: more"
C_GO_ON = "C: continue"
C_CHANGE = "C: fix"
STOP_BACK = "STOP: back"
# The same, where there is less room
STOP_BACK_SHORT = "STOP ←"
STOP_SKIP = "STOP: skip"
# In the small font: up to 21 letters
HOLD_STOP_MENU = "Hold STOP: menu"
HOLD_A_WRONG = "Hold A: fix dice"
HOLD_A_HAND = "Hold A: enter dice"
HOLD_C_UNDO = "Hold C: undo"

# Read aloud only
SPOKEN_DICE = "Dice: {dice}"
SPOKEN_PAGE = "On your phone, open {name}, colon, {port}."
# In a list
SPOKEN_LIST = "A: up, B: down, C: OK"
SPOKEN_STICK = "Joystick: up, down, press for OK"

LABEL_UP = "Up"
LABEL_DOWN = "Down"
LABEL_STOP = "Stop"
LABEL_SKIP = "Skip"
LABEL_MENU = "Menu"
LABEL_UNDO = "Undo"
LABEL_WRONG = "Fix the dice"
ENTER_DICE = "Enter dice"

# Before and after a game
PRODUCT = "Can't Stop"
NEW_GAME = "New game"
GO_ON = "Continue"
WHOSE_TURN = "{player}'s turn"
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
HOLD_C_DONE = "Hold C: done"
ONE_DIE = "Roll one die"
HIGHEST_BEGINS = "Highest begins"
TIE = "Tie: roll again"
ROLLED_SO_FAR = "So far: {dice}"
BEGINS = "{player} begins"
THROW = "Roll the dice"
WON = "Columns: {columns} of {all}"
# A solo game
TURN_WON = "Turn {turn}: {columns} of {all} won"
IN_TURNS = "Turns: {turns}"
# The list of solo games with the fewest turns
FEWEST = "Fewest turns"
NO_FEWEST = "No solo game finished yet"
# After a game of several: its best moments. The hint beside "Game over"; titles of up to 14 letters
STORY = "Story"
STORY_HINT = "B: story"
NO_STORY = "Nothing to tell this time."
STORIES = {
    "luck": ("Luckiest roll", "{player}, turn {turn}: {dice}. Chance to win: {before}%, then {after}%."),
    "roll": ("Boldest roll", "{player}, turn {turn}: rolled again, with {loss}% to lose {spaces}."),
    "stop": ("Boldest stop", "{player}, turn {turn}: stopped. Rolling meant {loss}% to lose {spaces}."),
    "turn": ("Turning point", "{player}, turn {turn}. Chance to win: {before}%, then {after}%."),
}
GAME_OVER = "Game over"
WINS = "{player} wins!"
WON_COLUMNS = "Columns {columns}"

# A choice such as "7 up 1, 8 to 3": the runner in column 7 moves up one space; a new one starts on space 3 of column 8
PICK_UP = "{column} up {spaces}"
PICK_TO = "{column} to {space}"
PICK_TOP = "{column} top"
PICK_NOTHING = "not {column}"
OR = "{low} or {high}"
NOT_POSSIBLE = "{low}+{high}: not possible"
WHICH_COLUMN = "Which? STOP: back"
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
TAKEN_BACK = "Restore the board"
RUNNER_BACK = "Runner {column} to {space}"
RUNNER_OFF = "Runner {column} off"
MARKER_BACK = "{player} {column} to {space}"
MARKER_OFF = "{player} {column} off"
ROLL_OR_STOP = "Roll or STOP?"
ROLL_ON = "Roll again!"
STOP_WINS = "STOP wins!"
NO_STOP = "On another's marker"
DONE = "Done"
MORE = "More"
# After "Done", in the small font: up to 12 letters
OR_THROW = "or roll"
OR_STOP_WINS = "STOP wins"
# Offers the dice of a roll that was taken back
SAME_DICE = "Same: {dice}?"
BUST = "Bust?"
NO_MOVE = "{player}: no move"
YES_BUST = "Yes, bust"
DICE_WRONG = "No, misread"
BUSTED = "{player} is bust"
STOPS = "{player} stops"
NEXT = "Next: {player}"
# A roll that comes too early
CHOOSE_FIRST = "Choose first."
ANSWER_FIRST = "Answer first."
MOVE_FIRST = "Move first."
WAIT_FIRST = "Wait a moment."
OK = "OK"

# An opponent's turn: people roll the dice and move the pieces for it
SEAT = "{player}: {level}"
THROW_FOR = "Roll for it"
THINKS = "Thinking…"
# When it cannot decide
ASK_AGAIN = "Ask again"
CHOOSE_FOR_IT = "Choose for it"
TAKES = "{player} takes {pairing}"
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

# Odds, if the players turned them on: the chance of a bust and the spaces at stake; where stopping is not allowed, the
# chance of a bust before it is
ODDS_BUST = "Bust: {loss}%"
ODDS_STAKE = "Could lose {spaces}"
ODDS_BUST_FIRST = "Bust first: {loss}%"
# After a turn: the risk of a bust that the player took, and the risk of one more roll
RISKED = "Risk taken: {risk}%"
ONE_MORE = "One more: {loss}% bust"

# The tray
HAND = "Hand in the tray"
ROLLING = "Rolling…"
# STOP was pressed while something moves in the tray. The last two: up to 21 letters
STOP_NOTED = "STOP noted"
STOP_UNTIL = "Checking the tray…"
STOP_ROLL = "If rolled, it counts"
CHECK_TRAY = "Check the tray"
CHECKED = "OK, continue"
OR_ELSE = "If not, roll again"

# The box itself
STARTING = "Starting…"

# The phone page. Beside a QR code, in half the screen: up to 7 letters of the large font
PAGE = "Phone page"
PAGE_CODE = "Code {code}"
PAGE_WORDS = "Text"
PAGE_FORGET = "Unpair"
# Before that: a question in the title
PAGE_FORGET_ALL = "Unpair all?"
PAGE_QR = "B: QR"
PAGE_BACK = "Back"
PAGE_NOT_WANTED = "The page is off"
PAGE_TURN_ON = "Turn on"
PAGE_OFF_REMEDY = "See docs/page.md"

# Corrections
MENU = "{player}: menu"
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
# The coach's choices, the best first. The title: up to 14 letters
COACH = "{player} would:"
# Beside a choice, in the small font: its chance to win, or in a solo game the turns that are left
COACH_WINS = "wins: {chance}%"
COACH_TURNS = "turns: {turns}"
CHOICE_STOP = "Stop"
CHOICE_ROLL = "Roll on"
NO_ADVICE = "No advice this time."
# Instead of the places of markers or runners
NONE_ON_BOARD = "none on the board"
# Of a player
HAS_LEFT = "Has left"
WHAT_IS_IT = "What is it?"
BY_HAND = "Enter them"
WHICH_DIE = "Die {number} of {all}"
HOLD_FOR = "hold: {value}"
DICE_RIGHT = "Right?"
STOP_ONE_BACK = "STOP: delete last"
LEAVE_GAME = "New game?"
LEAVE = "End this game"
STAY = "No, continue"
MARKERS_OF = "{player}'s markers"
RUNNERS = "Runners"
WHOSE = "Whose turn?"
COLUMN = "Column: {column} +"
SPACE = "Space: {space} +"
NO_PIECE = "Space: none +"
NEXT_ROW = "Next"

# First start
LANGUAGE = "Language"
FRAME_WHOLE = "Whole frame visible?"
YES = "Yes"
NO = "No"
# Beside a picture that is complete but upside down: the answer is no
FRAME_UPSIDE_DOWN = "Upside down? Press B"

BUTTONS = "Buttons"
PRESS = "Press {button}"
BUTTONS_WORK = "All four work"
HOLD_SKIP = "Hold any to skip"
# After a test of lamp or buzzer: the question, and the answer if the box has none
SIGNALS = {
    "light": ("Did the lamp blink?", "No lamp"),
    "sound": ("Did the box beep?", "No sound"),
}
SIGNAL_AGAIN = "Again"
TRAY = "Tray"
EMPTY_TRAY = "Empty the tray and keep your hands out"
LOOK = "Check"
LOOK_AGAIN = "Check again"
LOOKING = "Checking…"
ALL_FINE = "All good"
TRIAL = "Test roll"
READ_AGAIN = "Read again"

# Turn on the phone page? The camera picture on a phone helps with the next step, the tray
PAGE_OFFER = "Phone page?"
PAGE_WHERE = "On this network only"

# The box's menu
BOX_MENU = "The box"
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
# The next two: options of a list, about the box's Wi-Fi
WIFI_CHANGE = "Change Wi-Fi"
WIFI_NEW = "New, by phone"
# The title above the name of a network
WIFI_JOIN = "Join this Wi-Fi?"
ASKING = "One moment…"
# A backup that a phone has sent
RESTORE = "Restore backup?"
RESTORE_GAMES = "New games: {games}"
VERSION = "Version {version}"
# While the box's version is being changed
VERSION_STEP = "Step {number} of {steps}"
VERSION_AFTER_GAME = "After this game"
VERSION_NEWEST = "Nothing newer"
SWITCH_OFF = "Switch off?"
GAME_KEPT = "The game is saved"
HOLD_C_OFF = "Hold: switch off"
SWITCHING_OFF = "Switching off…"
PULL_PLUG = "When the Pi's green light goes out, pull the plug"

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

# Below a simulated box in a terminal: what the keys do
TERMINAL_KEY = "{key}: {does}"
TERMINAL_ROLL = "space: roll"
# With real dice, which can be typed: four keys from 1 to 6
TERMINAL_TYPE = "1-6: type the dice"
# Before the keys that hold a button, such as "A: Enter dice"
TERMINAL_HELD = "With Shift:"
TERMINAL_LEAVE = "q: leave"
# After the text above, where there is room
TERMINAL_SAVED = ", the game is saved"
TERMINAL_TOO_SMALL = (
    "This window has {columns}x{rows} characters. The box needs {wide}x{high}: enlarge it, or make its type smaller. "
    "The game goes on meanwhile; q leaves."
)

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
