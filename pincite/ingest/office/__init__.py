"""Text documents, slides and spreadsheets."""
