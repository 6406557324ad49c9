"""How the two networks of `vision` came about: examples, fitting, export. Needs PyTorch; not part of the device."""
