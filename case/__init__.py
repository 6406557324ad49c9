"""The case of the box as a parametric model: console, tray, lamps, and the arm that holds the camera.

`parameters` and `layout` need only Python; the printed parts need build123d, which the extra `[case]` installs.
"""
