"""The self-check: probes, each with a deadline, and their execution."""
