"""The soak test: boxes play for hours with simulated faults: `make soak`."""
