"""A model that knows the gold answers of the development sets and is honest: what it says and users are not told is lost.

It is an HTTP server that speaks the OpenAI chat protocol. It reads nothing but the request, finds numbers, dates and names by
rules of its own, and imports nothing of the package that it measures.
"""
