"""Answers judged by a model: what is judged, by which prompts, and the figures of it."""
