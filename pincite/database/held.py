"""The databases that a corpus holds: what it knows of them, and how to open them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.database.model import Database, Relation

if TYPE_CHECKING:
    from pincite.database.connect import Source
    from pincite.database.values import Values

FOLDER = "databases"
"""Where a corpus keeps what it derived from databases: value indexes, fingerprints, files of tables made one database."""
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

    def open(self) -> Source:
        """Open it for reading; raises DatabaseError when it cannot be, with what to do.

        Files of tables are read from the corpus's own copy.
        """
        from pincite.database.connect import open_source

        file = self.database.meta.get("file", "")
        address = f"sqlite:///{(self.corpus / file).absolute()}" if file else self.database.address
        return open_source(address, name=self.name, schema=self.database.meta.get("schema", ""), database=self.database)

    def values(self) -> Values:
        """Its value index; an empty one when the corpus lost it."""
        from pincite.database.values import open_values

        path = self.corpus / values_file(self.name)
        return open_values(path if path.is_file() else None)


def held(cards: Iterable[Mapping[str, Any]], corpus: Path) -> tuple[Held, ...]:
    """The databases that the cards of their relations (`rows.document_of`) tell of, by name."""
    from pincite.database.written import relation_from

    facts: dict[str, Mapping[str, str]] = {}
    relations: dict[str, list[Relation]] = {}
    for card in cards:
        name = card["database"]["name"]
        facts[name] = card["database"]
        relations.setdefault(name, []).append(relation_from(card["relation"]))
    return tuple(
        Held(
            Database(
                name,
                tuple(sorted(relations[name], key=lambda one: one.name)),
                one["dialect"],
                one["address"],
                {key: value for key, value in one.items() if key not in ("name", "dialect", "address")},
            ),
            corpus,
        )
        for name, one in sorted(facts.items())
    )


def values_file(name: str) -> str:
    """Where in a corpus the value index of a database is."""
    return f"{FOLDER}/{_slug(name)}.values.sqlite"


def names_file(name: str) -> str:
    """Where in a corpus the dictionary of readable names is that a database was last given."""
    return f"{FOLDER}/{_slug(name)}.names.yaml"


def prints_file(name: str, relation: str, token: str) -> str:
    """Where in a corpus the fingerprints of the rows of a relation are; the value index notes the `token` of those it is of."""
    return f"{FOLDER}/{_slug(name)}.{_slug(relation)}.{token}.npz"


def _slug(name: str) -> str:
    return blake2b(name.encode(), digest_size=8).hexdigest()


def card_id(document: str) -> str:
    """The id of the card of a relation; `document` is its document's id."""
    return blake2b(f"card\n{document}".encode(), digest_size=8).hexdigest()
