"""Pictures of dice by another renderer, Blender's path tracer: does what is tuned on the project's own hold there?"""
