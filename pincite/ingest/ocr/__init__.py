"""Pages whose text is read off their pictures."""
