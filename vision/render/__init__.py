"""Pictures of trays with dice, drawn by the project itself for simulation and tests."""
