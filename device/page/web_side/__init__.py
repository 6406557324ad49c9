"""The page's process: reads what the box publishes and serves it to phones and tablets.

Nothing here imports pictures, hardware or the box's loop, so that it stays small and cannot harm a game.
"""
