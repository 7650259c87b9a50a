"""A corpus opened for reading, pinned to one generation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from pincite.corpus.stored import NODE, Entryless, FileStatus, connect, files_of, newest, node_of, read_document
from pincite.database.held import Held, card_id, held
from pincite.errors import CorpusError
from pincite.types import Document, Kind, Node, Where

PAGES = 1024
"""The pages read last, whose nodes are kept: what is worked out of a node (`pincite.kept`) is then there when it is met again."""
NEAR = 64
"""Places that are looked up at once where only the first of many are needed."""


class Corpus:
    """A corpus opened for reading, pinned to its newest generation.

    Raises CorpusError when the folder holds no corpus, one of another version, or a damaged one.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self._db = connect(self.folder, create=False)
        self.generation = newest(self._db)
        self._alive: WeakValueDictionary[str, Node] = WeakValueDictionary()

    @cached_property
    def documents(self) -> tuple[Entryless, ...]:
        """The documents of the generation, in the order of their ids."""
        named = dict((version, name) for name, version in reversed(self.generation.documents))
        metas = {row[0]: row[1] for row in self._db.execute("SELECT version, meta FROM files WHERE meta != '{}'")}
        rows = self._db.execute(
            "SELECT version, source, title, date, language, pages, tables, meta FROM documents"
        ).fetchall()
        found = [
            Entryless(
                named[version], version, source, title, date, language, pages, tables,
                {**json.loads(meta), **json.loads(metas.get(version, "{}"))},
            )
            for version, source, title, date, language, pages, tables, meta in rows
            if version in named
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda one: one.id))

    @cached_property
    def by_version(self) -> Mapping[str, Entryless]:
        """The documents of the generation by version."""
        return {one.version: one for one in self.documents}

    @cached_property
    def relations(self) -> tuple[Entryless, ...]:
        """The documents that are relations of databases, in the order of their ids."""
        return tuple(one for one in self.documents if one.relation)

    @cached_property
    def databases(self) -> tuple[Held, ...]:
        """The databases of the generation, by name: their relations as they were when they were indexed."""
        if not self.relations:
            return ()
        cards = [
            self._db.execute(
                "SELECT meta FROM nodes WHERE version = ? AND id = ?", (one.version, card_id(one.id))
            ).fetchone()
            for one in self.relations
        ]
        return held((json.loads(meta) for (meta,) in cards), self.folder)

    @cached_property
    def _versions(self) -> frozenset[str]:
        return frozenset(version for _, version in self.generation.documents)

    @cached_property
    def _aliases(self) -> Mapping[str, set[str]]:
        """What each version may be called: its documents' ids and its files' names, without extension."""
        aliases: dict[str, set[str]] = {}
        for name, version in self.generation.documents:
            aliases.setdefault(version, set()).add(without_extension(name))
        for one in self.files():
            aliases.setdefault(one.version, set()).add(without_extension(Path(one.path).name))
        return aliases

    def select(self, where: Where) -> tuple[Entryless, ...]:
        """The documents that `where` lets through: every field holds one of its values, case-folded.

        `document` matches the id or the file's name, each with or without its extension. A field that no document has
        raises CorpusError.
        """
        wanted = [(name, {without_extension(value) if name == "document" else value.casefold() for value in values})
                  for name, values in where]  # fmt: skip
        chosen = []
        for one in self.documents:
            held = {name: {value.casefold()} for name, value in one.meta.items()}
            held |= {"document": self._aliases[one.version], "title": {one.title.casefold()}}
            if all(held.get(name, set()) & values for name, values in wanted):
                chosen.append(one)
        if not chosen:
            fields = {"document", "title"}.union(*(one.meta for one in self.documents)) if self.documents else set()
            for name, _ in where:
                if name not in fields:
                    raise CorpusError(
                        f"no document has a field {name!r} to filter by; there are: {', '.join(sorted(fields))}. "
                        "Fields come from the columns of the file given to `pincite index --metadata`."
                    )
        return tuple(chosen)

    def nodes(self, ids: Sequence[str]) -> list[Node]:
        """The nodes with these ids, in this order; ids that are gone are left out."""
        nodes: dict[str, Node] = {one: node for one in ids if (node := self._alive.get(one)) is not None}
        missing = [one for one in dict.fromkeys(ids) if one not in nodes]
        found: dict[str, Any] = {}
        for start in range(0, len(missing), 500):
            some = missing[start : start + 500]
            marks = ",".join("?" * len(some))
            for row in self._db.execute(f"SELECT {NODE}, version FROM nodes WHERE id IN ({marks})", some):
                if row[0] not in found or row[-1] in self._versions:  # the row of a relation keeps its id as it changes
                    found[row[0]] = row
        nodes |= {one: node_of(row[:-1]) for one, row in found.items()}
        return [nodes[one] for one in ids if one in nodes]

    def places(self, ids: Sequence[str]) -> dict[str, tuple[str, int]]:
        """The (version, page) of each node that is there."""
        found: dict[str, tuple[str, int]] = {}
        for start in range(0, len(ids), 500):
            some = list(ids[start : start + 500])
            marks = ",".join("?" * len(some))
            rows = self._db.execute(f"SELECT id, version, page FROM nodes WHERE id IN ({marks})", some)
            for identity, version, page in rows:
                if identity not in found or version in self._versions:
                    found[identity] = version, page
        return found

    def each_place(self, ids: Sequence[str]) -> Iterator[tuple[str, tuple[str, int]]]:
        """The same one after the other, looked up as far as they are asked for."""
        for start in range(0, len(ids), NEAR):
            some = ids[start : start + NEAR]
            found = self.places(some)
            yield from ((one, found[one]) for one in some if one in found)

    def page(self, version: str, page: int, without: tuple[Kind, ...] = ("sentence",)) -> list[Node]:
        """The nodes that begin on one page of a document, in reading order; none for 0, where what has no page stands."""
        return list(self._page(version, page, without)) if page else []

    @cached_property
    def _page(self) -> Callable[[str, int, tuple[Kind, ...]], tuple[Node, ...]]:
        return lru_cache(PAGES)(self._read_page)

    def _read_page(self, version: str, page: int, without: tuple[Kind, ...]) -> tuple[Node, ...]:
        rows = self._db.execute(
            f"SELECT {NODE} FROM nodes WHERE version = ? AND page = ? ORDER BY place", (version, page)
        )
        nodes = tuple(node_of(row) for row in rows if row[1] not in without)
        if version in self._versions:
            self._alive.update((node.id, node) for node in nodes)
        return nodes

    def children(self, version: str, parent: str) -> list[Node]:
        """The nodes right below one node, in reading order."""
        rows = self._db.execute(
            f"SELECT {NODE} FROM nodes WHERE version = ? AND parent = ? ORDER BY place", (version, parent)
        )
        return [node_of(row) for row in rows]

    def containing(self, version: str, text: str, most: int = 200) -> list[Node]:
        """The nodes of one document whose text holds `text`, case-folded as SQLite does; pages and sentences repeat others."""
        wanted = re.sub(r"([%_\\])", r"\\\1", text)
        rows = self._db.execute(
            f"SELECT {NODE} FROM nodes WHERE version = ? AND kind NOT IN ('page', 'sentence', 'document', 'section', 'row') "
            "AND text LIKE ? ESCAPE '\\' ORDER BY page, place LIMIT ?",
            (version, f"%{wanted}%", most),
        )
        return [node_of(row) for row in rows]

    def headings(self, version: str) -> list[tuple[str, int]]:
        """The headings of one document with their pages, in reading order."""
        rows = self._db.execute(
            "SELECT text, page FROM nodes WHERE version = ? AND kind = 'heading' ORDER BY place", (version,)
        )
        return [(text, page) for text, page in rows]

    def tables(self, version: str) -> list[Node]:
        """The tables of one document, in reading order."""
        rows = self._db.execute(
            f"SELECT {NODE} FROM nodes WHERE version = ? AND kind = 'table' ORDER BY place", (version,)
        )
        return [node_of(row) for row in rows]

    def page_facts(self) -> list[tuple[str, int, str, dict[str, Any], int, int]]:
        """(version, page, its path, what is told of it, its characters, its tables) of every page of every document."""
        tables = dict(
            ((version, page), count)
            for version, page, count in self._db.execute(
                "SELECT version, page, count(*) FROM nodes WHERE kind = 'table' GROUP BY version, page"
            )
        )
        rows = self._db.execute("SELECT version, page, anchor, meta, length(text) FROM nodes WHERE kind = 'page'")
        return [
            (version, page, json.loads(anchor).get("path", ""), json.loads(meta), length, tables.get((version, page), 0))
            for version, page, anchor, meta, length in rows
        ]

    def document(self, version: str) -> Document:
        """One document with all its nodes, under its id and metadata of this generation."""
        one = self.by_version[version]
        return replace(read_document(self._db, version), id=one.id, meta=one.meta)

    def files(self) -> list[FileStatus]:
        """The status of every file that indexing has met, by path."""
        return files_of(self._db)

    def departed(self, source: str, document: str) -> str:
        """Why what was cited of a source is gone, in words; "" while the generation holds the source."""
        if any(one.source == source for one in self.documents):
            return ""
        if any(one.id == document for one in self.documents):
            return f"the file {document} has changed since it was cited"
        return f"{document} has been removed from the corpus"

    def source(self, sha: str) -> Path:
        """The corpus's own copy of a source file; raises CorpusError when it is gone."""
        for path in (self.folder / "sources").glob(f"{sha}*"):
            return path
        raise CorpusError(
            f"the source {sha[:12]} is no longer in the corpus {self.folder}: it was removed or replaced. "
            "The citation still carries its quote; index the file again to see the page."
        )

    def close(self) -> None:
        """Close the database, and forget the pages that were read."""
        self._db.close()
        self.__dict__.pop("_page", None)  # it holds the corpus, and whoever remembers a closed one would hold its pages too


def without_extension(name: str) -> str:
    """A document's name for comparison: case-folded, without the extension of a file format."""
    return re.sub(r"\.(pdf|txt|md|markdown)$", "", name.casefold())
