"""A page or table described by code, without a model, as a view: its place, its names and its subject.

The text has up to five lines: the document's names and the headings that hold; captions; the columns of tables; what units
and abbreviations in it stand for; key phrases. None of it is cited or shown to a reader.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.document.table import grid
from pincite.document.table_headers import column_header
from pincite.quantity import expansions
from pincite.search.index.document_views import (
    ALL,
    ObjectKind,
    headed,
    object_kind,
    pages_with_headings,
)
from pincite.search.index.tokens import STOP_WORDS, tokens
from pincite.types import Document, Entry, Node, Table

LONGEST = 3
"""Words of a key phrase at most."""
_COLUMN = 80  # characters of a column's name; what is longer is no name
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]|\.(?=\w))*|[.,;:!?()\[\]|\n]|\d\S*")


@dataclass(frozen=True, slots=True)
class Plainly:
    """Every object of these kinds, in words that code knows for it, with its `phrases` best key phrases.

    A table of a database is described by its card.
    """

    phrases: int = 10
    kinds: tuple[ObjectKind, ...] = ALL

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every page with text, then one for every table."""
        tables = [node for node in document.nodes if object_kind(node) == "table"]
        if "page" in self.kinds:
            yield from self._pages(document, tables)
        if "table" in self.kinds:
            yield from self._tables(document, tables)
        if "relation" in self.kinds:
            relations = (node for node in document.nodes if object_kind(node) == "relation")
            yield from (Entry(node.id, "plainly", node.text) for node in relations)

    def _pages(self, document: Document, tables: Sequence[Node]) -> Iterator[Entry]:
        pages = [
            (page, above) for page, above in pages_with_headings(document) if page.text.strip()
        ]
        captions = _captions(document)
        key = key_phrases([page.text for page, _ in pages], self.phrases)
        for (page, above), phrases in zip(pages, key, strict=True):
            number = page.anchor.page
            mine = [node.table for node in tables if node.table and node.anchor.page == number]
            called = [*captions[number], *(table.caption for table in mine)]
            text = _description(document, above, called, mine, page.text, phrases)
            yield Entry(page.id, "plainly", text)

    def _tables(self, document: Document, tables: Sequence[Node]) -> Iterator[Entry]:
        key = key_phrases([node.text for node in tables], self.phrases)
        for node, phrases in zip(tables, key, strict=True):
            if node.table is not None:
                caption, above = node.table.caption, (node.anchor.path,)
                whole = f"{caption}\n{node.text}"
                text = _description(document, above, [caption], [node.table], whole, phrases)
                yield Entry(node.id, "plainly", text)


def key_phrases(texts: Sequence[str], n: int) -> list[list[str]]:
    """The `n` phrases that tell each of a document's texts from its others best, best first.

    Candidates are one to LONGEST words from the runs between stop words, numbers, punctuation and line ends (as in RAKE, Rose
    et al., 2010), the same when their stems are. Their score is tf x ln((N + 1) / df) x words: how often the text has it, in
    how many of the N texts it stands, how long it is. Equal ones keep their order, and no two that are chosen share a word.
    """
    found = [_candidates(text) for text in texts]
    spread = Counter(stems for words in found for stems in words)
    chosen = []
    for words in found:
        scores = {
            stems: count * math.log((len(texts) + 1) / spread[stems]) * len(stems)
            for stems, (count, _) in words.items()
        }
        kept: list[str] = []
        used: set[str] = set()
        for stems in sorted(words, key=scores.__getitem__, reverse=True):
            written = words[stems][1]
            if len(kept) < n and used.isdisjoint(stems):
                kept.append(written)
                used.update(stems)
        chosen.append(kept)
    return chosen


def _candidates(text: str) -> dict[tuple[str, ...], tuple[int, str]]:
    """The phrases of a text by their stems: how often each stands there, and how it is written first."""
    found: dict[tuple[str, ...], tuple[int, str]] = {}
    for run in _runs(text):
        for length in range(1, LONGEST + 1):
            for start in range(len(run) - length + 1):
                words = run[start : start + length]
                stems = tuple(stem for word in words for stem in tokens(word))
                count, written = found.get(stems, (0, " ".join(words)))
                if stems:
                    found[stems] = count + 1, written
    return found


def _runs(text: str) -> Iterator[list[str]]:
    run: list[str] = []
    for word in _WORD.findall(text):
        if len(word) > 1 and word[0].isalpha() and word.lower() not in STOP_WORDS:
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _description(
    document: Document,
    above: Iterable[str],
    captions: Iterable[str],
    tables: Iterable[Table],
    text: str,
    phrases: Iterable[str],
) -> str:
    names = (
        column_header(table, column) for table in tables for column in range(grid(table).width)
    )
    # a number over a column is no name
    columns = (name for name in names if any(map(str.isalpha, name)) and len(name) <= _COLUMN)
    lines = (
        headed(document, above),
        _line(captions),
        _line(columns),
        "; ".join(expansions(text)),
        "; ".join(phrases),
    )
    return "\n".join(filter(None, lines))


def _captions(document: Document) -> Mapping[int, list[str]]:
    """The captions of each page."""
    found = defaultdict[int, list[str]](list)
    for node in document.nodes:
        if node.kind == "caption":
            found[node.anchor.page].append(node.text)
    return found


def _line(parts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(" ".join(part.split()) for part in parts if part.strip()))
