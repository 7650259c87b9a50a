"""Answers as they are kept: in a store beside the corpus, and as lines of run files."""
