"""From frames to rolls: still or moving, agreeing readings, new throws."""
