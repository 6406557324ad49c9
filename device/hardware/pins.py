"""The default pin of each part, as a BCM number; the settings (`device/config.py`) can override it.

The four buttons' pins lie in one row of the header beside a ground pin, have no other function that the box needs, and
leave I2C (2 and 3), the serial console (14 and 15) and the first PWM pins (12 and 18) free.
"""

A, B, C, STOP = 5, 6, 13, 19
LAMP, BUZZER = 12, 18
OLED_DC, OLED_RESET = 24, 25
SPI = (7, 8, 9, 10, 11)
"""The pins of /dev/spidev0.0 and 0.1, which the kernel claims together."""
