"""What a page says, for all rooms: its tables, its sentences, and the addresses of places."""
