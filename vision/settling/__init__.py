"""Turns frames into rolls: movement, agreeing readings, new rolls."""
