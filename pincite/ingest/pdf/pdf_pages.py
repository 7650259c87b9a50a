"""PDF files as raw pages: words, ruling lines, fills and pictures in the coordinates of the displayed page.

Built on pdfium. Nothing active in a file (JavaScript, launch actions, embedded files) is ever run.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import LockedSource, SourceError
from pincite.ingest.lost_parts import at_most, why
from pincite.ingest.pdf.pdf_fields import typed_words
from pincite.ingest.pdf.pdf_shapes import shapes
from pincite.ingest.pdf.pdf_words import words
from pincite.ingest.pdf.pdfium import Frame, loaded_page
from pincite.ingest.pdf.struck_letters import annotated
from pincite.ingest.raw_page import RawPage

if TYPE_CHECKING:
    import PIL.Image


STOPPED = "it was not read: its parser crashed on it or did not end"


def raw_pages(
    path: Path,
    password: str | None = None,
    pages: range | None = None,
    without: Collection[int] = (),
) -> Iterator[RawPage]:
    """The pages of a PDF file one after the other; `pages` picks physical pages by 1-based number.

    Memory does not grow with the number of pages. A page that is damaged comes as an empty page of its number, so
    that the others survive; so does one that fails, takes too long or is of those to go `without`, and says so.
    Raises LockedSource for a missing or wrong password, SourceError for a file that does not open.
    """
    with _open_file(path, password) as document:
        for number in range(1, len(document) + 1) if pages is None else pages:
            _refuse_missing(path, document, number)
            yield (
                RawPage(number, lost=STOPPED)
                if number in without
                else _read_page(document, number)
            )


def told_title(path: Path, password: str | None = None) -> str:
    """The title that the metadata of a PDF file tells, often its template's. Errors as `raw_pages`."""
    with _open_file(path, password) as document:
        return " ".join(document.get_metadata_value("Title").split())


def render(
    path: Path, page: int, *, scale: float = 2.0, password: str | None = None
) -> PIL.Image.Image:
    """A picture of one page (1-based) as displayed, `scale` pixels to the point. Errors as `raw_pages`."""
    with _open_file(path, password) as document:
        _refuse_missing(path, document, page)
        try:
            loaded = document[page - 1]
        except Exception as error:
            said = f"Page {page} of {path.name} is damaged and cannot be drawn."
            raise SourceError(said) from error
        with closing(loaded):
            picture: PIL.Image.Image = loaded.render(scale=scale).to_pil().convert("RGB")
            return picture


def page_size(path: Path, page: int) -> tuple[float, float]:
    """Width and height of one page (1-based) as displayed, in points. Errors as `raw_pages`."""
    with _open_file(path) as document:
        _refuse_missing(path, document, page)
        width, height = document.get_page_size(page - 1)
        return float(width), float(height)


def page_sizes(path: Path) -> dict[int, tuple[float, float]]:
    """Width and height of every page as displayed, in points, by its number. Errors as `raw_pages`."""
    with _open_file(path) as document:
        return {at + 1: document.get_page_size(at) for at in range(len(document))}


def _read_page(document: Any, number: int) -> RawPage:
    with loaded_page(document, number) as page:
        if not page:
            return RawPage(number)
        try:
            with at_most():
                frame = Frame.of(page)
                rules, fills, pictures, drawn = shapes(page, frame)
                held, doubt = words(page, frame, [*rules, *annotated(page, frame)])
                held = (*held, *typed_words(document, number, page, frame, held))
                return RawPage(
                    number, frame.width, frame.height, held, rules, fills, pictures, drawn=drawn,
                    suspicion=doubt,
                )  # fmt: skip
        except Exception as error:  # of a file's making, so of no common class
            return RawPage(number, lost=f"it was not read: {why(error)}")


def _refuse_missing(path: Path, document: Any, number: int) -> None:
    if not 1 <= number <= len(document):
        raise SourceError(f"{path.name} has {len(document)} pages; there is no page {number}.")


@contextmanager
def _open_file(path: Path, password: str | None = None) -> Iterator[Any]:
    import pypdfium2
    import pypdfium2.raw

    if not path.is_file():
        raise SourceError(f"There is no file {path}.")
    # pdfium does not reset its last error: without this, a damaged file after a locked one would pass for locked.
    pypdfium2.raw.FPDF_LoadMemDocument(b"?", 1, None)
    try:
        document = pypdfium2.PdfDocument(str(path), password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            said = "the password given does not open it" if password else "it needs a password"
            raise LockedSource(
                f"{path.name} is encrypted: {said}. Give the password with --password."
            ) from error
        raise SourceError(
            f"{path.name} cannot be opened as a PDF: it is damaged or of another format. "
            "Open it in a viewer and save or print it to a new PDF."
        ) from error
    try:
        # of a form in XFA, of which it warns, the plain fields are read
        logging.getLogger("pypdfium2").setLevel(logging.ERROR)
        # without the platform for scripts that pypdfium2 would give, none of them can run
        document.init_forms(pypdfium2.raw.FPDF_FORMFILLINFO(version=2))
        yield document
    finally:
        document.close()
