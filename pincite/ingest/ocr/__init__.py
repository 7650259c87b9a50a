"""Pages whose text is read from their pictures."""
