"""Pincite inside other programs' pipelines: search results with the places at which they can be cited."""
