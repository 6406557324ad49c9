"""What the box is made of beside its camera: display, buttons, lamp and buzzer, each by its real library."""
