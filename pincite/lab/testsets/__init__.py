"""Questions with known answers, made from a corpus by code or by a model."""
