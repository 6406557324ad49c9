"""The rules in short, a page a topic: a title of 7 to 8 letters beside its number, and up to four lines of 21."""

from __future__ import annotations

TITLES = {
    "aim": "Aim",
    "roll": "Roll",
    "runners": "Runners",
    "enter": "Enter",
    "double": "Double",
    "both": "Both",
    "again": "Again?",
    "bust": "Bust",
    "stop": "STOP",
    "top": "Top",
    "fast start": "Fast",
    "fast start strict": "Strict",
    "no stop on a marker": "No stop",
    "leap": "Leap",
}
"""What a page is about, by the topic as `device.referee.box_care.topics` names it."""

TEXTS = {
    "aim": "Win {columns} columns. A column is won by a marker on its top space.",
    "roll": "Roll four dice, make two pairs. Each sum is a column: 2+5 is column 7.",
    "runners": "You have three runners. A sum moves the one in its column up one space.",
    "enter": "A new runner comes in on space 1, or on the space above your own marker.",
    "double": "Two equal sums move one runner up two spaces.",
    "both": "Both sums must be used if they can be. One runner left for two: you choose.",
    "again": "Then choose: roll again and climb on, or press STOP and keep what you gained.",
    "bust": "No sum can be used? You are bust: all that you gained this turn is lost.",
    "stop": "Put your markers where the runners stand. The next player rolls.",
    "top": "STOP with a runner on the top space wins the column. It is closed for all.",
    "fast start": "Bring in as many new runners as any choice would.",
    "fast start strict": "Bring in the most new runners; then move the most runners.",
    "no stop on a marker": "You may not stop while a runner stands on another's marker.",
    "leap": "A step onto another's marker goes on to the next free space.",
}
"""The text of each page."""
