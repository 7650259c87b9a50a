"""The framed pages of a grid's cells as files, each drawn once and named after its answer or review."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from pincite.corpus import Corpus
from pincite.disk import write
from pincite.errors import CorpusError, SourceError
from pincite.evidence.framed_page import frame, packed
from pincite.workbench.grid.filled_cells import Filled, Grid, place_of_cell


def draw_pages(
    grid: Grid,
    corpus: Corpus,
    folder: Path,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Draw the first cited page of every cell into `folder`, those that are not there; what has no page is left out."""
    todo = [
        (cell, place)
        for line in grid.cells
        for cell in line
        if (place := place_of_cell(cell)) and place.anchor.page
    ]
    todo = [(filled, place) for filled, place in todo if not (folder / name_of(filled)).exists()]
    for done, (filled, place) in enumerate(todo, 1):
        try:
            page = frame(corpus, place)
        except (CorpusError, SourceError):
            # a source that is gone, or has no pages: the quote stands in the evidence
            continue
        write(folder / name_of(filled), packed(page))
        tick(done, len(todo))


def name_of(filled: Filled) -> str:
    """The file of a cell's framed page."""
    identity = (
        filled.review.id if filled.status == "corrected" and filled.review else filled.answer_id
    )
    return f"{identity}.png"


def linked(folder: Path) -> Callable[[Filled], str]:
    """The address of a cell's framed page from beside its folder, "" where none was drawn."""
    return lambda filled: (
        f"{quote(folder.name)}/{name_of(filled)}" if (folder / name_of(filled)).exists() else ""
    )
