"""Documents in the JSON of docling, read and written."""
