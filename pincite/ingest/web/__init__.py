"""HTML, books and tagged filings."""
