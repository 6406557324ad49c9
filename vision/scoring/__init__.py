"""How well the reader reads: labelled pictures, drawn scenes, simulated throws."""
