"""One file to one Document: the parser for its format, tables, layout, running heads off, the tree."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import SourceError, UnsupportedSource, UsageError
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, reads
from pincite.ingest.raw_page import Page
from pincite.text.lexicon import data_table
from pincite.types import Document

if TYPE_CHECKING:
    import PIL.Image

    from pincite.ingest.contained_files import Room

PARSER = "9"  # raise it when a parser makes other nodes of the same bytes: they are parsed again

_FORMATS = data_table("formats")
SUFFIXES: dict[str, str] = {
    suffix: kind for kind, told in _FORMATS["kinds"].items() for suffix in told["suffixes"].split()
}
BUILT_IN = "pincite"  # what the parser is called that is no other


@dataclass(frozen=True, slots=True)
class Parser:
    """Another parser of some kinds of files: `reader` is the function of `pincite.ingest` that reads a file to pages with it.

    `package` is what must be installed, `patience_s` how long it may work on one file without a sign of life.
    """

    reader: str
    package: str
    kinds: tuple[str, ...]
    patience_s: float


_DOCLING = "docling.doclingparse.docling_read"
PARSERS = {"docling": Parser(_DOCLING, "docling", ("pdf", "image"), 1800.0)}
_OFFICE = {"word/": "docx", "ppt/": "pptx", "xl/": "xlsx"}
_OPEN_DOCUMENT = {b"text": "odt", b"spreadsheet": "ods", b"presentation": "odp"}


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
        return _format_in_zip(path)
    if kind == "docling":
        from pincite.ingest.docling.doclingfile import is_docling

        kind = kind if is_docling(path) else None
    if kind is None:
        raise UnsupportedSource(_why_unread(path))
    return kind


def _why_unread(path: Path) -> str:
    """Why a file of this name is not read, and what can be done."""
    suffix = path.suffix.lower()
    instead = _FORMATS["instead"].items()
    better = next((read for read, unread in instead if suffix in unread.split()), "")
    if not better:
        return f"no parser for {path.name}: formats read are {', '.join(sorted(SUFFIXES))}"
    how = "unpack it, or pack it again as" if better == ".zip" else "save it from its program as"
    converts = suffix in _FORMATS["soffice"]["suffixes"].split()
    command = f", or run `soffice --headless --convert-to {better[1:]} '{path.name}'`"
    free = command if converts else ""
    return f"{path.name} is of a format that is not read ({suffix}): {how} {better}{free}, and index that"


def parser_named(name: str) -> Parser | None:
    """The parser of this name; None for our own. Raises UsageError for one that there is not, or that is not installed."""
    if name in ("", BUILT_IN):
        return None
    if name not in PARSERS:
        raise UsageError(f"there is no parser {name!r}; known: {', '.join((BUILT_IN, *PARSERS))}")
    if find_spec(PARSERS[name].package) is None:
        raise UsageError(
            f"--parser {name} needs {PARSERS[name].package}, which is not installed: pip install 'pincite[{name}]'"
        )
    return PARSERS[name]


def parser_now(kind: str = "", parser: str = "", ocr_settings: OcrSettings = AUTO) -> str:
    """What parses files of a kind, as it is told in their version.

    That is the parser of that name with ours ("4+docling"), else our own with the engine that reads pictures where there is
    one: "4+rapidocr".
    """
    if parser in PARSERS and kind in PARSERS[parser].kinds:
        return f"{PARSER}+{parser}"
    return f"{PARSER}+{engine}" if (engine := reads(ocr_settings)) else PARSER


def outdated(
    parsed: str, kind: str = "", parser: str = "", ocr_settings: OcrSettings = AUTO
) -> bool:
    """Whether documents that were parsed in this way are to be parsed again.

    They are when an older parser read them, when OCR was missing and is here now, or when another `parser` or other
    `ocr_settings` are asked for; where none is asked for, what another parser made is kept.
    """
    version, _, engine = parsed.partition("+")
    if version != PARSER:
        return True
    if engine in PARSERS:
        return parser not in ("", engine)
    if parser_now(kind, parser).endswith(f"+{parser}"):
        return True
    now = reads(ocr_settings)
    return engine != now if ocr_settings.settled else not engine and bool(now)


def parse(
    path: Path,
    name: str,
    source: str,
    password: str | None = None,
    tick: Callable[[int], None] = lambda page: None,
    parser: str = "",
    ocr_settings: OcrSettings = AUTO,
    without: Collection[int] = (),
) -> Document:
    """Parse a file into its Document, whose id is `name` and whose source is the sha256 `source`.

    `tick` is called with the number of every page when it is done; `parser` names one of `PARSERS` for the kinds that it
    reads, `ocr_settings` say how pictures are read, `without` are pages of a PDF file that are left out and said to be.
    Raises SourceError when the file cannot be read.
    """
    from pincite.ingest.cover_hints import hints
    from pincite.ingest.tree import build

    kind = format_of(path)
    spelled, other = f"{kind}/{PARSER}", PARSERS.get(parser)
    if other is not None and kind in other.kinds:
        spelled += f"+{parser}"
        pages = tuple(_tick_pages(_reader_function(other.reader)(path, password), tick))
    else:
        pages = pages_of(path, kind, password, None, tick, ocr_settings, without)
    told = hints(name, pages)
    return build(source, name, spelled, pages, title=told.pop("title", ""), meta=told)


def pages_of(
    path: Path,
    kind: str,
    password: str | None,
    room: Room | None = None,
    tick: Callable[[int], None] = lambda page: None,
    ocr_settings: OcrSettings = AUTO,
    without: Collection[int] = (),
) -> tuple[Page, ...]:
    """The pages of a file, running heads off. A file inside another shares the `room` that there is to unpack."""
    from pincite.ingest.layout.furniture import without_furniture
    from pincite.ingest.tables.continuation import carried

    if kind not in ("text", "markdown") and not path.stat().st_size:
        raise SourceError(
            f"{path.name} is empty: it contains nothing to read. Get the file again."
        )
    reader = _FORMATS["kinds"][kind].get("reader")
    try:
        if reader is None:  # the format does not tell the structure
            found = _pages(path, kind, password, ocr_settings, without)
            return tuple(carried(without_furniture(_tick_pages(found, tick))))
        given: tuple[Any, ...] = (path, password)
        if kind in ("zip", "mail", "outlook"):
            from pincite.ingest.contained_files import Room

            given += (room or Room(_pages_of_part, tick=tick, ocr_settings=ocr_settings),)
        return tuple(_tick_pages(_reader_function(reader)(*given), tick))
    except RecursionError as error:
        raise SourceError(
            f"{path.name} could not be parsed: its parts are nested too deeply, unlike those of any usual file"
        ) from error


def _reader_function(name: str) -> Any:
    """A function of `pincite.ingest` by the names of its module and its own."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"pincite.ingest.{module}"), function)


