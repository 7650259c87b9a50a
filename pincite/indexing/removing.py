"""Documents and databases out of a corpus; what is known of a document edited, until that is taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path, PurePath

from pincite.corpus import Corpus, FileStatus, writing
from pincite.corpus.described import EDITABLE, EDITED
from pincite.database.holdings import RELATION
from pincite.errors import UsageError
from pincite.indexing.publishing import publish
from pincite.indexing.workforce import IndexingProgress, silent
from pincite.search.index.shelf import Shelf


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
        known = writer.files().values()
        files = list(chain.from_iterable(files_called(name, known) for name in documents))
        writer.forget_files(file.path for file in files)
        publish(writer, shelves, progress)
    return files


def files_called(name: str, known: Collection[FileStatus]) -> list[FileStatus]:
    """The files of the document that a name means: its id, else the end of one; of a database all its tables."""
    wanted = name.casefold()
    exact = [file for file in known if file.document.casefold() == wanted]
    found = exact or [file for file in known if wanted in _names_of(file)]
    documents = sorted({file.document for file in found if not file.version.startswith(RELATION)})
    if len(documents) > 1:
        raise UsageError(f"{name} may be any of {', '.join(documents)}: give one of these")
    if not found:
        raise UsageError(f"not in the corpus: {name}; `pincite list` prints the documents")
    return found


def _names_of(file: FileStatus) -> set[str]:
    """What a file may be called beside its document's id, without its folders or extension; a table by its database."""
    parts = PurePath(file.document.casefold()).parts
    if file.version.startswith(RELATION):
        return {parts[0]}
    ends = {"/".join(parts[at:]) for at in range(len(parts))}
    return ends | {end.removesuffix(PurePath(end).suffix) for end in ends}


LONGEST = 400
"""Characters of an edited text."""


def edit(
    document: str,
    changes: Mapping[str, str],
    corpus: Path | str,
    shelves: Sequence[Shelf],
    progress: IndexingProgress = silent,
    wait: float = 0.0,
) -> list[FileStatus]:
    """Give a document, named as for `remove`, another title, company, kind or year; "" takes an edit back. Nothing is parsed.

    Returns its files as they are now. Raises UsageError for a document that is not there, or what cannot be edited.
    """
    edited = {EDITED + name: text for name, text in checked(changes).items()}
    Corpus(corpus).close()  # a missing corpus is an error, not a new one
    with writing(corpus, wait) as writer:
        called = files_called(document, writer.files().values())
        now = [replace(file, meta={**file.meta, **edited}) for file in called]
        for file in now:
            writer.put_file(file)
        publish(writer, shelves, progress)
    return now


def checked(changes: Mapping[str, str]) -> dict[str, str]:
    """The edits with their white space in order. Raises UsageError for what cannot be edited, or to nothing of the kind."""
    edits = {name: " ".join(text.split()) for name, text in changes.items()}
    for name, text in edits.items():
        if name not in EDITABLE:
            raise UsageError(f"a document's {name} cannot be edited, only {', '.join(EDITABLE)}")
        if len(text) > LONGEST or not text.isprintable():
            raise UsageError(f"a {name} must be text of at most {LONGEST} characters")
        if name == "year" and text and not (len(text) == 4 and text.isdecimal()):
            raise UsageError(f"a year is written with four digits, as 2023, not {text!r}")
    return edits
