"""What a page says, for everyone: its tables, its sentences, and where a place stands."""
