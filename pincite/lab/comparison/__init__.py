"""Runs side by side: tables, plots, pages, and files that other programs read."""
