"""From pictures to dice, with NumPy and OpenCV: `from vision.reader import read`."""
