"""The soak test: a box plays for hours, is killed, and its files are damaged: `make soak`."""
