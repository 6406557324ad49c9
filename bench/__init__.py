"""How fast the rules and the reading of dice are: `python -m bench` prints the figures of this machine."""
