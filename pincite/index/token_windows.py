"""Windows of an encoder's own tokens, inside each page and never across one.

A window holds at most `tokens` tokens and begins at least `overlap` of them before the previous one ends. It begins and ends
between words where it can, so that a lexical index sees none cut in two. Tokens that an encoder puts around every text are not
counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pincite.index.document_views import headed, pages_with_headings
from pincite.models.encoder import MiniLM
from pincite.ports import Encoder, Tokenizer
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
        for page, above in pages_with_headings(document, self.without):
            before = headed(document, above) + "\n" if self.header else ""
            for at, (start, end) in enumerate(
                token_windows(page.text, self.by, self.tokens, self.overlap)
            ):
                yield Entry(page.id, self.name, before + page.text[start:end].strip(), at)


def tokenizer_of(encoder: Encoder) -> Tokenizer:
    """The encoder's own tokenizer; the built-in encoder's for one behind an endpoint, which has none here."""
    return encoder if isinstance(encoder, Tokenizer) else MiniLM()


def token_windows(
    text: str, by: Tokenizer, tokens: int, overlap: int
) -> Iterator[tuple[int, int]]:
    """The [start, end) of every window in `text`; together they cover it, and a blank text has none."""
    if not 0 <= overlap < tokens:
        raise ValueError(
            f"overlap {overlap} must be at least 0 and less than the window of {tokens} tokens"
        )
    if not text.strip():
        return
    spans = by.spans(text)
    first = 0
    while True:
        last = first + tokens
        if last >= len(spans):
            yield spans[first][0] if first else 0, len(text)
            return
        last = _word(spans, last, above=first)
        yield spans[first][0] if first else 0, spans[last][0]
        first = max(_word(spans, max(last - overlap, first + 1), above=first), first + 1)


def _word(spans: list[tuple[int, int]], at: int, above: int) -> int:
    """The last token up to `at` that begins a word and comes after `above`; `at` itself in a run without a gap."""
    return next(
        (place for place in range(at, above, -1) if spans[place - 1][1] < spans[place][0]), at
    )
