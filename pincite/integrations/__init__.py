"""Pincite inside other programs' pipelines: what is found, with the places that it can be cited at."""
