"""The Model Context Protocol: a corpus as tools of an assistant, with the official SDK."""
