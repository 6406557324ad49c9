"""Loading and saving picture files, and drawing text into pictures."""
