"""The tray under its camera: calibrating it, and what is known of it while reading."""
