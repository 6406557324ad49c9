"""Where frames come from, and the worker that turns them into inputs."""
