"""The referee: every state of the box and every transition between them, without I/O."""
