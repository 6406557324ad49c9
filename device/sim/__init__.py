"""A simulated world around the real program: an I2C bus with a decoding OLED, mock pins, and a terminal."""
