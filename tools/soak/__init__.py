"""The box left alone with its faults: `make soak`."""
