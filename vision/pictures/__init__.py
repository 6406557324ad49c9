"""Loading and saving picture files."""
