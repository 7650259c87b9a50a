"""A statement drafted by a language model, checked, and compared with the reading without one."""
