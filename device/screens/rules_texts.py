"""The rules summary, one page per topic: a title of 7 to 8 letters beside its number, and up to four lines of 21."""

from __future__ import annotations

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
"""The title and the text of each page, by its topic in `device.referee.box_care.topics`."""
