"""Where a corpus keeps what it stores: SQLite files in its folder, or a schema of its own in PostgreSQL.

Everywhere a corpus is known by its folder on this machine. That of a corpus in PostgreSQL is a cache, made from its address
(`corpus_folder`): it holds copies of index folders and sources, and nothing that is not in the database too.
"""

from pincite.storage.corpus_address import (
    address_of,
    corpus_folder,
    search_address,
    shown,
)
from pincite.storage.kept_tables import KeptTables, connect_kept, exclusively, is_kept

__all__ = [
    "KeptTables", "address_of", "connect_kept", "corpus_folder", "exclusively", "is_kept",
    "search_address", "shown",
]  # fmt: skip
