"""The rules in short, a page a topic: a title of 16 characters, and text of up to three lines of 21."""

from __future__ import annotations

TITLES = {
    "aim": "The aim",
    "roll": "Your turn",
    "pairs": "Two pairs",
    "runners": "Runners",
    "double": "Equal sums",
    "both": "Both sums",
    "bust": "Bust",
    "stop": "Stop",
    "top": "The top",
    "fast start": "Fast start",
    "fast start strict": "Fast, strict",
    "no stop on a marker": "No stop there",
    "leap": "Leap",
}
"""What a page is about, by the topic as `device.referee.box_care.topics` names it."""

TEXTS = {
    "aim": "Be the first with markers on {columns} top spaces.",
    "roll": "Roll all four dice and make two pairs of them.",
    "pairs": "Each pair's sum moves the runner in its column one space up.",
    "runners": "Without one there, a runner comes in, above your marker.",
    "double": "Equal sums move one runner two spaces.",
    "both": "What can be used must be used. One runner for two: you choose.",
    "bust": "No sum can be used: runners off, the turn's gain is lost.",
    "stop": "Stop: markers go where runners stand. Next player.",
    "top": "A marker on the top space wins the column; it is closed.",
    "fast start": "Bring in as many new runners as any choice would.",
    "fast start strict": "Bring in the most new runners; then move the most runners.",
    "no stop on a marker": "You may not stop while a runner stands on another's marker.",
    "leap": "A step onto another's marker goes on to the next free space.",
}
"""The text of each page."""
