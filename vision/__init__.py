"""From pictures to dice: numpy and OpenCV only."""
