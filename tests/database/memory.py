"""Typed relations as a source in memory."""

from pincite.database.relations.column_profile import profile
from pincite.database.relations.model import Database
from pincite.database.sources.connection import OpenDatabase, in_memory
from pincite.database.sources.typed_columns import create, insert


def memory_source(tables, name="tables"):
    """A source in memory of typed relations as `relation_of` makes them; row n of a relation has rowid n, from 1."""
    held = list(tables)

    def fill(connection):
        for relation, rows in held:
            create(connection, relation)
            insert(connection, relation, rows)

    source = in_memory(Database(name, tuple(relation for relation, _ in held)), fill)
    with source.engine.connect() as connection:
        profiled = tuple(profile(connection, relation, typed=True) for relation, _ in held)
    return OpenDatabase(Database(name, profiled), source.engine)
