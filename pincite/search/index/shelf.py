"""A shelf: one index over what some views see of a corpus. A value to compose with, a folder on disk.

The folder holds, row by row as the index was built, which node, window and document every entry belongs to, so that a filter
becomes a mask inside the search. Folders are immutable and named by content: the shelf's spelling and the document versions
that it covers. A new one takes unchanged rows from the one before it (`EarlierFolder`).
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.errors import CorpusError, UsageError
from pincite.formats.spell import spell
from pincite.ports import Cuts, Grows, Index, InEngine, Scored, ScoresAll, Searcher, View
from pincite.storage import shown
from pincite.storage.file_copies import fetch_files
from pincite.text.language import ENGLISH
from pincite.types import Document, Entry, Hit, Where
from pincite.untrusted import inside, readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_REBUILD = "run `pincite index` on the corpus again: indexes are rebuilt from what it stores"
FORMAT = "4"
"""What a folder holds for the same spelling: raised where that changes, as it does with the weights of the package's encoder,
so that the next indexing makes all of them again."""
_OPENING = Lock()
"""One thread opens at a time: none opens a folder twice, and CPython 3.11 fails when two read the heads of arrays at once."""


@dataclass(frozen=True)
class Shelf:
    """`index` over the entries of `views`."""

    index: Index
    views: tuple[View, ...]

    def entries(self, document: Document) -> list[Entry]:
        """What all views see of one document, with the languages of the pages that it is on where they are not English.

        What is longer than a row of the index may be is in parts.
        """
        entries = [entry for view in self.views for entry in view(document)]
        if isinstance(self.index, Cuts):
            entries = self.index.cut(entries)
        spoken = spoken_languages(document)
        return [
            replace(entry, languages=spoken[entry.node]) if entry.node in spoken else entry
            for entry in entries
        ]


def searched_at(shelf: Shelf, address: str) -> Shelf:
    """The shelf as the engine at an address holds it; as it is where there is no address. UsageError for one of no known kind."""
    if not address:
        return shelf
    from pincite.search.index.engines.engine_index import in_engine  # the default needs no engine

    return replace(shelf, index=in_engine(shelf.index, address))


def spoken_languages(document: Document) -> dict[str, tuple[str, ...]]:
    """The languages of each node of a document that is not in English, by its id."""
    own = (document.language,) if document.language else ()
    pages = {
        node.anchor.page: tuple(node.meta.get("languages", own))
        for node in document.nodes
        if node.kind == "page"
    }
    if all(codes in ((), (ENGLISH,)) for codes in (own, *pages.values())):
        return {}
    held = {node.id: pages.get(node.anchor.page, own) for node in document.nodes}
    return {node: codes for node, codes in held.items() if codes not in ((), (ENGLISH,))}


def folder_name(spelling: str, versions: Sequence[str]) -> str:
    """The name of the folder that holds the shelf of this spelling over these document versions."""
    whole = "\n".join((FORMAT, spelling, *versions))
    return blake2b(whole.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class EarlierFolder:
    """The folder of a shelf over other documents, some of which are still the same: by what their entries were made of.

    `documents` are the positions there by key.
    """

    folder: Path
    documents: Mapping[str, int]


def earlier_folder(shelf: Shelf, folder: Path) -> EarlierFolder | None:
    """The folder as one to take rows from; None when it is damaged, of an older format, or its kind of index cannot grow."""
    if not isinstance(shelf.index, Grows):
        return None
    try:
        keys = json.loads((folder / "keys.json").read_text())
        _read(shelf.index, folder)
    except (OSError, ValueError, CorpusError):
        return None
    return EarlierFolder(folder, {key: at for at, key in enumerate(keys)})


def write_shelf(
    shelf: Shelf,
    folder: Path,
    entries: Sequence[Entry],
    owners: Sequence[int],
    versions: Sequence[str],
    keys: Sequence[str] = (),
    old: EarlierFolder | None = None,
    **more: object,
) -> None:
    """Build the index and the rows beside it in `folder`, whole or not at all.

    `owners[i]` is the position in `versions` of the document of entry i, `keys` are what the entries of each document are
    made of, `more` goes to the index's `build`. With `old`, `entries` are those of the documents whose key it lacks.
    """
    half = folder.with_name(folder.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    try:
        half.mkdir(parents=True)
        _write(shelf, half, entries, owners, versions, keys, old, more)
        for path in half.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        shutil.rmtree(folder, ignore_errors=True)
        half.rename(folder)
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)  # on a full disk it would keep it full
        raise


def _write(
    shelf: Shelf,
    half: Path,
    entries: Sequence[Entry],
    owners: Sequence[int],
    versions: Sequence[str],
    keys: Sequence[str],
    old: EarlierFolder | None,
    more: Mapping[str, object],
) -> None:
    import numpy as np

    from pincite.search.index.row_scores import joined_rows

    columns = {
        "nodes": np.array([entry.node.encode() for entry in entries], dtype="S16"),
        "windows": np.array([entry.at for entry in entries], dtype=np.int32),
        "owners": np.array(owners, dtype=np.int32),
        "views": np.array([entry.view.encode() for entry in entries], dtype=np.bytes_),
    }
    rows = np.empty(0, np.int64)
    if old is not None:
        rows, columns["owners"] = _rows_taken(old, keys, columns["owners"])
        for name in ("nodes", "windows", "views"):
            columns[name] = joined_rows(np.load(old.folder / f"{name}.npy"), columns[name], rows)
        longest = max(1, int(np.char.str_len(columns["views"]).max(initial=0)))
        columns["views"] = columns["views"].astype(f"S{longest}")
    for name, column in columns.items():
        np.save(half / f"{name}.npy", column)
    (half / "versions.json").write_text(json.dumps(list(versions)))
    (half / "keys.json").write_text(json.dumps(list(keys)))
    if isinstance(shelf.index, InEngine):
        more = {**more, "owners": columns["owners"]}
    if old is not None and (rows >= 0).any() and isinstance(shelf.index, Grows):
        shelf.index.grow(entries, half / "index", old.folder / "index", rows, **more)
    elif entries:
        shelf.index.build(entries, half / "index", **more)


def _rows_taken(
    old: EarlierFolder, keys: Sequence[str], owners: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """For every row now its row in `old`, or -1 for the next of the new entries; and the documents of all rows."""
    import numpy as np

    starts = np.searchsorted(np.load(old.folder / "owners.npy"), np.arange(len(old.documents) + 1))
    counts = np.bincount(owners, minlength=len(keys))
    parts = [
        np.full(counts[position], -1, np.int64)
        if (at := old.documents.get(key)) is None
        else np.arange(starts[at], starts[at + 1], dtype=np.int64)
        for position, key in enumerate(keys)
    ]
    lengths = [len(part) for part in parts]
    return np.concatenate((np.empty(0, np.int64), *parts)), np.repeat(
        np.arange(len(keys), dtype=np.int32), lengths
    )


@dataclass(frozen=True, slots=True)
class OpenShelf:
    """A shelf's folder, opened for searching. `entries` numbers the entry of each row where some have several rows, else None."""

    searcher: Searcher | None
    nodes: NDArray[np.bytes_]
    windows: NDArray[np.int32]
    owners: NDArray[np.int32]
    views: NDArray[np.bytes_]
    versions: tuple[str, ...]
    entries: NDArray[np.int32] | None = None

    def search(
        self, texts: Sequence[str], k: int, versions: frozenset[str] | None, label: str = ""
    ) -> list[tuple[Hit, ...]]:
        """The best `k` entries for each text, within these document versions (None: all of them).

        An entry in several parts is found by the best. A hit's only part is named `label`, or by the view that made its entry.
        """
        if self.searcher is None:
            return [() for _ in texts]
        with _undamaged():
            only = None if versions is None else self.of(versions)
            found = self._best_rows(self.searcher, texts, k, only)
            return [self._hits(rows, label) for rows in found]

    def score_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The score of every entry for each text, (texts, entries); UsageError for an index that only finds the best."""
        import numpy as np

        if self.searcher is None:
            return np.zeros((len(texts), 0), np.float32)
        if not isinstance(self.searcher, ScoresAll):
            raise UsageError("an index that finds the best entries alone cannot score all of them")
        with _undamaged():
            return self.searcher.score_all(texts)

    def _best_rows(
        self, searcher: Searcher, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None
    ) -> list[Sequence[Scored]]:
        """The best row of each of the best `k` entries for each text: deeper than `k` rows where these are parts of fewer."""
        depth = k if self.entries is None else 2 * k
        while True:
            found = searcher.search(texts, depth, only)
            whole = [self._once(rows)[:k] for rows in found]
            pairs = zip(whole, found, strict=True)
            if all(len(kept) == k or len(rows) < depth for kept, rows in pairs):
                return whole
            depth *= 2

    def _once(self, found: Sequence[Scored]) -> Sequence[Scored]:
        """The best row of each entry."""
        if self.entries is None or not found:
            return found
        entries = self.entries[[scored.row for scored in found]].tolist()
        kept: dict[int, Scored] = {}
        for entry, scored in zip(entries, found, strict=True):
            kept.setdefault(entry, scored)
        return list(kept.values())

    def _hits(self, found: Sequence[Scored], label: str) -> tuple[Hit, ...]:
        rows = [scored.row for scored in found]
        nodes, windows, views = (
            column[rows].tolist() for column in (self.nodes, self.windows, self.views)
        )
        return tuple(
            Hit(node.decode(), scored.score, at, ((label or view.decode(), rank, scored.score),))
            for rank, (node, scored, at, view) in enumerate(
                zip(nodes, found, windows, views, strict=True), 1
            )
        )

    def of(self, versions: frozenset[str]) -> NDArray[np.bool_]:
        """Which entries are of these document versions."""
        import numpy as np

        chosen = np.array([version in versions for version in self.versions], dtype=np.bool_)
        return chosen[self.owners]


@contextmanager
def _undamaged() -> Iterator[None]:
    """Turn what a search raises over a damaged index into an error that says what to do."""
    try:
        yield
    except (IndexError, ValueError, TypeError) as error:
        raise CorpusError(f"an index of the corpus is damaged ({error}): {_REBUILD}") from error


def open_shelf(corpus: Corpus, shelf: Shelf) -> OpenShelf:
    """Open the folder that the corpus's pinned generation publishes for this shelf.

    Raises CorpusError when the corpus was indexed without it.
    """
    folder = published_folder(corpus, shelf)
    with _OPENING:
        return _open(searched_at(shelf, corpus.search).index, corpus.folder, folder)


def published_folder(corpus: Corpus, shelf: Shelf) -> str:
    """The name of the folder that the corpus's pinned generation publishes for this shelf; CorpusError when there is none."""
    shelf = searched_at(shelf, corpus.search)
    folder = corpus.generation.shelves.get(spell(shelf))
    if folder is None:
        where = shown(corpus.folder)
        raise CorpusError(
            f"the corpus {where} has no index {spell(shelf)}: it was made for another recipe or other parameters. Run "
            f"`pincite index --corpus {where}` with the --recipe and --set that you ask with: nothing is parsed again."
        )
    return folder


