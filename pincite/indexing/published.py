"""Stored documents to a published generation: the shelves that it needs, only what changed encoded again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus import Corpus, FileStatus, Generation, Writer, writing
from pincite.database.held import FOLDER
from pincite.encoding import dumps
from pincite.errors import CorpusError
from pincite.index.dense import Dense
from pincite.index.shelf import Shelf, folder_name, write_shelf
from pincite.index.told import digests, with_told
from pincite.indexing.progress import Progress, silent
from pincite.ports import Encoder
from pincite.spell import spell
from pincite.types import Document, Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODE_AT_ONCE = 512
"""Texts encoded between two commits: what a killed run can lose."""
_TOLD = re.compile(r"\bTold\(kind='(\w+)'")
"""What told views a shelf's spelling holds: of the shelves of other recipes no more than the spelling is known."""


def ensure(corpus: Path | str, shelves: Sequence[Shelf], progress: Progress = silent) -> tuple[Generation, int]:
    """Build what a corpus lacks of `shelves` from its stored documents, beside the shelves that there are; parse nothing.

    Returns the generation that has them all, a new one unless none was lacking, and how many texts were encoded. Raises
    CorpusError when indexing was stopped before it was done, CorpusBusy while another process writes the corpus.
    """
    opened = Corpus(corpus)
    try:
        documents, first = _held(opened.files())
        if opened.generation.documents != documents:
            raise CorpusError(
                f"the files of the corpus {corpus} have changed since it was last published, or indexing was stopped: run "
                "`pincite index` with the same files again first"
            )
        names = _names(shelves, first, digests(opened.folder))
        if names.items() <= opened.generation.shelves.items():
            return opened.generation, 0
    finally:
        opened.close()
    with writing(corpus) as writer:
        return publish(writer, shelves, progress)


def publish(writer: Writer, shelves: Sequence[Shelf], progress: Progress = silent) -> tuple[Generation, int]:
    """Build the shelves over the documents that the files now give and publish them; returns how many texts were encoded.

    Other shelves of the newest generation stay as long as they are over the same documents. Nothing is built or published
    when the newest generation already says the same.
    """
    documents, first = _held(writer.files().values())
    now = Corpus(writer.folder)
    now.close()
    told = digests(writer.folder)
    names = _names(shelves, first, told)
    kept = {spelling: name for spelling, name in now.generation.shelves.items() if name == _name(spelling, first, told)}
    if now.generation.documents == documents and now.generation.shelves == kept | names:
        return now.generation, 0
    encoded = 0
    missing = [shelf for shelf in shelves if not (writer.folder / "shelves" / names[spell(shelf)]).is_dir()]
    if missing:
        encoded = _build(writer, missing, names, list(first.values()), progress)
    generation = writer.publish(documents, kept | names)
    writer.sweep()
    _sweep_tables(writer)
    return generation, encoded


def _sweep_tables(writer: Writer) -> None:
    if (writer.folder / FOLDER).is_dir():
        from pincite.indexing.tables import sweep  # here, because a corpus of files alone need not pay for it

        sweep(writer)


def _held(files: Iterable[FileStatus]) -> tuple[tuple[tuple[str, str], ...], Mapping[str, FileStatus]]:
    """The (document id, version) pairs that the files give, and the first file of each version."""
    held = sorted((one for one in files if one.version), key=lambda one: one.document)
    return tuple((one.document, one.version) for one in held), {one.version: one for one in reversed(held)}


def _names(
    shelves: Iterable[Shelf], first: Mapping[str, FileStatus], told: Mapping[tuple[str, str], str]
) -> dict[str, str]:
    return {(spelling := spell(shelf)): _name(spelling, first, told) for shelf in shelves}


def _name(spelling: str, first: Mapping[str, FileStatus], told: Mapping[tuple[str, str], str]) -> str:
    """The folder of a shelf over these documents; one with told views is another when something else was told of them."""
    kinds = _TOLD.findall(spelling)
    content = [f"{version} {one.document} {dumps(dict(one.meta))}" for version, one in first.items()]
    content += [f"{kind} {told[version, kind]}" for version in first for kind in kinds if (version, kind) in told]
    return folder_name(spelling, content)


def _build(
    writer: Writer, shelves: Sequence[Shelf], names: Mapping[str, str], held: Sequence[FileStatus], progress: Progress
) -> int:
    """Build index folders; all entries of a shelf are collected document by document."""
    versions = [one.version for one in held]
    entries: list[list[Entry]] = [[] for _ in shelves]
    owners: list[list[int]] = [[] for _ in shelves]
    for position, one in enumerate(held):
        document = stored_document(writer, one)
        for shelf, mine, whose in zip(shelves, entries, owners, strict=True):
            new = shelf.entries(document)
            mine.extend(new)
            whose.extend([position] * len(new))
        progress("view", position + 1, len(held))
    encoded = 0
    for number, (shelf, mine, whose) in enumerate(zip(shelves, entries, owners, strict=True)):
        folder = writer.folder / "shelves" / names[spell(shelf)]
        if isinstance(shelf.index, Dense):
            vectors, fresh = _vectors(
                writer, shelf.index.encoder, [entry.text for entry in mine if not entry.children], progress
            )
            encoded += fresh
            write_shelf(shelf, folder, mine, whose, versions, vectors=vectors)
        else:
            write_shelf(shelf, folder, mine, whose, versions)
        progress("index", number + 1, len(shelves))
    return encoded


def stored_document(writer: Writer, one: FileStatus) -> Document:
    """A stored document under the id and with the metadata that its file has now, and with what was told of its nodes."""
    from pincite.corpus import read_document

    document = read_document(writer.db, one.version)
    return with_told(replace(document, id=one.document, meta={**document.meta, **one.meta}), writer.folder)


def _vectors(
    writer: Writer, encoder: Encoder, texts: Sequence[str], progress: Progress
) -> tuple[NDArray[np.float32], int]:
    """The vectors of `texts`, encoded only where none is stored for the same text and encoder."""
    import numpy as np

    name = f"{encoder.name}@{encoder.revision}"
    hashes = [blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]
    stored = writer.known_vectors(hashes, name)
    missing = sorted({one: text for one, text in zip(hashes, texts, strict=True) if one not in stored}.items(),
                     key=lambda pair: len(pair[1]))  # fmt: skip
    for start in range(0, len(missing), ENCODE_AT_ONCE):
        progress("encode", start, len(missing))
        some = missing[start : start + ENCODE_AT_ONCE]
        keys = [key for key, _ in some]
        vectors = encoder.encode([text for _, text in some])
        writer.put_vectors(keys, name, vectors)
        stored.update(zip(keys, (vector.astype("<f2").tobytes() for vector in vectors), strict=True))
    if missing:
        progress("encode", len(missing), len(missing))
    if not texts:
        return np.zeros((0, encoder.dims), dtype=np.float32), 0
    joined = np.frombuffer(b"".join(stored[one] for one in hashes), dtype="<f2")
    return joined.reshape(len(texts), encoder.dims).astype(np.float32), len(missing)
