"""Candidates: what passages and tables of the pages that were found say, and in which order."""
