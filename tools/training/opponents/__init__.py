"""Training of the strongest opponent: self-play in C, tested against the engine."""
