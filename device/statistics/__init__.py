"""Statistics of dice and players from the journal: `cantstop dice`, `stats` and `records`."""
