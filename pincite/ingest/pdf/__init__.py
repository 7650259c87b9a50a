"""PDF files as raw pages."""
