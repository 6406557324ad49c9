"""The game on a computer: the terminal with its keys, and the page. Nothing here needs a Raspberry Pi."""
