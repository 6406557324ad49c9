"""The box: referee, screens, journal, adapters to the hardware and to the simulated world."""
