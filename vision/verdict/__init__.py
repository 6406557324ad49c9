"""Whether a reading holds: the objections against it."""