@lru_cache(maxsize=64)
def _open(index: Index, corpus: Path, name: str) -> OpenShelf:
    return _read(index, shelf_folder(corpus, name))


def shelf_folder(corpus: Path, name: str) -> Path:
    """The folder of that name among the indexes of a corpus, fetched to its cache where need be.

    Raises CorpusError for a name that leads elsewhere.
    """
    folder = inside(corpus, f"shelves/{name}")
    fetch_files(corpus, f"shelves/{name}")
    return folder


def _read(index: Index, folder: Path) -> OpenShelf:
    import numpy as np

    with readable(folder, _REBUILD):
        versions = tuple(json.loads((folder / "versions.json").read_text()))
        nodes, windows, owners = (
            np.load(folder / f"{name}.npy") for name in ("nodes", "windows", "owners")
        )
        named = folder / "views.npy"  # folders of older versions do not tell views apart
        views = np.load(named) if named.is_file() else np.zeros(len(nodes), dtype="S1")
        searcher = index.open(folder / "index") if len(nodes) else None
        entries = numbered(nodes, windows, views) if isinstance(index, Cuts) else None
        return OpenShelf(searcher, nodes, windows, owners, views, versions, entries)


def numbered(
    nodes: NDArray[np.bytes_], windows: NDArray[np.int32], views: NDArray[np.bytes_]
) -> NDArray[np.int32] | None:
    """The number of each row's entry, whose rows follow each other; None where every entry has one row."""
    import numpy as np

    others = (nodes[1:] != nodes[:-1]) | (windows[1:] != windows[:-1]) | (views[1:] != views[:-1])
    if others.all():
        return None
    return np.concatenate(([0], np.cumsum(others))).astype(np.int32)


@lru_cache(maxsize=64)
def allowed(corpus: Corpus, where: Where, without: tuple[str, ...] = ()) -> frozenset[str] | None:
    """The document versions that `where` lets through, less the documents `without`; None when that is all of them."""
    if not where and not without:
        return None
    left_out = frozenset(without)
    return frozenset(
        document.version for document in corpus.select(where) if document.id not in left_out
    )
