"""Pincite: typed, checked, cited answers from a folder of reports."""

__version__ = "0.1.0"
