"""The page's side: reads what the box publishes and serves it; a process beside a box, a thread on a computer.

Nothing here imports pictures, hardware or the box's loop, so that it stays small and cannot harm a game.
"""
