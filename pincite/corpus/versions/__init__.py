"""Versions: which documents are editions of one work, which of them answers, and which has replaced another."""
