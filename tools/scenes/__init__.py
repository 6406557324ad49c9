"""Random scenes for measuring and training the reader: their labels, their scores, and films with disturbances."""
