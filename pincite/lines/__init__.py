"""Lines: the smallest things that pages say and that can be cited; ordered for a question, shown to a model, read by code."""
