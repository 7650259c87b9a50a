"""Databases and files of tables: opened for reading only, described by cards, their rows followed as they change."""
