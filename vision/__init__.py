"""From pictures to dice, with NumPy, OpenCV and NCNN: `from vision.reader import read`."""
