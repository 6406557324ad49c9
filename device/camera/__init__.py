"""The cameras, and the worker that turns their frames into inputs."""
