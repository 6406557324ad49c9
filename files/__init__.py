"""Reads and writes small files as a whole, for device and vision."""
