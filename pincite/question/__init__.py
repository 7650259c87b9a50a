"""What a question asks, read from its wording."""
