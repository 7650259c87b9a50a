"""The pages that a question points at, which are read before what the search found.

A page number may count the pages of the file or be printed on them; both pages are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from pincite.corpus import Corpus
from pincite.question.pointers import LABELLED
from pincite.question.understanding import understand
from pincite.stage import Stage
from pincite.text.lexicon import pattern
from pincite.types import Hit, Kind, Ranking

_OPENS_CONTENTS = pattern("search", "heading", "contents")
_DOTS = re.compile(r"\.{4,}+\s*+(?P<page>\d{1,4}\b|[ivxl]+\b)?")
_MOST = 4
"""How many pages are read for one thing that is pointed at."""


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """What of a document can be pointed at: (text, path, page) of headings and captions; `shift` is page less printed number."""

    pages: int
    headings: tuple[tuple[str, str, int], ...]
    captions: tuple[tuple[str, int], ...]
    spread: tuple[tuple[str, int], ...]
    contents: tuple[int, ...]
    shift: int


@dataclass(frozen=True)
class Pointed(Stage[Ranking, Ranking]):
    """Put the pages that a question points at before those found; a question that points nowhere passes unchanged.

    They are those of the document of the first hit.
    """

    corpus: Corpus = field(repr=False, compare=False)

    def run(self, given: Ranking) -> Ranking:
        """Rank the pages pointed at first."""
        named = understand(given.query).points
        places = self.corpus.places([hit.node for hit in given.hits]) if named else {}
        home = next((places[hit.node][0] for hit in given.hits if hit.node in places), "")
        if not home:
            return given
        outline = outline_of(self.corpus, home)
        pages: dict[int, None] = {}
        for kind, label in named:
            meant = dict.fromkeys(_pages(outline, kind, label))
            pages |= dict.fromkeys(list(meant)[:_MOST])
        nodes = chain.from_iterable(self.corpus.page(home, page) for page in pages)
        first = [Hit(node.id, given.hits[0].score) for node in nodes if node.kind == "page"]
        new = {hit.node for hit in first}
        return Ranking(given.query, (*first, *(hit for hit in given.hits if hit.node not in new)))


def _pages(outline: DocumentOutline, kind: str, label: str) -> list[int]:
    """The pages that are meant, the likelier first: by number, or below headings of a title, else below those that hold it; of a
    caption with a label, or below a heading with one, which a section may have without its kind.
    """
    if kind in ("page", "nth", "cover"):
        return _numbered(outline, kind, int(label))
    if kind == "titled":
        title = _plain(label)
        whole = _below(outline, lambda text: _plain(text) == title)
        return whole or _below(outline, lambda text: title in _plain(text))
    opens = _opening(LABELLED[kind], label)
    if kind in ("table", "figure", "algorithm"):
        return [page for text, page in outline.captions if opens.match(text)]
    alone = kind == "section" or "." in label
    bare = re.compile(rf"\W*+{re.escape(label)}(?![\w])(?!\.\d)[.:)]?\s") if alone else opens
    return _below(outline, lambda text: bool(opens.match(text) or bare.match(text)))


def _numbered(outline: DocumentOutline, kind: str, number: int) -> list[int]:
    """A page as it is printed on it or counted, one from the end, or one of those that have text, where covers are pictures."""
    number = number if number > 0 else outline.pages
    texts = sorted({page for _, page in outline.spread})
    second = [number + outline.shift] if kind == "page" else texts[number - 1 : number]
    return [page for page in (number, *second) if page in texts]


def _opening(names: str, label: str) -> re.Pattern[str]:
    """How a caption or heading with a label begins: "Table 2", and not "Table 2.1"."""
    return re.compile(rf"\W*+(?i:{names})\s*+{re.escape(label)}(?![\w])(?!\.\d)")


def _below(outline: DocumentOutline, is_meant: Callable[[str], bool]) -> list[int]:
    """The pages of the headings that are meant, and those of what stands below them."""
    headings = (each for each in outline.headings if each[2] not in outline.contents)
    paths = {path for text, path, _ in headings if is_meant(text)}
    below = tuple(f"{path} > " for path in paths)
    return [page for path, page in outline.spread if path in paths or path.startswith(below)]


def _plain(text: str) -> str:
    return re.sub(r"s\b", "", " ".join(re.findall(r"[a-z0-9]+", text.lower())))


_UNSAID: tuple[Kind, ...] = ("document", "section", "page", "sentence", "row", "equation")
"""Kinds of nodes that say nothing that others do not."""


@lru_cache(maxsize=16)
def outline_of(corpus: Corpus, version: str) -> DocumentOutline:
    """The outline of one document, read once."""
    pages = corpus.by_version[version].pages
    every = (corpus.page(version, number, without=_UNSAID) for number in range(1, pages + 1))
    nodes = [(node, node.anchor.page) for node in chain.from_iterable(every)]
    spread = dict.fromkeys((node.anchor.path, page) for node, page in nodes)
    headings = tuple(
        (node.text, node.anchor.path, page) for node, page in nodes if node.kind == "heading"
    )
    captions = [(node.text[:40], page) for node, page in nodes if node.kind in _CAPTIONS]
    captions += [(node.table.caption, page) for node, page in nodes if node.table is not None]
    entries = [
        (title, printed, page) for node, page in nodes for title, printed in _entries(node.text)
    ]
    contents, ahead = _contents(headings, entries), shift(entries, headings)
    return DocumentOutline(pages, headings, tuple(captions), tuple(spread), contents, ahead)


_CAPTIONS = ("caption", "paragraph", "heading")
"""Kinds of nodes that may begin as a caption does."""


def _contents(
    headings: Sequence[tuple[str, str, int]], entries: Sequence[tuple[str, int, int]]
) -> tuple[int, ...]:
    """At most two pages of contents: those that are headed so, then those with five entries or more."""
    counts = Counter(page for _, _, page in entries)
    pages = [page for text, _, page in headings if _OPENS_CONTENTS.fullmatch(text)]
    pages += [page for page, count in sorted(counts.items()) if count >= 5]
    return tuple(dict.fromkeys(pages))[:2]


def _entries(text: str) -> Iterator[tuple[str, int]]:
    """The titles of a table of contents whose dots lead to a page, with the page's printed number."""
    begin = 0
    for dots in _DOTS.finditer(text):
        title = text[begin : dots.start()].rstrip().rpartition("\n")[2].strip()
        if title and (dots["page"] or "").isdigit():
            yield title, int(dots["page"])
        begin = dots.end()


def shift(
    entries: Sequence[tuple[str, int, int]], headings: Sequence[tuple[str, str, int]]
) -> int:
    """How many pages the file is ahead of the printed numbers.

    `entries` are the (title, printed number, page it stands on) of the contents; what most of their headings tell counts.
    """
    where: dict[str, list[int]] = {}
    for text, _, page in headings:
        where.setdefault(_plain(text), []).append(page)
    votes: Counter[int] = Counter()
    for title, printed, stands in entries:
        # "Appendix C: Threats" may be two headings
        found = where.get(_plain(title)) or where.get(_plain(title.partition(":")[0]), [])
        votes.update({page - printed for page in found if page > stands})
    best, count = votes.most_common(1)[0] if votes else (0, 0)
    return best if count > 1 else 0
