"""The pages for people: rendered here, readable without a script."""
