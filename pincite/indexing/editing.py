"""What is known of a document, edited: it holds over indexing again, export and import, until it is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.corpus import Corpus, FileStatus, writing
from pincite.corpus.described import EDITABLE, EDITED
from pincite.errors import UsageError
from pincite.index.shelf import Shelf
from pincite.indexing.progress import IndexingProgress, silent
from pincite.indexing.publishing import publish
from pincite.indexing.removing import files_called

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
    return {name: _checked(name, text) for name, text in changes.items()}


def _checked(name: str, text: str) -> str:
    text = " ".join(text.split())
    if name not in EDITABLE:
        raise UsageError(f"a document's {name} cannot be edited, only {', '.join(EDITABLE)}")
    if len(text) > LONGEST or not text.isprintable():
        raise UsageError(f"a {name} must be text of at most {LONGEST} characters")
    if name == "year" and text and not (len(text) == 4 and text.isdecimal()):
        raise UsageError(f"a year is written with four digits, as 2023, not {text!r}")
    return text
