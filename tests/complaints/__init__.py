"""Files of kinds that readers of tables often get wrong, made here with what they show, and the share that is read right.

`python -m tests.complaints [KIND ...]` prints the share of each kind.
"""
