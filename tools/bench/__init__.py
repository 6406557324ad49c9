"""Benchmarks of the rules and of reading dice: `python -m tools.bench` prints the figures of this machine."""
