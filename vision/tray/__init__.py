"""The tray: calibration, and what the reader knows about it."""
