"""A corpus of the previous format brought to this one: its contents are trusted, and given checksums."""

from __future__ import annotations

import sqlite3

from pincite.corpus.checksums import node_sum, row_sum, vector_sum
from pincite.corpus.schema import DOCUMENT, FILE, FORMAT, SCHEMA

_ROWS = {
    "files": FILE,
    "documents": DOCUMENT,
    "covers": "version, cover, least",
    "generations": "number, published, content",
}


def upgrade(db: sqlite3.Connection) -> None:
    """Give the rows of a corpus of the format before their checksums, in one transaction."""
    db.create_function("row_sum", -1, row_sum, deterministic=True)
    db.create_function("node_sum", 10, node_sum, deterministic=True)
    db.create_function("vector_sum", 3, vector_sum, deterministic=True)
    with db:
        db.execute("BEGIN IMMEDIATE")
        for index in ("nodes_by_id", "nodes_by_page"):
            db.execute(f"DROP INDEX {index}")
        for table in (*_ROWS, "nodes", "vectors"):
            db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
        for statement in SCHEMA.split(";"):
            db.execute(statement)
        for table, columns in _ROWS.items():
            db.execute(
                f"INSERT INTO {table} SELECT {columns}, row_sum({columns}) FROM old_{table}"
            )
        db.execute(
            "INSERT INTO nodes SELECT version, id, kind, page, place, parent, "
            "node_sum(version, id, kind, page, place, parent, text, anchor, grid, meta), text, anchor, grid, meta "
            "FROM old_nodes"
        )
        db.execute(
            "INSERT INTO pages SELECT version, page, sum(kind != 'sentence'), sum(kind = 'sentence'), "
            "sum((kind != 'sentence') * (sum & 4294967295)) FROM nodes GROUP BY version, page"
        )
        db.execute(
            "INSERT INTO vectors SELECT text_hash, encoder, vector, vector_sum(text_hash, encoder, vector) FROM old_vectors"
        )
        for table in (*_ROWS, "nodes", "vectors"):
            db.execute(f"DROP TABLE old_{table}")
        db.execute(
            "INSERT OR REPLACE INTO facts SELECT 'generation', coalesce(max(number), 0) FROM generations "
            "UNION ALL SELECT 'files', count(*) || ' ' || coalesce(sum(sum), 0) FROM files"
        )
        db.execute("UPDATE facts SET value = ? WHERE name = 'format'", (FORMAT,))
    db.execute("VACUUM")  # every row was copied
