"""The interface for programs, under /api/v1."""
