"""The databases that are to be indexed, open: with what the corpus knows of them already, files of tables as a database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from pincite.corpus import Corpus
from pincite.database.holdings import CONSENT, FOLDER, names_file, values_file
from pincite.database.relations.guessed_headings import dictionary
from pincite.database.relations.model import Relation
from pincite.database.relations.value_index import Values, open_values
from pincite.database.sources.connection import OpenDatabase, open_source
from pincite.database.sources.database_address import Address, parse
from pincite.errors import UsageError
from pincite.indexing.wanted_databases import Wanted
from pincite.storage import is_kept
from pincite.storage.disk import write
from pincite.untrusted import agree, agreement_of

DRIFT = 0.1
"""The share of the rows of a large relation that may have changed until it is profiled anew."""
DRIFTED = "changed since the profile of "


@contextmanager
def opened(
    corpus: Path, wanted: Sequence[Wanted], row_limit: int, folder: Path | None = None
) -> Iterator[list[OpenDatabase]]:
    """The sources that are wanted, open; raises before anything is written when one cannot be opened.

    UsageError when two have one name. Files of tables are made one database in `folder`, by default the corpus's.
    """
    with ExitStack() as stack:
        sources: list[OpenDatabase] = []
        for each in wanted:
            source = stack.enter_context(
                _open_database(corpus, each, row_limit, folder or corpus / FOLDER)
            )
            if any(source.database.name == other.database.name for other in sources):
                raise UsageError(
                    f"two databases are called {source.database.name}: give one of them another --name"
                )
            sources.append(source)
        yield sources


def _open_database(corpus: Path, wanted: Wanted, row_limit: int, folder: Path) -> OpenDatabase:
    place = parse(wanted.address, wanted.name)
    kept = {"schema": wanted.schema} if wanted.schema else {}
    address, shown = wanted.address, place.text
    if place.path is not None:
        scheme = "" if place.kind == "files" else f"{place.kind}:///"
        shown = f"{scheme}{place.path.resolve()}"
    if place.kind == "files":
        file = imported(folder, place, wanted.only)
        address, kept = f"sqlite:///{file.absolute()}", kept | {"file": f"{FOLDER}/{file.name}"}
    names = _readable_names(folder / Path(names_file(place.name)).name, wanted.names)
    source = open_source(
        address, name=place.name, schema=wanted.schema, tables=wanted.tables, names=names,
        known=_known_profiles(corpus, place.name, row_limit),
    )  # fmt: skip
    if place.kind != "files":
        agree(agreement_of(CONSENT, shown))
    database = replace(source.database, address=shown, meta=source.database.meta | kept)
    return replace(source, database=database)


def _readable_names(
    kept: Path, given: Mapping[str, Any] | Path | None
) -> Mapping[str, Any] | Path | None:
    """The dictionary of readable names: the one given, which is `kept` for later runs, else the one kept."""
    if given is None:
        return kept if kept.is_file() else None
    import yaml

    dictionary(given)  # raises before it is kept
    text = (
        yaml.safe_dump(dict(given))
        if isinstance(given, Mapping)
        else Path(given).read_text(encoding="utf-8")
    )
    write(kept, text)
    return given


def _known_profiles(corpus: Path, name: str, row_limit: int) -> list[Relation]:
    """The stored profiles of large relations of which few rows have changed since."""
    path = corpus / values_file(name)
    if not is_kept(corpus, "corpus.sqlite", "facts") or not path.is_file():
        return []
    named = (held.database for held in Corpus(corpus).databases if held.name == name)
    relations = list(chain.from_iterable(database.relations for database in named))
    try:
        with closing(open_values(path)) as values:
            large = (relation for relation in relations if relation.rows > row_limit)
            return [relation for relation in large if holds(values, relation)]
    except sqlite3.DatabaseError:
        return []  # it is made anew


def holds(values: Values, relation: Relation) -> bool:
    """Whether so few rows have changed since a large relation was profiled that its profile still holds."""
    drifted = values.noted(DRIFTED + relation.name)
    return drifted != "" and int(drifted) <= DRIFT * relation.rows


def imported(folder: Path, place: Address, only: Sequence[Path]) -> Path:
    """The database in `folder` that files of tables are made, named by what they hold; see `table_files.import_files`."""
    from pincite.database.sources.table_files import import_files

    folder.mkdir(parents=True, exist_ok=True)
    made = import_files(place, folder, only)
    assert made.path is not None
    return made.path
