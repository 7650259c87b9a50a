"""One table that is given with its question."""
