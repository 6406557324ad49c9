"""The box's check of itself: probes, each with a deadline, and who runs them."""
