"""Picture files: loading, saving, writing in pictures."""
