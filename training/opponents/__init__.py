"""Makes the numbers of the strongest opponent: self-play in C, held against the engine."""
