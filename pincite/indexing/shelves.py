"""Index folders of stored documents: only documents that are new or changed since the last generation are read again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from pincite.corpus import FileStatus, Writer, read_document
from pincite.corpus.described import declared, known
from pincite.formats.spell import spell
from pincite.indexing.workforce import HERE, IndexingProgress, Workforce
from pincite.ports import Encoder
from pincite.search.index.dense import OfVectors
from pincite.search.index.shelf import (
    EarlierFolder,
    Shelf,
    earlier_folder,
    shelf_folder,
    write_shelf,
)
from pincite.search.index.told_texts import with_told
from pincite.types import Document, Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODE_AT_ONCE = 512
LETTERS_AT_ONCE = 100_000
"""Texts encoded between two commits, and the letters in them: what a killed run can lose, and the share of one worker."""
DRAW_AT_ONCE = 32
"""Pages drawn and encoded between two commits."""


def build(
    writer: Writer,
    shelves: Sequence[Shelf],
    names: Mapping[str, str],
    keys: Callable[[str], Sequence[str]],
    last: Mapping[str, str],
    held: Sequence[FileStatus],
    progress: IndexingProgress,
    force: Workforce = HERE,
) -> int:
    """Write the folders of `shelves` over the documents `held`; returns how many texts were encoded.

    By a shelf's spelling: `names` are the folders to write, `keys` what the entries of each document are made of, `last` the
    folders of the last generation.
    """
    work = _Work(writer, progress, force)
    spellings = [spell(shelf) for shelf in shelves]
    olds: list[EarlierFolder | None] = []
    for shelf, name in zip(shelves, spellings, strict=True):
        place = shelf_folder(writer.folder, last[name]) if name in last else None
        olds.append(None if place is None else earlier_folder(shelf, place))
    entries, owners = work.entries(shelves, list(map(keys, spellings)), olds, held)
    versions, encoded = [file.version for file in held], 0
    for number, (shelf, name, old) in enumerate(zip(shelves, spellings, olds, strict=True)):
        mine, whose = entries[number], owners[number]
        # held no longer than its own index needs them: texts are most of the memory
        entries[number] = []
        more: dict[str, object] = {}
        if isinstance(shelf.index, OfVectors):
            texts = [entry.text for entry in mine if not entry.children]
            more["vectors"], fresh = work.vectors(shelf.index.encoder, texts)
            encoded += fresh
        folder = writer.folder / "shelves" / names[name]
        write_shelf(shelf, folder, mine, whose, versions, keys(name), old, **more)
        progress("index", number + 1, len(shelves))
    return encoded


@dataclass(frozen=True, slots=True)
class _Work:
    """Where documents and vectors are stored, who is told of it, and who encodes."""

    writer: Writer
    progress: IndexingProgress
    force: Workforce

    def entries(
        self,
        shelves: Sequence[Shelf],
        keys: Sequence[Sequence[str]],
        olds: Sequence[EarlierFolder | None],
        held: Sequence[FileStatus],
    ) -> tuple[list[list[Entry]], list[list[int]]]:
        """For every shelf the entries of the documents that are new to it, and the position in `held` of the document of each."""
        entries: list[list[Entry]] = [[] for _ in shelves]
        owners: list[list[int]] = [[] for _ in shelves]
        new: list[set[int]] = []
        for mine, old in zip(keys, olds, strict=True):
            keyed = enumerate(mine)
            new.append({at for at, key in keyed if old is None or key not in old.documents})
        wanted = sorted(set().union(*new))
        for done, position in enumerate(wanted, 1):
            document = stored_document(self.writer, held[position])
            for number, shelf in enumerate(shelves):
                if position in new[number]:
                    seen = shelf.entries(document)
                    entries[number] += seen
                    owners[number] += [position] * len(seen)
            self.progress("view", done, len(wanted))
        return entries, owners

    def vectors(self, encoder: Encoder, texts: Sequence[str]) -> tuple[NDArray[np.float32], int]:
        """The vectors of `texts`, encoded only where none is stored for the same text and encoder; how many were encoded."""
        import numpy as np

        if not texts:
            return np.zeros((0, encoder.dims), dtype=np.float32), 0
        hashes = [text_hash(text) for text in texts]
        stored = self.writer.known_vectors(hashes, encoder_name(encoder))
        pairs = zip(hashes, texts, strict=True)
        missing = {digest: text for digest, text in pairs if digest not in stored}
        stored |= self._encoded(encoder, missing)
        joined = np.frombuffer(b"".join(stored[digest] for digest in hashes), dtype="<f2")
        return joined.reshape(len(texts), encoder.dims).astype(np.float32), len(missing)

    def _encoded(self, encoder: Encoder, missing: Mapping[str, str]) -> dict[str, bytes]:
        """The vectors of texts by hash, encoded in batches of similar lengths and stored as they are made."""
        from pincite.indexing.page_drawings import encoded_pages
        from pincite.search.index.page_pictures import PictureEncoder

        # the longest first, so that nobody idles at the end
        ordered = sorted(missing, key=lambda digest: -len(missing[digest]))
        drawn = isinstance(encoder, PictureEncoder)
        most, letters = (DRAW_AT_ONCE, sys.maxsize) if drawn else (ENCODE_AT_ONCE, LETTERS_AT_ONCE)
        batches = list(_shares(ordered, missing, most, letters))
        texts = [[missing[digest] for digest in batch] for batch in batches]
        encoded: Iterable[tuple[int, NDArray[np.float32]]]
        if isinstance(encoder, PictureEncoder):  # drawn here, where the sources of the pages are
            draw = partial(encoded_pages, self.writer.folder, encoder)
            encoded = enumerate(map(draw, texts))
        else:
            encoded = self.force.encoded(encoder, texts)
        if batches:
            self.progress("encode", 0, len(ordered))
        made: dict[str, bytes] = {}
        for number, vectors in encoded:
            batch = batches[number]
            self.writer.put_vectors(batch, encoder_name(encoder), vectors)
            rows = (row.astype("<f2").tobytes() for row in vectors)
            made.update(zip(batch, rows, strict=True))
            self.progress("encode", len(made), len(ordered))
        return made


def stored_document(writer: Writer, file: FileStatus) -> Document:
    """A stored document under the id and with the metadata that its file has now, and with what was told of its nodes."""
    document, said = read_document(writer.db, file.version), declared(file.meta)
    title, meta = said.get("title", document.title), known(document.meta, said)
    return with_told(replace(document, id=file.document, title=title, meta=meta), writer.folder)


def encoder_name(encoder: Encoder) -> str:
    """What vectors are kept under, with their text's hash."""
    return f"{encoder.name}@{encoder.revision}"


def text_hash(text: str) -> str:
    """What the vector of a text is kept under, with the encoder's name."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _shares(
    ordered: Sequence[str], texts: Mapping[str, str], most: int, most_letters: int
) -> Iterator[list[str]]:
    """The hashes of texts in batches that take about as long as each other."""
    share: list[str] = []
    letters = 0
    for digest in ordered:
        letters += len(texts[digest])
        if share and (letters > most_letters or len(share) == most):
            yield share
            share, letters = [], len(texts[digest])
        share.append(digest)
    if share:
        yield share
