"""Reading and writing small files whole; device and vision both use it, and it uses neither."""
