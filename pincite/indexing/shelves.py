"""Index folders of stored documents: only documents that are new or changed since the last generation are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from pincite.corpus import FileStatus, Writer, read_document
from pincite.corpus.described import declared, known
from pincite.index.dense import OfVectors
from pincite.index.shelf import EarlierFolder, Shelf, earlier_folder, shelf_folder, write_shelf
from pincite.index.told_texts import with_told
from pincite.indexing.progress import IndexingProgress
from pincite.indexing.workforce import HERE, Workforce
from pincite.ports import Encoder
from pincite.spell import spell
from pincite.types import Document, Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.index.page_pictures import PictureEncoder

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
    folder, spellings = writer.folder / "shelves", [spell(shelf) for shelf in shelves]
    olds = [
        earlier_folder(shelf, shelf_folder(writer.folder, last[name])) if name in last else None
        for shelf, name in zip(shelves, spellings, strict=True)
    ]
    entries, owners = _viewed(
        writer, shelves, [keys(name) for name in spellings], olds, held, progress
    )
    versions, encoded = [file.version for file in held], 0
    for number, (shelf, name, old) in enumerate(zip(shelves, spellings, olds, strict=True)):
        mine, whose = entries[number], owners[number]
        entries[
            number
        ] = []  # held no longer than its own index needs them: texts are most of the memory
        more: dict[str, object] = {}
        if isinstance(shelf.index, OfVectors):
            texts = [entry.text for entry in mine if not entry.children]
            more["vectors"], fresh = vectors_of(
                writer, shelf.index.encoder, texts, progress, force
            )
            encoded += fresh
        write_shelf(shelf, folder / names[name], mine, whose, versions, keys(name), old, **more)
        progress("index", number + 1, len(shelves))
    return encoded


def _viewed(
    writer: Writer,
    shelves: Sequence[Shelf],
    keys: Sequence[Sequence[str]],
    olds: Sequence[EarlierFolder | None],
    held: Sequence[FileStatus],
    progress: IndexingProgress,
) -> tuple[list[list[Entry]], list[list[int]]]:
    """For every shelf the entries of the documents that are new to it, and the position in `held` of the document of each."""
    entries: list[list[Entry]] = [[] for _ in shelves]
    owners: list[list[int]] = [[] for _ in shelves]
    new = [
        {at for at, key in enumerate(mine) if old is None or key not in old.documents}
        for mine, old in zip(keys, olds, strict=True)
    ]
    wanted = sorted(set().union(*new))
    for done, position in enumerate(wanted, 1):
        document = stored_document(writer, held[position])
        for number, shelf in enumerate(shelves):
            if position in new[number]:
                seen = shelf.entries(document)
                entries[number] += seen
                owners[number] += [position] * len(seen)
        progress("view", done, len(wanted))
    return entries, owners


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


def vectors_of(
    writer: Writer,
    encoder: Encoder,
    texts: Sequence[str],
    progress: IndexingProgress,
    force: Workforce = HERE,
) -> tuple[NDArray[np.float32], int]:
    """The vectors of `texts`, encoded only where none is stored for the same text and encoder; how many were encoded."""
    import numpy as np

    if not texts:
        return np.zeros((0, encoder.dims), dtype=np.float32), 0
    name = encoder_name(encoder)
    hashes = [text_hash(text) for text in texts]
    stored = writer.known_vectors(hashes, name)
    missing = {
        digest: text for digest, text in zip(hashes, texts, strict=True) if digest not in stored
    }
    stored |= _encoded(writer, encoder, name, missing, progress, force)
    joined = np.frombuffer(b"".join(stored[digest] for digest in hashes), dtype="<f2")
    return joined.reshape(len(texts), encoder.dims).astype(np.float32), len(missing)


def _encoded(
    writer: Writer,
    encoder: Encoder,
    name: str,
    missing: Mapping[str, str],
    progress: IndexingProgress,
    force: Workforce,
) -> dict[str, bytes]:
    """The vectors of texts by hash, encoded in batches of similar lengths and stored as they are made."""
    from pincite.index.page_pictures import PictureEncoder

    made: dict[str, bytes] = {}
    # the longest first, so that nobody idles at the end
    ordered = sorted(missing, key=lambda digest: -len(missing[digest]))
    if isinstance(encoder, PictureEncoder):
        starts = range(0, len(ordered), DRAW_AT_ONCE)
        batches = [ordered[start : start + DRAW_AT_ONCE] for start in starts]
    else:
        batches = list(_shares(ordered, missing))
    texts = [[missing[digest] for digest in batch] for batch in batches]
    encoded = (
        _drawn(writer, encoder, texts)
        if isinstance(encoder, PictureEncoder)
        else force.encoded(encoder, texts)
    )
    if batches:
        progress("encode", 0, len(ordered))
    for number, vectors in encoded:
        batch = batches[number]
        writer.put_vectors(batch, name, vectors)
        made.update(zip(batch, (row.astype("<f2").tobytes() for row in vectors), strict=True))
        progress("encode", len(made), len(ordered))
    return made


def _shares(ordered: Sequence[str], texts: Mapping[str, str]) -> Iterator[list[str]]:
    """The hashes of texts in batches that take about as long as each other."""
    share: list[str] = []
    letters = 0
    for digest in ordered:
        letters += len(texts[digest])
        if share and (letters > LETTERS_AT_ONCE or len(share) == ENCODE_AT_ONCE):
            yield share
            share, letters = [], len(texts[digest])
        share.append(digest)
    if share:
        yield share


def _drawn(
    writer: Writer, encoder: PictureEncoder, batches: Sequence[Sequence[str]]
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """The vectors of the pages that the texts name, which are drawn here: their sources are here."""
    from pincite.indexing.page_drawings import encoded_pages

    for number, pages in enumerate(batches):
        yield number, encoded_pages(writer.folder, encoder, pages)
