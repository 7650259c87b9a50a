"""Stored documents to a published generation: the shelves that it needs, where only what changed is encoded again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

from pincite.corpus import Corpus, FileStatus, Generation, Writer, writing
from pincite.database.holdings import FOLDER
from pincite.encoding import dumps
from pincite.errors import CorpusError
from pincite.index.shelf import Shelf, folder_name, shelf_folder
from pincite.index.told_texts import digests
from pincite.indexing.edition_series import series_among
from pincite.indexing.progress import IndexingProgress, silent
from pincite.indexing.shelves import build
from pincite.indexing.workforce import HERE, Workforce, workforce
from pincite.ports import InEngine
from pincite.spell import spell
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
    opened = Corpus(corpus)
    try:
        documents, first = _held(opened.files())
        if opened.generation.documents != documents:
            raise CorpusError(
                f"the files of the corpus {shown(opened.folder)} have changed since it was last published, or indexing was "
                "stopped: run `pincite index` with the same files again first"
            )
        names = _names(map(spell, shelves), _keys(first, digests(opened.folder)))
        if names.items() <= opened.generation.shelves.items():
            return opened.generation, 0
    finally:
        opened.close()
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
    documents, first = _held(writer.files().values())
    now = Corpus(writer.folder)
    now.close()
    keys = _keys(first, digests(writer.folder))
    names = _names(map(spell, shelves), keys)
    still = _names(now.generation.shelves, keys)
    kept = {
        spelling: name
        for spelling, name in now.generation.shelves.items()
        if name == still[spelling]
    }
    if now.generation.documents == documents and now.generation.shelves == kept | names:
        return now.generation, 0
    encoded = 0
    missing = [
        shelf for shelf in shelves if not shelf_folder(writer.folder, names[spell(shelf)]).is_dir()
    ]
    if missing:
        encoded = build(
            writer,
            missing,
            names,
            keys,
            now.generation.shelves,
            list(first.values()),
            progress,
            force,
        )
    generation = writer.publish(documents, kept | names, series_among(writer, first.values()))
    _sweep_shelves(writer, shelves)
    _sweep_tables(writer)
    return generation, encoded


def _sweep_shelves(writer: Writer, shelves: Sequence[Shelf]) -> None:
    engines = [shelf.index for shelf in shelves if isinstance(shelf.index, InEngine)]
    if not engines:
        writer.sweep()
        return
    from pincite.index.engines.engine_tables import sweep_tables  # the default has no engine

    sweep_tables(engines[0], writer.folder / "shelves", writer.sweep)


def _sweep_tables(writer: Writer) -> None:
    if (writer.folder / FOLDER).is_dir():
        # here, because a corpus of files alone need not pay for it
        from pincite.indexing.stored_relations import sweep

        sweep(writer)
        keep_files(writer.folder, [FOLDER])


def _held(
    files: Iterable[FileStatus],
) -> tuple[tuple[tuple[str, str], ...], Mapping[str, FileStatus]]:
    """The (document id, version) pairs that the files give, and the first file of each version."""
    held = sorted((file for file in files if file.version), key=lambda file: file.document)
    return tuple((file.document, file.version) for file in held), {
        file.version: file for file in reversed(held)
    }


Keys = Callable[[str], list[str]]
"""By a shelf's spelling: for each document what its entries there are made of, in short."""


def _keys(first: Mapping[str, FileStatus], told: Mapping[tuple[str, str], str]) -> Keys:
    """The keys of these documents. They are others when figures were described otherwise, since captions stand in the text, and
    for shelves with told views when something else was told.
    """

    @cache
    def made(kinds: tuple[str, ...]) -> list[str]:
        parts = (
            [
                version,
                file.document,
                dumps(dict(file.meta)),
                *(told.get((version, kind), "") for kind in kinds),
                *filter(None, (told.get((version, "captions")),)),
            ]
            for version, file in first.items()
        )
        return [blake2b("\0".join(some).encode(), digest_size=12).hexdigest() for some in parts]

    return lambda spelling: made(tuple(_TOLD.findall(spelling)))


def _names(spellings: Iterable[str], keys: Keys) -> dict[str, str]:
    """The folders of shelves over these documents by their spelling."""
    return {spelling: folder_name(spelling, keys(spelling)) for spelling in spellings}