def _pages_of_part(path: Path, password: str | None, room: Room) -> tuple[Page, ...]:
    """The pages of a file that was inside another."""
    return pages_of(path, format_of(path), password, room, room.tick, room.ocr_settings)


def _format_in_zip(path: Path) -> str:
    """What a ZIP container holds: an office document, a book, or files."""
    from pincite.ingest.zip_limits import opened

    with opened(path) as archive:
        names = archive.namelist()
        kind = b""
        if "mimetype" in names:
            with archive.open("mimetype") as file:
                kind = file.read(100)
    if "[Content_Types].xml" in names:
        folders = {"".join(name.partition("/")[:2]) for name in names}
        return next((kind for start, kind in _OFFICE.items() if start in folders), "zip")
    if kind.startswith(b"application/vnd.oasis.opendocument."):
        return _OPEN_DOCUMENT.get(kind.rpartition(b".")[2].partition(b"-")[0].strip(), "zip")
    return "epub" if "META-INF/container.xml" in names else "zip"


def _pages(
    path: Path,
    kind: str,
    password: str | None,
    ocr_settings: OcrSettings,
    without: Collection[int],
) -> Iterator[Page]:
    from pincite.ingest.layout.understood_page import understood
    from pincite.ingest.ocr.imagefile import image_pages
    from pincite.ingest.pdf.pdf_pages import raw_pages, told_title
    from pincite.ingest.textfile import markdown_pages, text_pages

    if kind in ("text", "markdown"):
        yield from (text_pages if kind == "text" else markdown_pages)(path)
        return
    pdf = kind == "pdf"
    title = told_title(path, password) if pdf else ""
    for raw in raw_pages(path, password, without=without) if pdf else image_pages(path):
        drawn = partial(draw, path, raw.number, password=password)
        yield replace(understood(raw, drawn, ocr_settings), metadata_title=title)


def sizes_of(path: Path) -> dict[int, tuple[float, float]]:
    """Width and height in points of the pages of a PDF, of pictures or of a DoclingDocument, as displayed; none for others.

    Raises SourceError when the file cannot be read.
    """
    from pincite.ingest.docling.doclingfile import page_sizes as of_docling
    from pincite.ingest.ocr.imagefile import image_pages
    from pincite.ingest.pdf.pdf_pages import page_sizes as of_pdf

    kind = format_of(path)
    if kind == "docling":
        return of_docling(json.loads(path.read_bytes()))
    if kind == "pdf":
        return of_pdf(path)
    pictures = image_pages(path) if kind == "image" else ()
    return {page.number: (page.width, page.height) for page in pictures}


def draw(path: Path, page: int, scale: float, password: str | None = None) -> PIL.Image.Image:
    """A picture of one page (1-based) of a PDF or picture file, `scale` pixels to the point. Raises SourceError."""
    from pincite.ingest.ocr.imagefile import image_page
    from pincite.ingest.pdf.pdf_pages import render

    if format_of(path) == "image":
        return image_page(path, page, scale=scale)
    return render(path, page, scale=scale, password=password)


def _tick_pages(pages: Iterator[Page], tick: Callable[[int], None]) -> Iterator[Page]:
    for number, page in enumerate(pages, 1):
        tick(number)
        yield page
