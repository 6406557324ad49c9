"""Statistics of dice and players, from the stored games: `cantstop dice` and `stats`, and the page."""
