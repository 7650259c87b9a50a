"""A corpus: one folder whose SQLite file is the only truth, read through published generations.

A writer holds a file lock, puts documents, vectors and the status of every file into SQLite in small transactions (the
resume point of a killed run), and ends with one transaction that publishes a new generation: which document versions it
holds and which index folders serve it. Readers pin a generation when they open and never see half of another.
"""

from pincite.corpus.reader import Corpus
from pincite.corpus.stored import (
    ANSWERING,
    WHOLE,
    Entryless,
    FileStatus,
    Generation,
    connect_copy,
    connect_reader,
    read_document,
    read_node,
)
from pincite.corpus.writer import Writer, renew, writing

__all__ = [
    "ANSWERING", "WHOLE", "Corpus", "Entryless", "FileStatus", "Generation", "Writer", "connect_copy", "connect_reader",
    "read_document", "read_node", "renew", "writing",
]  # fmt: skip
