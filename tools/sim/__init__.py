"""A simulated box: the whole program, down to gpiozero and luma, with mock pins, a decoding bus and a robot."""
