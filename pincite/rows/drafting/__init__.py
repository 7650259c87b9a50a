"""A statement drafted by a language model, checked, and held against the reading without one."""
