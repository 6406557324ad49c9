"""What the OLED shows: texts, layout, drawing."""
