"""The processes that a server works with: questions, jobs, pictures of pages."""
