"""Pictures of dice by Blender's path tracer, to validate the tuning on the project's own renderer."""
