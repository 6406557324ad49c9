"""The stages of a reading: finding dice, the camera's pose, values, the second opinion."""
