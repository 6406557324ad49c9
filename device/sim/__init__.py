"""A simulated world around the real program: a bus that decodes, fingers on mock pins, a terminal."""
