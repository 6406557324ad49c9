"""The box's hardware apart from the camera: display, buttons, lamp and buzzer, each driven by its own library."""
