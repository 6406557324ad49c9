"""A simulated box: the whole program, down to gpiozero and luma, with mock pins and a bus that decodes."""
