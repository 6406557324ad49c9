"""Measures how well the reader reads: labelled pictures, rendered scenes, simulated rolls."""
