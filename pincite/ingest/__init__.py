"""Bytes to pages to a document tree."""
