"""Documents and databases out of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pincite.corpus import Corpus, FileStatus, writing
from pincite.database.holdings import RELATION
from pincite.errors import UsageError
from pincite.index.shelf import Shelf
from pincite.indexing.progress import IndexingProgress, silent
from pincite.indexing.publishing import publish


def remove(
    documents: Sequence[str],
    corpus: Path | str,
    shelves: Sequence[Shelf],
    progress: IndexingProgress = silent,
    wait: float = 0.0,
) -> list[FileStatus]:
    """Take documents out of a corpus by id or by file name without extension, tables by their database too; publish the rest.

    The files themselves stay. Another writer is waited for up to `wait` seconds. Returns what left.
    Raises UsageError when one is not there, and then removes none.
    """
    Corpus(corpus).close()  # a missing corpus is an error, not a new one
    with writing(corpus, wait) as writer:
        wanted = {document.casefold() for document in documents}
        files = [file for file in writer.files().values() if _names(file) & wanted]
        missing = wanted.difference(*map(_names, files))
        if missing:
            raise UsageError(
                f"not in the corpus: {', '.join(sorted(missing))}; `pincite list` prints the documents"
            )
        writer.forget_files(file.path for file in files)
        publish(writer, shelves, progress)
    return files


def _names(file: FileStatus) -> set[str]:
    """What a file may be removed by; a table of a database by the database too."""
    document = file.document.casefold()
    if file.version.startswith(RELATION):
        return {document, document.split("/")[0]}
    return {document, Path(document).stem}
