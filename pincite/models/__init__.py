"""Adapters of models behind the ports."""
