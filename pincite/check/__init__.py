"""The only way from a draft to an answer: every claim is read again at the place that it cites."""
