"""The stages of a reading: finding dice, the camera's pose, the values, the second opinion."""
