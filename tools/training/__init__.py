"""Training of the networks of `vision`: examples, fitting, export. Needs PyTorch; not part of the device."""
