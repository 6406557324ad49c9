"""What the journal tells of dice and people: `cantstop dice`, `stats` and `records`."""
