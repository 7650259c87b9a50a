"""Answers as they are kept (in a store beside the corpus, as lines of run files) and as a program gets them."""
