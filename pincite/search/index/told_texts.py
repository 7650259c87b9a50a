"""What a model wrote offline about the places of a corpus: its store beside the corpus, and the view that indexes it.

A view sees only a document, so whoever indexes one first puts the texts about its nodes into their meta (`with_told`), and what
was told of figures into the text of the figure and of its page, so that every view of these searches it. These texts are
matched, never cited and never shown to a reader. They are of a node in one version of its document: they outlive generations
and removals, come back with their document, and are ignored while it is absent. A table of a database that has changed is
another version, which nothing was told of yet.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal, get_args

from pincite.search.index.document_views import ALL, ObjectKind, numbered_places, object_kind
from pincite.storage import connect_kept, exclusively, is_kept
from pincite.storage.ledger import kept
from pincite.types import Document, Entry, Node
from pincite.untrusted import readable

FILE = "told.sqlite"
META = "told"
"""The key of a node's meta that holds what was told of it: kind -> pieces."""

Telling = Literal["purpose", "summary", "qa", "tables", "captions"]
"""What can be told: of pages and tables their purpose, a summary and questions with answers; of a table its content in
sentences; of a figure what it shows."""
TELLINGS: tuple[Telling, ...] = get_args(Telling)

SCHEMA = """
CREATE TABLE IF NOT EXISTS told (
    number INTEGER PRIMARY KEY, node TEXT NOT NULL, kind TEXT NOT NULL, model TEXT NOT NULL, revision TEXT NOT NULL,
    version TEXT NOT NULL, pieces TEXT NOT NULL, UNIQUE (node, kind, model, revision));
CREATE INDEX IF NOT EXISTS told_by_version ON told (version, kind);
"""


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of every node under one kind: all pieces as one text, or with `each` every piece by itself.

    Where several models told of a node, the last one to do so counts. With `on="page"` the entries are about the page that
    the node begins on, in the order of its nodes. A node of which there was nothing to tell has no entry. `of` says what kinds of
    objects are told of; figures, which are none, are never left out.
    """

    kind: Telling
    each: bool = False
    on: Literal["node", "page"] = "node"
    of: tuple[ObjectKind, ...] = ALL

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield what was told of the document's nodes, in reading order."""
        place = numbered_places(document, self.on == "page")
        for node in document.nodes:
            pieces = node.meta.get(META, {}).get(self.kind, ())
            if object_kind(node) not in (None, *self.of) or not pieces:
                continue
            for text in pieces if self.each else ("\n".join(pieces),):
                about, at = place(node)
                yield Entry(about, self.kind, text, at)


class Store:
    """What was told, open for writing, in a SQLite file of its own that threads and processes share."""

    def __init__(self, corpus: Path | str) -> None:
        self._db = kept(Path(corpus) / FILE, SCHEMA)
        self._lock = threading.Lock()

    def put(
        self,
        node: str,
        version: str,
        kind: Telling,
        model: str,
        revision: str,
        pieces: Sequence[str],
    ) -> None:
        """Keep what a model told of a node; no pieces when there was nothing to tell. It replaces what was kept so."""
        row = (node, kind, model, revision, version, json.dumps(list(pieces), ensure_ascii=False))
        same = "node = ? AND kind = ? AND model = ? AND revision = ?"
        columns = "node, kind, model, revision, version, pieces"
        with self._lock, exclusively(self._db) as db:
            # removed first, since the number says what was told last
            db.execute(f"DELETE FROM told WHERE {same}", row[:4])
            db.execute(f"INSERT INTO told ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def nodes_told(
    corpus: Path, kind: Telling, model: str, revision: str
) -> frozenset[tuple[str, str]]:
    """The (document version, node) of which this model told this by this prompt, those with nothing to tell included."""
    query = "SELECT version, node FROM told WHERE kind = ? AND model = ? AND revision = ?"
    return frozenset((row[0], row[1]) for row in _rows(corpus, query, kind, model, revision))


def with_told(document: Document, corpus: Path) -> Document:
    """The document, or a part of it, with what was told of each node in its meta, and what was told of figures in the text.

    A figure's caption by a model stands behind the figure's own text, and in its page behind the printed caption, else behind
    the figure's text, else at the end.
    """
    told: dict[str, dict[str, list[str]]] = {}
    query, ids = "SELECT node, kind, pieces FROM told WHERE version = ?", []
    if len(document.nodes) <= 500:
        ids = [node.id for node in document.nodes]
        query += f" AND node IN ({','.join('?' * len(ids))})"
    with _reading(corpus):
        rows = _rows(corpus, f"{query} ORDER BY number", document.version, *ids)
        for node, kind, pieces in rows:
            told.setdefault(node, {})[kind] = json.loads(pieces)
    nodes = [
        replace(node, meta={**node.meta, META: told[node.id]}) if node.id in told else node
        for node in document.nodes
    ]
    return replace(document, nodes=_captioned(nodes)) if told else document


def _captioned(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The nodes with the captions that were told of figures in the text of figures and pages."""
    printed = {node.parent: node.text for node in nodes if node.kind == "caption"}
    captions: dict[str, str] = {}
    of_page: dict[int, list[tuple[str, str]]] = {}
    for node in nodes:
        pieces = node.meta.get(META, {}).get("captions") if node.kind == "figure" else None
        if pieces:
            captions[node.id] = caption = "\n".join(pieces)
            behind = printed.get(node.id) or node.text
            of_page.setdefault(node.anchor.page, []).append((behind, caption))
    made = []
    for node in nodes:
        if node.id in captions:
            node = replace(node, text="\n".join(filter(None, (node.text, captions[node.id]))))
        elif node.kind == "page":
            for behind, caption in of_page.get(node.anchor.page, ()):
                text = node.text
                at = text.find(behind) + len(behind) if behind and behind in text else len(text)
                parts = text[:at].rstrip(), caption, text[at:].lstrip()
                node = replace(node, text="\n".join(filter(None, parts)))
        made.append(node)
    return tuple(made)


def digests(corpus: Path) -> Mapping[tuple[str, str], str]:
    """What stands for all that was told, by (document version, kind): an index over it is named by this."""
    newest: dict[tuple[str, str], dict[str, str]] = {}
    query = "SELECT version, kind, node, pieces FROM told ORDER BY number"
    for version, kind, node, pieces in _rows(corpus, query):
        newest.setdefault((version, kind), {})[node] = pieces
    made = {}
    for key, told in newest.items():
        whole = "\0".join(f"{node} {pieces}" for node, pieces in sorted(told.items()))
        made[key] = blake2b(whole.encode(), digest_size=8).hexdigest()
    return made


def _reading(corpus: Path) -> AbstractContextManager[None]:
    remedy = "what was paid for is in the replies that the corpus keeps"
    return readable(corpus / FILE, f"move it away, and run `pincite enrich` again; {remedy}")


def _rows(corpus: Path, query: str, *values: str) -> Iterator[tuple[str, ...]]:
    if not is_kept(corpus, FILE, "told"):
        return
    with _reading(corpus), closing(connect_kept(corpus, FILE, SCHEMA, write=False)) as db:
        try:
            rows = db.execute(query, values)
        except sqlite3.OperationalError:
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'told'").fetchone():
                raise
            return  # it is just being made
        yield from rows
