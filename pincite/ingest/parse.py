"""One file to one Document: the parser for its format, tables, layout, running heads off, the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import SourceError, UnsupportedSource
from pincite.ingest.ocr import engine_name
from pincite.ingest.page import Page
from pincite.types import Document

if TYPE_CHECKING:
    import PIL.Image

    from pincite.ingest.parts import Room

PARSER = "3"
"""Raise it when a parser makes other nodes of the same bytes: documents are then parsed again."""

SUFFIXES = {
    ".pdf": "pdf", ".txt": "text", ".md": "markdown", ".markdown": "markdown",
    ".docx": "docx", ".docm": "docx", ".pptx": "pptx", ".pptm": "pptx", ".xlsx": "xlsx", ".xlsm": "xlsx",
    ".xls": "sheets", ".xlsb": "sheets", ".ods": "sheets", ".csv": "csv", ".tsv": "csv", ".tab": "csv",
    ".html": "html", ".htm": "html", ".xhtml": "html", ".epub": "epub", ".rtf": "rtf",
    ".eml": "mail", ".mht": "mail", ".mhtml": "mail", ".zip": "zip",
    ".png": "image", ".jpg": "image", ".jpeg": "image", ".tif": "image", ".tiff": "image", ".webp": "image",
}  # fmt: skip
READERS = {
    "docx": ("docxfile", "docx_pages"), "pptx": ("pptxfile", "pptx_pages"), "xlsx": ("xlsxfile", "xlsx_pages"),
    "sheets": ("xlsxfile", "calamine_pages"), "csv": ("csvfile", "csv_pages"), "html": ("htmlfile", "html_pages"),
    "epub": ("epubfile", "epub_pages"), "rtf": ("rtffile", "rtf_pages"), "mail": ("mailfile", "mail_pages"),
    "zip": ("zipfiles", "zip_pages"),
}  # fmt: skip
"""The module and the function that reads each format which tells its structure itself."""
_OFFICE = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}


def format_of(path: Path) -> str:
    """The name of the parser for a file: by its first bytes when they say PDF or RTF, else by its suffix.

    A ZIP container that is named as an archive or not at all is an office document when that is what it holds.
    """
    with path.open("rb") as file:
        start = file.read(1024)
    packed = start.startswith(b"PK")
    if b"%PDF-" in start and not packed:
        return "pdf"
    if start.startswith(b"{\\rtf"):
        return "rtf"
    kind = SUFFIXES.get(path.suffix.lower())
    if packed and kind in (None, "zip"):
        return _packed(path)
    if kind is None:
        known = ", ".join(sorted(SUFFIXES))
        raise UnsupportedSource(f"no parser for {path.name}: formats read are {known}")
    return kind


def parser_now() -> str:
    """The parser's version, with the engine that reads pictures where there is one: "3+rapidocr"."""
    return f"{PARSER}+{engine}" if (engine := engine_name()) else PARSER


def outdated(parser: str) -> bool:
    """Whether documents that were parsed so are to be parsed again: by an older parser, or without eyes where there are now."""
    version, _, engine = parser.partition("+")
    return version != PARSER or (not engine and bool(engine_name()))


def parse(
    path: Path, name: str, source: str, password: str | None = None, tick: Callable[[int], None] = lambda page: None
) -> Document:
    """Parse a file into its Document, whose id is `name` and whose source is the sha256 `source`.

    `tick` is called with the number of every page when it is done. Raises SourceError when the file cannot be read.
    """
    from pincite.ingest.hints import hints
    from pincite.ingest.tree import build

    kind = format_of(path)
    pages = pages_of(path, kind, password, tick=tick)
    meta = hints(name, pages)
    return build(source, name, f"{kind}/{PARSER}", pages, meta=meta)


def pages_of(
    path: Path,
    kind: str,
    password: str | None,
    room: Room | None = None,
    tick: Callable[[int], None] = lambda page: None,
) -> tuple[Page, ...]:
    """The pages of a file, running heads off. A file inside another shares the `room` that there is to unpack."""
    from pincite.ingest.furniture import without_furniture

    if kind not in READERS:
        return without_furniture(_ticked(_pages(path, kind, password), tick))
    if not path.stat().st_size:
        raise SourceError(f"{path.name} is empty: there is nothing in it to read. Get the file again.")
    module, function = READERS[kind]
    read = getattr(import_module(f"pincite.ingest.{module}"), function)
    if kind in ("zip", "mail"):
        from pincite.ingest.parts import Room

        return tuple(_ticked(read(path, password, room or Room(tick=tick)), tick))
    return tuple(_ticked(read(path, password), tick))


def _packed(path: Path) -> str:
    """What a ZIP container holds: an office document, a book, or files."""
    from pincite.ingest.archive import unpacked

    with unpacked(path) as archive:
        names = archive.namelist()
    if "[Content_Types].xml" in names:
        return next((kind for start, kind in _OFFICE.items() if any(name.startswith(start) for name in names)), "zip")
    return "epub" if "META-INF/container.xml" in names else "zip"


def _pages(path: Path, kind: str, password: str | None) -> Iterator[Page]:
    from pincite.ingest.layout import layout
    from pincite.ingest.textfile import markdown_pages, text_pages

    if kind == "text":
        yield from text_pages(path)
    elif kind == "markdown":
        yield from markdown_pages(path)
    else:
        from pincite.ingest.imagefile import image_page, image_pages
        from pincite.ingest.looked import looked_at
        from pincite.ingest.pdf import raw_pages, render
        from pincite.ingest.tables import find_tables

        def draw(scale: float) -> PIL.Image.Image:
            if kind == "image":
                return image_page(path, raw.number, scale=scale)
            return render(path, raw.number, scale=scale, password=password)

        for raw in image_pages(path) if kind == "image" else raw_pages(path, password):
            page = looked_at(raw, draw)
            yield layout(page, find_tables(page))


def _ticked(pages: Iterator[Page], tick: Callable[[int], None]) -> Iterator[Page]:
    for number, page in enumerate(pages, 1):
        tick(number)
        yield page
