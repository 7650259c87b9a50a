"""Models that run on this machine: their files, the engine that loads one, and how it is found and asked."""
