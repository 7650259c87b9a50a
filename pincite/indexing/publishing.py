"""Stored documents to a published generation: the shelves that it needs, where only what changed is encoded, and its series."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from hashlib import blake2b
from pathlib import Path

from pincite.corpus import Corpus, FileStatus, Generation, Writer, writing
from pincite.corpus.checksums import row_sum
from pincite.corpus.corpus_store import checked
from pincite.corpus.described import declared, known
from pincite.corpus.schema import DOCUMENT
from pincite.corpus.versions.edition_card import Card, Cover, cover_from, cover_to, read_cover
from pincite.corpus.versions.grouping_editions import find_series
from pincite.corpus.versions.series import Series
from pincite.corpus.versions.sketch import Sketch, from_bytes, sketch, to_bytes
from pincite.database.holdings import FOLDER, RELATION
from pincite.errors import CorpusError
from pincite.formats.encoding import dumps
from pincite.formats.spell import spell
from pincite.indexing.shelves import build
from pincite.indexing.workforce import HERE, IndexingProgress, Workforce, silent, workforce
from pincite.ports import InEngine
from pincite.search.index.shelf import Shelf, folder_name, shelf_folder
from pincite.search.index.told_texts import digests
from pincite.storage import shown
from pincite.storage.file_copies import keep_files

_TOLD = re.compile(r"\bTold\(kind='(\w+)'")
"""What told views a shelf's spelling holds: of the shelves of other recipes no more than the spelling is known."""


def ensure(
    corpus: Path | str, shelves: Sequence[Shelf], progress: IndexingProgress = silent, on: str = ""
) -> tuple[Generation, int]:
    """Build what a corpus lacks of `shelves` from its stored documents, beside the shelves that there are; parse nothing.

    `on` names the cluster that encodes, as in `index`. Returns the generation that has them all, a new one unless none was
    lacking, and how many texts were encoded. Raises CorpusError when indexing was stopped before it was done, CorpusBusy while
    another process writes the corpus.
    """
    with closing(Corpus(corpus)) as opened:
        documents, first = _documents_of(opened.files())
        if opened.generation.documents != documents:
            raise CorpusError(
                f"the files of the corpus {shown(opened.folder)} have changed since it was last published, or indexing was "
                "stopped: run `pincite index` with the same files again first"
            )
        names = _folder_names(map(spell, shelves), _entry_keys(first, digests(opened.folder)))
        if names.items() <= opened.generation.shelves.items():
            return opened.generation, 0
    with writing(corpus) as writer, workforce(on, None, progress) as force:
        return publish(writer, shelves, progress, force)


def publish(
    writer: Writer,
    shelves: Sequence[Shelf],
    progress: IndexingProgress = silent,
    force: Workforce = HERE,
) -> tuple[Generation, int]:
    """Build the shelves over the documents that the files now give and publish them; returns how many texts were encoded.

    Other shelves of the newest generation stay as long as they are over the same documents. Nothing is built or published
    when the newest generation already says the same.
    """
    documents, first = _documents_of(writer.files().values())
    now = Corpus(writer.folder)
    now.close()
    keys = _entry_keys(first, digests(writer.folder))
    names, last = _folder_names(map(spell, shelves), keys), now.generation.shelves
    still = _folder_names(last, keys)
    kept = {spelling: name for spelling, name in last.items() if name == still[spelling]}
    if now.generation.documents == documents and last == kept | names:
        return now.generation, 0
    folders = {shelf: shelf_folder(writer.folder, names[spell(shelf)]) for shelf in shelves}
    missing = [shelf for shelf, folder in folders.items() if not folder.is_dir()]
    files, encoded = list(first.values()), 0
    if missing:
        encoded = build(writer, missing, names, keys, last, files, progress, force)
    generation = writer.publish(documents, kept | names, series_among(writer, files))
    _sweep(writer, shelves)
    return generation, encoded


def _sweep(writer: Writer, shelves: Sequence[Shelf]) -> None:
    """Remove what no generation needs. What engines and databases need is imported here: most corpora have none."""
    engines = [shelf.index for shelf in shelves if isinstance(shelf.index, InEngine)]
    if engines:
        from pincite.search.index.engines.engine_index import sweep_tables

        sweep_tables(engines[0], writer.folder / "shelves", writer.sweep)
    else:
        writer.sweep()
    if (writer.folder / FOLDER).is_dir():
        from pincite.indexing.stored_relations import sweep

        sweep(writer)
        keep_files(writer.folder, [FOLDER])


Documents = tuple[tuple[str, str], ...]


def _documents_of(files: Iterable[FileStatus]) -> tuple[Documents, Mapping[str, FileStatus]]:
    """The (document id, version) pairs that the files give, and the first file of each version."""
    held = sorted((file for file in files if file.version), key=lambda file: file.document)
    first = {file.version: file for file in reversed(held)}
    return tuple((file.document, file.version) for file in held), first


Keys = Callable[[str], list[str]]
"""By a shelf's spelling: for each document what its entries there are made of, in short."""


def _entry_keys(first: Mapping[str, FileStatus], told: Mapping[tuple[str, str], str]) -> Keys:
    """The keys of these documents. They are others when figures were described otherwise, since captions stand in the text, and
    for shelves with told views when something else was told.
    """

    @cache
    def made(kinds: tuple[str, ...]) -> list[str]:
        keys = []
        for version, file in first.items():
            parts = [version, file.document, dumps(dict(file.meta))]
            parts += [told.get((version, kind), "") for kind in kinds]
            parts += filter(None, [told.get((version, "captions"))])
            keys.append(blake2b("\0".join(parts).encode(), digest_size=12).hexdigest())
        return keys

    return lambda spelling: made(tuple(_TOLD.findall(spelling)))


def _folder_names(spellings: Iterable[str], keys: Keys) -> dict[str, str]:
    """The folders of shelves over these documents by their spelling."""
    return {spelling: folder_name(spelling, keys(spelling)) for spelling in spellings}


def series_among(writer: Writer, held: Iterable[FileStatus]) -> tuple[Series, ...]:
    """The series among stored documents; tables of databases have none."""
    held = [file for file in held if not file.version.startswith(RELATION)]
    covers = [checked(row, "a cover") for row in writer.db.execute("SELECT * FROM covers")]
    read = {version: (cover, least) for version, cover, least in covers}
    rows = writer.db.execute(f"SELECT {DOCUMENT}, sum FROM documents")
    facts = [checked(row, "a document") for row in rows]
    told = {version: (row[2], json.loads(row[6])) for version, *row in facts}
    cards = []
    for file in held:
        if file.version in read:
            text, least = read[file.version]
            cover, wording = cover_from(json.loads(text)), from_bytes(least)
        else:
            cover, wording = _read_cover(writer, file.version)
        title, hints = told[file.version]
        said = declared(file.meta)
        title, hints = said.get("title", title), known(hints, said)
        cards.append(Card(file.document, title, said, hints, cover, wording))
    return find_series(cards)


def _read_cover(writer: Writer, version: str) -> tuple[Cover, Sketch]:
    """The cover and the sketch of a stored document, kept for the next time."""
    pages = [node.text for node in writer.page_nodes(version)]
    cover, wording = read_cover(pages), sketch(pages)
    row = version, dumps(cover_to(cover)), to_bytes(wording)
    kept = "INSERT INTO covers VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    with writer.db:
        writer.db.execute(kept, (*row, row_sum(*row)))
    return cover, wording
