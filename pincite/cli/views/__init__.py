"""What the verbs print on a terminal."""
