"""The command `cantstop`."""
