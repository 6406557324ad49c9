"""The OLED's screens: texts, layout and drawing."""
