"""A language model reads: what it is shown, what it is asked, and what is made of its replies."""
