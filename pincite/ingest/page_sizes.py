"""How large the pages of a file are, where it has any that are printed or drawn."""

from __future__ import annotations

import json
from pathlib import Path

from pincite.ingest.docling.doclingfile import page_sizes
from pincite.ingest.document_parser import format_of

Sizes = dict[int, tuple[float, float]]


def sizes_of(path: Path) -> Sizes:
    """Width and height in points of the pages of a PDF, of pictures or of a DoclingDocument, as displayed; none for others.

    Raises SourceError when the file cannot be read.
    """
    kind = format_of(path)
    if kind == "docling":
        return page_sizes(json.loads(path.read_bytes()))
    if kind == "pdf":
        from pincite.ingest.pdf.pdf_pages import page_sizes as of_pdf

        return of_pdf(path)
    if kind == "image":
        from pincite.ingest.ocr.imagefile import image_pages

        return {page.number: (page.width, page.height) for page in image_pages(path)}
    return {}
