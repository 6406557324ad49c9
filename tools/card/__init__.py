"""The card that sets up the box by itself: what is copied onto it, and how that is made."""
