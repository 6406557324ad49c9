"""Benchmarks of the rules and of reading dice: `python -m bench` prints the figures of this machine."""
