"""A corpus opened for reading, pinned to one generation."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from pincite.corpus.checksums import is_there, page_sums
from pincite.corpus.corpus_store import (
    AGAIN,
    FILENAME,
    Entryless,
    FileStatus,
    checked,
    connect,
    damaged,
    files_of,
    newest,
    node_of,
    read_document,
    read_facts,
    read_node,
    refuse_others,
    rows_of,
    source_file,
    texts_of,
)
from pincite.corpus.described import declared, known
from pincite.corpus.schema import DOCUMENT, NODE
from pincite.database.holdings import FOLDER as HELD_FOLDER
from pincite.database.holdings import Held, card_id, held
from pincite.errors import CorpusError
from pincite.formats.encoding import NodeRow
from pincite.storage import corpus_folder, search_address, shown
from pincite.storage.file_copies import fetch_files
from pincite.text.wording import did_you_mean
from pincite.types import Document, Kind, Node, Where
from pincite.untrusted import digest_of, is_sha, readable

PAGES = 1024
"""The pages read last, whose nodes are kept: what is worked out of a node is then there when it is met again."""
PLACES = 200_000
"""The most nodes of which it is remembered where they are."""
NEAR = 64
"""Places that are looked up at once where only the first of many are needed."""
Kinds = tuple[Kind, ...]


class _ByVersion(dict[str, Entryless]):
    def __missing__(self, version: str) -> Entryless:
        raise CorpusError(
            f"a node belongs to the document {version[:12]}, which the corpus does not contain: the corpus is damaged. {AGAIN}"
        )


class Corpus:
    """A corpus opened for reading, pinned to its newest generation.

    `folder` may be the address of one in PostgreSQL. Raises CorpusError when there is no corpus, one of another version, or a
    damaged one; and whatever is read of it, when that is not as it was stored. `search` is as in the
    settings: the address of the engine that its indexes are searched in, "" for none, "corpus" for where it is.
    """

    def __init__(self, folder: Path | str, search: str = "") -> None:
        self.folder = corpus_folder(folder)
        self.search = search_address(search, self.folder)
        self._db = connect(self.folder, create=False)
        with self._reading():
            self.generation = newest(self._db)
        self._alive: WeakValueDictionary[str, Node] = WeakValueDictionary()
        self._places: dict[str, tuple[str, int]] = {}

    def _reading(self) -> AbstractContextManager[None]:
        return readable(self.folder / FILENAME, AGAIN)

    def _rows(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except (sqlite3.Error, ValueError) as error:
            raise damaged(self.folder, str(error)) from error

    def is_newest(self) -> bool:
        """Whether no newer generation was published."""
        said = self._rows("SELECT value FROM facts WHERE name = 'generation'")
        return said == [(str(self.generation.number),)]

    @cached_property
    def documents(self) -> tuple[Entryless, ...]:
        """The documents of the generation, in the order of their ids."""
        named = dict((version, name) for name, version in reversed(self.generation.documents))
        given = {file.version: file.meta for file in self.files() if file.meta}
        found = []
        with self._reading():
            for row in self._rows(f"SELECT {DOCUMENT}, sum FROM documents"):
                if row[0] in named:
                    found.append(_entryless(row, named[row[0]], declared(given.get(row[0], {}))))
        if len(found) < len(named):
            number = self.generation.number
            if not self._rows("SELECT 1 FROM generations WHERE number = ?", number):
                raise CorpusError(
                    f"the corpus {shown(self.folder)} has been indexed again twice since it was opened: open it again"
                )
            raise CorpusError(
                f"{len(found)} documents are stored, of {len(named)}: the corpus is damaged. {AGAIN}"
            )
        return tuple(sorted(found, key=lambda document: document.id))

    @cached_property
    def by_version(self) -> Mapping[str, Entryless]:
        """The documents of the generation by version; CorpusError for one that it does not have."""
        return _ByVersion((document.version, document) for document in self.documents)

    @cached_property
    def relations(self) -> tuple[Entryless, ...]:
        """The documents that are relations of databases, in the order of their ids."""
        return tuple(document for document in self.documents if document.relation)

    @cached_property
    def databases(self) -> tuple[Held, ...]:
        """The databases of the generation, by name: their relations as they were when they were indexed."""
        if not self.relations:
            return ()
        fetch_files(self.folder, HELD_FOLDER, changing=True)
        cards = [(relation.version, card_id(relation.id)) for relation in self.relations]
        with self._reading():
            return held([read_node(self._db, *card).meta for card in cards], self.folder)

    @cached_property
    def _versions(self) -> frozenset[str]:
        return frozenset(version for _, version in self.generation.documents)

    @cached_property
    def _aliases(self) -> Mapping[str, set[str]]:
        """What each version may be called: its documents' ids and its files' names, without extension."""
        aliases: dict[str, set[str]] = {}
        for name, version in self.generation.documents:
            aliases.setdefault(version, set()).add(without_extension(name))
        for file in self.files():
            aliases.setdefault(file.version, set()).add(without_extension(Path(file.path).name))
        return aliases

    def select(self, where: Where) -> tuple[Entryless, ...]:
        """The documents that `where` lets through: every field holds one of its values, case-folded.

        `document` matches the id or the file's name, each with or without its extension. A field that no document has
        raises CorpusError.
        """
        wanted = [(name, {without_extension(value) if name == "document" else value.casefold() for value in values})
                  for name, values in where]  # fmt: skip
        chosen = []
        for document in self.documents:
            held = {name: {value.casefold()} for name, value in document.meta.items()}
            held["document"] = self._aliases[document.version]
            held["title"] = {document.title.casefold()}
            if all(held.get(name, set()) & values for name, values in wanted):
                chosen.append(document)
        if chosen:
            return tuple(chosen)
        given = [{"document", "title", *document.meta} for document in self.documents]
        fields = sorted(set(chain.from_iterable(given)))
        for name, _ in where:
            if name not in fields:
                raise CorpusError(
                    f"no document has a field {name!r} to filter by; known: {', '.join(fields)}.{did_you_mean(name, fields)} "
                    "Fields come from the columns of the file given to `pincite index --metadata`."
                )
        return ()

    def nodes(self, ids: Sequence[str]) -> list[Node]:
        """The nodes with these ids, in this order; ids that are gone are left out."""
        nodes = {known: node for known in ids if (node := self._alive.get(known)) is not None}
        found = self._newest_rows(
            NODE, [other for other in dict.fromkeys(ids) if other not in nodes]
        )
        nodes |= {identity: node_of(row[1:]) for identity, row in found.items()}
        return [nodes[identity] for identity in ids if identity in nodes]

    def nodes_by_id(self, ids: Iterable[str]) -> dict[str, Node]:
        """The nodes with these ids by their ids, in this order; ids that are gone are left out."""
        return {node.id: node for node in self.nodes(list(dict.fromkeys(ids)))}

    def places(self, ids: Sequence[str]) -> dict[str, tuple[str, int]]:
        """The (version, page) of each node that is there."""
        known = self._places
        new = self._newest_rows(
            "version, kind, page, sum", [each for each in ids if each not in known]
        )
        for identity, (_, version, kind, page, given) in new.items():
            if not is_there(version, identity, kind, page, given):
                raise CorpusError(
                    f"a node is not where it was stored: the corpus is damaged, or was edited. {AGAIN}"
                )
            known[identity] = version, page
        found = {
            identity: known[identity]
            for start in range(0, len(ids), 500)
            for identity in sorted(ids[start : start + 500])
            if identity in known
        }
        if len(known) > PLACES:
            known.clear()
        return found

    def _newest_rows(self, columns: str, ids: Sequence[str]) -> dict[str, Any]:
        """By its id the id and these columns of each node that is there: of several versions, that of this generation."""
        found: dict[str, Any] = {}
        for start in range(0, len(ids), 500):
            some = ids[start : start + 500]
            marks = ",".join("?" * len(some))
            query = f"SELECT id, version, {columns} FROM nodes INDEXED BY nodes_by_id WHERE id IN ({marks})"
            for identity, version, *row in self._rows(query, *some):
                # the row of a relation keeps its id as it changes
                if identity not in found or version in self._versions:
                    found[identity] = (version, identity, *row)
        query = "SELECT 1 FROM nodes WHERE version = ? AND id = ?"
        for identity in filter(None, ids):
            if identity not in found or found[identity][0] not in self._versions:
                if any(self._rows(query, version, identity) for version in self._versions):
                    raise CorpusError(
                        f"a node is stored but not listed: the corpus is damaged. {AGAIN}"
                    )
        return {identity: row[1:] for identity, row in found.items()}

    def each_place(self, ids: Sequence[str]) -> Iterator[tuple[str, tuple[str, int]]]:
        """The same one after the other, looked up as far as they are asked for."""
        for start in range(0, len(ids), NEAR):
            some = ids[start : start + NEAR]
            found = self.places(some)
            yield from ((identity, found[identity]) for identity in some if identity in found)

    def page(self, version: str, page: int, without: Kinds = ("sentence",)) -> list[Node]:
        """The nodes that begin on one page of a document, in reading order; none for 0, where what has no page stands."""
        return list(self._page(version, page, without)) if page else []

    @cached_property
    def _page(self) -> Callable[[str, int, Kinds], tuple[Node, ...]]:
        return lru_cache(PAGES)(self._read_page)

    def _read_page(self, version: str, page: int, without: Kinds) -> tuple[Node, ...]:
        some = " AND kind != 'sentence'" if "sentence" in without else ""
        rows = self._rows(
            f"SELECT {NODE} FROM nodes INDEXED BY nodes_by_page WHERE version = ? AND page = ?{some} ORDER BY place",
            version, page,
        )  # fmt: skip
        said = self._rows(
            "SELECT nodes, sentences, sum FROM pages WHERE version = ? AND page = ?", version, page
        )
        count, sentences, total = said[0] if said else (0, 0, 0)
        expected = count, 0 if some else sentences, total
        if page_sums([(row[2], row[-1]) for row in rows]) != expected and self._rows(
            "SELECT 1 FROM documents WHERE version = ?", version
        ):  # else the document was just swept away
            raise CorpusError(
                f"page {page} of the document {version[:12]} is not as it was stored: the corpus is damaged, or was edited. "
                f"{AGAIN}"
            )
        nodes = tuple(node_of(row) for row in rows if row[2] not in without)
        if version in self._versions:
            self._alive.update((node.id, node) for node in nodes)
        return nodes

    def part(self, version: str, nodes: Iterable[Node]) -> Document:
        """A document with these nodes alone, for what looks at a part of one."""
        known = self.by_version[version]
        facts = known.title, "", known.date, known.language, known.meta
        return Document(known.id, version, *facts, tuple(nodes))

    def children(self, version: str, parent: str) -> list[Node]:
        """The nodes right below one node, in reading order."""
        return self._nodes_where(version, "parent = ? ORDER BY place", parent)

    def containing(self, version: str, text: str, most: int = 200) -> list[Node]:
        """The nodes of one document whose text holds `text`, case-folded as SQLite does; pages and sentences repeat others."""
        wanted = re.sub(r"([%_\\])", r"\\\1", text)
        kinds = "kind NOT IN ('page', 'sentence', 'document', 'section', 'row')"
        which = f"{kinds} AND text LIKE ? ESCAPE '\\' ORDER BY page, place LIMIT ?"
        return self._nodes_where(version, which, f"%{wanted}%", most)

    def headings(self, version: str) -> list[tuple[str, int]]:
        """The headings of one document with their pages, in reading order."""
        found = self._nodes_where(version, "kind = 'heading' ORDER BY place")
        return [(node.text, node.anchor.page) for node in found]

    def tables(self, version: str) -> list[Node]:
        """The tables of one document, in reading order."""
        return self._nodes_where(version, "kind = 'table' ORDER BY place")

    def _nodes_where(self, version: str, which: str, *values: Any) -> list[Node]:
        """The nodes of one document that `which` lets through."""
        query = f"SELECT {NODE} FROM nodes WHERE version = ? AND {which}"
        return list(map(node_of, self._rows(query, version, *values)))

    def page_facts(self) -> list[tuple[str, int, str, dict[str, Any], int, int]]:
        """(version, page, its path, what is told of it, its characters, its tables) of every page of every document."""
        counted = (
            "SELECT version, page, count(*) FROM nodes WHERE kind = 'table' GROUP BY version, page"
        )
        tables = {(version, page): count for version, page, count in self._rows(counted)}
        rows = self._rows(
            "SELECT version, page, anchor, meta, length(text) FROM nodes WHERE kind = 'page'"
        )
        facts = []
        with self._reading():
            for version, page, anchor, meta, length in rows:
                path, count = json.loads(anchor).get("path", ""), tables.get((version, page), 0)
                facts.append((version, page, path, json.loads(meta), length, count))
        return facts

    def document(self, version: str) -> Document:
        """One document with all its nodes, under its id and metadata of this generation."""
        held = self.by_version[version]
        with self._reading():
            stored = read_document(self._db, version)
        return replace(stored, id=held.id, title=held.title, meta=held.meta)

    def stored(self, version: str) -> Document:
        """One document without its nodes, under the name and with the metadata that it was parsed with."""
        with self._reading():
            return read_facts(self._db, version)

    def rows(self, version: str) -> list[NodeRow]:
        """The nodes of one document as they are stored, in reading order."""
        with self._reading():
            rows = rows_of(self._db, version)
        for row in rows:
            node_of(row)
        return [row[1:-1] for row in rows]

    def files(self) -> list[FileStatus]:
        """The status of every file that indexing has met, by path."""
        with self._reading():
            return files_of(self._db)

    def departed(self, source: str, document: str) -> str:
        """Why what was cited of a source is gone, in words; "" while the generation holds the source."""
        if any(document.source == source for document in self.documents):
            return ""
        if any(known.id == document for known in self.documents):
            return f"the file {document} has changed since it was cited"
        return f"{document} has been removed from the corpus"

    def source(self, sha: str) -> Path:
        """The corpus's own copy of a source file. Raises CorpusError when it is gone, or is not what was indexed."""
        path = source_file(self.folder, sha) if is_sha(sha) else None
        if path is None or not path.is_file():
            raise CorpusError(
                f"the source {sha[:12]} is no longer in the corpus {shown(self.folder)}: it was removed or replaced. "
                "The citation still carries its quote; index the file again to see the page."
            )
        if digest_of(path) != sha:
            raise CorpusError(
                f"the source {sha[:12]} in the corpus {shown(self.folder)} is not the file that was indexed: it was changed. "
                "The citation still carries its quote; delete that copy, and index the file again."
            )
        return path

    def close(self) -> None:
        """Close the database, and forget the pages that were read."""
        self._db.close()
        # it holds the corpus, and whoever remembers a closed one would hold its pages too
        self.__dict__.pop("_page", None)


def _entryless(row: Any, identity: str, said: Mapping[str, str]) -> Entryless:
    """A document from its row, under its id of a generation and with what people say of it."""
    version, source, _, title, _, date, language, meta, *counts = checked(row, "a document")
    refuse_others(source, title, date, language)
    facts = [version, source, said.get("title", title), date, language, *counts]
    facts += [known(texts_of(meta), said), said]
    return Entryless(identity, *facts)


def without_extension(name: str) -> str:
    """A document's name for comparison: case-folded, without the extension of a file format."""
    return re.sub(r"\.(pdf|txt|md|markdown)$", "", name.casefold())
