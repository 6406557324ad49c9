"""The rules of Can't Stop: pure values and functions, standard library only."""
