"""What a document is called: by its file, its cover, its headings, whichever is best supported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, takewhile
from pathlib import PurePosixPath

from pincite.ingest.raw_page import Block, Page
from pincite.text.lexicon import pattern
from pincite.text.words import plain_words

LONGEST = 300  # characters of a title
COVER = 40  # words of a page that is a cover, at most
BESIDE = 0.4
"""How large beside the largest of a cover is what belongs to its title: a subtitle is, the name of an author is not."""
OPENING = 0.85  # how large beside another heading one is that opens a page, and still its title
HEAD = 12  # words of a running head, at most
_NO_TITLE = pattern("ingest", "no title", "titles")
_NUMBERED = pattern("ingest", "numbered", "titles")
_PAGE = pattern("ingest", "page label", "numbering")
_OF_FILE = pattern("ingest", "of no document", "titles")
_STAMP = pattern("ingest", "stamp", "titles")
_CITED = pattern("ingest", "cited", "titles")
_KIND = pattern("ingest", "kind", "titles")


def title_of(pages: Sequence[Page], name: str = "") -> str:
    """The title that the file tells; else that by which the document asks to be cited, what a cover says, the largest heading of
    the first page, its running head, a heading near the front, the first line; empty without text.

    What a printed file's metadata tell is often the title of its template, or made by a program: its words must stand on the
    first two pages or in `name`, the file's.
    """
    front = "\n".join(block.text for page in pages[:2] for block in page.blocks)
    cited = _CITED.search(front)
    first = pages[:1]
    found = chain(
        (page.title for page in pages if not _OF_FILE.fullmatch(page.title)),
        (page.metadata_title for page in first if _is_own_title(page.metadata_title, front, name)),
        [cited[1] if cited else "", _cover_title(pages)],
        map(_largest_heading, first),
        map(_running_head, first),
        map(_largest_heading, pages[1:3]),
        (_largest_heading(page, numbered=True) for page in pages[:3]),
        (line for page in first for block in page.blocks for line in _first_lines(block)),
    )
    return " ".join(next(filter(None, found), "").split())[:LONGEST]


def _is_own_title(title: str, front: str, name: str) -> bool:
    """Whether the title of a file's metadata is that of what it holds."""
    if _OF_FILE.fullmatch(title) or _NO_TITLE.fullmatch(title):
        return False
    words = set(plain_words(title))
    stem = PurePosixPath(name).stem.replace("_", " ")
    return len(words) > 1 and words <= {*plain_words(front), *plain_words(stem)}


def _cover_title(pages: Sequence[Page]) -> str:
    """What the first of several pages says where it says little: its large headings and that which names its kind; all of it
    where it has none, and no sentence. Where the levels of headings are told, no cover is needed.
    """
    blocks = [block for block in pages[0].blocks if block.text] if len(pages) > 1 else []
    length = sum(len(block.text.split()) for block in blocks)
    if length > COVER or any(block.level for block in blocks):
        return ""
    named = [block for block in blocks if _may_be_title(block)]
    if headings := [block for block in named if block.kind == "heading"]:
        least = BESIDE * max(block.size for block in headings)
        named = [block for block in headings if block.size >= least or _KIND.search(block.text)]
    elif any(block.kind != "paragraph" or block.text.rstrip().endswith(".") for block in blocks):
        return ""
    return " ".join(block.text for block in named)


def _may_be_title(block: Block) -> bool:
    return not (_NO_TITLE.fullmatch(block.text) or _NUMBERED.match(block.text))


def _largest_heading(page: Page, numbered: bool = False) -> str:
    """The largest heading of a page, with those of its size that go on with it; a numbered one only where that is wanted.

    Where the format has no pages, only one of the first level that opens the text.
    """
    ranks = []
    for at, block in enumerate(page.blocks):
        titled = numbered and not _NO_TITLE.fullmatch(block.text) or _may_be_title(block)
        if block.kind == "heading" and titled:
            ranks.append((block.level, -round(block.size * 2 / (OPENING if not at else 1)), at))
    level, _, first = min(ranks, default=(0, 0, -1))
    if first < 0 or not page.height and (level, first) != (1, 0):
        return ""
    largest, *after = page.blocks[first:]

    def goes_on(block: Block) -> bool:
        return block.kind == "heading" and not block.level and block.size >= 0.95 * largest.size

    return " ".join(block.text for block in (largest, *takewhile(goes_on, after)))


def _running_head(page: Page) -> str:
    """The short text that opens a page and is no sentence, without the page's number."""
    block = next((block for block in page.blocks if block.text), None)
    if block is None or block.kind != "paragraph" or not page.height:
        return ""
    if len(block.text.split()) > HEAD:
        return ""
    head = _PAGE.sub("", block.text).strip()
    return "" if head.endswith((".", ":", ",")) or not any(_first_lines(block)) else head


def _first_lines(block: Block) -> Iterable[str]:
    """The first line of a block, and the next where it goes on; none of a stamp such as "arXiv:..."."""
    lines = block.text_lines()
    if not lines or _STAMP.match(lines[0]) or not any(map(str.isalpha, lines[0])):
        return []
    first, second = lines[0], "".join(lines[1:2])
    goes_on = first[-1] in ":-&" or second[:1].islower() or first.split()[-1].islower()
    return [f"{first} {second}" if len(lines) > 1 and goes_on else first]
