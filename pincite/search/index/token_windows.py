"""Windows of an encoder's own tokens, inside each page and never across one.

A window holds at most `tokens` tokens and begins at least `overlap` of them before the previous one ends. It begins and ends
between words where it can, so that a lexical index sees none cut in two. Tokens that an encoder puts around every text are not
counted. A window that is longer than the encoder reads at once is read in parts, as every text is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pincite.models.text_parts import token_windows
from pincite.ports import Tokenizer
from pincite.search.index.document_views import headed_pages
from pincite.types import Document, Entry, Kind


@dataclass(frozen=True, slots=True)
class TokenWindows:
    """Windows of `tokens` tokens of `by` inside each page, never across one; `header` puts `headed` before each.

    `without` are kinds left out of the pages' text: ("table",) for prose alone.
    """

    by: Tokenizer
    tokens: int = 256
    overlap: int = 20
    header: bool = False
    without: tuple[Kind, ...] = ()

    @property
    def name(self) -> str:
        """What the entries call this view."""
        return f"tokens{self.tokens}"

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield the windows of every page in order, numbered from 0 within the page; an empty page has none."""
        for page, before in headed_pages(document, self.header, self.without):
            spans = token_windows(page.text, self.by.spans, self.tokens, self.overlap)
            for at, (start, end) in enumerate(spans):
                yield Entry(page.id, self.name, before + page.text[start:end].strip(), at)
