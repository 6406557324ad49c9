"""Renders pictures of trays with dice, for the simulated box, tests and training.

`scene` describes a scene and `draw` renders a frame of it. `table` has the ordinary tray of the simulated box,
`placing` puts dice into a scene, and `throw` rolls them over time. To switch a lamp, move a shadow or bump the camera
in a film, use `dataclasses.replace` on the scene's `light.colour`, `shade` or `camera`. The tray is rendered again only
if the camera or the lamp moves.
"""
