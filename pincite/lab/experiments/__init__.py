"""Recipes over sets of questions: run, tuned, kept in folders."""
