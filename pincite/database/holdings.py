"""The databases that a corpus holds: what it knows of them, and how to open them again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.database.database_errors import DatabaseError
from pincite.database.relations.model import Database, Relation
from pincite.database.sources.database_address import variable
from pincite.errors import CorpusError
from pincite.untrusted import agreement_of, inside, is_agreed, readable

if TYPE_CHECKING:
    from pincite.database.relations.value_index import Values
    from pincite.database.sources.connection import OpenDatabase

FOLDER = "databases"
"""Where a corpus keeps what it derived from databases: value indexes, fingerprints, files of tables made one database."""
CONSENT = "database"
"""What is agreed to by indexing a database, with its address: to open it again when the corpus is asked."""
RELATION = "table-"
"""What the versions of documents begin with that are relations of databases."""


@dataclass(frozen=True, slots=True)
class Held:
    """A database of a corpus, profiled as it was when it was indexed."""

    database: Database
    corpus: Path = field(repr=False)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.database.name

    def open(self) -> OpenDatabase:
        """Open it for reading; raises DatabaseError when it cannot be, with what to do.

        Files of tables are read from the corpus's own copy. A corpus may come from a stranger, so that an address is used only
        if this user indexed that database on this machine, or the variable of the database names it.
        """
        from pincite.database.sources.connection import open_source

        schema = self.database.meta.get("schema", "")
        return open_source(self._address(), name=self.name, schema=schema, database=self.database)

    def _address(self) -> str:
        file = self.database.meta.get("file", "")
        if file:
            return f"sqlite:///{inside(self.corpus, file).absolute()}"
        given = os.environ.get(variable(self.name), "")
        if not given and not is_agreed(agreement_of(CONSENT, self.database.address)):
            raise DatabaseError(
                f"the corpus names the database {self.name} at {self.database.address}, which you did not index here: it is "
                f"not opened. If you trust that place, index it again (`pincite index --db URL --name {self.name}`), or set "
                f"{variable(self.name)} to its URL"
            )
        return given or self.database.address

    def values(self) -> Values:
        """Its value index; an empty one when the corpus lost it."""
        from pincite.database.relations.value_index import open_values

        path = inside(self.corpus, values_file(self.name))
        with readable(path, "run `pincite index` on its tables again: the file is made again"):
            return open_values(path if path.is_file() else None)


def held(cards: Iterable[Mapping[str, Any]], corpus: Path) -> tuple[Held, ...]:
    """The databases that the cards of their relations (`relation_rows.document_of`) tell of, by name."""
    from pincite.database.relations.description import relation_from

    facts: dict[str, Mapping[str, str]] = {}
    relations: dict[str, list[Relation]] = {}
    for card in cards:
        name = card["database"]["name"]
        facts[name] = card["database"]
        relations.setdefault(name, []).append(relation_from(card["relation"]))
    made = []
    for name, told in sorted(facts.items()):
        meta = dict(told)
        del meta["name"]
        own = tuple(sorted(relations[name], key=lambda relation: relation.name))
        dialect, address = meta.pop("dialect"), meta.pop("address")
        made.append(Held(Database(name, own, dialect, address, meta), corpus))
    return tuple(made)


def values_file(name: str) -> str:
    """Where in a corpus the value index of a database is."""
    return f"{FOLDER}/{_slug(name)}.values.sqlite"


def names_file(name: str) -> str:
    """Where in a corpus the dictionary of readable names is that a database was last given."""
    return f"{FOLDER}/{_slug(name)}.names.yaml"


def prints_file(name: str, relation: str, token: str) -> str:
    """Where in a corpus the fingerprints of the rows of a relation are; the value index notes the `token` of those it is of.

    Raises CorpusError for a token that is not one.
    """
    if token.strip("0123456789abcdef"):
        raise CorpusError(
            f"the value index of the database {name} is damaged or was forged: delete {values_file(name)} in the "
            "corpus and index the database again"
        )
    return f"{FOLDER}/{_slug(name)}.{_slug(relation)}.{token}.npz"


def _slug(name: str) -> str:
    return blake2b(name.encode(), digest_size=8).hexdigest()


def card_id(document: str) -> str:
    """The id of the card of a relation; `document` is its document's id."""
    return blake2b(f"card\n{document}".encode(), digest_size=8).hexdigest()
