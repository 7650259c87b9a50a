"""A shelf: one index over what some views see of a corpus. A value to compose with, a folder on disk.

The folder holds, row by row as the index was built, which node, window and document every entry belongs to, so that a
filter becomes a mask inside the search. Folders are immutable and named by content: the shelf's spelling and the document
versions that it covers.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.errors import CorpusError
from pincite.ports import Index, Scored, Searcher, View
from pincite.spell import spell
from pincite.types import Document, Entry, Hit, Where

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OPENING = Lock()
"""One thread opens at a time: none opens a folder twice, and CPython 3.11 fails when two read the heads of arrays at once."""


@dataclass(frozen=True)
class Shelf:
    """`index` over the entries of `views`."""

    index: Index
    views: tuple[View, ...]

    def folder_name(self, versions: Sequence[str]) -> str:
        """The name of the folder that holds this shelf over these document versions."""
        return folder_name(spell(self), versions)

    def entries(self, document: Document) -> list[Entry]:
        """What all views see of one document."""
        return [entry for view in self.views for entry in view(document)]


def folder_name(spelling: str, versions: Sequence[str]) -> str:
    """The name of the folder that holds the shelf of this spelling over these document versions."""
    return blake2b("\n".join((spelling, *versions)).encode(), digest_size=12).hexdigest()


def write_shelf(
    shelf: Shelf, folder: Path, entries: Sequence[Entry], owners: Sequence[int], versions: Sequence[str], **more: object
) -> None:
    """Build the index and the rows beside it in `folder`, whole or not at all.

    `owners[i]` is the position in `versions` of the document of entry i; `more` goes to the index's `build`.
    """
    import numpy as np

    half = folder.with_name(folder.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    np.save(half / "nodes.npy", np.array([entry.node.encode() for entry in entries], dtype="S16"))
    np.save(half / "windows.npy", np.array([entry.at for entry in entries], dtype=np.int32))
    np.save(half / "owners.npy", np.array(owners, dtype=np.int32))
    np.save(half / "views.npy", np.array([entry.view.encode() for entry in entries], dtype=np.bytes_))
    (half / "versions.json").write_text(json.dumps(list(versions)))
    if entries:
        shelf.index.build(entries, half / "index", **more)
    for path in half.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    shutil.rmtree(folder, ignore_errors=True)
    half.rename(folder)


@dataclass(frozen=True, slots=True)
class OpenShelf:
    """A shelf's folder, opened for searching."""

    searcher: Searcher | None
    nodes: NDArray[np.bytes_]
    windows: NDArray[np.int32]
    owners: NDArray[np.int32]
    views: NDArray[np.bytes_]
    versions: tuple[str, ...]

    def search(self, texts: Sequence[str], k: int, versions: frozenset[str] | None) -> list[tuple[Hit, ...]]:
        """The best `k` entries for each text, within these document versions (None: all of them).

        A hit's only part names the view that made its entry.
        """
        if self.searcher is None:
            return [() for _ in texts]
        found = self.searcher.search(texts, k, None if versions is None else self._mask(versions))
        return [tuple(self._hit(one, rank) for rank, one in enumerate(row, 1)) for row in found]

    def _hit(self, one: Scored, rank: int) -> Hit:
        part = self.views[one.row].decode(), rank, one.score
        return Hit(self.nodes[one.row].decode(), one.score, int(self.windows[one.row]), (part,))

    def _mask(self, versions: frozenset[str]) -> NDArray[np.bool_]:
        import numpy as np

        chosen = np.array([version in versions for version in self.versions], dtype=np.bool_)
        return chosen[self.owners]


def open_shelf(corpus: Corpus, shelf: Shelf) -> OpenShelf:
    """Open the folder that the corpus's pinned generation publishes for this shelf.

    Raises CorpusError when the corpus was indexed without it.
    """
    folder = corpus.generation.shelves.get(spell(shelf))
    if folder is None:
        raise CorpusError(
            f"the corpus {corpus.folder} has no index {spell(shelf)}: it was made for another recipe or other parameters. Run "
            f"`pincite index --corpus {corpus.folder}` with the --recipe and --set that you ask with: nothing is parsed again."
        )
    with _OPENING:
        return _open(shelf.index, corpus.folder / "shelves" / folder)


@lru_cache(maxsize=64)
def _open(index: Index, folder: Path) -> OpenShelf:
    import numpy as np

    try:
        versions = tuple(json.loads((folder / "versions.json").read_text()))
        nodes, windows, owners = (np.load(folder / f"{name}.npy") for name in ("nodes", "windows", "owners"))
        named = folder / "views.npy"  # folders of older versions do not tell views apart
        views = np.load(named) if named.is_file() else np.zeros(len(nodes), dtype="S1")
    except OSError as error:
        raise CorpusError(
            f"the index folder {folder} is missing or damaged ({error}). Run `pincite index` on the corpus again: "
            "indexes are rebuilt from what it stores."
        ) from error
    searcher = index.open(folder / "index") if len(nodes) else None
    return OpenShelf(searcher, nodes, windows, owners, views, versions)


def allowed(corpus: Corpus, where: Where) -> frozenset[str] | None:
    """The document versions that `where` lets through; None when it is empty."""
    if not where:
        return None
    return frozenset(one.version for one in corpus.select(where))
