"""What holds for every request: connections, who asks, limits, what is noted, what went wrong."""
