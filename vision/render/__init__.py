"""Renders pictures of trays with dice, for the simulated box, tests and training.

`scene` describes a scene and `draw` renders a frame of it. `table` has the ordinary tray of the simulated box,
`placing` puts dice into a scene, and `throw` rolls them over time. The tray is rendered again only if the camera or the
lamp moves. For all that the simulated box does not show, `tools/scenes` has subclasses of the parts of a scene.
"""
