"""An honest model that knows the gold answers of the development sets: whatever it says that users are not told is lost.

It is an HTTP server that speaks the OpenAI chat protocol. It reads nothing but the request, finds numbers, dates and names by
its own rules, and imports nothing from the package that it measures.
"""
