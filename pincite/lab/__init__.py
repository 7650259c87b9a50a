"""The laboratory: experiments over recipes, their scores side by side, test sets, `make measure`.

Only the verbs of the command line that run it import it, when they run.
"""
