"""The card for a box that installs itself: its files, and how they are made."""
