"""A corpus: a SQLite file in a folder, or a schema in PostgreSQL, is the only truth, read through published generations.

A writer holds a lock, puts documents, vectors and the status of every file into it in small transactions (the
resume point of a killed run), and ends with one transaction that publishes a new generation: which document versions it
holds and which index folders serve it. Readers pin a generation when they open and never see half of another.
"""

from pincite.corpus.corpus_store import (
    ANSWERING,
    WHOLE,
    Entryless,
    FileStatus,
    Generation,
    read_document,
    read_node,
)
from pincite.corpus.reader import Corpus
from pincite.corpus.writer import Writer, renew, writing

__all__ = [
    "ANSWERING", "WHOLE", "Corpus", "Entryless", "FileStatus", "Generation", "Writer", "read_document",
    "read_node", "renew", "writing",
]  # fmt: skip
